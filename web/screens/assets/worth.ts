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
  const first = days.findIndex(({ totalUsdt, profitUsdt }) => totalUsdt === null || Number(totalUsdt) !== 0 || Number(profitUsdt) !== 0)
  return first < 0 ? [] : days.slice(first)
}

/** The running profit or loss since the first day: the curve, which starts at zero. A day without a price is a gap and adds nothing. */
export function running(days: readonly ProfitDay[]): readonly (number | undefined)[] {
  let sum = 0
  return [0, ...days.map(({ profitUsdt }) => (profitUsdt === null ? undefined : (sum += Number(profitUsdt))))]
}

/** What is known of the profit or loss of all days together. */
export function sumOfDays(days: readonly ProfitDay[]): number {
  return days.reduce((sum, { profitUsdt }) => sum + Number(profitUsdt ?? 0), 0)
}

/** Stretches of the curve without gaps, as the numbers of their first and last points. A single point is one, too. */
export function stretches(values: readonly (number | undefined)[]): readonly (readonly [first: number, last: number])[] {
  const found: [number, number][] = []
  values.forEach((value, at) => {
    if (value === undefined) return
    const last = found.at(-1)
    if (last?.[1] === at - 1) last[1] = at
    else found.push([at, at])
  })
  return found
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
