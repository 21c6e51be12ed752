import type { PerpTerms } from '../market.ts'
import { integer } from './records.ts'

/** Steps of a contract's risk at most. */
export const riskTiersMax = 8

const fixedSlots = 12
const tierSlots = 3

/** Slots of a contract's terms; a spot market writes a single 0 in their place. */
export function perpTermsSlots(terms: PerpTerms | undefined): number {
  return terms === undefined ? 1 : fixedSlots + terms.tiers.length * tierSlots
}

/** The first slot is the number of tiers plus 1; 0: no contract. */
export function writePerpTerms(terms: PerpTerms | undefined, data: Float64Array, start: number): void {
  if (terms === undefined) {
    data[start] = 0
    return
  }
  if (terms.tiers.length > riskTiersMax) throw new Error(`${terms.tiers.length} tiers of risk`)
  data[start] = terms.tiers.length + 1
  data[start + 1] = integer(terms.index, 'index')
  data[start + 2] = integer(terms.leverageMax, 'leverageMax')
  data[start + 3] = integer(terms.fundingHours, 'fundingHours')
  data[start + 4] = integer(terms.fundingInterest, 'fundingInterest')
  data[start + 5] = integer(terms.fundingStretch, 'fundingStretch')
  data[start + 6] = integer(terms.fundingCap, 'fundingCap')
  data[start + 7] = integer(terms.impactValue, 'impactValue')
  data[start + 8] = integer(terms.markClampPpm, 'markClampPpm')
  data[start + 9] = integer(terms.basisWindowMs, 'basisWindowMs')
  data[start + 10] = integer(terms.liquidationFeePpm, 'liquidationFeePpm')
  data[start + 11] = integer(terms.liquidationStepPpm, 'liquidationStepPpm')
  terms.tiers.forEach((tier, i) => {
    const at = start + fixedSlots + i * tierSlots
    data[at] = integer(tier.valueMax, 'valueMax')
    data[at + 1] = integer(tier.initialPpm, 'initialPpm')
    data[at + 2] = integer(tier.maintenancePpm, 'maintenancePpm')
  })
}

/** Undefined: no contract. Throws when the number of tiers is none. */
export function readPerpTerms(data: Float64Array, start: number): PerpTerms | undefined {
  const count = data[start]! - 1
  if (count === -1) return undefined
  if (!(count >= 0 && count <= riskTiersMax)) throw new Error(`${count} tiers of risk`)
  const slot = (i: number): never => data[start + i] as never
  return {
    index: slot(1),
    leverageMax: slot(2),
    fundingHours: slot(3),
    fundingInterest: slot(4),
    fundingStretch: slot(5),
    fundingCap: slot(6),
    impactValue: slot(7),
    markClampPpm: slot(8),
    basisWindowMs: slot(9),
    liquidationFeePpm: slot(10),
    liquidationStepPpm: slot(11),
    tiers: Array.from({ length: count }, (_, i) => {
      const at = fixedSlots + i * tierSlots
      return { valueMax: slot(at), initialPpm: slot(at + 1), maintenancePpm: slot(at + 2) }
    }),
  }
}
