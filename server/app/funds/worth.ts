import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireProfit } from '@candor/core/protocol/wire/funds.ts'
import { dayMs, type DayWorth, dayWorths, millionths } from '../../store/query/worth.ts'
import { type Context, dayStart } from '../../live/context.ts'
import { usdtText } from '../../live/accounts/holdings.ts'

/**
 * Profit of today (UTC): the current value and what presales account for, less the value at midnight, less the money that came in from
 * outside since. Null
 * while a price for that is missing, or if the account had nothing yet.
 */
export async function todayProfit(context: Context, user: UserId, current: bigint): Promise<string | null> {
  const today = dayStart(context.now())
  const [yesterday, running] = await dayWorths(context.pool, user, today - dayMs, today)
  if (!yesterday || !running || yesterday.worth === null || running.inflow === null) return null
  return usdtText(current + millionths(running.presales) - millionths(yesterday.worth) - millionths(running.inflow))
}

/**
 * Value at the end of each of the last UTC days and the day's profit, oldest first, with the `current` value and that of presales for today.
 * Null where a price is missing: what is not known is no loss and no gain.
 */
export async function profitByDay(context: Context, user: UserId, days: number, current: bigint): Promise<WireProfit> {
  const today = dayStart(context.now())
  return { days: profitsOf(await dayWorths(context.pool, user, today - days * dayMs, today), current, today) }
}

/** Profits of all days but the first, whose value is that before the second. */
export function profitsOf(worths: readonly DayWorth[], current: bigint, today: number): WireProfit['days'] {
  return worths.slice(1).map(({ day, worth, inflow, presales }, i) => {
    const before = worths[i]?.worth ?? null
    const total = day === today ? current + millionths(presales) : worth === null ? null : millionths(worth)
    const profit = total === null || before === null || inflow === null ? null : total - millionths(before) - millionths(inflow)
    const texts = { totalUsdt: total === null ? null : usdtText(total), profitUsdt: profit === null ? null : usdtText(profit) }
    return { day: new Date(day).toISOString().slice(0, 10), ...texts }
  })
}
