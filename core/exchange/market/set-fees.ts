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
  const { tiers } = decodeCommand(data, start).command as SetFees
  const isLegal =
    tiers.length >= 1 &&
    tiers.length <= tiersMax &&
    tiers[0]!.volumeMin === 0 &&
    tiers.every((tier, i) => (i === 0 || tier.volumeMin > tiers[i - 1]!.volumeMin) && isRate(tier.makerPpm) && isRate(tier.takerPpm))
  if (!isLegal) return 'FIELD_INVALID'
  x.volumes.setTiers(tiers)
  writeFeesChanged(x.events, tiers)
  return undefined
}

function isRate(ppm: FeeTier['makerPpm']): boolean {
  return ppm >= 0 && ppm <= feePpmMax
}
