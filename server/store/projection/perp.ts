import type { MarketId, OrderId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { IndexPrice, Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { IndexQuote, TapeExtended } from '@candor/core/protocol/event/option.ts'
import type { Deleveraged, FundingPaid, LiquidationStep, PositionChanged, PositionClosed } from '@candor/core/protocol/event/perp.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { Statement } from './columns.ts'
import type { Known, MarketView } from './known.ts'
import { marginChangeOf } from './perp-margin.ts'
import { type MarkCandle, MarkCandles } from './mark-candles.ts'
import { perpRows } from './perp-rows.ts'

/** An open position, in lots and units: the inputs of its unrealised profit. */
export type HeldPosition = {
  readonly position: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly lots: Lots
  readonly cost: Units
}

/** The last mark (ticks) and index price (1e-8 of the quote) of a Futures market, and its current minute, as far as known. */
export type KnownMark = { readonly mark: Ticks; readonly index: IndexPrice; readonly at: Millis; readonly minute?: MarkCandle }

/** Contents of the tables of Futures when a projector starts. */
export type PerpStanding = {
  readonly positions: readonly HeldPosition[]
  readonly marks: ReadonlyMap<MarketId, KnownMark>
  /** By spot market: the venues' prices whose median was its index. */
  readonly quotes: ReadonlyMap<MarketId, readonly IndexQuote[]>
}

const dayMs = 86_400_000
const indexDigits = 8
/** Rates are in 1e-9; people read percent. */
const percentDigits = 7

/**
 * Futures: positions and how they ended, funding, liquidations with everything that decided them, and the value of positions at
 * the end of each UTC day.
 */
export class PerpProjection {
  readonly #known: Known
  readonly #positions: Map<OrderId, HeldPosition>
  readonly #marks: Map<MarketId, KnownMark>
  /** By spot market: the prices in the last tick of the tape that had it. */
  readonly #quotes: Map<MarketId, readonly IndexQuote[]>
  /** Changed positions, with the event that describes each and its time. */
  readonly #changed = new Map<OrderId, { readonly event: PositionChanged; readonly at: Millis }>()
  readonly #marked = new Set<MarketId>()
  readonly #rows = perpRows()
  readonly #candles: MarkCandles
  #day: Millis

  constructor(known: Known, at: Millis, standing: PerpStanding) {
    this.#known = known
    this.#day = dayOf(at)
    this.#positions = new Map(standing.positions.map((held) => [held.position, held]))
    this.#marks = new Map(standing.marks)
    this.#quotes = new Map(standing.quotes)
    const running = [...standing.marks].flatMap(([market, { minute }]) =>
      minute === undefined ? [] : [[known.market(market), minute] as const],
    )
    this.#candles = new MarkCandles(at, running)
  }

  get size(): number {
    return Object.values(this.#rows).reduce((sum, rows) => sum + rows.length, this.#changed.size + this.#candles.length)
  }

  /** Processes all events of one command. */
  applyCommand(events: readonly Event[], seq: Seq, at: Millis): void {
    this.#passTo(at)
    // Their rows must not keep a minute that is over, whether or not a mark follows before the rows are written.
    for (const { market } of this.#candles.passTo(at)) this.#marked.add(market.id)
    // The tape's tick comes after the consequences of its prices, which need it here.
    for (const event of events) if (event.type === 'tape.extended') this.#quote(event)
    let line = 0
    /** Closed positions come before the step of the liquidation that they belong to. */
    let taken: { readonly event: Deleveraged; readonly line: number }[] = []
    for (const event of events) {
      switch (event.type) {
        case 'perp.marked':
          this.#marks.set(event.market, { mark: event.mark, index: event.index, at })
          this.#candles.add(this.#known.market(event.market), event.mark, event.index, at)
          this.#marked.add(event.market)
          break
        case 'perp.position':
          this.#hold(event, at)
          break
        case 'perp.closed':
          this.#close(event)
          break
        case 'perp.funded': {
          const view = this.#known.market(event.market)
          const sums = [event.paid, event.received, event.rest].map((sum) => view.quoteSum(sum))
          this.#rows.rates.push(view.market.symbol, event.at, rateText(event.rate), view.price(event.mark), ...sums)
          break
        }
        case 'perp.fundingPaid':
          this.#pay(event, seq, ++line, at)
          break
        case 'perp.liquidated':
          this.#liquidate(event, events, seq, ++line, at)
          for (const one of taken.filter((it) => isOf(event, it.event))) this.#deleverage(one.event, seq, one.line, line, at)
          taken = taken.filter((it) => !isOf(event, it.event))
          break
        case 'perp.deleveraged':
          taken.push({ event, line: ++line })
          break
        default:
      }
    }
    for (const one of taken) this.#deleverage(one.event, seq, one.line, 0, at)
    const moved = marginChangeOf(events)
    if (moved === undefined) return
    const { position, amount } = moved
    const view = this.#known.market(position.market)
    this.#rows.marginChanges.push(seq, at, position.user, view.market.symbol, position.side, view.quoteSum(amount))
  }

  take(): readonly (Statement | undefined)[] {
    const gone: OrderId[] = []
    for (const [position, { event, at }] of this.#changed) {
      if (event.lots === 0) gone.push(position)
      else this.#pushPosition(event, at)
    }
    this.#changed.clear()
    for (const market of this.#marked) {
      const { mark, index, at } = this.#marks.get(market) as KnownMark
      const view = this.#known.market(market)
      this.#rows.marks.push(view.market.symbol, at, view.price(mark), indexText(index), this.#sources(view), ...this.#candles.running(view))
    }
    this.#marked.clear()
    const left =
      gone.length === 0 ? undefined : { text: 'delete from positions where position = any($1)', batches: [[`{${gone.join(',')}}`]] }
    return [left, ...Object.values(this.#rows).map((rows) => rows.take()), ...this.#candles.take()]
  }

  /** The first command of a new day writes the worth of positions at the end of the day before: nothing has moved since. */
  #passTo(at: Millis): void {
    const today = dayOf(at)
    for (; this.#day < today; this.#day = (this.#day + dayMs) as Millis) {
      if (this.#positions.size === 0) {
        this.#day = today
        return
      }
      const sums = new Map<UserId, Units>()
      for (const { user, market, lots, cost } of this.#positions.values()) {
        const mark = this.#marks.get(market)?.mark
        if (mark === undefined) throw new Error(`Market ${market} has a position but no mark`)
        const profit = unrealised(lots, cost, mark, this.#known.market(market).market.quotePerTickLot)
        sums.set(user, ((sums.get(user) ?? 0) + profit) as Units)
      }
      const scale = this.#known.scaleOf('USDT')
      for (const [user, sum] of sums) this.#rows.days.push(user, this.#day, formatFixed(sum, scale))
    }
  }

  #quote({ prices }: TapeExtended): void {
    for (const { market, quotes } of prices) this.#quotes.set(market, quotes)
    for (const market of this.#marks.keys()) this.#marked.add(market)
  }

  #hold(event: PositionChanged, at: Millis): void {
    const { position, user, market, lots, cost } = event
    if (lots === 0) this.#positions.delete(position)
    else this.#positions.set(position, { position, user, market, lots, cost })
    this.#changed.set(position, { event, at })
  }

  #pushPosition(event: PositionChanged, at: Millis): void {
    const view = this.#known.market(event.market)
    this.#rows.positions.push(
      event.position,
      event.user,
      view.market.symbol,
      event.side,
      event.mode,
      event.leverage,
      view.quantity(event.lots),
      view.quoteSum(event.cost),
      view.quoteSum(event.margin),
      event.liquidationPrice === 0 ? null : view.price(event.liquidationPrice),
      view.quoteSum(event.realised),
      view.quoteSum(event.fees),
      view.quoteSum(event.funding),
      event.openedAt,
      at,
    )
  }

  #close(event: PositionClosed): void {
    const view = this.#known.market(event.market)
    this.#rows.closed.push(
      event.position,
      event.user,
      view.market.symbol,
      event.side,
      event.mode,
      event.leverage,
      view.quantity(event.openedLots),
      view.quoteSum(event.openedValue),
      view.quantity(event.closedLots),
      view.quoteSum(event.closedValue),
      view.quoteSum(event.realised),
      view.quoteSum(event.fees),
      view.quoteSum(event.funding),
      event.cause,
      event.openedAt,
      event.closedAt,
    )
  }

  #pay(event: FundingPaid, seq: Seq, line: number, at: Millis): void {
    const view = this.#known.market(event.market)
    const quantity = view.quantity(event.lots)
    const { symbol } = view.market
    this.#rows.payments.push(
      ...[seq, line, at, event.user, symbol, event.position, quantity, rateText(event.rate), view.quoteSum(event.amount)],
    )
  }

  #liquidate(event: LiquidationStep, events: readonly Event[], seq: Seq, line: number, at: Millis): void {
    const view = this.#known.market(event.market)
    const traded = { lots: 0 as Lots, quote: 0 as Units }
    for (const one of events) {
      if (one.type !== 'traded' || one.takerOrder !== event.order) continue
      traded.lots = (traded.lots + one.lots) as Lots
      traded.quote = (traded.quote + one.quote) as Units
    }
    this.#rows.liquidations.push(
      seq,
      line,
      at,
      event.user,
      view.market.symbol,
      event.position,
      event.order === 0 ? null : event.order,
      view.price(event.mark),
      indexText(event.index),
      this.#sources(view),
      view.quoteSum(event.equity),
      view.quoteSum(event.maintenance),
      event.maintenancePpm,
      view.quantity(event.askedLots),
      view.quantity(event.closedLots),
      view.quoteSum(traded.quote),
      view.quantity(traded.lots),
      event.bankruptcyPrice === 0 ? null : view.price(event.bankruptcyPrice),
      view.quoteSum(event.fee),
      view.quoteSum(event.insured),
    )
  }

  #sources({ market }: MarketView): string {
    const quotes = market.perp === undefined ? undefined : this.#quotes.get(market.perp.index)
    return JSON.stringify(quotes ?? [])
  }

  /** `step`: of the liquidation in the same command that this belongs to; 0 for none. */
  #deleverage(event: Deleveraged, seq: Seq, line: number, step: number, at: Millis): void {
    const view = this.#known.market(event.market)
    const [price, quantity] = [view.price(event.price), view.quantity(event.lots)]
    const { bankruptUser, user, position } = event
    this.#rows.deleverages.push(seq, line, step || null, at, view.market.symbol, price, quantity, bankruptUser, user, position)
  }
}

function isOf(step: LiquidationStep, taken: Deleveraged): boolean {
  return taken.bankruptUser === step.user && taken.market === step.market
}

function dayOf(at: Millis): Millis {
  return (at - (at % dayMs)) as Millis
}

function indexText(price: IndexPrice): string {
  return formatUnits(price, indexDigits)
}

/** A percentage with all its digits. */
function rateText(rate: number): string {
  return formatUnits(rate, percentDigits)
}
