/** Test worlds in which a position is close to its maintenance margin. */
import { givenPerp } from './world.ts'
import type { Event } from '../../../protocol/event/index.ts'
import type { PerpWorld } from './world.ts'

export const four = { alice: '1000', bob: '5000', carol: '5000', dave: '5000' }

/** Alice is long 10,000 lots at 100 with leverage 10, and bob is short with leverage 1. */
export function longAlice(mode: 'isolated' | 'cross' = 'isolated', funds: Record<string, string> = four): PerpWorld {
  const world = givenPerp(funds)
  world.leverage('alice', 10).isAccepted()
  if (mode === 'cross') world.mode('alice', 'cross').isAccepted()
  world.sell('bob', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted().traded('100×10000')
  return world
}

/** Events of all clock ticks that are due at this mark. */
export function settled(world: PerpWorld): Event[] {
  const events: Event[] = [...world.tick().events]
  while (world.exchange.nextDueAtMs <= world.world.atMs) events.push(...world.tick().events)
  return events
}
