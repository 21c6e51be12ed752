import { cpuBetween, cpuOfChildren, type CpuSeconds, cpuSeconds, cpuSum } from '../cpu.ts'
import { rounded, say } from '../report.ts'

/** Processor time does not depend on what else the machine does, as the time on the clock. */
export type Took = { readonly tookMs: number; readonly cpu: CpuSeconds }
export type Figure = Took & { readonly name: string; readonly maxMs: number }

/** Prints what something took beside its floor. */
export function told(name: string, { tookMs, cpu }: Took, maxMs: number): Figure {
  const parts = Object.entries(cpu)
    .filter(([, seconds]) => seconds >= 0.01)
    .map(([who, seconds]) => `${who} ${seconds.toFixed(2)}`)
  const time = `${rounded(tookMs).padStart(7)} ms  (at most ${rounded(maxMs)} ms), CPU ${cpuSum(cpu).toFixed(2)} s: ${parts.join(', ')}`
  say(`${name.padEnd(62)} ${time}${tookMs > maxMs ? '  TOO SLOW' : ''}`)
  return { name, tookMs, cpu, maxMs }
}

/** `folder`: of the database. */
export async function timeOf(folder: string, work: () => Promise<unknown>): Promise<Took> {
  const before = used(folder)
  const begun = performance.now()
  await work()
  return { tookMs: performance.now() - begun, cpu: cpuBetween(before, used(folder)) }
}

export function both(a: Took, b: Took): Took {
  const names = new Set([...Object.keys(a.cpu), ...Object.keys(b.cpu)])
  const cpu = Object.fromEntries([...names].map((name) => [name, (a.cpu[name] ?? 0) + (b.cpu[name] ?? 0)]))
  return { tookMs: a.tookMs + b.tookMs, cpu }
}

/** This process counts as `load`. */
function used(folder: string): CpuSeconds {
  const { load = 0, postgres = 0 } = cpuSeconds(folder) ?? {}
  return { load, postgres, ...cpuOfChildren() }
}
