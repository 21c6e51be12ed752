/** Looks at the newest head of the journal and compares it with the one that this device remembers. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/proof/proof.ts'
import { ApiError } from '@candor/client/errors.ts'
import { createHttp } from '@candor/client/http.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { Evidence } from '@candor/core/proof/evidence.ts'
import { type ProofHead, readHeadText } from '@candor/core/proof/head.ts'
import { type Contradiction, contradictionOf, isAnew, type Remembered, type Shown } from '@candor/core/proof/remembered.ts'
import { client, queries } from '../../app/client.ts'
import { findings, keepFinding, type Mark, type Memory, remember, remembered } from './memory.ts'
import { isSigned } from './signed.ts'

/**
 * Without cookies, so that the exchange can't tell whose phone asks and show one customer another story. Without the browser's cache, in
 * which an older answer would look like a journal that went back.
 */
export const publicProof = bind(
  column,
  createHttp({ baseUrl: '', fetch: (input, init) => fetch(input, { ...init, credentials: 'omit', cache: 'no-store' }) }),
)

/** What a look has found. `memory`: undefined while the exchange has no head yet. */
export type Looked = {
  readonly memory: Memory | undefined
  /** Whether this look found a contradiction. */
  readonly isContradicted: boolean
}

export const lookKey = ['proof', 'look'] as const

/**
 * Checks the newest head on this device and remembers it.
 *
 * throws  ApiError, OfflineError: then nothing was checked
 */
export async function look(): Promise<Looked> {
  // Read before the exchange is asked: what another page remembers in the meantime may be newer than the answer.
  const kept = remembered()
  const { mode } = await queries.ensureQueryData<WireConfig>({ queryKey: ['config'], queryFn: () => client.market.config() })
  const { keys, heads } = await publicProof.heads({ limit: 1 })
  const shown: Shown = { keys, head: heads[0] ?? null }
  const isNew = kept === undefined || (kept.mode === 'sandbox' && isAnew(kept.newest, shown))
  const old = isNew ? undefined : kept.newest
  const path = old === undefined ? undefined : await pathTo(old, shown)
  const found = await contradictionOf(isSigned, old, shown, path)
  if (found === undefined) return { memory: isNew ? begin(shown, mode, kept !== undefined) : goOn(kept, shown), isContradicted: false }
  keep(found, old, shown, path)
  // From now on the other story is followed, so that a third one is found, too. One that is not signed is none.
  const isStory = (await contradictionOf(isSigned, undefined, shown, undefined)) === undefined
  return { memory: isStory ? begin(shown, kept?.mode ?? mode, false) : kept, isContradicted: true }
}

/**
 * Whether a head that came with a proof or a receipt is in the story that this device follows. Its signature was checked. One that is not
 * is evidence, and kept.
 *
 * throws  ApiError, OfflineError: then it was not checked
 */
export async function isOfStory(one: Remembered): Promise<boolean> {
  const ask = () => queries.fetchQuery({ queryKey: lookKey, queryFn: look, staleTime: 0 })
  let { memory } = await ask()
  // That look may have begun before this head was made.
  if (memory !== undefined && memory.newest.head.n < one.head.n) ({ memory } = await ask())
  if (memory === undefined) return false
  const { n, text } = one.head
  if (n === memory.newest.head.n) return text === memory.newest.head.text
  const path = await pathTo(one, memory.newest)
  const found = await contradictionOf(isSigned, one, memory.newest, path)
  if (found === undefined) return true
  keep(found, one, memory.newest, path)
  return false
}

/** Whether a look is due: the last one is an hour old, or there was none. */
export function isDue(now = Date.now()): boolean {
  const at = remembered()?.checkedAt
  return at === undefined || now - at >= hourMs || now < at
}

const hourMs = 3_600_000

/** What has not been shown to the person yet. */
export function unread(): readonly Evidence[] {
  return findings()
    .filter(({ isRead }) => !isRead)
    .map(({ evidence }) => evidence)
}

function keep(found: Contradiction, old: Remembered | undefined, shown: Shown, path: readonly string[] | undefined): void {
  keepFinding({
    ...{ evidence: 'candor heads 1', found, at: Date.now(), host: location.host },
    ...{ remembered: old ?? null, shown, path: path ?? null },
  })
}

/** Remembers the first head of a story. Its keys and signature were checked. */
function begin({ keys, head }: Shown, mode: WireConfig['mode'], isAgain: boolean): Memory | undefined {
  if (head === null) return undefined
  const now = Date.now()
  const memory: Memory = {
    ...{ mode, since: now, first: markOf(head.text), newest: { keys, head } },
    ...{ checkedAt: now, from: undefined, anewAt: isAgain ? now : undefined },
  }
  remember(memory)
  return memory
}

/** The newest head follows from the remembered one. */
function goOn(kept: Memory, { keys, head }: Shown): Memory {
  if (head === null) return kept
  const from = head.n > kept.newest.head.n ? markOf(kept.newest.head.text) : kept.from
  const memory: Memory = { ...kept, newest: { keys, head }, checkedAt: Date.now(), from }
  remember(memory)
  return memory
}

/** The path that the exchange gives; undefined when none is needed, or the exchange says that there is none. */
async function pathTo({ head: old }: Remembered, { head }: Shown): Promise<readonly string[] | undefined> {
  if (head === null || head.n <= old.n) return undefined
  try {
    return await publicProof.headPath(old.n, head.n)
  } catch (error) {
    // It has just shown a later head, so that this answer is a statement. Any other failure is asked again later.
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Number and time of a head whose text was checked. */
function markOf(text: string): Mark {
  const { n, at } = readHeadText(text) as ProofHead
  return { n, at }
}
