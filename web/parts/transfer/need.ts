/** Where the coin that an empty account needs comes from. */
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { freeIn, type Move, movable } from './places.ts'

/** A transfer from an account that has the coin; practice funds or a deposit for somebody who has nothing at all. */
export type Need = { readonly kind: 'transfer'; readonly move: Move } | { readonly kind: 'practice' } | { readonly kind: 'deposit' }

/** An account, one of its coins, and the pair, which isolated accounts have one of each. */
export type Wanted = Pick<Move, 'to' | 'asset' | 'symbol'>

/** The next step of an empty account. Undefined for somebody who has only other coins: the order's own refusal says what is missing. */
export function needOf({ accounts }: Pick<WireBalances, 'accounts'>, wanted: Wanted, hasPractice: boolean): Need | undefined {
  const balances = { accounts, totalUsdt: '0', todayProfitUsdt: null }
  const from = movable.find((place) => place !== wanted.to && Number(freeIn(balances, place, { ...wanted, from: place })) > 0)
  if (from !== undefined) return { kind: 'transfer', move: { ...wanted, from } }
  const hasAny = accounts.some((one) => one.balances.some(({ available, held }) => Number(available) > 0 || Number(held) > 0))
  return hasAny ? undefined : { kind: hasPractice ? 'practice' : 'deposit' }
}
