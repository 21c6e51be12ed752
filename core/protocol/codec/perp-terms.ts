import type { Ppm, Units } from '../../money/brand.ts'
import type { PerpTerms } from '../market.ts'
import { integer } from './records.ts'
import { readMarketId, readPpm, readUnits } from './slots.ts'

/** Largest number of risk tiers of a perpetual contract. */
export const riskTiersMax = 8

const fixedSlots = 15
/** Slots without the caps of open interest and the fund's part, as written by earlier builds. */
const fixedSlotsBefore = 12
const tierSlots = 3
/** Added to the first slot to mark the layout with caps. */
const withCaps = 100
/** Caps used for terms without them: the strictest that a new contract gets. The dump's reader knows the coin and replaces them. */
const capsBefore = { openInterestMax: 2_000_000_000_000 as Units, userInterestPpm: 100_000 as Ppm, carryPpm: 400_000 as Ppm }

/** Slots of a perpetual contract's terms; a spot market writes a single 0 in their place. */
export function perpTermsSlots(terms: PerpTerms | undefined): number {
  return terms === undefined ? 1 : fixedSlots + terms.tiers.length * tierSlots
}

/** The first slot is the number of tiers + 1 + 100; 0: a spot market. */
export function writePerpTerms(terms: PerpTerms | undefined, data: Float64Array, start: number): void {
  if (terms === undefined) {
    data[start] = 0
    return
  }
  if (terms.tiers.length > riskTiersMax) throw new Error(`${terms.tiers.length} risk tiers`)
  data[start] = terms.tiers.length + 1 + withCaps
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
  data[start + 12] = integer(terms.openInterestMax, 'openInterestMax')
  data[start + 13] = integer(terms.userInterestPpm, 'userInterestPpm')
  data[start + 14] = integer(terms.carryPpm, 'carryPpm')
  terms.tiers.forEach((tier, i) => {
    const at = start + fixedSlots + i * tierSlots
    data[at] = integer(tier.valueMax, 'valueMax')
    data[at + 1] = integer(tier.initialPpm, 'initialPpm')
    data[at + 2] = integer(tier.maintenancePpm, 'maintenancePpm')
  })
}

/** Undefined: a spot market. Throws when the number of tiers is invalid. */
export function readPerpTerms(data: Float64Array, start: number): PerpTerms | undefined {
  if (data[start] === 0) return undefined
  const hasCaps = data[start]! > withCaps
  const count = data[start]! - 1 - (hasCaps ? withCaps : 0)
  const fixed = hasCaps ? fixedSlots : fixedSlotsBefore
  if (!(count >= 0 && count <= riskTiersMax)) throw new Error(`${count} risk tiers`)
  const caps = {
    openInterestMax: readUnits(data, start + 12),
    userInterestPpm: readPpm(data, start + 13),
    carryPpm: readPpm(data, start + 14),
  }
  return {
    index: readMarketId(data, start + 1),
    leverageMax: data[start + 2]!,
    fundingHours: data[start + 3]!,
    fundingInterest: data[start + 4]!,
    fundingStretch: data[start + 5]!,
    fundingCap: data[start + 6]!,
    impactValue: readUnits(data, start + 7),
    markClampPpm: readPpm(data, start + 8),
    basisWindowMs: data[start + 9]!,
    liquidationFeePpm: readPpm(data, start + 10),
    liquidationStepPpm: readPpm(data, start + 11),
    ...(hasCaps ? caps : capsBefore),
    tiers: Array.from({ length: count }, (_, i) => {
      const at = start + fixed + i * tierSlots
      return { valueMax: readUnits(data, at), initialPpm: readPpm(data, at + 1), maintenancePpm: readPpm(data, at + 2) }
    }),
  }
}
