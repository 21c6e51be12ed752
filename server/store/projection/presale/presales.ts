import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { PresaleAllocated, PresaleEnded, PresaleSubscribed } from '@candor/core/protocol/event/presale.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { PresaleNumber, UserId } from '@candor/core/protocol/ids.ts'
import { Columns, type Statement } from '../columns.ts'

type Sale = {
  terms?: PresaleTerms
  subscribed?: Pick<PresaleSubscribed, 'subscribed' | 'subscribers'>
  ended?: PresaleEnded
  decidedAt?: Millis
  unlockedAt?: Millis
}

type Subscription = {
  readonly presale: PresaleNumber
  readonly user: UserId
  amount: number
  firstAt: number
  lastAt: number
  allocated?: PresaleAllocated
  released?: number
  decidedAt?: number
}

/** Presales, and a row for each subscriber. Of a row that is there already, a batch changes only what its events tell. */
export class PresaleProjection {
  readonly #sales = new Map<PresaleNumber, Sale>()
  readonly #subscriptions = new Map<string, Subscription>()
  // A batch without the terms leaves those that are there. Sums only grow.
  readonly #saleRows = new Columns(
    'presales as old',
    {
      ...({ number: 'bigint', terms: 'jsonb', subscribed: 'bigint', subscribers: 'integer', outcome: 'text', sold: 'bigint' } as const),
      ...({ proceeds: 'bigint', decided_at_ms: 'bigint', unlocked_at_ms: 'bigint' } as const),
    },
    `(number) do update set terms = case when excluded.terms = 'null' then old.terms else excluded.terms end,
      ${largest('subscribed', 'subscribers')}, ${newest('outcome', 'sold', 'proceeds', 'decided_at_ms', 'unlocked_at_ms')}`,
  )
  readonly #subscriptionRows = new Columns(
    'presale_subscriptions as old',
    {
      ...({ presale: 'bigint', user_id: 'bigint', amount: 'bigint', first_at_ms: 'bigint', last_at_ms: 'bigint' } as const),
      ...({ allocated: 'bigint', cost: 'bigint', refunded: 'bigint', released: 'bigint', decided_at_ms: 'bigint' } as const),
    },
    `(presale, user_id) do update set ${largest('amount', 'last_at_ms', 'released')}, ${newest('allocated', 'cost', 'refunded', 'decided_at_ms')}`,
  )

  get size(): number {
    return this.#sales.size + this.#subscriptions.size
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'presale.set':
        this.#sale(event.presale).terms = event.terms
        return
      case 'presale.subscribed': {
        this.#sale(event.presale).subscribed = event
        const row = this.#subscription(event.presale, event.user)
        row.amount = event.total
        row.firstAt ||= at
        row.lastAt = at
        return
      }
      case 'presale.allocated': {
        const row = this.#subscription(event.presale, event.user)
        row.amount = event.cost + event.refunded
        row.allocated = event
        row.released = event.released
        row.decidedAt = at
        return
      }
      case 'presale.released':
        this.#subscription(event.presale, event.user).released = event.released
        return
      case 'presale.ended':
        Object.assign(this.#sale(event.presale), { ended: event, decidedAt: at })
        return
      case 'presale.unlocked':
        this.#sale(event.presale).unlockedAt = at
        return
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const [number, { terms, subscribed, ended, decidedAt, unlockedAt }] of this.#sales) {
      this.#saleRows.push(number, JSON.stringify(terms ?? null), subscribed?.subscribed ?? 0, subscribed?.subscribers ?? 0)
      this.#saleRows.push(ended?.outcome ?? null, ended?.sold ?? null, ended?.proceeds ?? null, decidedAt ?? null, unlockedAt ?? null)
    }
    for (const { presale, user, amount, firstAt, lastAt, allocated, released, decidedAt } of this.#subscriptions.values()) {
      this.#subscriptionRows.push(presale, user, amount, firstAt, lastAt, allocated?.allocated ?? null, allocated?.cost ?? null)
      this.#subscriptionRows.push(allocated?.refunded ?? null, released ?? null, decidedAt ?? null)
    }
    this.#sales.clear()
    this.#subscriptions.clear()
    return [this.#saleRows.take(), this.#subscriptionRows.take()]
  }

  #sale(number: PresaleNumber): Sale {
    const sale = this.#sales.get(number) ?? {}
    this.#sales.set(number, sale)
    return sale
  }

  #subscription(presale: PresaleNumber, user: UserId): Subscription {
    const key = `${presale} ${user}`
    const row = this.#subscriptions.get(key) ?? { presale, user, amount: 0, firstAt: 0, lastAt: 0 }
    this.#subscriptions.set(key, row)
    return row
  }
}

function largest(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = greatest(old.${column}, excluded.${column})`).join(', ')
}

function newest(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = coalesce(excluded.${column}, old.${column})`).join(', ')
}
