import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { CloseReason, EntryEvent, Event, OrderClosed } from '@candor/core/protocol/event/index.ts'
import type { AlgoEnded } from '@candor/core/protocol/event/algo.ts'
import type { LoanChanged } from '@candor/core/protocol/event/margin.ts'
import type { OptionSettled } from '@candor/core/protocol/event/option.ts'
import type { MarketId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import { addNotices, noticeColumns } from '../notices.ts'
import { isNews, withAlgo } from './algo/notices.ts'
import { ChainNotices, type NetworkNames, withWithdrawal } from './coins/notices.ts'
import { arrayLiteral, type ColumnType, type Statement, type Value } from './columns.ts'
import type { Known } from './known.ts'
import { MoveNotices } from './moves/notices.ts'
import type { OptionProjection } from './option.ts'
import type { OrderProjection } from './orders.ts'

/** Users who get none of these kinds. */
export type NoticeUsers = ReadonlyMap<UserId, ReadonlySet<NoticeKind>>

const hourMs = 3_600_000
/** An order that ends sooner after it was placed is answered where it was placed. */
const restedMs = 1_500

/** Ends of an order that its owner asked for, so that the rest of a partly filled one is no news. */
const asked: ReadonlySet<CloseReason> = new Set(['cancelled', 'oco', 'countdown', 'replaced', 'liquidation', 'position-closed'])

const types = Object.values(noticeColumns)
/** Tables that are rebuilt don't write the notices of events up to `done_seq` again. */
const add = addNotices('core_user', `seq > (select done_seq from notice_state) and ${isNews}`, withAlgo(withWithdrawal))

/**
 * Notices of trading, of coins that come and go, and of transfers and loans. An account that goes to and fro around a threshold, or is
 * liquidated in many steps, gets one notice per hour of the clock.
 */
export class NoticeProjection {
  readonly #known: Known
  readonly #orders: OrderProjection
  readonly #options: OptionProjection
  readonly #chain: ChainNotices
  readonly #moves: MoveNotices
  #unwanted: NoticeUsers | undefined
  #rows: Value[][] = emptyRows()

  constructor(known: Known, orders: OrderProjection, options: OptionProjection, names: NetworkNames) {
    this.#known = known
    this.#orders = orders
    this.#options = options
    this.#chain = new ChainNotices(known, names)
    this.#moves = new MoveNotices(known)
  }

  get size(): number {
    return (this.#rows[0] as Value[]).length
  }

  /** From the next event on. Before it there are no notices at all: they belong to no table that the journal alone gives. */
  watch(unwanted: NoticeUsers): void {
    this.#unwanted = unwanted
  }

  apply(event: Event, seq: Seq, at: Millis): void {
    if (this.#unwanted === undefined) return
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
        if (
          event.executedLots > 0
            ? this.#wants(event.user, 'order-filled')
            : event.reason !== 'filled' && this.#wants(event.user, 'order-ended')
        )
          this.#ended(event, seq, at)
        break
      case 'algo.ended':
        if (event.reason !== 'cancelled' && this.#wants(event.user, 'algo-ended')) this.#algoEnded(event, seq, at)
        break
      case 'entry':
        if (event.reason === 'posting' && 'user' in event.account) this.#posted(event, seq, at)
        else if (event.reason === 'transfer' || event.reason === 'firm-move') this.#moved(event, seq, at)
        break
      case 'margin.loan':
        this.#moved(event, seq, at)
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
    const unwanted = this.#unwanted?.get(user)
    // Makers and benchmarks trade all the time.
    return unwanted === undefined ? !this.#known.isQuiet(user) : !unwanted.has(kind)
  }

  #posted({ account, delta }: EntryEvent, seq: Seq, at: Millis): void {
    if (!('user' in account)) return
    const { symbol, scale } = this.#known.asset(account.asset)
    this.#write('funds-posted', account.user, seq, at, { asset: symbol, amount: formatFixed(delta, scale) }, `posting-${seq}`)
  }

  #moved(event: EntryEvent | LoanChanged, seq: Seq, at: Millis): void {
    const notice = this.#moves.of(event, seq, at)
    if (notice !== undefined && this.#wants(notice.user, notice.kind))
      this.#write(notice.kind, notice.user, seq, at, notice.values, notice.event)
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

  /**
   * An order that ended while nobody waited for its answer, or without all of what its owner wanted. `whole`: the quantity of an order
   * that was not filled; one by amount has none. `rest`: why.
   */
  #ended({ order: id, executedLots, reason }: OrderClosed, seq: Seq, at: Millis): void {
    if (asked.has(reason)) return
    const order = this.#orders.live(id)
    const { market, side } = order
    // The parts of a TWAP order are told together at its end.
    if (order.algo !== undefined && order.timeInForce === 'IOC') return
    const isCut = reason !== 'filled'
    const hasRested = at - order.placedAt > restedMs
    if (!hasRested && (executedLots === 0 || !isCut)) return
    // A liquidation has a notice of its own, whatever its orders could fill.
    if (order.perp?.isLiquidation === true) return
    const product = order.perp !== undefined ? 'perp' : order.margin !== undefined ? 'margin' : 'spot'
    const values = { symbol: market.market.symbol, product, side, quantity: market.quantity(executedLots), asset: market.base.symbol }
    const whole = isCut && order.lots > 0 ? { whole: market.quantity(order.lots) } : {}
    const kind = executedLots > 0 ? 'order-filled' : 'order-ended'
    this.#write(kind, order.user, seq, at, { ...values, ...whole, ...(isCut ? { rest: reason } : {}) }, `order-${id}`)
  }

  /** The statement that writes the notice adds what the parts executed together. */
  #algoEnded({ algo, user, market: id, reason }: AlgoEnded, seq: Seq, at: Millis): void {
    const { market, base } = this.#known.market(id)
    const product = market.perp === undefined ? 'spot' : 'perp'
    const values = { symbol: market.symbol, product, asset: base.symbol, end: reason, algo: String(algo) }
    this.#write('algo-ended', user, seq, at, values, `algo-${algo}`)
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
