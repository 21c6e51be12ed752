import type { Decimal, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { PlacePerp } from '@candor/core/protocol/command/perp.ts'
import type { PlaceOrder } from '@candor/core/protocol/command/spot.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireSignalOrder, WireSignalTerms } from '@candor/core/protocol/wire/own/signals.ts'
import type { Context } from '../live/context.ts'
import type { ListedMarket } from '../live/listing.ts'
import { Refused } from '../refused.ts'
import type { Alert } from './alert.ts'
import { stepsIn } from './steps.ts'

export type Parts = Pick<Context, 'listing' | 'data' | 'ask' | 'now'>

/** The order of an alert, without the client id that its sender's repeats share. `value`: quote units; undefined for a close. */
export type Plan = {
  readonly alert: Alert
  readonly market: ListedMarket
  readonly command: Omit<PlaceOrder, 'clientId'> | Omit<PlacePerp, 'clientId'>
  readonly value: bigint | undefined
}

/** The asset in which the limit of an order is stated, and in which every market of an address is quoted. */
export const limitAsset = 'USDT'
/** A clock ahead of the exchange's by more than this makes the time of an alert worthless. */
const aheadMaxMs = 60_000

/**
 * Works out which order an alert would place at current prices. Sends and counts nothing.
 *
 * throws  Refused SIGNAL_LATE, SIGNAL_SYMBOL, SIGNAL_SIZE, NO_REFERENCE_PRICE, POSITION_UNKNOWN and others
 */
export async function planOf(parts: Parts, user: UserId, terms: WireSignalTerms, alert: Alert): Promise<Plan> {
  if (alert.at !== undefined) {
    const age = parts.now() - alert.at
    if (age > terms.maxAgeSeconds * 1_000 || age < -aheadMaxMs) throw new Refused('SIGNAL_LATE')
  }
  if (!terms.symbols.includes(alert.symbol)) throw new Refused('SIGNAL_SYMBOL')
  const market = parts.listing.marketNamedIfAny(alert.symbol)
  if (market === undefined || market.quote.symbol !== limitAsset) throw new Refused('MARKET_UNKNOWN')
  if (alert.action === 'close') return closing(parts, user, alert, market)

  const price = priceOf(alert, market)
  const reference = referenceOf(parts, market, price)
  const amounts = amountsOf(alert, market, reference)
  const value = amounts.spend === undefined ? worth(market, reference, amounts.lots) : BigInt(amounts.spend)
  const limit = parseUnits(terms.maxQuote, market.quote.scale)
  if (limit === undefined || value > BigInt(limit)) throw new Refused('SIGNAL_SIZE')
  return { alert, market, value, command: commandOf(user, alert, market, { price, ...amounts }) }
}

/** Rounded to the side of its owner: a purchase down, a sale up. */
function priceOf({ action, price }: Alert, { market }: ListedMarket): Ticks | undefined {
  if (price === undefined) return undefined
  const ticks = stepsIn(price, market.tick, action === 'buy' ? 'down' : 'up')
  if (!ticks) throw new Refused('PRICE_INVALID')
  return ticks as Ticks
}

/**
 * The highest of the prices at which the order could be counted: the last one, the best of the book, the mark, and its own. A limit price
 * far from the market makes an order no smaller.
 */
function referenceOf({ data, now }: Parts, { market }: ListedMarket, own: Ticks | undefined): Ticks {
  const view = data.market(market.id)
  if (!view || !data.isReady) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
  const seen = [
    view.ticker(now())?.last,
    view.depth.bestBid()?.price,
    view.depth.bestAsk()?.price,
    market.perp === undefined ? undefined : data.contracts.mark(market.id),
  ]
  const highest = Math.max(0, ...seen.map((price) => price ?? 0))
  if (highest === 0) throw new Refused('NO_REFERENCE_PRICE')
  return Math.max(highest, own ?? 0) as Ticks
}

type Amounts = { readonly lots: Lots; readonly spend?: undefined } | { readonly spend: Units; readonly lots?: undefined }

/**
 * A quantity never grows by rounding. An amount is one at the reference price, except for a purchase at the market of Spot, where the core
 * spends it. For a sale there, the core would sell more the further the book has fallen.
 */
function amountsOf({ action, quantity, quote, orderType }: Alert, { market, quote: asset }: ListedMarket, reference: Ticks): Amounts {
  if (quantity !== undefined) return { lots: someLots(stepsIn(quantity, market.lot, 'down')) }
  const spend = stepsIn(quote as Decimal, formatUnits(1, asset.scale), 'down')
  if (!spend) throw new Refused('AMOUNT_TOO_SMALL')
  if (market.perp === undefined && orderType === 'market' && action === 'buy') return { spend: spend as Units }
  return { lots: someLots(Number(BigInt(spend) / worth({ market }, reference, 1 as Lots))) }
}

function someLots(lots: number | undefined): Lots {
  if (lots === undefined) throw new Refused('QUANTITY_TOO_LARGE')
  if (lots === 0) throw new Refused('QUANTITY_TOO_SMALL')
  return lots as Lots
}

/** ticks × lots × quotePerTickLot: quote units, exact at any size. */
function worth({ market }: Pick<ListedMarket, 'market'>, price: Ticks, lots: Lots): bigint {
  return BigInt(price) * BigInt(lots) * BigInt(market.quotePerTickLot)
}

type Terms = { readonly price: Ticks | undefined; readonly lots?: Lots | undefined; readonly spend?: Units | undefined }

function commandOf(user: UserId, { action, orderType }: Alert, { market }: ListedMarket, { price, lots, spend }: Terms): Plan['command'] {
  const shared = {
    ...({ user, market: market.id, orderType, isPostOnly: false, selfTrade: 'expire-taker' } as const),
    side: action === 'buy' ? 'buy' : 'sell',
    timeInForce: orderType === 'market' ? 'IOC' : 'GTC',
    ...(price === undefined ? {} : { price }),
    ...(lots === undefined ? {} : { lots }),
  } as const
  if (market.perp === undefined) return { type: 'spot.place', ...shared, ...(spend === undefined ? {} : { spend }) }
  return { type: 'perp.place', ...shared, position: 'both', isReduceOnly: false, isClosing: false, triggerBy: 'last' }
}

/**
 * Closes the whole position of one-way mode at the market: reduce-only, so it opens nothing, whatever happens before it arrives. A
 * position can be larger than an order may be; then as much is closed as one order can.
 */
async function closing({ ask }: Parts, user: UserId, alert: Alert, listed: ListedMarket): Promise<Plan> {
  const { market } = listed
  if (market.perp === undefined) throw new Refused('ORDER_TYPE_INVALID')
  const { positions, isHedge } = await ask.perpAccount(user)
  if (isHedge) throw new Refused('POSITION_SIDE_INVALID')
  const lots = positions.find((one) => one.market === market.id)?.lots ?? 0
  if (lots === 0) throw new Refused('POSITION_UNKNOWN')
  const command: Omit<PlacePerp, 'clientId'> = {
    ...({ type: 'perp.place', user, market: market.id, position: 'both', orderType: 'market', timeInForce: 'IOC' } as const),
    ...({ isPostOnly: false, isReduceOnly: true, isClosing: false, triggerBy: 'last', selfTrade: 'expire-taker' } as const),
    side: lots > 0 ? 'sell' : 'buy',
    lots: Math.min(Math.abs(lots), market.terms.lotsMax) as Lots,
  }
  return { alert, market: listed, command, value: undefined }
}

/** A plan as its owner sees it. */
export function wireOrder({ market, command, value }: Plan): WireSignalOrder {
  const { side, orderType, lots, price } = command
  const spend = command.type === 'spot.place' ? command.spend : undefined
  return {
    ...{ symbol: market.market.symbol, side, type: orderType, isClose: value === undefined },
    ...(lots === undefined ? {} : { quantity: formatLots(lots, market.market.lot) }),
    ...(spend === undefined ? {} : { quote: formatUnits(spend, market.quote.scale) }),
    ...(price === undefined ? {} : { price: formatTicks(price, market.market.tick) }),
    ...(value === undefined ? {} : { value: formatUnits(value, market.quote.scale) }),
  }
}
