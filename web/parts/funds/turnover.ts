import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireMe } from '@candor/core/protocol/wire/user.ts'

const usdtScale = 6

/** The daily limit of an unverified user less what was traded and what open orders could still execute, at least 0, in USDT. */
export function leftOf({ limit, used, open }: NonNullable<WireMe['turnover']>): Decimal {
  const units = (text: string): number => parseUnits(text, usdtScale) ?? 0
  return formatUnits(Math.max(0, units(limit) - units(used) - units(open)), usdtScale)
}
