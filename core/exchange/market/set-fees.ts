import type { SetFees } from '../../protocol/command/market.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeFeesChanged } from '../../protocol/codec/event-write.ts'
import type { FeeTier } from '../../protocol/market.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

const tiersMax = 10
const feePpmMax = 100_000

/** `fees.set`: replaces the fee schedule. The tiers of all users follow the new one at once. */
export function setFees(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { tiers, perpTiers } = decodeCommand(data, start).command as SetFees
  if (!isLegal(tiers) || (perpTiers !== undefined && !isLegal(perpTiers))) return 'FIELD_INVALID'
  x.volumes.setTiers(tiers)
  if (perpTiers !== undefined) x.perpVolumes.setTiers(perpTiers)
  writeFeesChanged(x.events, tiers, x.perpVolumes.tiers)
  return undefined
}

function isLegal(tiers: readonly FeeTier[]): boolean {
  const isOrdered = tiers.every(({ volumeMin }, i) => (i === 0 ? volumeMin === 0 : volumeMin > tiers[i - 1]!.volumeMin))
  const areRates = tiers.every(({ makerPpm, takerPpm }) => isRate(makerPpm) && isRate(takerPpm))
  return tiers.length >= 1 && tiers.length <= tiersMax && isOrdered && areRates
}

function isRate(ppm: FeeTier['makerPpm']): boolean {
  return ppm >= 0 && ppm <= feePpmMax
}
