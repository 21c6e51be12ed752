import type { DepthDiff } from '@candor/core/market-data/depth.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import type { Lots, Millis, Ticks } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/order.ts'
import type { Contracts } from './contracts.ts'
import { type ListedMarket, priceText, quantityText } from './listing.ts'
import { aggregatesOf, bestText, dayTickerText, levelTexts, type TradeAt } from './texts.ts'

/** A Futures market and the name under which clients know it. */
export type Contract = { readonly market: ListedMarket; readonly said: string }

const indexDigits = 8
/** Rates are sent as fractions of the value; the core has them in 1e-9. */
const rateDigits = 9

export function contractTradeText({ market, said }: Contract, { event, at }: TradeAt, now: Millis): string {
  const { trade, price, lots, takerSide } = event
  return `{"e":"trade","E":${now},"T":${at},"s":"${said}","t":${trade},"p":"${priceText(market, price)}","q":"${quantityText(market, lots)}","X":"MARKET","m":${takerSide === 'sell'}}`
}

/** Without the field `M`: clients recognize Futures by that. */
export function contractAggregateTexts({ market, said }: Contract, trades: readonly TradeAt[], now: Millis): readonly string[] {
  return aggregatesOf(trades).map(
    ({ first, last, lots, at }) =>
      `{"e":"aggTrade","E":${now},"s":"${said}","a":${first.trade},"p":"${priceText(market, first.price)}","q":"${quantityText(market, lots)}","f":${first.trade},"l":${last.trade},"T":${at},"m":${first.takerSide === 'sell'}}`,
  )
}

/**
 * `pu`: last update of the previous message. `U` is the same number, because clients of Futures start with the message whose
 * range contains the `lastUpdateId` of their snapshot, and a snapshot may be taken between two messages.
 */
export function contractDepthText({ market, said }: Contract, { first, last, bids, asks }: DepthDiff, at: number, now: Millis): string {
  return JSON.stringify({
    e: 'depthUpdate',
    E: now,
    T: at,
    s: said,
    U: first - 1,
    u: last,
    pu: first - 1,
    b: levelTexts(market, bids),
    a: levelTexts(market, asks),
  })
}

/** The best levels in the format of a depth update. */
export function contractBestText(contract: Contract, view: MarketView, levels: number, first: number, at: number, now: Millis): string {
  const { update: last, bids, asks } = view.depth.view(levels)
  return contractDepthText(contract, { first, last, bids, asks }, at, now)
}

export function contractBookTickerText({ market, said }: Contract, view: MarketView, at: number, now: Millis): string {
  const [b, B] = bestText(market, view.depth.bestBid())
  const [a, A] = bestText(market, view.depth.bestAsk())
  return `{"e":"bookTicker","u":${view.depth.update},"s":"${said}","b":"${b}","B":"${B}","a":"${a}","A":"${A}","T":${at},"E":${now}}`
}

export function contractTickerText({ market, said }: Contract, view: MarketView, now: Millis): string {
  return dayTickerText(market, said, view, now, false)
}

/** Undefined before the first index price. */
export function markPriceText({ market, said }: Contract, contracts: Contracts, now: Millis): string | undefined {
  const mark = contracts.now(market.market.id)
  if (!mark) return undefined
  const index = formatUnits(mark.index, indexDigits)
  return JSON.stringify({
    e: 'markPriceUpdate',
    E: now,
    s: said,
    p: priceText(market, mark.mark),
    i: index,
    P: index,
    r: formatFixed(mark.fundingRate, rateDigits),
    T: mark.fundingAt,
  })
}

/** A liquidation order that the exchange placed, and its result. */
export type ForcedOrder = {
  readonly side: Side
  readonly price: Ticks | 0
  readonly lots: Lots
  /** The executed quantity, and the average price with 8 digits. */
  readonly closedLots: Lots
  readonly average: string
  readonly at: number
}

export function forcedOrderText({ market, said }: Contract, order: ForcedOrder, now: Millis): string {
  const { side, price, lots, closedLots, average, at } = order
  const closed = quantityText(market, closedLots)
  return JSON.stringify({
    e: 'forceOrder',
    E: now,
    o: {
      s: said,
      S: side === 'buy' ? 'BUY' : 'SELL',
      o: 'LIMIT',
      f: 'IOC',
      q: quantityText(market, lots),
      p: priceText(market, price),
      ap: average,
      X: closedLots === lots ? 'FILLED' : closedLots > 0 ? 'PARTIALLY_FILLED' : 'EXPIRED',
      l: closed,
      z: closed,
      T: at,
    },
  })
}
