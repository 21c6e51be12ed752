import type { Event } from '@candor/core/protocol/event/index.ts'
import { pairedWith } from '@candor/core/protocol/command/order-list.ts'
import type { CancelOrder } from '@candor/core/protocol/command/spot.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { OrderAccount } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import type { OrderState } from '../../live/orders.ts'
import { refusedHere } from '../auth.ts'
import type { ApiUser } from '../key-ring.ts'
import { accountOf, type Desk, madeId, send } from './desk.ts'
import { findOrder, isList, knowOpen, siblingsOf, withSibling } from './find.ts'
import { groupedLists } from './lists.ts'
import { doneOrder } from './order-view.ts'
import { type CancelValues, checkWhich } from './params.ts'
import { cancelError, unknownOrder } from './refusals.ts'

/**
 * Cancels an order of an account and answers with the order. An order of a list is cancelled with its list.
 *
 * throws  ApiError -2011, or Refused, or rejects with it
 */
export function cancelSpotOrder(desk: Desk, owner: ApiUser, values: CancelValues, account: OrderAccount = 'spot'): Promise<object> {
  checkWhich(values)
  const market = desk.names.market(values.symbol)
  return cancelled(desk.context, owner, market, account, values, values.newClientOrderId ?? madeId())
}

/** Which order to cancel, and in which state, as sent by programs. */
type Meant = Pick<CancelValues, 'orderId' | 'origClientOrderId' | 'cancelRestrictions'>

/** Sends the cancel under this client id and answers. Throws, or rejects with, ApiError or Refused. */
export function cancelled(
  context: Context,
  owner: ApiUser,
  market: ListedMarket,
  account: OrderAccount,
  meant: Meant,
  clientId: string,
): Promise<object> {
  const knowing = knowOpen(context, owner.user)
  const go = () => cancelKnown(context, owner, market, account, meant, clientId)
  return knowing ? knowing.then(go) : go()
}

function cancelKnown(
  context: Context,
  owner: ApiUser,
  market: ListedMarket,
  account: OrderAccount,
  meant: Meant,
  clientId: string,
): Promise<object> {
  const { user } = owner
  const { orderId = 0, origClientOrderId = '' } = meant
  const known = orderId === 0 ? undefined : context.orders.get(orderId as OrderId)
  if (known && !isMeant(known, user, account, origClientOrderId)) throw refusedHere(context, owner, 'spot', unknownOrder())
  // The core cancels by client id in any account, so margin orders must be excluded here.
  if (orderId === 0 && account === 'spot' && context.orders.isMargin(user, origClientOrderId)) {
    throw refusedHere(context, owner, 'spot', unknownOrder())
  }
  if (known !== undefined) return sendCancel(context, owner, market, account, meant, clientId)
  return isList(context, user, orderId, origClientOrderId).then((isOne) => {
    if (isOne) throw refusedHere(context, owner, 'spot', unknownOrder())
    return sendCancel(context, owner, market, account, meant, clientId)
  })
}

function sendCancel(
  context: Context,
  owner: ApiUser,
  market: ListedMarket,
  account: OrderAccount,
  { orderId = 0, origClientOrderId = '', cancelRestrictions }: Meant,
  clientId: string,
): Promise<object> {
  const { user } = owner
  const command: { -readonly [Name in keyof CancelOrder]: CancelOrder[Name] } = {
    type: 'spot.cancel',
    user,
    clientId,
    market: market.market.id,
    order: orderId as OrderId,
    orderClientId: orderId === 0 ? origClientOrderId : '',
  }
  if (cancelRestrictions !== undefined) command.only = cancelRestrictions === 'ONLY_NEW' ? 'unfilled' : 'partly-filled'
  return send(context, owner, command, (outcome) => {
    if (outcome.refusal) throw cancelError(outcome.refusal)
    return cancelReport(context, owner, market, account, outcome, outcome.order, clientId)
  })
}

function isMeant(state: OrderState, user: number, account: OrderAccount, clientId: string): boolean {
  return state.user === user && accountOf(state) === account && (clientId === '' || state.clientId === clientId)
}

