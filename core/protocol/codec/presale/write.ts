/** Writers of the events of presales. Each mirrors its reader in `slots.ts`; the round trip is tested. */
import type {
  PresaleAllocated,
  PresaleEnded,
  PresaleEvent,
  PresaleReleased,
  PresaleSet,
  PresaleSubscribed,
  PresaleUnlocked,
} from '../../event/presale.ts'
import { presaleOutcomes } from '../../wire/presale.ts'
import { numberOf } from '../fields.ts'
import { head } from '../records.ts'
import type { Records } from '../records.ts'
import { presaleEventCodes as codes, presaleTermsSlots, writePresaleTerms } from './slots.ts'

export function writePresaleSet(into: Records, { presale, terms }: Omit<PresaleSet, 'type'>): void {
  const length = 2 + presaleTermsSlots(terms)
  const at = into.reserve(length)
  into.data[at] = head(codes['presale.set'], length)
  into.data[at + 1] = presale
  writePresaleTerms(terms, into.data, at + 2)
}

export function writePresaleSubscribed(into: Records, event: Omit<PresaleSubscribed, 'type'>): void {
  const { presale, user, amount, total, subscribed, subscribers } = event
  write(into, 'presale.subscribed', presale, user, amount, total, subscribed, subscribers)
}

export function writePresaleAllocated(into: Records, event: Omit<PresaleAllocated, 'type'>): void {
  const { presale, user, allocated, cost, refunded, released } = event
  write(into, 'presale.allocated', presale, user, allocated, cost, refunded, released)
}

export function writePresaleReleased(into: Records, { presale, user, amount, released, day }: Omit<PresaleReleased, 'type'>): void {
  write(into, 'presale.released', presale, user, amount, released, day)
}

export function writePresaleEnded(into: Records, { presale, outcome, sold, proceeds }: Omit<PresaleEnded, 'type'>): void {
  write(into, 'presale.ended', presale, numberOf(presaleOutcomes, outcome), sold, proceeds)
}

export function writePresaleUnlocked(into: Records, { presale }: Omit<PresaleUnlocked, 'type'>): void {
  write(into, 'presale.unlocked', presale)
}

function write(into: Records, type: PresaleEvent['type'], ...slots: readonly number[]): void {
  const at = into.reserve(1 + slots.length)
  into.data[at] = head(codes[type], 1 + slots.length)
  into.data.set(slots, at + 1)
}
