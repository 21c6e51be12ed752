import { rounded, say } from '../report.ts'

export type Figure = { readonly name: string; readonly tookMs: number; readonly maxMs: number }

/** Prints what something took beside its floor. */
export function told(name: string, tookMs: number, maxMs: number): Figure {
  say(`${name.padEnd(62)} ${rounded(tookMs).padStart(7)} ms  (at most ${rounded(maxMs)} ms)${tookMs > maxMs ? '  TOO SLOW' : ''}`)
  return { name, tookMs, maxMs }
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
