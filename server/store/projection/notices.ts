import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { CloseReason, EntryEvent, Event, OrderClosed } from '@candor/core/protocol/event/index.ts'
import type { OptionSettled } from '@candor/core/protocol/event/option.ts'
import type { MarketId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import { addNotices, noticeColumns } from '../notices.ts'
import { ChainNotices, type NetworkNames, withWithdrawal } from './coins/notices.ts'
import { arrayLiteral, type ColumnType, type Statement, type Value } from './columns.ts'
import type { Known } from './known.ts'
import type { OptionProjection } from './option.ts'
import type { OrderProjection } from './orders.ts'

/** Users who asked for one of them. */
export type NoticeUsers = ReadonlyMap<UserId, ReadonlySet<NoticeKind>>

const hourMs = 3_600_000

/** Ends of an order that its owner asked for, so that the rest of a partly filled one is no news. */
const ended: ReadonlySet<CloseReason> = new Set(['cancelled', 'oco', 'countdown', 'replaced', 'expired', 'liquidation', 'position-closed'])

const types = Object.values(noticeColumns)
/** Tables that are rebuilt don't write the notices of events up to `done_seq` again. */
const add = addNotices('core_user', 'seq > (select done_seq from notice_state)', withWithdrawal)

/**
 * Notices of trading, and of coins that come and go. The events that nobody asked for cost a comparison each. An account that goes to and fro around a threshold, or
 * is liquidated in many steps, gets one notice per hour of the clock.
 */
export class NoticeProjection {
  readonly #known: Known
  readonly #orders: OrderProjection
  readonly #options: OptionProjection
  readonly #chain: ChainNotices
  #users: NoticeUsers | undefined
  #rows: Value[][] = emptyRows()

  constructor(known: Known, orders: OrderProjection, options: OptionProjection, names: NetworkNames) {
    this.#known = known
    this.#orders = orders
    this.#options = options
    this.#chain = new ChainNotices(known, names)
  }

  get size(): number {
    return (this.#rows[0] as Value[]).length
  }

  /** From the next event on. Before it there are no notices at all: they belong to no table that the journal alone gives. */
  watch(users: NoticeUsers): void {
    this.#users = users
  }

  apply(event: Event, seq: Seq, at: Millis): void {
    if (this.#users === undefined) return
    switch (event.type) {
      case 'perp.level':
        if (event.state === 'watch')
          this.#add('futures-warning', event.user, seq, at, this.#place(event.market), `${event.market}-${event.position}`)
        break
      case 'perp.liquidated':
        this.#add('futures-liquidated', event.user, seq, at, this.#place(event.market), String(event.position))
        break
      case 'perp.deleveraged':
        this.#add('futures-deleveraged', event.user, seq, at, this.#place(event.market), String(event.position))
        break
      case 'margin.level':
        if (event.state === 'watch') this.#add('margin-warning', event.user, seq, at, this.#place(event.market), String(event.market))
        else if (event.state === 'liquidating')
          this.#add('margin-liquidated', event.user, seq, at, this.#place(event.market), String(event.market))
        break
      case 'option.settled':
        if (this.#wants(event.user, 'second-settled')) this.#settled(event, seq, at)
        break
      case 'order.closed':
        if (event.executedLots > 0 && !ended.has(event.reason) && this.#wants(event.user, 'order-filled')) this.#filled(event, seq, at)
        break
      case 'entry':
        if (event.reason === 'posting' && 'user' in event.account) this.#posted(event, seq, at)
        break
      default: {
        const notice = this.#chain.of(event)
        if (notice !== undefined) this.#write(notice.kind, notice.user, seq, at, notice.values, notice.event)
      }
    }
  }

  take(): readonly (Statement | undefined)[] {
    if (this.size === 0) return []
    const values = this.#rows.map((column, index) => arrayLiteral(column, types[index] as ColumnType))
    this.#rows = emptyRows()
    return [{ text: add, name: 'notices', batches: [values] }]
  }

  #wants(user: UserId, kind: NoticeKind): boolean {
    return this.#users?.get(user)?.has(kind) ?? false
  }

  #posted({ account, delta }: EntryEvent, seq: Seq, at: Millis): void {
    if (!('user' in account)) return
    const { symbol, scale } = this.#known.asset(account.asset)
    this.#write('funds-posted', account.user, seq, at, { asset: symbol, amount: formatFixed(delta, scale) }, `posting-${seq}`)
  }

  /** The market's symbol; nothing for a whole cross account. */
  #place(market: MarketId): Readonly<Record<string, string>> {
    return market === 0 ? {} : { symbol: this.#known.market(market).market.symbol }
  }

  #settled(event: OptionSettled, seq: Seq, at: Millis): void {
    const view = this.#known.market(event.market)
    const { opened } = this.#options.live(event.order)
    const { symbol, scale } = view.quote
    const values = {
      ...{ symbol: view.market.symbol, direction: opened.direction, result: event.result, asset: symbol },
      ...{ stake: formatFixed(opened.stake, scale), payout: formatFixed(event.payout, scale) },
    }
    this.#write('second-settled', event.user, seq, at, values, `order-${event.order}`)
  }

  /** `whole`: the quantity of an order whose rest was cancelled. `rest`: why, for orders by amount too, which have no quantity. */
  #filled({ order: id, executedLots, reason }: OrderClosed, seq: Seq, at: Millis): void {
    const order = this.#orders.live(id)
    const { market, side } = order
    const isCut = reason !== 'filled'
    // A liquidation has a notice of its own, whatever its orders could fill.
    if (isCut && order.perp?.isLiquidation === true) return
    const product = order.perp !== undefined ? 'perp' : order.margin !== undefined ? 'margin' : 'spot'
    const values = { symbol: market.market.symbol, product, side, quantity: market.quantity(executedLots), asset: market.base.symbol }
    const whole = isCut && order.lots > 0 ? { whole: market.quantity(order.lots) } : {}
    this.#write('order-filled', order.user, seq, at, { ...values, ...whole, ...(isCut ? { rest: reason } : {}) }, `order-${id}`)
  }

  #add(kind: NoticeKind, user: UserId, seq: Seq, at: Millis, values: Readonly<Record<string, string>>, what: string): void {
    // Positions of the insurance fund belong to nobody.
    if (user !== 0) this.#write(kind, user, seq, at, values, `${kind}-${what}-${Math.floor(at / hourMs)}`)
  }

  #write(kind: NoticeKind, user: UserId, seq: Seq, at: Millis, values: Readonly<Record<string, string>>, eventId: string): void {
    const row = [user, kind, JSON.stringify(values), eventId, at, seq]
    for (const [index, value] of row.entries()) (this.#rows[index] as Value[]).push(value)
  }
}

function emptyRows(): Value[][] {
  return types.map(() => [])
}
