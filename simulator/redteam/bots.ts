import { coins, lotsFor, ticks } from './coins.ts'
import type { Coin } from './coins.ts'
import type { Desk } from './desk.ts'

/** Size of the house bots' quotes: value per level in USDT, and levels per side. */
export const depths = {
  deep: { value: 25_000, levels: 6 },
  thin: { value: 400, levels: 3 },
  none: { value: 0, levels: 0 },
} as const
export type Depth = keyof typeof depths

/** Half the distance between best bid and ask, and the distance between levels, as parts of the price. */
const spacing = 0.0008

/**
 * The house's market makers: one quotes spot markets, one futures, around the index price. They cancel their orders when a
 * price is lost, and quote again when it has moved by a quarter of their spacing.
 */
export class Bots {
  readonly #desk: Desk
  readonly #spot: number
  readonly #perp: number
  readonly #quoted = new Map<number, number>()
  readonly #depths = new Map<number, Depth>()

  constructor(desk: Desk, spot: number, perp: number) {
    this.#desk = desk
    this.#spot = spot
    this.#perp = perp
  }

  /** Sets the depth of a market from now on. */
  set(market: number, depth: Depth): void {
    this.#depths.set(market, depth)
    this.#quoted.delete(market)
  }

  /** Updates the quotes of all markets. `prices`: the index prices, undefined for a lost index. */
  tend(prices: ReadonlyMap<Coin, number | undefined>): void {
    for (const coin of coins) {
      for (const market of [coin.spot, coin.perp]) this.#quote(coin, market, prices.get(coin))
    }
  }

  #quote(coin: Coin, market: number, price: number | undefined): void {
    const depth = this.#depths.get(market)
    if (depth === undefined) return
    const quoted = this.#quoted.get(market) ?? 0
    if (price !== undefined && quoted > 0 && Math.abs(price / quoted - 1) < spacing / 4) return
    if (price === undefined && quoted === 0) return
    const user = market === coin.spot ? this.#spot : this.#perp
    this.#desk.run({ type: 'spot.cancelAll', user, clientId: '', market })
    this.#quoted.set(market, price ?? 0)
    if (price === undefined) return
    const { value, levels } = depths[depth]
    for (let level = 1; level <= levels; level++) {
      for (const side of ['buy', 'sell'] as const) {
        const at = price * (1 + (side === 'buy' ? -1 : 1) * spacing * level)
        const type = market === coin.spot ? 'spot.place' : 'perp.place'
        const { refusal } = this.#desk.run(order(type, user, market, side, ticks(coin, at), lotsFor(coin, value, at)))
        // A market that accepts no orders now is tried again at the next update.
        if (refusal !== undefined) this.#quoted.delete(market)
      }
    }
  }
}

function order(type: 'spot.place' | 'perp.place', user: number, market: number, side: string, price: number, lots: number) {
  const limit = { orderType: 'limit', timeInForce: 'GTC', price, lots, isPostOnly: false, selfTrade: 'expire-taker' }
  const own = type === 'perp.place' ? { position: 'both', isReduceOnly: false, isClosing: false, triggerBy: 'last' } : {}
  return { type, user, clientId: '', market, side, ...limit, ...own } as const
}
