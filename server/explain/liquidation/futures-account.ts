import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { IndexPrice, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { stepOf } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { PositionChanged } from '@candor/core/protocol/event/perp.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { LiquidationPosition, LiquidationState } from '@candor/core/protocol/wire/explain/liquidation.ts'
import { entryPrice, maintenanceMargin, positionValue, tierOfPosition, unrealised } from '@candor/core/risk/perp.ts'
import { priceOf, quantityOf, type Words } from '../words.ts'

/** Digits of an entry price beyond those of the market's prices. */
const moreDigits = 2

type Position = Pick<PositionChanged, 'position' | 'market' | 'mode' | 'lots' | 'cost' | 'margin' | 'realised'>
type Price = { readonly mark: Ticks; readonly index: IndexPrice }

/** Sums in USDT units. */
export type Standing = { readonly equity: Units; readonly maintenance: Units }

/**
 * One customer's Futures account in the middle of a command: what it was before, and the customer's events since. Between the steps of
 * a liquidation it is exact, because the core emits a position before the step that changed it.
 */
export class FuturesAccount {
  readonly #words: Words
  readonly #user: UserId
  /** As last told, ended ones included. */
  readonly #positions = new Map<OrderId, Position>()
  readonly #prices = new Map<MarketId, Price>()
  #balance: Units

  constructor(exchange: Exchange, words: Words, user: UserId) {
    this.#words = words
    this.#user = user
    const { available, positions } = exchange.perpAccount(user)
    this.#balance = available
    for (const position of positions) this.#positions.set(position.position, position)
    for (const { market, mark, index } of exchange.marks()) this.#prices.set(market, { mark: mark as Ticks, index })
  }

  apply(event: Event): void {
    if (event.type === 'perp.marked') this.#prices.set(event.market, event)
    if (event.type === 'perp.position' && event.user === this.#user) this.#positions.set(event.position, event)
    if (event.type !== 'entry' || !('user' in event.account)) return
    const { user, kind } = event.account
    if (user === this.#user && kind === 'perp') this.#balance = event.available
  }

  price(market: MarketId): Price {
    return this.#prices.get(market)!
  }

  /** Profit taken out of each position since it was opened. */
  realised(): ReadonlyMap<OrderId, Units> {
    return new Map([...this.#positions].map(([position, { realised }]) => [position, realised]))
  }

  /** A position as it was told last; undefined when it is not the customer's. */
  position(position: OrderId): Position | undefined {
    return this.#positions.get(position)
  }

  /** Equity and required margin of an isolated position, or without one of the cross account. */
  standing(isolated: OrderId | undefined): Standing {
    let equity: number = isolated === undefined ? this.#balance : 0
    let maintenance = 0
    for (const position of this.#counted(isolated)) {
      equity += position.margin + this.#profit(position)
      maintenance += this.#maintenance(position).units
    }
    return { equity: equity as Units, maintenance: maintenance as Units }
  }

  /** The same in words, with everything that it consists of. */
  state(isolated: OrderId | undefined): LiquidationState {
    const { equity, maintenance } = this.standing(isolated)
    return {
      balance: this.#words.usdt(this.#balance),
      positions: this.#counted(isolated).map((position) => this.#told(position)),
      equity: this.#words.usdt(equity),
      maintenance: this.#words.usdt(maintenance),
    }
  }

  #counted(isolated: OrderId | undefined): readonly Position[] {
    const open = [...this.#positions.values()].filter(({ lots }) => lots !== 0).sort((a, b) => a.position - b.position)
    return open.filter(({ position, mode }) => (isolated === undefined ? mode === 'cross' : position === isolated))
  }

  #profit({ market, lots, cost }: Position): Units {
    return unrealised(lots, cost, this.price(market).mark, this.#words.market(market).quotePerTickLot)
  }

  #maintenance({ market, lots, cost }: Position): { readonly units: Units; readonly ppm: number } {
    const { perp, quotePerTickLot } = this.#words.market(market)
    const { maintenancePpm } = tierOfPosition(perp!.tiers, cost)
    return { units: maintenanceMargin(positionValue(lots, this.price(market).mark, quotePerTickLot), maintenancePpm), ppm: maintenancePpm }
  }

  #told(position: Position): LiquidationPosition {
    const { lots, cost, margin } = position
    const market = this.#words.market(position.market)
    const { units, scale } = stepOf(market.tick)
    const maintenance = this.#maintenance(position)
    return {
      symbol: market.symbol,
      positionId: String(position.position),
      side: lots > 0 ? 'long' : 'short',
      quantity: quantityOf(market, Math.abs(lots) as Lots),
      entry: formatUnits(entryPrice(lots, cost, market.quotePerTickLot, moreDigits) * units, scale + moreDigits),
      mark: priceOf(market, this.price(position.market).mark),
      profit: this.#words.usdt(this.#profit(position)),
      margin: this.#words.usdt(margin),
      maintenance: this.#words.usdt(maintenance.units),
      maintenancePpm: maintenance.ppm,
    }
  }
}
