import type { PerpTerms } from '../protocol/market.ts'
import { positionValueMax } from './perp.ts'

const million = 1_000_000
const billion = 1_000_000_000
const leverageLimit = 125
/** Keeps sums of values safe integers. */
const openInterestLimit = 2 ** 52

/** The first of the terms of a Futures market that can't be so, whatever its index; undefined when each can. */
export function wrongPerpTerm(perp: PerpTerms): keyof PerpTerms | undefined {
  const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
  const right: Readonly<Record<Exclude<keyof PerpTerms, 'index'>, boolean>> = {
    leverageMax: isWithin(perp.leverageMax, 1, leverageLimit),
    tiers: areTiersValid(perp),
    fundingHours: isWithin(perp.fundingHours, 1, 24) && 24 % perp.fundingHours === 0,
    fundingInterest: isWithin(perp.fundingInterest, -billion, billion),
    fundingStretch: isWithin(perp.fundingStretch, 0, billion),
    fundingCap: isWithin(perp.fundingCap, 0, billion),
    impactValue: isWithin(perp.impactValue, 1, positionValueMax),
    markClampPpm: isWithin(perp.markClampPpm, 1, million),
    basisWindowMs: isWithin(perp.basisWindowMs, 1, 600_000),
    liquidationFeePpm: isWithin(perp.liquidationFeePpm, 0, 100_000),
    liquidationStepPpm: isWithin(perp.liquidationStepPpm, 1, million),
    openInterestMax: isWithin(perp.openInterestMax, 1, openInterestLimit),
    userInterestPpm: isWithin(perp.userInterestPpm, 1, million),
    carryPpm: isWithin(perp.carryPpm, 1, million),
  }
  return (Object.keys(right) as (keyof typeof right)[]).find((name) => !right[name])
}

/** Values and margins must ascend, and each position must have some room between opening and liquidation. */
function areTiersValid({ tiers, leverageMax }: PerpTerms): boolean {
  return (
    // A command holds no more than eight.
    tiers.length >= 1 &&
    leverageMax * tiers[0]!.initialPpm <= million &&
    tiers.every((tier, i) => {
      const before = tiers[i - 1]
      const ascends =
        before === undefined ||
        (tier.valueMax > before.valueMax && tier.initialPpm >= before.initialPpm && tier.maintenancePpm >= before.maintenancePpm)
      const { valueMax, initialPpm, maintenancePpm } = tier
      const isSound = maintenancePpm >= 1 && maintenancePpm < initialPpm && initialPpm <= million
      return ascends && isSound && valueMax >= 1 && valueMax <= positionValueMax
    })
  )
}
