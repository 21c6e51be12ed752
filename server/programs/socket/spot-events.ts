import type { Lots, Units } from '@candor/core/money/brand.ts'
import type { Event, EntryReason, MatchPrevented, OutcomeEvent, Traded } from '@candor/core/protocol/event/index.ts'
import { type ListKind, listKindOf, ordersOfList, pairedWith } from '@candor/core/protocol/command/order-list.ts'
import type { AssetId, OrderId } from '@candor/core/protocol/ids.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { MarketData } from '../../live/data.ts'
import { amountText, priceText, quantityText } from '../../live/listing.ts'
import type { OrderState } from '../../live/orders.ts'
import { contingencyWord } from '../spot/list-names.ts'
import * as view from '../spot/order-view.ts'
import type { CancelNames } from './cancel-names.ts'
import { CoinEvents, type NetworkWords } from './coin-events.ts'
import type { EventMaker, UserStream } from './user-data.ts'

type Execution = 'NEW' | 'CANCELED' | 'REPLACED' | 'TRADE' | 'EXPIRED' | 'TRADE_PREVENTION'

/** Reasons of orders and trades, which order reports cover: they are not reported as changes of a balance. */
const ofTrading: ReadonlySet<EntryReason> = new Set(['hold', 'release', 'trade', 'fee'])

const accountKinds = { spot: 'spot', cross: 'margin-cross', isolated: 'margin-isolated' } as const satisfies Record<string, AccountKind>

/** A trade from the point of view of one order. */
type Side = { readonly trade: Traded; readonly isMaker: boolean }

/**
 * Messages about a spot account or a margin account. For each command, order reports come first, in the order of events; then
 * lists that began or ended; then coins that came or went; then each change of a balance not made by a trade; then the account's balances.
 */
export class SpotEvents implements EventMaker {
  readonly #data: MarketData
  readonly #stream: UserStream
  readonly #names: CancelNames
  readonly #coins: CoinEvents

  constructor(data: MarketData, stream: UserStream, names: CancelNames, words: NetworkWords) {
    this.#data = data
    this.#coins = new CoinEvents(data.listing, words)
    this.#stream = stream
    this.#names = names
  }

