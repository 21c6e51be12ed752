import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Balance } from '@candor/core/protocol/port.ts'
import { dayStart as atDayStart } from '../../../store/query/funds.ts'
import { type Context, dayStart } from '../../context.ts'

/** Values are in millionths of a USDT. */
const digits = 6

/** What balances are worth at the last prices, rounded down per asset; an asset without a price counts nothing. */
export function totalUsdt(context: Context, balances: readonly Balance[]): number {
  const sums = new Map<AssetId, number>()
  for (const { account, available, held } of balances) {
    if ('user' in account) sums.set(account.asset, (sums.get(account.asset) ?? 0) + available + held)
  }
  let total = 0
  for (const [asset, units] of sums) total += worth(context, asset, units)
  return total
}

function worth({ listing, data, now }: Context, id: AssetId, units: number): number {
  const asset = listing.asset(id)
  if (asset.symbol === 'USDT') return units
  const listed = listing.marketNamedIfAny(`${asset.symbol}USDT`)
  const view = listed && data.market(listed.market.id)
  if (!listed || !view) return 0
  const last = view.ticker(now())?.last
  if (last !== undefined) return mulDivFloor(units, last * listed.market.quotePerTickLot, listed.market.basePerLot)
  if (!view.index) return 0
  return mulDivFloor(units, view.index.price, 10 ** (asset.scale + 8 - digits))
}

/**
 * What today (UTC) has brought: worth now less worth at midnight less what came in from outside since. Null while a
 * price for it is missing or there was nothing yet.
 */
export async function todayProfit(context: Context, user: UserId, now: number): Promise<string | null> {
  const rows = await atDayStart(context.pool, user, dayStart(context.now()))
  if (rows.length === 0) return null
  let before = 0
  for (const { amountUsdt, inflowUsdt } of rows) {
    if (amountUsdt === null || inflowUsdt === null) return null
    before += (parseUnits(amountUsdt, digits) ?? 0) + (parseUnits(inflowUsdt, digits) ?? 0)
  }
  return formatUnits(now - before, digits)
}

export const usdtText = (value: number): string => formatUnits(value, digits)
