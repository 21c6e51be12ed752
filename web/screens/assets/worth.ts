/** The value of each account, and profits summed by day. */
import type { WireAccount, WireProfit } from '@candor/core/protocol/wire/funds.ts'
import type { PriceOf } from '../../parts/funds/price-of.ts'

/** Value in USDT: balances at last prices plus unrealised profit less debt; undefined while a coin has no price. */
export function worthOf(account: WireAccount, priceOf: PriceOf): number | undefined {
  let sum = Number(account.unrealisedUsdt ?? 0) - Number(account.debtUsdt ?? 0)
  for (const { asset, available, held } of account.balances) {
    const amount = Number(available) + Number(held)
    const price = amount === 0 ? 0 : priceOf(asset)
    if (price === undefined) return undefined
    sum += amount * price
  }
  return sum
}

export type ProfitDay = WireProfit['days'][number]

/** The days since the user first had a balance. */
export function sinceFirst(days: readonly ProfitDay[]): readonly ProfitDay[] {
  const first = days.findIndex((day) => Number(day.totalUsdt) !== 0 || Number(day.profitUsdt) !== 0)
  return first < 0 ? [] : days.slice(first)
}

/** The running profit or loss since the first day: the curve, which starts at zero. */
export function running(days: readonly ProfitDay[]): readonly number[] {
  let sum = 0
  return [0, ...days.map((day) => (sum += Number(day.profitUsdt)))]
}

/** Full weeks from Monday to Sunday; `undefined` for days before the first or after the last. */
export function weeksOf(days: readonly ProfitDay[]): readonly (readonly (ProfitDay | undefined)[])[] {
  const first = days[0]
  if (first === undefined) return []
  const before = (new Date(`${first.day}T00:00:00Z`).getUTCDay() + 6) % 7
  const cells: (ProfitDay | undefined)[] = [...Array.from({ length: before }, () => undefined), ...days]
  while (cells.length % 7 !== 0) cells.push(undefined)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}
