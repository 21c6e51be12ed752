/** Why a presale can't be opened with these terms, before anybody proposes it. */
import { parseUnits } from '@candor/core/money/units.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import { termFields, type Terms } from '@candor/core/protocol/wire/changes.ts'
import { wrongPresaleTerm } from '@candor/core/risk/presale.ts'

export type Scales = { readonly usdt: number; readonly token: number }
export const rules = [
  ...(['digits', 'price', 'supply', 'purchaseLimit', 'subscriptionMin', 'subscriptionMax', 'softCap', 'startsAt', 'endsAt'] as const),
  ...(['documentHash', 'atListingPpm', 'lockDays', 'steps'] as const),
] as const
export type Rule = (typeof rules)[number]

/** The rule that terms break first, as the core has them; undefined for none. `digits`: a sum has more decimals than its asset. */
export function brokenRule(terms: Terms, scales: Scales, now: number): Rule | undefined {
  const sums = Object.entries(termFields.presale).flatMap(([name, unit]) =>
    unit === 'usdt' || unit === 'sum'
      ? [[name, parseUnits(String(terms[name]), unit === 'usdt' ? scales.usdt : scales.token)] as const]
      : [],
  )
  if (sums.some(([, units]) => units === undefined)) return 'digits'
  const { pricePay, pricePer, atListingPpm, release, lockDays, steps, ...rest } = { ...terms, ...Object.fromEntries(sums) } as Terms
  const wrong = wrongPresaleTerm({
    ...rest,
    ...{ price: { pay: pricePay, per: pricePer }, release: { atListingPpm, kind: release, lockDays, steps } },
  } as unknown as PresaleTerms)
  if (wrong !== undefined) return wrong as Rule
  return Number(terms['startsAt']) <= now ? 'startsAt' : undefined
}
