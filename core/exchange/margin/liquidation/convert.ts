/** Converts one asset of a margin account into another by a market order in a spot book. */
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import type { AssetId, CloseNumber, OrderId } from '../../../protocol/ids.ts'
import { mulDivCeil } from '../../../money/mul-div.ts'
import { CROSS_MARGIN, IOC, ISOLATED_MARGIN, MARKET_ORDER, SELF_TRADE_SHIFT } from '../../../protocol/codec/layout.ts'
import { writeAccepted, writeClosed } from '../../../protocol/codec/event-write.ts'
import { closeReasons } from '../../../protocol/event/index.ts'
import { pairPrice, unitsWorth } from '../../../risk/margin.ts'
import { notionalMax, ticksMax, worstPrice } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import type { Venue } from '../../records/venue.ts'
import { marginRow, openMarginRow } from '../rules/postings.ts'
import type { Account } from '../records/account.ts'
import { indexValue, owedOf } from '../rules/value.ts'

const BUY = 0
const SELL = 1
const EXPIRE_MAKER = 1
const LIQUIDATION = closeReasons.indexOf('liquidation') as CloseNumber
const FILLED = closeReasons.indexOf('filled') as CloseNumber
const million = 1_000_000
const noClientId = new Float64Array(6)
/** Orders of the user's other accounts must not keep an account from being liquidated. */
const kind = MARKET_ORDER | IOC | (EXPIRE_MAKER << SELF_TRADE_SHIFT)

/** A market, the side of the order in it, and the index price in ticks. */
export type Route = { readonly venue: Venue; readonly side: 0 | 1; readonly reference: Ticks }

/**
 * The market in which an asset is converted into another, or into the USDT that buys the other. Undefined when there is no such
 * market, or less than one lot of the asset.
 */
export function routeOf(x: State, account: Account, give: AssetId, want: number): Route | undefined {
  const venue = account.market !== 0 ? x.venue(account.market) : give === x.usdt ? x.usdtVenues[want] : x.usdtVenues[give]
  if (venue === undefined) return undefined
  const side = venue.base === give ? SELL : BUY
  const reference = indexTicks(x, venue)
  const available = x.ledger.available(marginRow(x, account.user, account.market, give))
  const oneLot = side === SELL ? venue.basePerLot : reference * venue.quotePerTickLot
  return available < oneLot ? undefined : { venue, side, reference }
}

/** A market's price according to the index prices of its two assets, in ticks, rounded down. */
export function indexTicks(x: State, venue: Venue): Ticks {
  const price = pairPrice(indexValue(x, venue.base), indexValue(x, venue.quote))
  return Math.min(ticksMax, Math.max(1, Math.floor(price / venue.indexPerTick))) as Ticks
}

/**
 * Lots that convert this value (USDT units, at index prices) of an asset into the owed one, rounded up: at least one lot and the
 * market's smallest order. An order that buys the owed asset buys at most enough for the debt and the fees.
 */
export function lotsWorth(x: State, account: Account, { venue, side, reference }: Route, value: Units, costPpm: Ppm): Lots {
  const base = unitsWorth(value, indexValue(x, venue.base))
  const least = Math.max(1, Math.ceil(venue.market.terms.notionalMin / (reference * venue.quotePerTickLot)))
  const wanted = Math.max(least, Math.ceil(base / venue.basePerLot))
  const most = Math.min(venue.market.terms.lotsMax, Math.floor(notionalMax / (2 * reference * venue.quotePerTickLot)))
  if (side === SELL) {
    const available = x.ledger.available(marginRow(x, account.user, account.market, venue.base))
    return Math.min(wanted, most, Math.floor(available / venue.basePerLot)) as Lots
  }
  const owed = owedOf(account, venue.base)
  return Math.min(wanted, most, Math.max(least, Math.ceil(mulDivCeil(owed, million, million - costPpm) / venue.basePerLot))) as Lots
}

/** Result of an order: units of the asset that it brought in, after its fee. */
export type Trade = { readonly order: OrderId; readonly asset: AssetId; readonly received: Units }

/**
 * Places a market order for the account, up to `slippagePpm` from the index price, within the market's limit, and for at most
 * `budget` quote units. Returns undefined, with nothing placed, when the book has nothing at these prices.
 */
export function convert(
  x: State,
  account: Account,
  { venue, side, reference }: Route,
  lots: Lots,
  budget: number,
  slippagePpm: Ppm,
): Trade | undefined {
  const { terms } = venue.market
  const limit = worstPrice(side, reference, Math.min(slippagePpm, terms.slippagePpm) as Ppm)
  if (!terms.isTrading || lots <= 0 || !venue.book.crosses(side, limit)) return undefined
  const { user, market } = account
  const [give, get] = side === SELL ? [venue.base, venue.quote] : [venue.quote, venue.base]
  const row = openMarginRow(x, user, market, get)
  const money = Math.min(budget, x.ledger.available(marginRow(x, user, market, give)))
  const before = x.ledger.available(row)
  const order = ++x.lastOrder as OrderId
  const flags = (side | kind | (market === 0 ? CROSS_MARGIN : ISOLATED_MARGIN)) as OrderFlags
  writeAccepted(x.events, order, 0, user, noClientId, 0, venue.id, flags, 0, lots, 0, 0, 0, 0)
  const spend = side === BUY ? Math.floor(money / venue.quotePerTickLot) : Infinity
  const left = x.desks.spot.take(x, venue, side, user, order, limit, lots, spend, EXPIRE_MAKER, flags)
  const quote = (venue.book.taken * venue.quotePerTickLot) as Units
  writeClosed(x.events, order, user, venue.id, left === 0 ? FILLED : LIQUIDATION, (lots - left) as Lots, quote)
  return lots === left ? undefined : { order, asset: get, received: (x.ledger.available(row) - before) as Units }
}
