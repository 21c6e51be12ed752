import type { Millis } from '@candor/core/money/brand.ts'
import { type ListKind, listKindOf, listOffsets, ordersOfList, pairedWith } from '@candor/core/protocol/command/order-list.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { listLegs, type OrderAccount, orderByClientId } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { orderOfEvents, type OrderState } from '../../live/orders.ts'
import { badCombination } from '../errors.ts'
import { refusedHere } from '../auth.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import { accountOf, type Desk, madeId, send } from './desk.ts'
import { stateOfOpen, stateOfRow } from './find.ts'
import { contingencyWord, firstLegIds, listNamesOf } from './list-names.ts'
import { doneOrder } from './order-view.ts'
import { checkDay, clientId, oneOf, symbol } from './params.ts'
import { cancelError, noSuchList, unknownOrder } from './refusals.ts'

/** The orders of a list: the working order, if it has one, the one that takes a profit, the stop. */
type Legs = readonly [OrderState, ...OrderState[]]

/** A list in the form of the answers; `reports`: of its legs, where they belong to the answer. */
function listView(context: Context, legs: Legs, name: string, at: number, reports?: readonly object[]): object {
  const [first] = legs
  const isDone = legs.every(({ closeReason }) => closeReason !== undefined)
  const { market } = context.listing.market(first.market)
  return {
    orderListId: first.list,
    contingencyType: contingencyWord(listKindOf(first)!),
    listStatusType: isDone ? 'ALL_DONE' : 'EXEC_STARTED',
    listOrderStatus: isDone ? 'ALL_DONE' : 'EXECUTING',
    listClientOrderId: name,
    transactionTime: at,
    symbol: market.symbol,
    ...(first.margin === undefined ? {} : { isIsolated: first.margin.account === 'margin-isolated' }),
    orders: legs.map((leg) => ({ symbol: market.symbol, orderId: leg.order, clientOrderId: leg.clientId })),
    ...(reports === undefined ? {} : { orderReports: reports }),
  }
}

/** The list that a command placed; for a repeat, the list in its current state. */
export async function placedList(
  context: Context,
  { user }: ApiUser,
  market: ListedMarket,
  outcome: Outcome,
  { name, kind, answer }: { readonly name: string; readonly kind: ListKind; readonly answer: 'ACK' | 'RESULT' | 'FULL' },
): Promise<object> {
  const legs = outcome.isRepeat ? await legsOf(context, user, outcome.order, outcome.seq) : legsPlaced(outcome, kind)
  if (!legs) throw noSuchList()
  const at = legs[0].placedAt
  const reports = legs.map((leg) => {
    const { symbol } = market.market
    const short = { symbol, orderId: leg.order, orderListId: leg.list, clientOrderId: leg.clientId, transactTime: at }
    return answer === 'ACK' ? short : doneOrder(context.listing, leg, at, pairOf(leg, legs))
  })
  return listView(context, legs, name, at, reports)
}

function legsPlaced({ events, order, at, seq }: Outcome, kind: ListKind): Legs {
  const legs = ordersOfList(kind, order).map((number) => orderOfEvents(events, number, at))
  if (!isWhole(legs)) throw new Error(`command ${seq} placed list ${order} without accepting its orders`)
  return legs
}

function pairOf(leg: OrderState, legs: readonly OrderState[]): OrderState | undefined {
  const number = pairedWith(leg)
  return legs.find(({ order }) => order === number)
}

function isWhole(legs: readonly (OrderState | undefined)[]): legs is Legs {
  const [first] = legs
  const kind = first && listKindOf(first)
  return kind !== undefined && legs.length === listOffsets[kind].length && legs.every((leg) => leg !== undefined)
}

