import type { Decimal, Lots, Ticks } from '@candor/core/money/brand.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Side } from '@candor/core/protocol/command/order.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId, Seq, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type { Market, UserTiers } from '@candor/core/protocol/market.ts'
import type { BookView, OpenOrder } from '@candor/core/protocol/port.ts'
import type { FillExplanation, MakerExplanation, ShownQueue, TakerExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import type { Look, LookFault, Seen } from '../journal/looks.ts'
import { careful } from './careful.ts'
import { Differs } from './differs.ts'
import { explainFee, lotsOf } from './fee.ts'
import { type Queue, ShownBook } from './shown-book.ts'
import { priceOf, quantityOf, Words } from './words.ts'

/** Levels of the other side that a taker is shown. */
const levelsMax = 20

/** Where a fill is in the journal, and where its order took its last place in the queue. */
export type FillPlace = {
  readonly user: UserId
  readonly market: MarketId
  readonly trade: TradeId
  readonly role: 'maker' | 'taker'
  readonly seq: Seq
  readonly order: OrderId
  /** Undefined when no record tells it. */
  readonly restSeq: Seq | undefined
  /** What the customer's list of fills says. */
  readonly recorded: { readonly price: Decimal; readonly quantity: Decimal; readonly value: Decimal; readonly fee: Decimal }
}

type Before = {
  readonly words: Words
  readonly book: BookView
  readonly order: OpenOrder | undefined
  readonly tiers: UserTiers
}

type Rest = NonNullable<MakerExplanation['rest']>

/** Explains one fill from one or two looks at the journal. */
export class FillLooks {
  readonly looks: readonly Look[]
  readonly #place: FillPlace
  readonly #fillLook: Look
  readonly #restLook: Look | undefined
  #before: Before | undefined
  #restBefore: Pick<Before, 'book' | 'order' | 'words'> | undefined
  #rest: Rest | undefined
  #found: FillExplanation | undefined

  /** `onFault`: is told why an explanation failed. */
  constructor(place: FillPlace, onFault: (cause: unknown) => void) {
    this.#place = place
    const { seq, restSeq, role } = place
    this.#fillLook = {
      seq,
      before: (exchange, seen) => careful(() => void (this.#before = this.#stateBefore(exchange, seen)), onFault),
      after: (_exchange, events, seen) => careful(() => this.#explain(events, seen), onFault),
    }
    if (role === 'maker' && restSeq !== undefined)
      this.#restLook = {
        seq: restSeq,
        before: (exchange, seen) => careful(() => void (this.#restBefore = this.#stateBefore(exchange, seen)), onFault),
        after: (_exchange, events, seen) => careful(() => this.#explainRest(events, seen), onFault),
      }
    this.looks = this.#restLook === undefined ? [this.#fillLook] : [this.#restLook, this.#fillLook]
  }

  /** The explanation, or why there is none. */
  result(missed: ReadonlyMap<Look, LookFault>): FillExplanation | LookFault {
    const fault = missed.get(this.#fillLook)
    if (fault !== undefined) return fault
    if (this.#found === undefined) return 'failed'
    const { maker, ...rest } = this.#found
    if (maker === undefined) return rest
    const isSeen = this.#restLook !== undefined && !missed.has(this.#restLook) && this.#rest !== undefined
    if (maker.noRest !== undefined) return { ...rest, maker }
    return { ...rest, maker: isSeen ? { ...maker, rest: this.#rest! } : { ...maker, noRest: 'gone' } }
  }

  #stateBefore(exchange: Exchange, { at }: Seen): Before {
    const { user, market, order } = this.#place
    return {
      words: new Words(exchange.listing()),
      book: exchange.book(market),
      order: exchange.openOrders(user, market).find((one) => one.order === order),
      tiers: exchange.tier(user, at),
    }
  }

  #explain(events: readonly Event[], { seq, at }: Seen): void {
    const { user, market: marketId, trade, role, order } = this.#place
    const { words, tiers, book, order: known } = this.#before!
    const place = events.findIndex((event) => event.type === 'traded' && event.market === marketId && event.trade === trade)
    const found = events[place] as Traded | undefined
    if (found === undefined || (role === 'maker' ? found.makerOrder : found.takerOrder) !== order)
      throw new Differs(`command ${seq} has no trade ${trade} of order ${order}`)
    const earlier = events.slice(0, place)
    const market = words.market(marketId)
    const placed = orderAt(earlier, known, order)
    const isMaker = role === 'maker'
    const own = earlier
      .filter((event) => event.type === 'traded')
      .filter(({ makerOrder, takerOrder }) => makerOrder === order || takerOrder === order)
    const taken = earlier
      .filter((event) => event.type === 'traded')
      .filter((event) => event.market === marketId && event.takerOrder === found.takerOrder)
    const quantity = (lots: Lots): string => quantityOf(market, lots)
    const before = {
      takenBetter: quantity(lotsOf(taken.filter(({ price }) => price !== found.price))),
      takenBefore: quantity(lotsOf(taken.filter(({ price }) => price === found.price))),
    }
    const first = taken[0] ?? found
    const explained: FillExplanation = {
      ...{ symbol: market.symbol, tradeId: String(trade), orderId: String(order), seq, at, role },
      side: isMaker === (found.takerSide === 'buy') ? 'sell' : 'buy',
      price: priceOf(market, found.price),
      quantity: quantity(found.lots),
      value: words.sum(found.quote, market.quote),
      ...(placed.price === 0 ? {} : { limit: priceOf(market, placed.price) }),
      ...(placed.lots === 0 ? {} : { orderQuantity: quantity(placed.lots) }),
      filledBefore: quantity(((known?.executedLots ?? 0) + lotsOf(own)) as Lots),
      ...(isMaker
        ? { maker: { ...noRestOf(known, own), ...before } }
        : { taker: { ...takerView(market, bookAt(book, events.slice(0, events.indexOf(first)), marketId), found), ...before } }),
      fee: explainFee({ words, market, user, trade: found, isMaker, tiers, earlier }),
    }
    requireRecorded(explained, this.#place.recorded)
    this.#found = explained
  }

  /**
   * What put the order in the book is the first growth of its level after it was placed, triggered or changed. A change that keeps the
   * price takes the order out of its level first.
   */
  #explainRest(events: readonly Event[], { seq, at }: Seen): void {
    const { market: marketId, order } = this.#place
    const { book: before, order: known, words } = this.#restBefore!
    const placed = events.findLastIndex((event) => isPlacing(event, order))
    const { price, side } = orderAt(events.slice(0, placed + 1), known, order)
    if (placed < 0 || price === 0) return
    const market = words.market(marketId)
    const book = bookAt(before, events.slice(0, placed), marketId)
    for (const event of events.slice(placed)) {
      if (event.type !== 'book.level' || event.market !== marketId) continue
      const queue = book.queue(side, price)
      if (event.side === side && event.price === price && event.lots > queue.lots) {
        const rested = (event.lots - queue.lots) as Lots
        this.#rest = { ...shownQueue(market, queue), seq, at, rested: quantityOf(market, rested) }
        return
      }
      book.apply(event)
    }
  }
}

/** throws  Differs when the customer was told something else before */
function requireRecorded({ price, quantity, value, fee, seq }: FillExplanation, recorded: FillPlace['recorded']): void {
  const found = { price, quantity, value, fee: fee.amount }
  for (const name of ['price', 'quantity', 'value', 'fee'] as const)
    if (shortest(found[name]) !== recorded[name])
      throw new Differs(`the ${name} of command ${seq} is recorded as ${recorded[name]}, not ${found[name]}`)
}

/** Without zeros at the end of its fraction. */
const shortest = (text: Decimal): Decimal => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** The public book of a market after some events of a command. */
function bookAt(before: BookView, events: readonly Event[], market: MarketId): ShownBook {
  const book = new ShownBook(before)
  for (const event of events) if (event.type === 'book.level' && event.market === market) book.apply(event)
  return book
}

function takerView(market: Market, book: ShownBook, { takerSide, price }: Traded): Pick<TakerExplanation, 'levels' | 'queue'> {
  const other: Side = takerSide === 'buy' ? 'sell' : 'buy'
  return {
    levels: book.levels(other, price, levelsMax).map((level) => ({
      price: priceOf(market, level.price),
      quantity: quantityOf(market, level.lots),
    })),
    queue: shownQueue(market, book.queue(other, price)),
  }
}

function shownQueue(market: Market, { betterLots, betterLevels, lots }: Queue): ShownQueue {
  return { betterQuantity: quantityOf(market, betterLots), betterLevels, quantity: quantityOf(market, lots) }
}

/** The place of a later part of an iceberg, or of a leg that comes back, is not the one that it took at first. */
function noRestOf(known: OpenOrder | undefined, own: readonly Traded[]): Pick<MakerExplanation, 'noRest'> {
  if (known === undefined) return {}
  if (known.list !== 0 && known.perp === undefined) return { noRest: 'list' }
  return known.display !== 0 && known.executedLots + lotsOf(own) >= known.display ? { noRest: 'part' } : {}
}

function isPlacing(event: Event, order: OrderId): boolean {
  return (
    (event.type === 'order.accepted' ||
      event.type === 'order.triggered' ||
      event.type === 'order.entered' ||
      event.type === 'order.amended') &&
    event.order === order
  )
}

/** Price and quantity of an order after some events of a command. */
function orderAt(
  events: readonly Event[],
  known: OpenOrder | undefined,
  order: OrderId,
): { readonly side: Side; readonly price: Ticks | 0; readonly lots: Lots } {
  let now = { side: known?.side ?? 'buy', price: known?.price ?? 0, lots: known?.lots ?? (0 as Lots) }
  for (const event of events) {
    if (event.type === 'order.accepted' && event.order === order) now = { side: event.side, price: event.price, lots: event.lots }
    if (event.type === 'order.amended' && event.order === order) now = { ...now, price: event.price, lots: event.lots }
  }
  return now as ReturnType<typeof orderAt>
}
