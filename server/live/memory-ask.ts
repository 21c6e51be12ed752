import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { Freshness } from './freshness.ts'
import type { Followed } from './followed.ts'
import { Kept } from './kept.ts'
import { openOrderOf, type Orders } from './orders.ts'

const usersMax = 10_000

export type MemoryAskParts = {
  readonly ask: Ask
  readonly orders: Orders
  readonly followed: Followed
  readonly freshness: Freshness
}

/**
 * The port `Ask` with frequent questions answered in this process, so that readers don't use the engine's thread: open orders
 * come from events; pools and terms are cached until an event may have changed them. A reader never gets an answer older than an
 * earlier one.
 */
export class MemoryAsk {
  readonly ask: Ask
  readonly #pools: Kept<Awaited<ReturnType<Ask['pools']>>>
  readonly #marginTerms: Kept<Awaited<ReturnType<Ask['marginTerms']>>>
  readonly #optionTerms: Kept<Awaited<ReturnType<Ask['optionTerms']>>>
  readonly #tiers = new Map<UserId, Kept<Awaited<ReturnType<Ask['tier']>>>>()

  constructor({ ask, orders, followed, freshness }: MemoryAskParts) {
    this.#pools = new Kept(ask.pools, { maxAgeMs: 1_000 })
    this.#marginTerms = new Kept(ask.marginTerms, { maxAgeMs: 5_000 })
    this.#optionTerms = new Kept(ask.optionTerms, { maxAgeMs: 1_000 })
    this.ask = {
      ...ask,
      pools: () => this.#pools.get(),
      marginTerms: () => this.#marginTerms.get(),
      optionTerms: () => this.#optionTerms.get(),
      tier: (user) => this.#tierOf(ask, user).get(),
      async openOrders(user, market) {
        await orders.know(ask, user)
        await followed.reached(freshness.lastOf(user))
        // The orders were forgotten during the wait, because events were missed.
        if (!orders.isKnown(user)) return ask.openOrders(user, market)
        return orders.openOf(user, market).map(openOrderOf)
      },
    }
  }

  /** Applies each event that this process receives. */
  heard(event: Event): void {
    switch (event.type) {
      case 'lend.pool':
      case 'lend.claim':
      case 'margin.loan':
      case 'margin.liquidated':
        return this.#pools.outdate()
      case 'margin.terms':
        this.#marginTerms.outdate()
        return this.#pools.outdate()
      case 'option.terms':
      case 'option.house':
      case 'option.opened':
      case 'option.settled':
      case 'tape.extended':
        return this.#optionTerms.outdate()
      case 'traded':
        if (this.#tiers.size === 0) return
        this.#tiers.get(event.makerUser)?.outdate()
        this.#tiers.get(event.takerUser)?.outdate()
        return
      case 'user.tierChanged':
      case 'perp.tierChanged':
      case 'fees.changed':
        this.#tiers.clear()
        return
      default:
    }
  }

  /** Drops all cached answers, because events were missed. */
  forget(): void {
    this.#pools.outdate()
    this.#marginTerms.outdate()
    this.#optionTerms.outdate()
    this.#tiers.clear()
  }

  #tierOf(ask: Ask, user: UserId): Kept<Awaited<ReturnType<Ask['tier']>>> {
    let kept = this.#tiers.get(user)
    if (!kept) {
      if (this.#tiers.size >= usersMax) this.#tiers.delete(this.#tiers.keys().next().value!)
      this.#tiers.set(user, (kept = new Kept(() => ask.tier(user), { maxAgeMs: 10_000 })))
    }
    return kept
  }
}
