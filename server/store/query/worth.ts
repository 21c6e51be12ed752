import { formatUnits } from '@candor/core/money/units.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { accountDays, dayMs } from './daily/account-days.ts'
import { priceBefore } from './daily/prices.ts'

export { dayMs, priceBefore }

/** Worth of a user's accounts at the end of a UTC day, and the money that came in from outside during the day. */
export type DayWorth = {
  /** First millisecond of the day. */
  readonly day: number
  /** In USDT at the last prices of the day, including the profit of open positions, less debts; null where a price is missing. */
  readonly worth: Decimal | null
  /** What presales account for in it, which no balance shows at market prices. */
  readonly presales: Decimal
  /** What came in from outside less what went out, each at the last price before it; null where a price is missing. */
  readonly inflow: Decimal | null
}

/** Digits of values in millionths of a USDT. */
const digits = 6

/**
 * Days `first` to `last`, each named by its first millisecond, oldest first; `last` is the current day. A price is the close of the
 * last finished minute of `<asset>USDT`. Empty when the user never had a balance.
 */
export async function dayWorths(pool: pg.Pool, user: UserId, first: number, last: number): Promise<readonly DayWorth[]> {
  const accounts = await accountDays(pool, user, { first, last, today: last })
  const byDay = Map.groupBy(accounts, ({ day }) => day)
  return [...byDay].map(([day, of]) => ({
    ...{ day, worth: sumOf(of.map(({ worth }) => worth)), inflow: sumOf(of.map(({ net }) => net)) },
    presales: formatUnits(
      of.reduce((sum, { presales }) => sum + millionths(presales), 0n),
      digits,
    ),
  }))
}

/** The sum of decimals with at most six digits, or null if one is missing. */
export function sumOf(values: readonly (Decimal | null)[]): Decimal | null {
  let sum = 0n
  for (const value of values) {
    if (value === null) return null
    sum += millionths(value)
  }
  return formatUnits(sum, digits)
}

/** A decimal text as millionths. Digits after the sixth are cut. */
export function millionths(text: Decimal): bigint {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(`${whole}${part.slice(0, digits).padEnd(digits, '0')}`)
}
