import { plain } from '../../../money/test/plain.ts'
import { firstMarginTerms } from '../../../risk/margin-terms.ts'
import type { MarginEvent } from '../../event/margin.ts'
import * as marginWriters from '../margin-write.ts'
import type { Cases } from './cases.ts'

const margin = plain(marginWriters)

const loan = { user: 3, market: 1, asset: 2, cause: 'auto-repay' as const, delta: -50, principal: 900, interest: 7 }
const liquidated = {
  ...{ user: 3, market: 1, order: 8, levelPpm: 1_049_000, liquidationPpm: 1_050_000 },
  ...{ assets: 104_900, debt: 100_000, fee: 25, insured: 3 },
}
const pool = { asset: 1, supplied: 1000, borrowed: 500, queued: 20, rate: 14_375_000, index: 77 }

export const marginEvents: Cases<MarginEvent['type']> = {
  'margin.terms': {
    put: (into) => margin.writeMarginTermsChanged(into, firstMarginTerms(6, [])),
    event: { terms: firstMarginTerms(6, []) },
  },
  'margin.loan': {
    put: (into) => margin.writeLoan(into, loan),
    event: loan,
  },
  'margin.level': {
    put: (into) => margin.writeMarginLevel(into, 3, 0, 1, 1_155_000),
    event: { user: 3, market: 0, state: 'watch', levelPpm: 1_155_000 },
  },
  'margin.liquidated': {
    put: (into) => margin.writeMarginLiquidated(into, liquidated),
    event: liquidated,
  },
  'lend.pool': {
    put: (into) => margin.writePool(into, pool),
    event: pool,
  },
  'lend.claim': {
    put: (into) => margin.writeClaim(into, 3, 1, 1000, 5, 20),
    event: { user: 3, asset: 1, claim: 1000, earned: 5, queued: 20 },
  },
}
