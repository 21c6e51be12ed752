/** Writers of the events of margin trading and lending. Each mirrors its reader in `margin.ts`; the round trip is tested. */
import type { Ppm, Units } from '../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../ids.ts'
import type { MarginTerms } from '../command/margin.ts'
import { loanCauses } from '../event/margin.ts'
import type { LoanChanged, MarginLiquidated, PoolChanged } from '../event/margin.ts'
import { numberOf } from './fields.ts'
import { marginEventCodes as codes, marginTermsSlots, writeMarginTerms } from './margin.ts'
import { head } from './records.ts'
import type { Records } from './records.ts'

export function writeMarginTermsChanged(into: Records, terms: MarginTerms): void {
  const length = 1 + marginTermsSlots(terms)
  const at = into.reserve(length)
  into.data[at] = head(codes['margin.terms'], length)
  writeMarginTerms(terms, into.data, at + 1)
}

export function writeLoan(into: Records, loan: Omit<LoanChanged, 'type'>): void {
  const { user, market, asset, cause, delta, principal, interest } = loan
  write(into, codes['margin.loan'], user, market, asset, numberOf(loanCauses, cause), delta, principal, interest)
}

/** `state`: number in `marginStates`. */
export function writeMarginLevel(into: Records, user: UserId, market: MarketId, state: number, levelPpm: Ppm): void {
  write(into, codes['margin.level'], user, market, state, levelPpm)
}

export function writeMarginLiquidated(into: Records, step: Omit<MarginLiquidated, 'type'>): void {
  const { user, market, order, levelPpm, liquidationPpm, assets, debt, fee, insured } = step
  write(into, codes['margin.liquidated'], user, market, order, levelPpm, liquidationPpm, assets, debt, fee, insured)
}

export function writePool(into: Records, pool: Omit<PoolChanged, 'type'>): void {
  const { asset, supplied, borrowed, queued, rate, index } = pool
  write(into, codes['lend.pool'], asset, supplied, borrowed, queued, rate, index)
}

export function writeClaim(into: Records, user: UserId, asset: AssetId, claim: Units, earned: Units, queued: Units): void {
  write(into, codes['lend.claim'], user, asset, claim, earned, queued)
}

function write(into: Records, code: number, ...values: readonly number[]): void {
  const at = into.reserve(1 + values.length)
  into.data[at] = head(code, 1 + values.length)
  for (let i = 0; i < values.length; i++) into.data[at + 1 + i] = values[i]!
}
