import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeFirmTermsChanged } from '../../protocol/codec/firm/write.ts'
import type { SetFirmTerms } from '../../protocol/command/firm.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import type { FirmTerms } from './records/state.ts'
import type { TierNumber, UserId } from '../../protocol/ids.ts'

/** Above every sum that can be withdrawn on a day; a sum of two is a safe integer. */
const withdrawMaxMax = 2 ** 48

/** `firm.setTerms`: what a firm has by its own terms, for all its accounts, present and later. */
export const setFirmTerms: Handler = (x, data, start) => {
  const { main, tier, withdrawMax } = decodeCommand(data, start).command as SetFirmTerms
  if (x.firm.mainOf(main) !== main || main === 0) return 'FIRM_UNKNOWN'
  if (!(tier === 0 || (tier > 0 && tier < x.volumes.tiers.length)) || !(withdrawMax >= 0 && withdrawMax <= withdrawMaxMax))
    return 'FIELD_INVALID'
  applyFirmTerms(x, main, { tier, withdrawMax })
  writeFirmTermsChanged(x.events, main, tier, withdrawMax)
  return undefined
}

/** Gives the user at least this tier in Spot and in Futures. */
export function setFloors(x: Pick<State, 'volumes' | 'perpVolumes'>, user: UserId, tier: TierNumber): void {
  x.volumes.setFloor(user, tier)
  x.perpVolumes.setFloor(user, tier)
}

/** Sets the terms, and the fee tier that each account of the firm has at least. */
export function applyFirmTerms(x: State, main: UserId, terms: FirmTerms): void {
  x.firm.terms.set(main, terms)
  for (const [user, of] of x.firm.mains) if (of === main) setFloors(x, user, terms.tier)
}