/** The orders of a user's list after the command at `seq`. Their numbers follow the list's own. */
async function legsOf(context: Context, user: UserId, list: number, seq: number): Promise<Legs | undefined> {
  await context.followed.reached(seq)
  const inMemory = Object.values(listOffsets)
    .flat()
    .map((offset) => context.orders.get((list + offset) as OrderId))
    .filter((state) => state?.list === list && state.perp === undefined)
  const legs = isWhole(inMemory) ? inMemory : await legsInTables(context, user, list)
  return isWhole(legs) && legs[0].list === list && legs[0].user === user && legs[0].perp === undefined ? legs : undefined
}

async function legsInTables(context: Context, user: UserId, list: number): Promise<readonly OrderState[]> {
  await context.freshness.settled(user)
  const open = await context.ask.openOrders(user)
  const legs: OrderState[] = open.filter((order) => order.list === list && order.perp === undefined).map(stateOfOpen)
  const sorted = legs.toSorted((a, b) => a.order - b.order)
  if (isWhole(sorted)) return sorted
  const rows = await listLegs(context.pool, user, 'spot', { fromId: list as OrderId, limit: 1 })
  const found = rows.length > 0 ? rows : await marginLegs(context, user, list)
  // An order that is still open is known better by the core.
  return found
    .filter((row) => row.list_id === list)
    .map((row) => context.orders.get(row.id) ?? sorted.find(({ order }) => order === row.id) ?? stateOfRow(context, row))
}

async function marginLegs(context: Context, user: UserId, list: number) {
  for (const account of ['margin-cross', 'margin-isolated'] as const) {
    const rows = await listLegs(context.pool, user, account, { fromId: list as OrderId, limit: 1 })
    if (rows[0]?.list_id === list) return rows
  }
  return []
}

export const whichListParams = { orderListId: param.id, origClientOrderId: clientId } as const

/** One list. throws  ApiError -2018 */
export async function queryList(
  desk: Desk,
  owner: ApiUser,
  { orderListId, origClientOrderId }: param.Values<typeof whichListParams>,
  account: OrderAccount = 'spot',
): Promise<object> {
  if (orderListId === undefined && origClientOrderId === undefined) throw oneOf('orderListId', 'origClientOrderId')
  const list = orderListId ?? (await numberOf(desk.context, owner.user, origClientOrderId as string))
  const legs = list === undefined ? undefined : await legsOf(desk.context, owner.user, list, desk.context.freshness.lastOf(owner.user))
  if (!legs || accountOf(legs[0]) !== account) throw noSuchList()
  const names = await listNamesOf(desk.context, owner.user, [legs[0].clientId])
  const name = names.get(legs[0].clientId) as string
  if (origClientOrderId !== undefined && name !== origClientOrderId) throw noSuchList()
  return listView(desk.context, legs, name, legs[0].placedAt)
}

/** Number of the list that has this client id. */
async function numberOf(context: Context, user: UserId, name: string): Promise<number | undefined> {
  await context.freshness.settled(user)
  const legs = await firstLegIds(context, user, name)
  for (const leg of legs) {
    const row = await orderByClientId(context.pool, user, leg)
    if (row?.list_id) return row.list_id
  }
  return (await context.ask.openOrders(user)).find((order) => order.list > 0 && legs.includes(order.clientId))?.list
}

/** Lists with a leg that still waits or rests in the book, oldest first. */
export async function openLists({ context }: Desk, { user }: ApiUser, account: OrderAccount = 'spot'): Promise<readonly object[]> {
  await context.followed.reached(context.freshness.lastOf(user))
  const open = (await context.ask.openOrders(user)).filter((order) => order.list > 0 && accountOf(order) === account && !order.perp)
  const numbers = [...new Set(open.map(({ list }) => list))].toSorted((a, b) => a - b)
  const lists = await Promise.all(numbers.map((list) => legsOf(context, user, list, 0)))
  return named(
    context,
    user,
    lists.filter((legs) => legs !== undefined),
  )
}

export const allListsParams = {
  fromId: param.id,
  startTime: param.millis,
  endTime: param.millis,
  limit: param.limit(500, 1_000),
} as const

