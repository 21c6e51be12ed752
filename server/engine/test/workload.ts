import type { Decimal, Lots, Millis, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import type { PlaceAlgo } from '@candor/core/protocol/command/algo.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AssetId, MarketId, OrderId, Parts, UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'

export const userCount = 50
const market = 1 as MarketId
const none = 0 as OrderId

/** Lists one market, opens some users, and gives all of them money. Does no harm when everything exists already. */
export async function openMarket(submit: Submit): Promise<void> {
  await submit({ type: 'asset.list', symbol: 'USDT', scale: 6 })
  await submit({ type: 'asset.list', symbol: 'BTC', scale: 8 })
  await submit({
    type: 'market.list',
    symbol: 'BTCUSDT',
    base: 2 as AssetId,
    quote: 1 as AssetId,
    tick: '0.1' as Decimal,
    lot: '0.00001' as Decimal,
    terms: {
      makerFeePpm: 800 as Ppm,
      takerFeePpm: 1000 as Ppm,
      notionalMin: 1_000_000 as Units,
      lotsMin: 1 as Lots,
      lotsMax: 10_000_000 as Lots,
      bandPpm: 900_000 as Ppm,
      slippagePpm: 50_000 as Ppm,
      openOrdersMax: 200,
      isTrading: true,
    },
  })
  const users = Array.from({ length: userCount }, (_, i) => (i + 1) as UserId)
  await Promise.all(users.map((user) => submit({ type: 'user.open', requestId: `user-${user}`, class: 'bench', referrer: 0 as UserId })))
  await Promise.all(
    users.flatMap((user) => [
      submit({ type: 'funds.faucet', user, clientId: 'start-usdt', asset: 1 as AssetId, amount: 5_000_000_000_000 as Units }),
      submit({ type: 'funds.faucet', user, clientId: 'start-btc', asset: 2 as AssetId, amount: 10_000_000_000 as Units }),
    ]),
  )
}

/** A seeded number source: the same seed gives the same orders. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Orders of one user around 60,000: limits, IOC, market orders, stops, orders in parts, and cancels and changes of the user's own orders.
 * `id` must be new; `earlier` are the ids of orders, `asleep` those of stops, which get other triggers.
 */
export function nextCommand(
  random: () => number,
  user: UserId,
  id: string,
  earlier: readonly string[],
  asleep: readonly string[] = [],
): Command {
  const dice = random()
  if (dice < 0.06 && asleep.length > 0) {
    const orderClientId = asleep[Math.floor(random() * asleep.length)] as string
    const triggerPrice = (600_000 + Math.floor((random() - 0.5) * 400)) as Ticks
    const lots = random() < 0.3 ? { lots: (100 + Math.floor(random() * 2000)) as Lots } : {}
    return { type: 'spot.amend', user, clientId: id, market, order: none, orderClientId, triggerPrice, ...lots }
  }
  if (dice < 0.3 && earlier.length > 0) {
    const orderClientId = earlier[Math.floor(random() * earlier.length)] as string
    if (dice < 0.2) return { type: 'spot.cancel', user, clientId: id, market, order: none, orderClientId }
    const price = (600_000 + Math.floor((random() - 0.5) * 200)) as Ticks
    return { type: 'spot.amend', user, clientId: id, market, order: none, orderClientId, price }
  }
  const base = {
    type: 'spot.place',
    user,
    clientId: id,
    market,
    side: random() < 0.5 ? 'buy' : 'sell',
    isPostOnly: false,
    selfTrade: 'expire-taker',
  } as const
  const lots = (100 + Math.floor(random() * 2000)) as Lots
  if (dice < 0.35) return { ...base, orderType: 'market', timeInForce: 'IOC', lots }
  const price = (600_000 + Math.floor((random() - 0.5) * 200)) as Ticks
  if (dice > 0.97) return inParts(random, { type: 'algo.place', user, clientId: id, market, side: base.side, isReduceOnly: false, lots })
  if (dice > 0.92) {
    const trigger = { kind: 'stop', price, direction: price > 600_000 ? 'rises-to' : 'falls-to' } as const
    return { ...base, orderType: 'market', timeInForce: 'IOC', lots, trigger }
  }
  return { ...base, orderType: 'limit', timeInForce: dice < 0.45 ? 'IOC' : 'GTC', price, lots }
}

/** A TWAP order whose parts come every ten seconds, or bids and asks spread far from the price. */
function inParts(random: () => number, order: Omit<PlaceAlgo, 'parts' | 'plan'>): PlaceAlgo {
  if (random() < 0.5) return { ...order, parts: 30 as Parts, plan: { kind: 'twap', durationMs: 300_000 as Millis, worst: 0 } }
  const [from, to] = order.side === 'buy' ? [590_000, 585_000] : [610_000, 615_000]
  return { ...order, parts: 5 as Parts, plan: { kind: 'scaled', from: from as Ticks, to: to as Ticks, shape: 'flat' } }
}
