import type { Lots, Ticks } from '@candor/core/money/brand.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { Part } from '@candor/core/protocol/wire/explain/liquidation.ts'
import { priceOf, quantityOf } from '../words.ts'

const kinds = ['fills', 'takenOver', 'deleveraged'] as const
type Kind = (typeof kinds)[number]

/** The parts in which one step closed a position, by what took them. What was taken at one price counts as one part. */
export class Parts {
  readonly #lots: Readonly<Record<Kind, Map<Ticks, Lots>>> = { fills: new Map(), takenOver: new Map(), deleveraged: new Map() }

  add(kind: Kind, { price, lots }: { readonly price: Ticks; readonly lots: Lots }): void {
    // With no lots, a position gave up a part of its profit: that is nobody's but its owner's.
    if (lots > 0) this.#lots[kind].set(price, ((this.#lots[kind].get(price) ?? 0) + lots) as Lots)
  }

  clear(): void {
    for (const kind of kinds) this.#lots[kind].clear()
  }

  told(market: Market): Readonly<Record<Kind, readonly Part[]>> {
    const partsOf = (kind: Kind): readonly Part[] =>
      [...this.#lots[kind]].map(([price, lots]) => ({ price: priceOf(market, price), quantity: quantityOf(market, lots) }))
    return { fills: partsOf('fills'), takenOver: partsOf('takenOver'), deleveraged: partsOf('deleveraged') }
  }
}
