import type { Step } from './workload.ts'
import { shrink } from './shrink.ts'
import { Workload } from './workload.ts'
import { Disagreement, World } from './world.ts'

export type Report = { readonly seed: number; readonly steps: number; readonly trades: number; readonly hash: string }

/** What failed, and the shortest list of commands found that still does. */
export type FailedRun = { readonly seed: number; readonly step: number; readonly message: string; readonly steps: readonly Step[] }

/** One run of a seed. Throws Disagreement. */
export function simulate(seed: number, steps: number, wholeEvery = 1000): Report {
  const world = new World({ wholeEvery })
  const workload = new Workload(seed)
  for (let step = 0; step < steps; step++) workload.observe(world.step(workload.next(world.dueAt)))
  return { seed, steps, trades: world.trades, hash: world.finish() }
}

/** Runs a seed; when it fails, looks for a short list of commands that fails as well. */
export function simulateAndShrink(seed: number, steps: number, wholeEvery = 1000): Report | FailedRun {
  const world = new World({ wholeEvery })
  const workload = new Workload(seed)
  try {
    for (let step = 0; step < steps; step++) workload.observe(world.step(workload.next(world.dueAt)))
    return { seed, steps, trades: world.trades, hash: world.finish() }
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    const kind = kindOf(error.message)
    const fails = (list: readonly Step[]): boolean => kindOf(failureOf(list, wholeEvery) ?? '') === kind
    const shortest = shrink(world.steps, fails)
    return { seed, step: error.step, message: failureOf(shortest, wholeEvery) ?? error.message, steps: shortest }
  }
}

/** What goes wrong when these commands are given, undefined when nothing does. Positions are counted anew. */
export function failureOf(steps: readonly Step[], wholeEvery = 1000): string | undefined {
  const world = new World({ wholeEvery })
  try {
    steps.forEach(({ command, stamp }, i) => world.step({ command, stamp: { ...stamp, seq: i + 1 } }))
    world.finish()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Failures that differ in numbers only are of one kind. */
function kindOf(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/-?\d+/g, '#').slice(0, 60)
}
