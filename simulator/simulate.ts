import { ChaosWorkload } from './chaos/workload.ts'
import { ChaosWorld } from './chaos/world.ts'
import { Happenings } from './desks/happenings.ts'
import { DesksWorkload } from './desks/workload.ts'
import { DesksWorld } from './desks/world.ts'
import type { Step } from './workload.ts'
import { shrink } from './shrink.ts'
import { Workload } from './workload.ts'
import { Disagreement, World } from './world.ts'

/**
 * `spot`: spot trading, compared with an oracle that predicts every event. `desks`: all products, checked by auditors. `chaos`: all
 * types of commands, valid or not, compared with an exchange that is restored again and again.
 */
export const kinds = ['spot', 'desks', 'chaos'] as const
export type Kind = (typeof kinds)[number]

export type Report = {
  readonly seed: number
  readonly steps: number
  readonly trades: number
  readonly hash: string
  readonly happenings: Happenings
  /** How many orders the daily limit refused and closed, in spot runs. */
  readonly limited: World['limited']
  /** Number of prevented matches by mode, in spot runs. */
  readonly prevented: World['prevented']
}

/** A failure, with the shortest list of commands found that still fails. */
export type FailedRun = { readonly seed: number; readonly step: number; readonly message: string; readonly steps: readonly Step[] }

/** In chaos runs a check of the whole state is cheap, so it comes more often. */
const chaosWholeEvery = 100

/** Runs a seed. Throws Disagreement. */
export function simulate(seed: number, steps: number, wholeEvery = 1000, kind: Kind = 'spot'): Report {
  return run(worldOf(kind, wholeEvery), kind, seed, steps)
}

/** Runs a seed. If it fails, looks for a short list of commands that fails too. */
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

/** The failure of these commands with new sequence numbers; undefined if there is none. */
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

function worldOf(kind: Kind, wholeEvery: number): World | DesksWorld | ChaosWorld {
  if (kind === 'chaos') return new ChaosWorld({ wholeEvery: Math.min(wholeEvery, chaosWholeEvery) })
  return kind === 'spot' ? new World({ wholeEvery }) : new DesksWorld({ wholeEvery })
}

function run(world: World | DesksWorld | ChaosWorld, kind: Kind, seed: number, steps: number): Report {
  if (world instanceof ChaosWorld) {
    const workload = new ChaosWorkload(seed)
    for (let step = 0; step < steps; step++) world.step(workload.next(world.exchange, world.algos.running))
  } else {
    const workload = kind === 'spot' ? new Workload(seed) : new DesksWorkload(seed)
    for (let step = 0; step < steps; step++) workload.observe(world.step(workload.next(world.dueAt)))
  }
  const hash = world.finish()
  return {
    ...{ seed, steps, trades: world.trades, hash, happenings: world instanceof DesksWorld ? world.happenings : new Happenings() },
    limited: world instanceof World ? world.limited : { refused: 0, closed: 0 },
    prevented: world instanceof World ? world.prevented : new Map(),
  }
}

/** The failure's message without numbers: failures that differ only in numbers are of one kind. */
function kindOf(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/-?\d+/g, '#').slice(0, 60)
}
