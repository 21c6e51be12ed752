import { createHash } from 'node:crypto'
import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { FindingKind, Measure } from '@candor/core/protocol/wire/console/surveillance.ts'
import type { Day } from './days.ts'

/** The UID of a user, as findings name customers. */
export type Who = (user: UserId) => string

/** What a detector saw. `weight`: the heavier of two findings of one kind stands above the other. */
export type Found = {
  readonly kind: FindingKind
  readonly market: string | null
  readonly users: readonly UserId[]
  readonly weight: number
  /** Plain English, for a reader who knows the exchange and not its detectors. */
  readonly text: string
  readonly measures: readonly Measure[]
  readonly orders: readonly number[]
  readonly from: Millis
  readonly to: Millis
}

/** Orders that a finding names at most. */
export const ordersMax = 20

/** The same for the same kind, accounts, market and day, so that a second run adds nothing. */
export function idOf({ kind, market }: Pick<Found, 'kind' | 'market'>, uids: readonly string[], day: Day): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, uids.toSorted(), market, day]))
    .digest()
  // The version of UUIDs that are made in a way of their own.
  hash[6] = 0x80 | (hash[6]! & 0x0f)
  hash[8] = 0x80 | (hash[8]! & 0x3f)
  const hex = hash.toString('hex', 0, 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const counts = new Intl.NumberFormat('en')
const amounts = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

export const countText = (count: number): string => counts.format(count)
/** A rounded amount: findings describe, and move no money. */
export const amountText = (amount: number): string => (Math.abs(amount) < 1 ? small : amounts).format(amount)
export const shareText = (share: number): string => `${amountText(share * 100)}%`
export const secondsText = (ms: number): string => (ms < 120_000 ? `${amountText(ms / 1_000)} s` : `${amountText(ms / 60_000)} min`)
export const clockText = (at: Millis): string => `${new Date(at).toISOString().slice(11, 19)} UTC`
/** `1 trade`, `2 trades` */
export const plural = (count: number, one: string, more = `${one}s`): string => `${countText(count)} ${count === 1 ? one : more}`