  order(state: OrderState, event: Event, index: number, events: readonly Event[], outcome: OutcomeEvent): readonly object[] {
    const report = (execution: Execution, side?: Side, isFilled = false): readonly Record<string, unknown>[] => [
      this.#report(state, execution, outcome, executionId(outcome.seq, events, index), side, isFilled),
    ]
    switch (event.type) {
      case 'order.accepted':
      case 'order.entered':
      case 'order.triggered':
        return report('NEW')
      case 'order.amended':
        return report('REPLACED')
      case 'traded': {
        const isLast = isLastFill(events, index, state.order)
        // A user who trades with themselves gets reports for both sides.
        return [event.makerOrder, event.takerOrder]
          .filter((order) => order === state.order)
          .flatMap((order) => report('TRADE', { trade: event, isMaker: order === event.makerOrder }, isLast))
      }
      case 'order.prevented': {
        const isLast = endsAsPrevented(events, index, state.order)
        const [told] = report('TRADE_PREVENTION')
        const ended = isLast ? { X: 'EXPIRED_IN_MATCH', w: false } : {}
        return [{ ...told, ...ended, ...this.#prevented(state, event.lots, matchBefore(events, index, state.order)) }]
      }
      case 'order.closed': {
        if (event.reason === 'filled') return []
        if (event.reason === 'self-trade' && isPreventedBefore(events, index, state.order)) return []
        const status = view.statusWord(state, this.#siblingOf(state))
        if (status !== 'EXPIRED_IN_MATCH') return report(status === 'CANCELED' ? 'CANCELED' : 'EXPIRED')
        const [told] = report('TRADE_PREVENTION')
        const before = matchBefore(events, index, state.order)
        // A decrement has been reported with its own event.
        const match = before?.mode === 'decrement' ? undefined : before
        const last = match === undefined ? (0 as Lots) : lotsLost(match, state.order)
        return [{ ...told, ...this.#prevented(state, last, match) }]
      }
      default:
        return []
    }
  }

  command(events: readonly Event[], { at }: OutcomeEvent): readonly object[] {
    const balances = new Map<number, { readonly available: Units; readonly held: Units }>()
    const changes: object[] = []
    const coins: object[] = []
    const { user, kind, market } = this.#stream
    const accountKind = accountKinds[kind as keyof typeof accountKinds]
    for (const event of events) {
      if (kind === 'spot' && 'user' in event && event.user === user) coins.push(this.#coins.of(event, at) ?? [])
      if (event.type !== 'entry' || !('user' in event.account) || event.account.user !== user) continue
      if (event.account.kind !== accountKind || (kind === 'isolated' && event.account.market !== market)) continue
      const { asset } = event.account
      balances.set(asset, event)
      const delta = event.delta + event.heldDelta
      if (ofTrading.has(event.reason) || delta === 0) continue
      const listed = this.#data.listing.asset(asset)
      changes.push({ e: 'balanceUpdate', E: at, a: listed.symbol, d: amountText(listed, delta as Units), T: at })
    }
    const position = [...balances].map(([asset, { available, held }]) => {
      const listed = this.#data.listing.asset(asset as AssetId)
      return { a: listed.symbol, f: amountText(listed, available), l: amountText(listed, held) }
    })
    const held = position.length === 0 ? [] : [{ e: 'outboundAccountPosition', E: at, u: at, B: position }]
    // Balances come after changes, because clients add the change and then set the balance.
    return [...this.#lists(events, at), ...coins.flat(), ...changes, ...held]
  }

  #report(
    state: OrderState,
    x: Execution,
    { at }: OutcomeEvent,
    id: number,
    side: Side | undefined,
    isFilled: boolean,
  ): Record<string, unknown> {
    const { listing } = this.#data
    const market = listing.market(state.market)
    const isOpen = state.closeReason === undefined && !isFilled
    const cancelName = x === 'CANCELED' ? this.#names.of(state) : undefined
    const delta = view.trailingDelta(state)
    const workingTime = view.workingTime(state)
    const fee = side && feeOf(side)
    const received = state.side === 'buy' ? market.base : market.quote
    return {
      e: 'executionReport',
      E: at,
      s: market.market.symbol,
      c: cancelName ?? state.clientId,
      S: view.sideWord(state),
      o: view.typeWord(state),
      f: state.timeInForce,
      q: quantityText(market, view.askedLots(state)),
      p: priceText(market, state.price),
      P: view.stopPriceText(market, state),
      ...(delta === undefined ? {} : { d: delta }),
      ...(state.strategy?.id === undefined ? {} : { j: state.strategy.id }),
      ...(state.strategy?.type === undefined ? {} : { J: state.strategy.type }),
      F: quantityText(market, state.display),
      g: view.listId(state),
      C: x === 'CANCELED' ? state.clientId : '',
      x,
      X: isFilled ? 'FILLED' : view.statusWord(state, this.#siblingOf(state)),
      r: 'NONE',
      i: state.order,
      l: quantityText(market, side ? side.trade.lots : (0 as Lots)),
      z: quantityText(market, state.executedLots),
      L: priceText(market, side ? side.trade.price : 0),
      n: amountText(received, fee ?? (0 as Units)),
      N: side ? received.symbol : null,
      T: at,
      t: side ? side.trade.trade : -1,
      I: id,
      w: isOpen && !state.isPending,
      m: side?.isMaker ?? false,
      M: side !== undefined,
      O: state.placedAt,
      Z: amountText(market.quote, state.executedQuote),
      Y: amountText(market.quote, side ? side.trade.quote : (0 as Units)),
      Q: view.askedQuoteText(market, state),
      ...(workingTime === -1 ? {} : { W: workingTime }),
      V: view.selfTradeWord(state),
    }
  }

  /**
   * The lots that self-trade prevention removed from an order, in total and just now, the match, the other order and the price. Where
   * both orders lost lots, the smaller quantity is what they would have traded. `match` undefined: an earlier command removed them.
   */
  #prevented(state: OrderState, last: Lots, match: MatchPrevented | undefined): object {
    const market = this.#data.listing.market(state.market)
    const lost = { A: quantityText(market, view.preventedLots(state)), B: quantityText(market, last) }
    const id = state.preventedMatch === undefined ? {} : { v: state.preventedMatch }
    if (match === undefined) return { ...id, ...lost }
    const { makerOrder, takerOrder, price, makerLots, takerLots } = match
    const other = { U: state.order === makerOrder ? takerOrder : makerOrder, Cs: market.market.symbol }
    const lots = Math.min(makerLots, takerLots) as Lots
    const quote = (lots * price * market.market.quotePerTickLot) as Units
    const traded = lots === 0 ? {} : { pl: quantityText(market, lots), pY: amountText(market.quote, quote) }
    return { ...id, ...lost, ...other, ...traded, pL: priceText(market, price) }
  }

  /** Lists that began, and lists whose last leg ended. */
  #lists(events: readonly Event[], at: number): readonly object[] {
    const begun = new Map<OrderId, ListKind>()
    const ended = new Map<OrderId, ListKind>()
    for (const event of events) {
      if (event.type !== 'order.accepted' && event.type !== 'order.closed') continue
      if (event.user !== this.#stream.user) continue
      const state = this.#data.orders.get(event.order)
      const kind = state && listKindOf(state)
      if (kind === undefined || !this.#isOwn(state as OrderState)) continue
      const { list } = state as OrderState
      if (event.type === 'order.accepted') begun.set(list, kind)
      else if (this.#isOver(list, kind)) ended.set(list, kind)
    }
    return [
      ...[...begun].map(([list, kind]) => this.#list(list, kind, 'EXEC_STARTED', 'EXECUTING', at)),
      ...[...ended].map(([list, kind]) => this.#list(list, kind, 'ALL_DONE', 'ALL_DONE', at)),
    ]
  }

  #list(list: OrderId, kind: ListKind, status: string, orders: string, at: number): object {
    const legs = ordersOfList(kind, list).flatMap((order) => this.#data.orders.get(order) ?? [])
    const said = legs.map((leg) => ({ s: this.#data.listing.market(leg.market).market.symbol, i: leg.order, c: leg.clientId }))
    return {
      e: 'listStatus',
      E: at,
      s: said[0]?.s ?? '',
      g: list,
      c: contingencyWord(kind),
      l: status,
      L: orders,
      r: 'NONE',
      C: listName(legs.map(({ clientId }) => clientId)) ?? String(list),
      T: at,
      O: said,
    }
  }

  #isOver(list: OrderId, kind: ListKind): boolean {
    return ordersOfList(kind, list).every((order) => {
      const state = this.#data.orders.get(order)
      return state === undefined || state.closeReason !== undefined
    })
  }

  #isOwn({ margin, market, perp }: OrderState): boolean {
    if (perp) return false
    const account = margin === undefined ? 'spot' : margin.account === 'margin-cross' ? 'cross' : 'isolated'
    return account === this.#stream.kind && (account !== 'isolated' || market === this.#stream.market)
  }

  #siblingOf(state: OrderState): OrderState | undefined {
    const sibling = pairedWith(state)
    return sibling === 0 ? undefined : this.#data.orders.get(sibling)
  }
}

/** Kinds of events that not every gateway reads of every user: their place before the next of the others. */
const placeOf: { readonly [T in Event['type']]?: number } = { 'order.accepted': 0, 'order.closed': 1, entry: 2 }
const [places, placeOfOthers] = [4, 3]

/** A number unique to each event of an order, the same in all gateways: it counts only events that all of them read. */
export function executionId(seq: number, events: readonly Event[], index: number): number {
  let before = 0
  for (let i = 0; i < index; i++) before += Number(placeOf[events[i]!.type] === undefined)
  return seq * 4_096 + ((before * places + (placeOf[events[index]!.type] ?? placeOfOthers)) % 4_096)
}

/** The fee is in the asset that the side receives. */
export const feeOf = ({ trade, isMaker }: Side): Units => (isMaker ? trade.makerFee : trade.takerFee)

/** Whether the trade at `index` filled the order completely: its end follows in the same command, with no trade in between. */
export function isLastFill(events: readonly Event[], index: number, order: OrderId): boolean {
  for (let i = index + 1; i < events.length; i++) {
    const event = events[i]!
    if (event.type === 'traded' && (event.makerOrder === order || event.takerOrder === order)) return false
    if (event.type === 'order.closed' && event.order === order) return event.reason === 'filled'
  }
  return false
}

/** Whether self-trade prevention at `index` left nothing of the order. */
function endsAsPrevented(events: readonly Event[], index: number, order: OrderId): boolean {
  const next = events.slice(index + 1).find((event) => isAbout(event, order))
  return next?.type === 'order.closed' && next.reason === 'self-trade'
}

/** Whether the last event of an order before its end at `index` was self-trade prevention, which already reported the end. */
function isPreventedBefore(events: readonly Event[], index: number, order: OrderId): boolean {
  return events.slice(0, index).findLast((event) => isAbout(event, order))?.type === 'order.prevented'
}

/** The last match before the event at `index` in which the order lost lots. */
function matchBefore(events: readonly Event[], index: number, order: OrderId): MatchPrevented | undefined {
  const isMeant = (event: Event): event is MatchPrevented => event.type === 'match.prevented' && lotsLost(event, order) > 0
  return events.slice(0, index).findLast(isMeant)
}

function lotsLost({ makerOrder, makerLots, takerOrder, takerLots }: MatchPrevented, order: OrderId): Lots {
  return order === makerOrder ? makerLots : order === takerOrder ? takerLots : (0 as Lots)
}

function isAbout(event: Event, order: OrderId): boolean {
  if (event.type === 'traded' || event.type === 'order.prevented') return event.makerOrder === order || event.takerOrder === order
  return (event.type === 'order.closed' || event.type === 'order.accepted') && event.order === order
}

/** Legs without names of their own have the list's name with an ending. */
function listName(names: readonly string[]): string | undefined {
  for (const name of names) {
    const match = /^(.+)-(?:limit|next|stop)$/.exec(name)
    if (match) return match[1]
  }
  return undefined
}
