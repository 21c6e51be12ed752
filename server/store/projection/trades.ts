import { formatFixed } from '@candor/core/money/units.ts'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import { Columns, type Statement } from './columns.ts'
import type { Known } from './known.ts'

/**
 * Trades: one row with both sides. In spot markets the buyer's fee is in the base asset, the seller's in the quote asset;
 * of contracts both are in the quote asset.
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
  })

  constructor(known: Known) {
    this.#known = known
  }

  get length(): number {
    return this.#rows.length
  }

  add(event: Traded, seq: number, at: number): void {
    const view = this.#known.market(event.market)
    const buyerAsset = view.market.perp === undefined ? view.base : view.quote
    const [takerAsset, makerAsset] = event.takerSide === 'buy' ? [buyerAsset, view.quote] : [view.quote, buyerAsset]
    this.#rows.push(
      view.market.symbol,
      event.trade,
      seq,
      at,
      view.price(event.price),
      view.quantity(event.lots),
      view.quoteSum(event.quote),
      event.takerSide,
      event.makerOrder,
      event.takerOrder,
      event.makerUser,
      event.takerUser,
      formatFixed(event.makerFee, makerAsset.scale),
      formatFixed(event.takerFee, takerAsset.scale),
    )
  }

  take(): Statement | undefined {
    return this.#rows.take()
  }
}