/** Lists of an account, oldest first. throws  ApiError -1127, -1128 */
export async function allLists(
  { context }: Desk,
  { user }: ApiUser,
  { fromId, startTime, endTime, limit }: param.Values<typeof allListsParams>,
  account: OrderAccount = 'spot',
): Promise<readonly object[]> {
  checkDay(startTime, endTime)
  if (fromId !== undefined && (startTime ?? endTime) !== undefined) throw badCombination()
  await context.freshness.settled(user)
  const rows = await listLegs(context.pool, user, account, { fromId: fromId as OrderId | undefined, start: startTime, end: endTime, limit })
  const states = rows.map((row) => context.orders.get(row.id) ?? stateOfRow(context, row))
  const lists = Map.groupBy(states, ({ list }) => list)
  return named(
    context,
    user,
    [...lists.values()].flatMap((legs) => (isWhole(legs) ? [legs] : [])),
  )
}

async function named(context: Context, user: UserId, lists: readonly Legs[]): Promise<readonly object[]> {
  const names = await listNamesOf(
    context,
    user,
    lists.map(([first]) => first.clientId),
  )
  return lists.map((legs) => listView(context, legs, names.get(legs[0].clientId) as string, legs[0].placedAt))
}

export const cancelListParams = {
  symbol,
  orderListId: param.id,
  listClientOrderId: clientId,
  newClientOrderId: clientId,
} as const

/** Cancels the orders of a list. throws  ApiError -2011, or Refused */
export async function cancelList(
  { context, names }: Desk,
  owner: ApiUser,
  values: param.Values<typeof cancelListParams>,
  account: OrderAccount = 'spot',
): Promise<object> {
  const { orderListId, listClientOrderId } = values
  if (orderListId === undefined && listClientOrderId === undefined) throw oneOf('orderListId', 'listClientOrderId')
  const { user } = owner
  const market = names.market(values.symbol).market.id
  await context.orders.know(context.ask, user)
  const list = orderListId ?? (await numberOf(context, user, listClientOrderId as string))
  const legs = list === undefined ? undefined : await legsOf(context, user, list, context.freshness.lastOf(user))
  if (!legs || accountOf(legs[0]) !== account || legs[0].market !== market) {
    throw refusedHere(context, owner, 'spot', unknownOrder())
  }
  const own = values.newClientOrderId ?? madeId()
  const number = legs[0].list
  const outcome = await send(context, owner, { type: 'spot.cancel', user, clientId: own, market, order: number, orderClientId: '' })
  if (outcome.refusal) throw cancelError(outcome.refusal)
  const now = await legsOf(context, user, number, outcome.seq)
  if (!now) throw unknownOrder()
  return cancelledList(context, user, now, outcome.isRepeat ? now[0].updatedAt : outcome.at, own)
}

/** A list whose orders were cancelled under this client id. */
export async function cancelledList(context: Context, user: UserId, legs: Legs, at: Millis, clientOrderId: string): Promise<object> {
  const names = await listNamesOf(context, user, [legs[0].clientId])
  const reports = legs.map((leg) => ({
    ...doneOrder(context.listing, leg, at, pairOf(leg, legs)),
    origClientOrderId: leg.clientId,
    clientOrderId,
  }))
  return listView(context, legs, names.get(legs[0].clientId) as string, at, reports)
}

/** Orders and lists in the order in which they were placed; a list takes the place of its first leg. */
export async function groupedLists(
  context: Context,
  user: UserId,
  states: readonly OrderState[],
  clientOrderId: string,
  report: (state: OrderState) => object,
): Promise<readonly object[]> {
  const answers: object[] = []
  for (const state of states) {
    const legs = state.list === 0 ? [] : states.filter(({ list }) => list === state.list).toSorted((a, b) => a.order - b.order)
    if (!isWhole(legs)) answers.push(report(state))
    else if (state === legs[0]) answers.push(await cancelledList(context, user, legs, state.updatedAt, clientOrderId))
  }
  return answers
}
