import type { Told, World } from '../../test/world.ts'

export const minute = 60_000

type Whole = { readonly world: World } | World

const worldOf = (of: Whole): World => ('world' in of ? of.world : of)

/** Places a TWAP order of 60 lots in 6 parts over 6 minutes, unless changed. */
export function twap(of: Whole, name: string, changed: object = {}, plan: object = {}): Told {
  const whole = { clientId: '', market: 1, side: 'buy', isReduceOnly: false, lots: 60, parts: 6 }
  const timed = { kind: 'twap', durationMs: 6 * minute, worst: 0, ...plan }
  return worldOf(of).do({ type: 'algo.place', user: worldOf(of).user(name), ...whole, ...changed, plan: timed })
}

/** Places a scaled order of 60 lots in 4 orders from 90 to 99, unless changed. */
export function scaled(of: Whole, name: string, changed: object = {}, plan: object = {}): Told {
  const whole = { clientId: '', market: 1, side: 'buy', isReduceOnly: false, lots: 240, parts: 4 }
  const spread = { kind: 'scaled', from: 90, to: 99, shape: 'flat', ...plan }
  return worldOf(of).do({ type: 'algo.place', user: worldOf(of).user(name), ...whole, ...changed, plan: spread })
}

export function ends(of: Whole, name: string, algo: number): Told {
  return worldOf(of).do({ type: 'algo.cancel', user: worldOf(of).user(name), clientId: '', algo })
}

/** Moves the clock to the next work and lets it be done. */
export function comes(of: Whole): Told {
  const world = worldOf(of)
  world.atMs = Math.max(world.atMs, world.exchange.nextDueAtMs)
  return world.tick().isAccepted()
}

/** Moves the clock forward. */
export function passes(of: Whole, ms: number): void {
  worldOf(of).atMs += ms
}
