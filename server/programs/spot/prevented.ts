/** Matches that self-trade prevention kept from happening, in the form that programs know. */
import type { Lots } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OrderId, PreventedMatchId, UserId } from '@candor/core/protocol/ids.ts'
import type { OrderAccount } from '../../store/query/programs/orders.ts'
import { preventedMatch, preventedOf, type PreventedRow } from '../../store/query/programs/prevented.ts'
import { type ListedMarket, priceText, quantityText } from '../../live/listing.ts'
import type { Context } from '../context.ts'
import { badCombination } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import type { Desk } from './desk.ts'
import { selfTradeWords } from './order-view.ts'
import { oneOf, symbol } from './params.ts'

/** Accounts are in no group: an order only meets the orders of its own user. */
const noGroup = -1
/** Most matches of one order in an answer, and the limit of paths without that parameter. */
const most = 1_000
export const usualLimit = 500

export const preventedParams = {
  symbol,
  preventedMatchId: param.id,
  orderId: param.id,
  fromPreventedMatchId: param.id,
} as const
export type PreventedValues = param.Values<typeof preventedParams>

export const limitParam = { limit: param.limit(usualLimit, most) } as const

/** One match by its number, or those of an order, oldest first. throws  ApiError -1102, -1128 */
export async function preventedMatches(
  { context, names }: Desk,
  { user }: ApiUser,
  { symbol: name, preventedMatchId, orderId, fromPreventedMatchId, limit }: PreventedValues & { readonly limit: number },
  account: OrderAccount = 'spot',
): Promise<readonly object[]> {
  if (preventedMatchId === undefined && orderId === undefined) throw oneOf('preventedMatchId', 'orderId')
  if (preventedMatchId !== undefined && (orderId ?? fromPreventedMatchId) !== undefined) throw badCombination()
  const { market } = names.market(name)
  await context.freshness.settled(user)
  const rows =
    preventedMatchId === undefined
      ? await preventedOf(context.pool, user, market.symbol, account, {
          order: orderId as OrderId,
          from: (fromPreventedMatchId ?? 0) as PreventedMatchId,
          limit,
        })
      : await preventedMatch(context.pool, user, market.symbol, account, preventedMatchId as PreventedMatchId)
  return rows.map((row) => ({
    symbol: market.symbol,
    preventedMatchId: row.id,
    takerOrderId: row.taker_order,
    makerSymbol: market.symbol,
    makerOrderId: row.maker_order,
    tradeGroupId: noGroup,
    selfTradePreventionMode: selfTradeWords[row.mode],
    price: row.price,
    ...lost(row.taker_quantity, row.maker_quantity),
    transactTime: row.at_ms,
    ...(account === 'spot' ? {} : { isIsolated: account === 'margin-isolated' }),
  }))
}

/** A match in the answer about the order that took. */
export type PreventedPart = {
  readonly preventedMatchId: number
  readonly makerSymbol: string
  readonly makerOrderId: number
  readonly price: string
  readonly takerPreventedQuantity?: string
  readonly makerPreventedQuantity?: string
}

/** Matches of a new order with makers of its own user, from the events of its command. */
export function preventedIn(market: ListedMarket, events: readonly Event[], order: OrderId): readonly PreventedPart[] {
  return events.flatMap((event) => {
    if (event.type !== 'match.prevented' || event.takerOrder !== order) return []
    const { match, makerOrder, price, makerLots, takerLots } = event
    const quantity = (lots: Lots): string | null => (lots === 0 ? null : quantityText(market, lots))
    return { ...part(market, match, makerOrder, priceText(market, price)), ...lost(quantity(takerLots), quantity(makerLots)) }
  })
}

/** The same for an order that was placed at `placedAt`, a while ago. */
export async function preventedAtOnce(
  context: Context,
  user: UserId,
  market: ListedMarket,
  account: OrderAccount,
  { order, placedAt }: { readonly order: OrderId; readonly placedAt: number },
): Promise<readonly PreventedPart[]> {
  await context.freshness.settled(user)
  const rows = await preventedOf(context.pool, user, market.market.symbol, account, { order, from: 0, limit: most })
  const isAtOnce = (row: PreventedRow): boolean => row.taker_order === order && row.at_ms === placedAt
  return rows
    .filter(isAtOnce)
    .map((row) => ({ ...part(market, row.id, row.maker_order, row.price), ...lost(row.taker_quantity, row.maker_quantity) }))
}

function part({ market }: ListedMarket, preventedMatchId: number, makerOrderId: number, price: string): PreventedPart {
  return { preventedMatchId, makerSymbol: market.symbol, makerOrderId, price }
}

/** Only the orders that lost something have a quantity. */
function lost(took: string | null, made: string | null): Pick<PreventedPart, 'takerPreventedQuantity' | 'makerPreventedQuantity'> {
  return {
    ...(took === null ? {} : { takerPreventedQuantity: took }),
    ...(made === null ? {} : { makerPreventedQuantity: made }),
  }
}
