import type { AccountKind } from '@candor/core/protocol/account.ts'
import { type DailyAccount, dailyAccounts, type WireDailyProfit, type WireProfitDay } from '@candor/core/protocol/wire/days/daily.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { holdingsOf, netByKind, usdtText } from '../../live/accounts/holdings.ts'
import { type Context, dayStart } from '../../live/context.ts'
import { type AccountDay, accountDays, dayMs } from '../../store/query/daily/account-days.ts'
import { millionths } from '../../store/query/worth.ts'

const accountOf: { readonly [K in AccountKind]: DailyAccount } = {
  spot: 'spot',
  perp: 'perp',
  'margin-cross': 'margin',
  'margin-isolated': 'margin',
  option: 'option',
  lend: 'lend',
}

/** Profits of the days of a month, up to today, which is valued now. `month`: "2026-11". */
export async function monthProfit(context: Context, user: UserId, month: string): Promise<WireDailyProfit> {
  const today = dayStart(context.now())
  const [year, number] = month.split('-').map(Number) as [number, number]
  const [first, last] = [Date.UTC(year, number - 1), Math.min(Date.UTC(year, number) - dayMs, today)]
  if (first > today) return { month, days: [] }
  const present = last === today ? netByKind(context, await holdingsOf(context, user)) : new Map<AccountKind, bigint>()
  await context.freshness.settled(user)
  const days = await accountDays(context.pool, user, { first: first - dayMs, last, today })
  return { month, days: profitDays(days, present, today) }
}

/**
 * Profit of each day but the first, whose values are those before the second.
 *
 * present  the value of each kind of account now, for today
 */
export function profitDays(
  accounts: readonly AccountDay[],
  present: ReadonlyMap<AccountKind, bigint>,
  today: number,
): readonly WireProfitDay[] {
  const days = [...Map.groupBy(accounts, ({ day }) => day)]
  return days.slice(1).map(([day, of], i) => {
    const before = worths(days[i]?.[1] ?? [])
    const after = day === today ? presentWorths(present, of) : worths(of)
    const flows = sums(of, ({ net, moved }) => (net === null || moved === null ? null : millionths(net) + millionths(moved)))
    const profits = dailyAccounts.map((account) => minus(minus(after[account], before[account]), flows[account]))
    const texts = profits.map((profit) => (profit === null ? null : usdtText(profit)))
    const [total, profit] = [totalOf(Object.values(after)), totalOf(profits)]
    return {
      day: new Date(day).toISOString().slice(0, 10),
      totalUsdt: total === null ? null : usdtText(total),
      profitUsdt: profit === null ? null : usdtText(profit),
      accounts: Object.fromEntries(dailyAccounts.map((account, n) => [account, texts[n]])) as WireProfitDay['accounts'],
    }
  })
}

type Values = Record<DailyAccount, bigint | null>

const worths = (of: readonly AccountDay[]): Values => sums(of, ({ worth }) => (worth === null ? null : millionths(worth)))

function sums(of: readonly AccountDay[], value: (day: AccountDay) => bigint | null): Values {
  const values = Object.fromEntries(dailyAccounts.map((account) => [account, 0n])) as Values
  for (const day of of) {
    const [before, more] = [values[accountOf[day.kind]], value(day)]
    values[accountOf[day.kind]] = before === null || more === null ? null : before + more
  }
  return values
}

/** Balances at present prices, with what presales account for, which those don't show. */
function presentWorths(present: ReadonlyMap<AccountKind, bigint>, of: readonly AccountDay[]): Values {
  const values = Object.fromEntries(dailyAccounts.map((account) => [account, 0n])) as Record<DailyAccount, bigint>
  for (const [kind, value] of present) values[accountOf[kind]] += value
  for (const { kind, presales } of of) values[accountOf[kind]] += millionths(presales)
  return values
}

const minus = (a: bigint | null, b: bigint | null): bigint | null => (a === null || b === null ? null : a - b)

function totalOf(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0n as bigint | null)
}
