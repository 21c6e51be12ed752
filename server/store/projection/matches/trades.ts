import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Millis, Units } from '@candor/core/money/brand.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import { Columns, type Statement } from '../columns.ts'
import type { Known, MarketView } from '../known.ts'

/**
 * Trades: one row with both sides. In spot markets the buyer's fee is in the base asset, the seller's in the quote asset; in
 * Futures both are in the quote asset.
 */
export class TradeRows {
  readonly #known: Known
  readonly #rows = new Columns('trades', {
    market: 'text',
    trade_id: 'bigint',
    seq: 'bigint',
    at_ms: 'bigint',
    price: 'numeric',
    quantity: 'numeric',
    quote: 'numeric',
    taker_side: 'text',
    maker_order: 'bigint',
    taker_order: 'bigint',
    maker_user: 'bigint',
    taker_user: 'bigint',
    maker_fee: 'numeric',
    taker_fee: 'numeric',
    maker_realised: 'numeric',
    taker_realised: 'numeric',
  })
  /** Realised profit in Futures by user, from the entries since the last event of another kind. */
  readonly #realised = new Map<UserId, Units>()

  constructor(known: Known) {
    this.#known = known
  }

  get length(): number {
    return this.#rows.length
  }

  /**
   * Takes every event of a command, in order. The realised profit of a Futures trade is in the entries right before it; entries
   * before any other event belong to no trade.
   */
  apply(event: Event, seq: Seq, at: Millis): void {
    if (event.type === 'entry') {
      const { account, reason, delta, heldDelta } = event
      if (reason !== 'realised' || !('user' in account) || account.kind !== 'perp') return
      this.#realised.set(account.user, ((this.#realised.get(account.user) ?? 0) + delta + heldDelta) as Units)
      return
    }
    if (event.type === 'traded') this.#add(event, seq, at)
    // Clearing a map gives it new memory even when it is empty, and events are many.
    if (this.#realised.size > 0) this.#realised.clear()
  }

  #add(event: Traded, seq: Seq, at: Millis): void {
    const view = this.#known.market(event.market)
    const buyerAsset = view.market.perp === undefined ? view.base : view.quote
    const [takerAsset, makerAsset] = event.takerSide === 'buy' ? [buyerAsset, view.quote] : [view.quote, buyerAsset]
    const rows = this.#rows
    rows.add(view.market.symbol).add(event.trade).add(seq).add(at)
    view.addPrice(rows, event.price)
    view.addQuantity(rows, event.lots)
    view.addQuoteSum(rows, event.quote)
    rows.add(event.takerSide).add(event.makerOrder).add(event.takerOrder).add(event.makerUser).add(event.takerUser)
    rows.addFixed(event.makerFee, makerAsset.scale).addFixed(event.takerFee, takerAsset.scale)
    this.#addRealised(event, view)
  }

  /** Adds the maker's and the taker's part; a trade with oneself counts as the taker's. */
  #addRealised({ makerUser, takerUser }: Traded, { market, quote }: MarketView): void {
    if (market.perp === undefined) {
      this.#rows.add(null).add(null)
      return
    }
    const of = (user: UserId): Units | 0 => this.#realised.get(user) ?? 0
    this.#rows.addFixed(makerUser === takerUser ? 0 : of(makerUser), quote.scale).addFixed(of(takerUser), quote.scale)
  }

  take(): Statement | undefined {
    return this.#rows.take()
  }
}
