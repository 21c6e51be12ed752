import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import type { Side } from '@candor/core/protocol/command/order.ts'
import type { LevelChanged } from '@candor/core/protocol/event/index.ts'
import type { Level } from '@candor/core/protocol/market.ts'
import type { BookView } from '@candor/core/protocol/port.ts'

/** What the book shows on one side, in front of a price and at it. */
export type Queue = { readonly betterLots: Lots; readonly betterLevels: number; readonly lots: Lots }

/**
 * The public order book of one market in the middle of a command: what it showed before, and the levels that changed since. It knows
 * nothing that was not published: no orders, no owners, no hidden quantities.
 */
export class ShownBook {
  readonly #sides: Readonly<Record<Side, Map<Ticks, Lots>>>

  constructor({ bids, asks }: BookView) {
    const sideOf = (levels: readonly Level[]): Map<Ticks, Lots> => new Map(levels.map(({ price, lots }) => [price, lots]))
    this.#sides = { buy: sideOf(bids), sell: sideOf(asks) }
  }

  apply({ side, price, lots }: LevelChanged): void {
    if (lots === 0) this.#sides[side].delete(price)
    else this.#sides[side].set(price, lots)
  }

  queue(side: Side, price: Ticks): Queue {
    const better = this.#levels(side).filter((level) => isBetter(side, level.price, price))
    return {
      betterLots: better.reduce((sum, { lots }) => sum + lots, 0) as Lots,
      betterLevels: better.length,
      lots: this.#sides[side].get(price) ?? (0 as Lots),
    }
  }

  /** Levels of a side down to a price, best first, at most `most`. */
  levels(side: Side, worst: Ticks, most: number): readonly Level[] {
    return this.#levels(side)
      .filter(({ price }) => price === worst || isBetter(side, price, worst))
      .sort((a, b) => (side === 'buy' ? b.price - a.price : a.price - b.price))
      .slice(0, most)
  }

  #levels(side: Side): readonly Level[] {
    return [...this.#sides[side]].map(([price, lots]) => ({ price, lots }))
  }
}

const isBetter = (side: Side, price: Ticks, than: Ticks): boolean => (side === 'buy' ? price > than : price < than)
