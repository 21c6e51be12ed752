import type { Lots, Millis } from '@candor/core/money/brand.ts'
import type { MarginOrder, MatchPrevented } from '@candor/core/protocol/event/index.ts'
import { Columns, type Statement } from '../columns.ts'
import type { MarketView } from '../known.ts'

/** What a row says of an order: the account that it belongs to. */
type Party = { readonly margin: MarginOrder | undefined }

/** Matches that self-trade prevention kept from happening: one row with both orders, which nothing changes any more. */
export class PreventedRows {
  readonly #rows = new Columns('prevented_matches', {
    market: 'text',
    match_id: 'bigint',
    user_id: 'bigint',
    at_ms: 'bigint',
    mode: 'text',
    price: 'numeric',
    maker_order: 'bigint',
    maker_account: 'text',
    maker_quantity: 'numeric',
    taker_order: 'bigint',
    taker_account: 'text',
    taker_quantity: 'numeric',
  })

  get length(): number {
    return this.#rows.length
  }

  /** Adds a match of two orders that are still known. */
  add(event: MatchPrevented, at: Millis, view: MarketView, maker: Party, taker: Party): void {
    const { match, user, mode, price, makerOrder, makerLots, takerOrder, takerLots } = event
    this.#rows.add(view.market.symbol).add(match).add(user).add(at).add(mode)
    view.addPrice(this.#rows, price)
    this.#rows.add(makerOrder).add(accountOf(maker))
    this.#addLost(view, makerLots)
    this.#rows.add(takerOrder).add(accountOf(taker))
    this.#addLost(view, takerLots)
  }

  take(): Statement | undefined {
    return this.#rows.take()
  }

  #addLost(view: MarketView, lots: Lots): void {
    if (lots === 0) this.#rows.add(null)
    else view.addQuantity(this.#rows, lots)
  }
}

function accountOf({ margin }: Party): 'spot' | MarginOrder['account'] {
  return margin?.account ?? 'spot'
}
