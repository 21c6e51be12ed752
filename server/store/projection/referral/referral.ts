import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { ReferralPaid } from '@candor/core/protocol/event/referral.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { Columns, type Statement } from '../columns.ts'
import type { Known } from '../known.ts'

const dayMs = 86_400_000

type Day = {
  readonly inviter: UserId
  readonly day: number
  readonly level: 1 | 2
  readonly asset: AssetId
  amount: bigint
  value: bigint
  payments: number
}
type Invitee = { readonly inviter: UserId; isSevered: boolean; value: bigint }

/**
 * Commission by inviter, UTC day, level and asset, and who invited whom. `value` of an invitee is what the inviter got for that
 * invitee's trades, the second level left out.
 */
export class ReferralProjection {
  readonly #known: Known
  readonly #days = new Map<string, Day>()
  readonly #invitees = new Map<UserId, Invitee>()
  readonly #dayRows = new Columns(
    'referral_days as old',
    {
      ...({ inviter: 'bigint', day_ms: 'bigint', level: 'integer', asset: 'text' } as const),
      ...({ amount: 'numeric', value: 'numeric', payments: 'bigint' } as const),
    },
    `(inviter, day_ms, level, asset) do update set amount = old.amount + excluded.amount, value = old.value + excluded.value,
       payments = old.payments + excluded.payments`,
  )
  readonly #inviteeRows = new Columns(
    'referral_invitees as old',
    { user_id: 'bigint', inviter: 'bigint', is_severed: 'boolean', value: 'numeric' },
    '(user_id) do update set is_severed = old.is_severed or excluded.is_severed, value = old.value + excluded.value',
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#days.size + this.#invitees.size
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'user.opened':
        if (event.referrer !== 0) this.#invitee(event.user, event.referrer)
        break
      case 'referral.severed':
        this.#invitee(event.user, event.inviter).isSevered = true
        break
      case 'referral.paid':
        this.#pay(event, at)
        break
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    const scale = this.size === 0 ? 0 : this.#known.scaleOf('USDT')
    for (const { inviter, day, level, asset, amount, value, payments } of this.#days.values()) {
      const { symbol, scale: digits } = this.#known.asset(asset)
      this.#dayRows.push(inviter, day, level, symbol, formatFixed(amount, digits), formatFixed(value, scale), payments)
    }
    for (const [user, { inviter, isSevered, value }] of this.#invitees)
      this.#inviteeRows.push(user, inviter, isSevered, formatFixed(value, scale))
    this.#days.clear()
    this.#invitees.clear()
    return [this.#dayRows.take(), this.#inviteeRows.take()]
  }

  #pay({ inviter, invitee, level, asset, amount, value }: ReferralPaid, at: Millis): void {
    const day = at - (at % dayMs)
    const key = `${inviter} ${day} ${level} ${asset}`
    const row = this.#days.get(key) ?? { inviter, day, level, asset, amount: 0n, value: 0n, payments: 0 }
    row.amount += BigInt(amount)
    row.value += BigInt(value)
    row.payments++
    this.#days.set(key, row)
    if (level === 1) this.#invitee(invitee, inviter).value += BigInt(value)
  }

  #invitee(user: UserId, inviter: UserId): Invitee {
    const row = this.#invitees.get(user) ?? { inviter, isSevered: false, value: 0n }
    this.#invitees.set(user, row)
    return row
  }
}
