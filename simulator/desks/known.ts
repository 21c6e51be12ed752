import { accountKey } from '../auditor.ts'
import type { Event, OrderAccepted } from '@candor/core/protocol/event/index.ts'
import type { PositionChanged } from '@candor/core/protocol/event/perp.ts'

export type KnownLoan = { readonly user: number; readonly market: number; readonly asset: number; readonly owed: number }
export type KnownClaim = { readonly user: number; readonly asset: number; readonly claim: number; readonly queued: number }

/** The state that the generators of commands know. It comes from events alone. */
export class Known {
  readonly orders = new Map<number, OrderAccepted>()
  readonly positions = new Map<string, PositionChanged>()
  readonly loans = new Map<string, KnownLoan>()
  readonly claims = new Map<string, KnownClaim>()
  readonly hedged = new Set<number>()
  readonly leverages = new Map<string, number>()
  readonly frozen = new Set<number>()
  readonly strangers = new Set<number>()
  readonly halted = new Set<number>()
  readonly #marks = new Map<number, number>()
  readonly #available = new Map<string, number>()

  see(event: Event): void {
    switch (event.type) {
      case 'entry':
        this.#available.set(accountKey(event.account), event.available)
        return
      case 'order.accepted':
        this.orders.set(event.order, event)
        return
      case 'order.closed':
        this.orders.delete(event.order)
        return
      case 'perp.marked':
        this.#marks.set(event.market, event.mark)
        return
      case 'perp.position': {
        const key = `${event.user} ${event.market} ${event.side}`
        if (event.lots === 0) this.positions.delete(key)
        else this.positions.set(key, event)
        return
      }
      case 'perp.settings':
        if (event.market === 0) put(this.hedged, event.user, event.isHedge)
        else this.leverages.set(`${event.user} ${event.market}`, event.leverage)
        return
      case 'margin.loan': {
        const key = `${event.user} ${event.market} ${event.asset}`
        const owed = event.principal + event.interest
        if (owed === 0) this.loans.delete(key)
        else this.loans.set(key, { user: event.user, market: event.market, asset: event.asset, owed })
        return
      }
      case 'lend.claim':
        this.claims.set(`${event.user} ${event.asset}`, event)
        return
      case 'user.changed':
        put(this.frozen, event.user, event.isFrozen)
        return
      case 'user.certified':
        put(this.strangers, event.user, !event.isCertified)
        return
      case 'market.changed':
        put(this.halted, event.market.id, !event.market.terms.isTrading)
        return
      default:
    }
  }

  mark(market: number): number | undefined {
    return this.#marks.get(market)
  }

  leverage(user: number, market: number): number {
    return this.leverages.get(`${user} ${market}`) ?? 1
  }

  available(user: number, kind: string, asset: number, market = 0): number {
    return this.#available.get(`user ${user} ${kind}${market === 0 ? '' : `:${market}`} ${asset}`) ?? 0
  }
}

function put(set: Set<number>, value: number, isIn: boolean): void {
  if (isIn) set.add(value)
  else set.delete(value)
}
