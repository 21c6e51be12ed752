/** Writers of the events of firms. Each mirrors its reader in `slots.ts`; the round trip is tested. */
import type { Units } from '../../../money/brand.ts'
import type { TierNumber, UserId } from '../../ids.ts'
import { head } from '../records.ts'
import type { Records } from '../records.ts'
import { firmEventCodes as codes } from './slots.ts'

const JOINED = 3
const TERMS = 4

export function writeFirmJoined(into: Records, user: UserId, main: UserId): void {
  const at = into.reserve(JOINED)
  into.data[at] = head(codes['firm.joined'], JOINED)
  into.data.set([user, main], at + 1)
}

export function writeFirmTermsChanged(into: Records, main: UserId, tier: TierNumber, withdrawMax: Units): void {
  const at = into.reserve(TERMS)
  into.data[at] = head(codes['firm.terms'], TERMS)
  into.data.set([main, tier, withdrawMax], at + 1)
}
