import { DOGE, lotsFor } from '../coins.ts'
import type { Stage } from '../stage.ts'

/**
 * A futures market is halted while users hold positions at its highest leverage. The attacker's low bids wait for liquidations and
 * stops that have no other buyer.
 */
export function halt(stage: Stage): void {
  const hunter = stage.attacker(100_000)
  stage.bots.set(DOGE.perp, 'deep')
  const longs = [1, 2, 3].map(() => stage.customer(3000))
  for (const user of longs) stage.futures(user, DOGE, 2500, 8)
  stage.futures(hunter, DOGE, 80_000, 2, 'cross')
  stage.pass(5000)
  for (const user of longs) {
    stage.perp(user, DOGE, 'buy', lotsFor(DOGE, 15_000, stage.price(DOGE)))
    const stop = {
      isClosing: true,
      trigger: { kind: 'stop', price: Math.round(stage.price(DOGE) * 0.97e5), direction: 'falls-to' },
      triggerBy: 'mark',
    }
    stage.run({ ...closing(user, DOGE.perp), ...stop })
  }
  stage.pass(2000)
  const before = stage.price(DOGE)
  stage.cancelAll(2, DOGE.perp)
  stage.bots.set(DOGE.perp, 'none')
  for (const away of [0.12, 0.14, 0.16]) stage.perp(hunter, DOGE, 'buy', lotsFor(DOGE, 15_000, before), before * (1 - away))
  stage.trading(DOGE, false)
  stage.slide(DOGE, -0.11)
  stage.pass(5000)
  if (longs.some((user) => stage.position(user, DOGE) === 0)) stage.note('a halted futures market closed a position')
  stage.bots.set(DOGE.perp, 'deep')
  stage.trading(DOGE, true)
  stage.pass(20_000)
  stage.flatten(hunter, DOGE)
  stage.pass(2000)
}

function closing(user: number, market: number): { readonly type: 'perp.place'; readonly [field: string]: unknown } {
  const flags = {
    position: 'both',
    orderType: 'market',
    timeInForce: 'IOC',
    isPostOnly: false,
    isReduceOnly: false,
    selfTrade: 'expire-taker',
  }
  return { type: 'perp.place', user, clientId: '', market, side: 'sell', ...flags }
}
