/** Test worlds in which margin accounts are close to their thresholds. */
import type { Told } from '../../test/world.ts'
import { MarginWorld, btcusdt, ethusdt, open, units } from './world.ts'

export const cross = (borrow: string): object => ({ margin: { account: 'margin-cross', borrow } })
export const isolated = (borrow: string): object => ({ margin: { account: 'margin-isolated', borrow } })

/** Replaces the bids and asks of `mm` on BTCUSDT: price, and lots of 0.001 BTC. */
export function quotes(
  desk: MarginWorld,
  bids: readonly (readonly [number, number])[],
  asks: readonly (readonly [number, number])[],
): void {
  const { world } = desk
  world.do({ type: 'spot.cancelAll', user: world.user('mm'), clientId: '', market: 0 }).isAccepted()
  for (const [price, lots] of bids) world.buy('mm', price, lots).isAccepted()
  for (const [price, lots] of asks) world.sell('mm', price, lots).isAccepted()
}

export function people(changed?: object): MarginWorld {
  return open(changed).user('alice', { USDT: '100000', ETH: '10' }).user('mm', { BTC: '1000', ETH: '1000', USDT: '100000000' })
}

/** Alice is long with almost ten times her 10,000 USDT in an isolated account. */
export function long(changed?: object): MarginWorld {
  const desk = people(changed)
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [[49_950, 10_000]], [[50_000, 10_000]])
  desk.world.place('alice', { side: 'buy', price: 50_000, lots: 1_900, ...isolated('borrow') }).isAccepted()
  return desk
}

/** An index tick with prices of BTC and ETH, each good or not. */
export function tick(desk: MarginWorld, btc: number, isBtcGood: boolean, eth: number, isEthGood: boolean): Told {
  const price = (market: number, value: number, isGood: boolean) => ({
    market,
    price: Math.round(value * 1e8),
    sources: isGood ? 4 : 2,
    isGood,
  })
  const prices = [price(btcusdt, btc, isBtcGood), price(ethusdt, eth, isEthGood)]
  return desk.world.do({ type: 'index.tick', prices }).isAccepted()
}

export function endow(desk: MarginWorld, amount: string): void {
  desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', amount) }).isAccepted()
}

/** Waits six minutes without a trade, after which the average of trades is empty. */
export function forget(desk: MarginWorld): void {
  desk.world.atMs += 360_000
  desk.prices(50_000, 2_500)
}
