import { formatUnits } from '@candor/core/money/units.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Balance } from '@candor/core/protocol/port.ts'
import type { WireProfit } from '@candor/core/protocol/wire/funds.ts'
import { dayMs, dayWorths } from '../../store/query/worth.ts'
import { type Context, dayStart } from '../../live/context.ts'

/** Digits of values in millionths of a USDT. They are bigint, because the whole supply of a coin at a high price exceeds 2^53. */
const digits = 6

/** Value of balances at the last prices, rounded down per asset. An asset without a price counts as 0. */
export function totalUsdt(context: Context, balances: readonly Balance[]): bigint {
  const sums = new Map<AssetId, number>()
  for (const { account, available, held } of balances) {
    if ('user' in account) sums.set(account.asset, (sums.get(account.asset) ?? 0) + available + held)
  }
  let total = 0n
  for (const [asset, units] of sums) total += worth(context, asset, units)
  return total
}

function worth({ listing, data, now }: Context, id: AssetId, units: number): bigint {
  const asset = listing.asset(id)
  const held = BigInt(units)
  if (asset.symbol === 'USDT') return held
  const listed = listing.marketNamedIfAny(`${asset.symbol}USDT`)
  const view = listed && data.market(listed.market.id)
  if (!listed || !view) return 0n
  const last = view.ticker(now())?.last
  if (last !== undefined) return (held * BigInt(last) * BigInt(listed.market.quotePerTickLot)) / BigInt(listed.market.basePerLot)
  if (!view.index) return 0n
  return (held * BigInt(view.index.price)) / 10n ** BigInt(asset.scale + 8 - digits)
}

/**
 * Profit of today (UTC): the current value, less the value at midnight, less the money that came in from outside since. Null
 * while a price for that is missing, or if the account had nothing yet.
 */
export async function todayProfit(context: Context, user: UserId, current: bigint): Promise<string | null> {
  const today = dayStart(context.now())
  const [yesterday, running] = await dayWorths(context.pool, user, today - dayMs, today)
  if (!yesterday || !running || yesterday.worth === null || running.inflow === null) return null
  return usdtText(current - millionths(yesterday.worth) - millionths(running.inflow))
}

/**
 * Value at the end of each of the last UTC days and the day's profit, oldest first, with the `current` value for today. A coin
 * without a price counts as 0, as in the total.
 */
export async function profitByDay(context: Context, user: UserId, days: number, current: bigint): Promise<WireProfit> {
  const today = dayStart(context.now())
  const worths = await dayWorths(context.pool, user, today - days * dayMs, today)
  const shown = worths.slice(1).map(({ day, worth, inflow }, i) => {
    const total = day === today ? current : millionths(worth ?? '0')
    const profit = total - millionths(worths[i]?.worth ?? '0') - millionths(inflow ?? '0')
    return { day: new Date(day).toISOString().slice(0, 10), totalUsdt: usdtText(total), profitUsdt: usdtText(profit) }
  })
  return { days: shown }
}

export const usdtText = (value: bigint): string => formatUnits(value, digits)

/** A decimal text from the tables, with at most six digits. */
export function millionths(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(`${whole}${part.slice(0, digits).padEnd(digits, '0')}`)
}
