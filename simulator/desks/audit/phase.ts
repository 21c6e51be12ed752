import type { Event } from '@candor/core/protocol/event/index.ts'
import type { MarketPhase } from '@candor/core/protocol/market.ts'
import type { OrdersAudit } from './orders.ts'
import { fail } from '../failure.ts'

/** Phases in which a futures market trades. */
const trading: ReadonlySet<MarketPhase> = new Set(['open', 'no-liquidations', 'reducing'])
const triggering: ReadonlySet<MarketPhase> = new Set(['open', 'no-liquidations'])
const steps: Readonly<Record<MarketPhase, readonly MarketPhase[]>> = {
  open: ['bad', 'halted'],
  bad: ['open', 'reducing', 'halted', 'resuming', 'no-liquidations'],
  reducing: ['halted', 'resuming'],
  halted: ['open', 'bad', 'reducing', 'resuming', 'no-liquidations'],
  resuming: ['no-liquidations', 'bad', 'halted', 'open'],
  'no-liquidations': ['open', 'bad', 'halted'],
}

/** Checks that a futures market does only what its phase allows. */
export class PhaseAudit {
  readonly #orders: OrdersAudit
  readonly #phases = new Map<number, MarketPhase>()

  constructor(orders: OrdersAudit) {
    this.#orders = orders
  }

  /** Must be called before the order's own audit sees the event. */
  see(event: Event): void {
    switch (event.type) {
      case 'perp.phase': {
        const was = this.#phaseOf(event.market)
        if (!steps[was].includes(event.phase)) fail(`market ${event.market} goes from ${was} to ${event.phase}`)
        this.#phases.set(event.market, event.phase)
        return
      }
      case 'traded':
        if (!trading.has(this.#phaseOf(event.market))) fail(`market ${event.market} trades while it is ${this.#phaseOf(event.market)}`)
        if (this.#phaseOf(event.market) === 'reducing') for (const order of [event.makerOrder, event.takerOrder]) this.#checkReducing(order)
        return
      case 'order.triggered':
        if (!triggering.has(this.#phaseOf(event.market))) fail(`order ${event.order} is triggered while its market is shut`)
        return
      case 'perp.liquidated':
        if (this.#phaseOf(event.market) !== 'open') fail(`position ${event.position} is liquidated while its market is not open`)
        return
      default:
    }
  }

  #phaseOf(market: number): MarketPhase {
    return this.#phases.get(market) ?? 'open'
  }

  #checkReducing(number: number): void {
    const { perp } = this.#orders.order(number).accepted
    if (perp?.isReduceOnly !== true && perp?.isClosing !== true) fail(`order ${number} trades while only reducing ones may`)
  }
}
