/** The survivors of each room's last measurement, and why each stays. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tidy/files.ts'

/** A mutant, identified by what it changes and not by its position, because lines move. */
export type Mutant = {
  readonly file: string
  /** The whole line in which it begins. */
  readonly line: string
  readonly from: string
  readonly to: string
}
export type Survivor = Mutant & { readonly reason: string }

/** By room. A room that is missing was never measured. */
export type Survivors = Readonly<Record<string, readonly Survivor[]>>

/** StrykerJS's report of one mutant. */
type Reported = {
  readonly status: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: { readonly start: Place; readonly end: Place }
}
/** Counted from 1. */
type Place = { readonly line: number; readonly column: number }
export type Report = {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Reported[] }>>
}

export type Measured = { readonly detected: number; readonly counted: number; readonly survived: readonly Mutant[] }

const detected = new Set(['Killed', 'Timeout'])
const counted = new Set([...detected, 'Survived', 'NoCoverage', 'RuntimeError'])

/** The two numbers of the score, and the survivors by file and position. */
export function measure({ files }: Report): Measured {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.filter(({ status }) => counted.has(status)).map((mutant) => ({ mutant, named: nameOf(file, source.split('\n'), mutant) })),
  )
  const survived = all.filter(({ mutant }) => !detected.has(mutant.status)).map(({ named }) => named)
  return { detected: all.length - survived.length, counted: all.length, survived }
}

/** Survivors missing from the list, and entries of the list without a mutant. Equal ones are counted. */
export function compare(
  survived: readonly Mutant[],
  known: readonly Mutant[],
): { readonly unknown: readonly Mutant[]; readonly stale: readonly Mutant[] } {
  const minus = (all: readonly Mutant[], others: readonly Mutant[]): readonly Mutant[] => {
    const left = others.map(keyOf)
    return all.filter((mutant) => {
      const at = left.indexOf(keyOf(mutant))
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
  }
  return { unknown: minus(survived, known), stale: minus(known, survived) }
}

const path = join(root, 'tools', 'mutate', 'survivors.json')

export function readSurvivors(): Survivors {
  return JSON.parse(readFileSync(path, 'utf8')) as Survivors
}

/** Rooms by name, survivors by file and position. */
export function writeSurvivors(survivors: Survivors): void {
  const sorted = Object.fromEntries(Object.entries(survivors).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(sorted, undefined, 2)}\n`)
}

function keyOf({ file, line, from, to }: Mutant): string {
  return JSON.stringify([file, line, from, to])
}

function nameOf(file: string, lines: readonly string[], { location, replacement }: Reported): Mutant {
  const { start, end } = location
  const inside = lines.slice(start.line - 1, end.line)
  const last = inside.length - 1
  const cut = inside.map((text, n) => text.slice(n === 0 ? start.column - 1 : 0, n === last ? end.column - 1 : undefined))
  return { file, line: lines[start.line - 1]!.trim(), from: onOneLine(cut.join('\n')), to: onOneLine(replacement ?? '') }
}

/** Cuts long code: its beginning and its line are enough to recognize it. */
function onOneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
