import type { Event } from '@candor/core/protocol/event/index.ts'
import type { PerpLevelChanged, PositionChanged } from '@candor/core/protocol/event/perp.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import { fail } from '../failure.ts'

/** The last event of an isolated position. */
type Isolated = PositionChanged

/** Compares warnings about a close liquidation with the value of isolated positions. */
export class WatchAudit {
  readonly #markets: ReadonlyMap<number, Market>
  readonly #marks: ReadonlyMap<number, number>
  readonly #positions = new Map<number, Isolated>()
  readonly #watched = new Set<string>()
  // State of the current command:
  readonly #changed = new Set<number>()
  #isTick = false

  constructor(markets: ReadonlyMap<number, Market>, marks: ReadonlyMap<number, number>) {
    this.#markets = markets
    this.#marks = marks
  }

  see(event: Event): void {
    if (event.type === 'index.ticked') this.#isTick = true
    else if (event.type === 'perp.position') {
      this.#changed.add(event.position)
      if (event.lots === 0 || event.mode !== 'isolated') this.#positions.delete(event.position)
      else this.#positions.set(event.position, event)
    } else if (event.type === 'perp.level') this.#level(event)
  }

  /** Called at the end of a command. `isGood`: whether the index of a futures market is good. */
  check(isGood: (market: number) => boolean): void {
    if (this.#isTick) {
      for (const position of this.#positions.values()) {
        // Changes by a liquidation come after the exchange's check, so the next tick finds them.
        if (this.#changed.has(position.position) || !isGood(position.market)) continue
        const isTold = this.#watched.has(keyOf(position))
        if (!isTold && this.#isBelow(position, 5n, 4n)) fail(`position ${position.position} is close to liquidation without a warning`)
        if (isTold && !this.#isBelow(position, 3n, 2n)) fail(`position ${position.position} is safe again without a notice`)
      }
    }
    this.#changed.clear()
    this.#isTick = false
  }

  #level(event: PerpLevelChanged): void {
    const key = keyOf(event)
    if (this.#watched.has(key) === (event.state === 'watch'))
      fail(`user ${event.user} gets ${event.state} twice for position ${event.position}`)
    if (event.state === 'watch') this.#watched.add(key)
    else this.#watched.delete(key)
    const position = this.#positions.get(event.position)
    if (event.market === 0) return event.position === 0 ? undefined : fail(`an event about position ${event.position} names no market`)
    if (event.state === 'watch' && (position === undefined || !this.#isBelow(position, 5n, 4n)))
      fail(`position ${event.position} is not close to its liquidation`)
    if (event.state === 'safe' && position !== undefined && this.#isBelow(position, 3n, 2n))
      fail(`position ${event.position} is still close to its liquidation`)
  }

  /** Whether the margin left is at most `times / parts` of the maintenance margin at the mark price, with the rate rounded up. */
  #isBelow({ market: id, lots, cost, margin }: Isolated, times: bigint, parts: bigint): boolean {
    const market = this.#markets.get(id)
    const { tiers } = market?.perp ?? fail(`market ${id} has no terms`)
    const value = BigInt(this.#marks.get(id) ?? 0) * BigInt(Math.abs(lots)) * BigInt(market?.quotePerTickLot as number)
    const tier = tiers.find(({ valueMax }) => cost <= valueMax) ?? tiers.at(-1)
    const ppm = (BigInt(tier?.maintenancePpm ?? 0) * times + parts - 1n) / parts
    const worth = BigInt(margin) + (lots > 0 ? value - BigInt(cost) : BigInt(cost) - value)
    return worth <= (value * ppm + 999_999n) / 1_000_000n
  }
}

function keyOf({ user, market, position }: { readonly user: number; readonly market: number; readonly position: number }): string {
  return `${user} ${market} ${position}`
}