/** The report about an order that a command cancelled, with the client id of that command. */
export function cancelReport(
  context: Context,
  owner: ApiUser,
  market: ListedMarket,
  account: OrderAccount,
  outcome: CancelOutcome,
  order: OrderId,
  clientId: string,
): object | Promise<object> {
  const state = outcome.seq > context.followed.seq ? undefined : context.orders.get(order)
  if (state === undefined || state.closeReason === 'oco') return soughtReport(context, owner, market, account, outcome, order, clientId)
  return cancelView(context, state, outcome.isRepeat ? state.updatedAt : outcome.at, clientId, undefined)
}

type CancelOutcome = Pick<Outcome, 'seq' | 'at' | 'isRepeat'>

async function soughtReport(
  context: Context,
  { user }: ApiUser,
  market: ListedMarket,
  account: OrderAccount,
  { seq, at, isRepeat }: CancelOutcome,
  order: OrderId,
  clientId: string,
): Promise<object> {
  await context.followed.reached(seq)
  const inMemory = context.orders.get(order)
  const state = inMemory ?? (await findOrder(context, user, market, account, { orderId: order, origClientOrderId: undefined }))
  if (!state) throw unknownOrder()
  const { sibling } = await withSibling(context, state)
  return cancelView(context, state, isRepeat ? state.updatedAt : at, clientId, sibling)
}

function cancelView(context: Context, state: OrderState, at: Millis, clientId: string, sibling: OrderState | undefined): object {
  const report = doneOrder(context.listing, state, at, sibling)
  report['origClientOrderId'] = state.clientId
  report['clientOrderId'] = clientId
  return report
}

/** Orders that the core cancels with one command; its clock ticks cancel the others. */
const sweepMax = 200
const sweepsMax = 50

/**
 * Cancels all orders of an account in a market and answers with them; the two legs of a list are reported as the list.
 *
 * throws  ApiError -2011 when there is none, or Refused
 */
export async function cancelAllOf(desk: Desk, owner: ApiUser, symbol: string, account: OrderAccount): Promise<readonly object[]> {
  const { context } = desk
  const { user } = owner
  const market = desk.names.market(symbol)
  await context.orders.know(context.ask, user)
  const open = await context.ask.openOrders(user, market.market.id)
  const meant = open.filter((order) => accountOf(order) === account).map(({ order }) => order)
  if (meant.length === 0) throw unknownOrder()
  const clientId = madeId()
  // A market may have orders of both kinds of margin accounts, and one command can't tell them apart.
  const seq =
    account === 'spot' ? await sweep(desk, owner, market, meant.length) : await cancelEach(desk, owner, market, open, new Set(meant))
  await context.followed.reached(seq)
  const states = meant.map((order) => context.orders.get(order)).filter((state) => state !== undefined)
  const siblings = await siblingsOf(context, user, states)
  const report = (state: OrderState) => cancelView(context, state, state.updatedAt, clientId, siblings.get(pairedWith(state) as OrderId))
  return groupedLists(context, user, states, clientId, report)
}

async function sweep({ context }: Desk, owner: ApiUser, { market }: ListedMarket, expected: number): Promise<number> {
  let [seq, left] = [0, expected]
  for (let n = 0; n < sweepsMax && left > 0; n++) {
    const outcome = await send(context, owner, {
      type: 'spot.cancelAll',
      user: owner.user,
      clientId: madeId(),
      market: market.id,
      only: 'spot',
    })
    if (outcome.refusal) throw cancelError(outcome.refusal)
    seq = outcome.seq
    const closed = outcome.events.filter((event: Event) => event.type === 'order.closed' && event.user === owner.user).length
    left = closed < sweepMax ? 0 : left - closed
  }
  return seq
}

async function cancelEach(
  { context }: Desk,
  owner: ApiUser,
  { market }: ListedMarket,
  open: readonly { readonly order: OrderId }[],
  meant: ReadonlySet<OrderId>,
): Promise<number> {
  const outcomes = await Promise.all(
    open
      .filter(({ order }) => meant.has(order))
      .map(({ order }) =>
        send(context, owner, {
          type: 'spot.cancel',
          user: owner.user,
          clientId: madeId(),
          market: market.id,
          order,
          orderClientId: '',
        }),
      ),
  )
  // A missing order was filled in the meantime, or was cancelled with the other leg of its list.
  for (const { refusal } of outcomes) if (refusal && refusal !== 'ORDER_UNKNOWN') throw cancelError(refusal)
  return Math.max(...outcomes.map(({ seq }) => seq))
}
