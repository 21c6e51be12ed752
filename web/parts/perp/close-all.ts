import { isLost } from '../../app/send-once.ts'
import type { WirePlacePerp, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WirePlaced } from '@candor/core/protocol/wire/spot.ts'

/** What became of the order that closes a position. After `lost`, the same request can be repeated, and counts once. */
export type Closing =
  | { readonly kind: 'closed' | 'partly' | 'unfilled'; readonly order: WirePlaced['order'] }
  | { readonly kind: 'refused' | 'lost'; readonly error: unknown }

/** Closes whole positions at market, one order each, with the same client id for the same position after a lost answer. */
export class CloseAll {
  readonly #place: (request: WirePlacePerp) => Promise<WirePlaced>
  readonly #newId: () => string
  readonly #open = new Map<string, WirePlacePerp>()

  constructor(place: (request: WirePlacePerp) => Promise<WirePlaced>, newId: () => string) {
    this.#place = place
    this.#newId = newId
  }

  /**
   * One position after the other, so that the margin that one sets free is there for the next. A refusal of one does not stop the others.
   *
   * isHedge   whether the account may hold a long and a short in the same market
   * onResult  called after each
   */
  async run(positions: readonly WirePosition[], isHedge: boolean, onResult: (id: string, result: Closing) => void): Promise<void> {
    for (const position of positions) onResult(position.id, await this.#close(position, isHedge))
  }

  async #close(position: WirePosition, isHedge: boolean): Promise<Closing> {
    const request = this.#open.get(position.id) ?? closeRequest(position, isHedge, this.#newId())
    this.#open.set(position.id, request)
    try {
      const { order } = await this.#place(request)
      this.#open.delete(position.id)
      const kind = order.status === 'filled' ? 'closed' : Number(order.executed) > 0 ? 'partly' : 'unfilled'
      return { kind, order }
    } catch (error) {
      if (isLost(error)) return { kind: 'lost', error }
      this.#open.delete(position.id)
      return { kind: 'refused', error }
    }
  }
}

/** The market order that closes all of a position and can't open another. */
function closeRequest(position: WirePosition, isHedge: boolean, clientId: string): WirePlacePerp {
  return {
    clientId,
    symbol: position.symbol,
    side: position.side === 'buy' ? 'sell' : 'buy',
    ...(isHedge ? { position: position.position } : { reduceOnly: true }),
    type: 'market',
    quantity: position.quantity,
  }
}
