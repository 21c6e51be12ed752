/**
 * What this device remembers of the exchange's journal: the first key, the newest head that it checked, and what it found. It stays when
 * the person logs out, because it is about the exchange and not about a customer.
 */
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { type Evidence, isComplete, readEvidence } from '@candor/core/proof/evidence.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import type { Remembered } from '@candor/core/proof/remembered.ts'

/** A head by its number, and when it was made. */
export type Mark = { readonly n: number; readonly at: number }

/** Evidence of a contradiction. `isRead`: the person has seen it and went on. */
export type Finding = { readonly evidence: Evidence; readonly isRead: boolean }

export type Memory = {
  readonly mode: WireConfig['mode']
  /** When this device remembered its first head, in milliseconds, and which that was. */
  readonly since: number
  readonly first: Mark
  /** The newest head that was checked, with its keys. */
  readonly newest: Remembered
  /** The last check, and the remembered head from which the newest one followed then; undefined before a second one was seen. */
  readonly checkedAt: number
  readonly from: Mark | undefined
  /** When a sandbox was found started anew. */
  readonly anewAt: number | undefined
}

/** One item for each, so that what was found is kept when the rest begins anew. */
const [memoryPlace, findingsPlace] = ['heads', 'heads-found']
/** The first findings count most: later ones may follow from them. */
const findingsMax = 5

/** What is remembered; undefined when nothing is, or what is there can't be read. */
export function remembered(): Memory | undefined {
  const kept = read(memoryPlace) as Partial<Memory> | undefined
  const { mode, since, first, newest, checkedAt } = kept ?? {}
  if (typeof since !== 'number' || typeof checkedAt !== 'number' || typeof first?.n !== 'number' || mode === undefined) return undefined
  if (!Array.isArray(newest?.keys) || typeof newest.head?.text !== 'string') return undefined
  return readHeadText(newest.head.text) === undefined ? undefined : (kept as Memory)
}

/** Another page of the app may have remembered a newer head meanwhile, which stays. */
export function remember(memory: Memory): void {
  const other = remembered()
  const isOlder = other !== undefined && other.since === memory.since && other.newest.head.n > memory.newest.head.n
  if (isOlder) return
  write(memoryPlace, memory)
}

export function findings(): readonly Finding[] {
  const kept = read(findingsPlace)
  return Array.isArray(kept) ? (kept as readonly Finding[]).filter((one) => readEvidence(one?.evidence) !== undefined) : []
}

/** Keeps what was found, unless the same was found before. */
export function keepFinding(evidence: Evidence): void {
  const kept = findings()
  if (kept.some((one) => isSame(one.evidence, evidence))) return
  // Five answers that nobody signed must not take the place of two signed heads.
  const weakest = isComplete(evidence) ? kept.findLastIndex((one) => !isComplete(one.evidence)) : -1
  const others = kept.length < findingsMax ? kept : weakest < 0 ? undefined : kept.toSpliced(weakest, 1)
  if (others !== undefined) write(findingsPlace, [...others, { evidence, isRead: false }] satisfies readonly Finding[])
}

/** The person has seen all findings so far. */
export function readFindings(): void {
  write(
    findingsPlace,
    findings().map((one): Finding => ({ ...one, isRead: true })),
  )
}

function isSame(one: Evidence, other: Evidence): boolean {
  return one.found === other.found && one.remembered?.head.text === other.remembered?.head.text
}

function read(place: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function write(place: string, value: unknown): void {
  try {
    localStorage.setItem(place, JSON.stringify(value))
  } catch {}
}
