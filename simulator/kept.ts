import { readFileSync } from 'node:fs'
import { kinds } from './simulate.ts'
import type { Kind } from './simulate.ts'

/** Seeds that failed once. They always run first. */
const kept = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8')) as Readonly<Record<Kind, readonly number[]>>

/** The kept seeds of a kind, then the first `count` from 1. */
export function seedsOf(kind: Kind, count: number): readonly number[] {
  return [...new Set([...kept[kind], ...Array.from({ length: count }, (_, i) => i + 1)])]
}

export function isKind(text: string): text is Kind {
  return (kinds as readonly string[]).includes(text)
}
