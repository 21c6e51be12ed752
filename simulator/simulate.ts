import type { Event } from '@candor/core/protocol/event/index.ts'
import { Happenings } from './desks/happenings.ts'
import { DesksWorkload } from './desks/workload.ts'
import { DesksWorld } from './desks/world.ts'
import type { Step } from './workload.ts'
import { shrink } from './shrink.ts'
import { Workload } from './workload.ts'
import { Disagreement, World } from './world.ts'

/** `spot`: spot trading against an oracle that foretells every event. `desks`: all products, followed by auditors. */
export const kinds = ['spot', 'desks'] as const
export type Kind = (typeof kinds)[number]

export type Report = {
  readonly seed: number
  readonly steps: number
  readonly trades: number
  readonly hash: string
  readonly happenings: Happenings
}

/** What failed, and the shortest list of commands found that still does. */
export type FailedRun = { readonly seed: number; readonly step: number; readonly message: string; readonly steps: readonly Step[] }

type AnyWorld = {
  readonly steps: readonly Step[]
  readonly dueAt: number | undefined
  readonly trades: number
  readonly happenings?: Happenings
  step(step: Step): readonly Event[]
  finish(): string
}

/** One run of a seed. Throws Disagreement. */
export function simulate(seed: number, steps: number, wholeEvery = 1000, kind: Kind = 'spot'): Report {
  return run(worldOf(kind, wholeEvery), kind, seed, steps)
}

/** Runs a seed; when it fails, looks for a short list of commands that fails as well. */
export function simulateAndShrink(seed: number, steps: number, wholeEvery = 1000, kind: Kind = 'spot'): Report | FailedRun {
  const world = worldOf(kind, wholeEvery)
  try {
    return run(world, kind, seed, steps)
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    const wanted = kindOf(error.message)
    const fails = (list: readonly Step[]): boolean => kindOf(failureOf(list, wholeEvery, kind) ?? '') === wanted
    const shortest = shrink(world.steps, fails)
    return { seed, step: error.step, message: failureOf(shortest, wholeEvery, kind) ?? error.message, steps: shortest }
  }
}

/** What goes wrong when these commands are given, undefined when nothing does. Positions are counted anew. */
export function failureOf(steps: readonly Step[], wholeEvery = 1000, kind: Kind = 'spot'): string | undefined {
  const world = worldOf(kind, wholeEvery)
  try {
    steps.forEach(({ command, stamp }, i) => world.step({ command, stamp: { ...stamp, seq: i + 1 } }))
    world.finish()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function worldOf(kind: Kind, wholeEvery: number): AnyWorld {
  return kind === 'spot' ? new World({ wholeEvery }) : new DesksWorld({ wholeEvery })
}

function run(world: AnyWorld, kind: Kind, seed: number, steps: number): Report {
  const workload = kind === 'spot' ? new Workload(seed) : new DesksWorkload(seed)
  for (let step = 0; step < steps; step++) workload.observe(world.step(workload.next(world.dueAt)))
  const hash = world.finish()
  return { seed, steps, trades: world.trades, hash, happenings: world.happenings ?? new Happenings() }
}

/** Failures that differ in numbers only are of one kind. */
function kindOf(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/-?\d+/g, '#').slice(0, 60)
}
