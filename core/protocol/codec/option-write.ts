/** Writers of the events of Second and of the tape. Each mirrors its reader in `option.ts`; the round trip is tested. */
import type { Millis, Units } from '../../money/brand.ts'
import type { UserId } from '../ids.ts'
import { directions } from '../command/option.ts'
import type { OptionTerms } from '../command/option.ts'
import { optionResults, voidReasons } from '../event/option.ts'
import type { OptionLimitsChanged, OptionOpened, OptionSettled, OptionStruck } from '../event/option.ts'
import { eventCodes } from './event.ts'
import { numberOf } from './fields.ts'
import { TICK_COUNT } from './index-prices.ts'
import { hashSlots, optionTermsSlots, TAPE_PRICES, writeOptionTerms } from './option.ts'
import { head } from './records.ts'
import type { Records } from './records.ts'
import { clientIdSlots, packText } from './text.ts'

export function writeOptionTermsChanged(into: Records, terms: OptionTerms): void {
  const length = 1 + optionTermsSlots(terms)
  const at = into.reserve(length)
  into.data[at] = head(eventCodes['option.terms'], length)
  writeOptionTerms(terms, into.data, at + 1)
}

export function writeOptionOpened(into: Records, event: Omit<OptionOpened, 'type'>): void {
  const at = into.reserve(21)
  const { data } = into
  data[at] = head(eventCodes['option.opened'], 21)
  data[at + 1] = event.order
  data[at + 2] = event.user
  packText(event.clientId, data, at + 3, clientIdSlots)
  data[at + 9] = event.market
  data[at + 10] = numberOf(directions, event.direction)
  data[at + 11] = event.stake
  data[at + 12] = event.profitPpm
  data[at + 13] = event.profit
  data[at + 14] = event.acceptedAt
  data[at + 15] = event.strikeFrom
  data[at + 16] = event.expiresAt
  data[at + 17] = event.windowMs
  data[at + 18] = event.gapMaxMs
  data[at + 19] = event.guardPpm
  data[at + 20] = event.reference
}

export function writeOptionStruck(into: Records, event: Omit<OptionStruck, 'type'>): void {
  put(into, eventCodes['option.struck'], event.order, event.user, event.strike, event.tick, event.at)
}

export function writeOptionSettled(into: Records, event: Omit<OptionSettled, 'type'>): void {
  const { order, user, market, price, payout, at } = event
  const result = numberOf(optionResults, event.result)
  put(into, eventCodes['option.settled'], order, user, market, result, numberOf(voidReasons, event.reason), price, payout, at)
}

export function writeOptionAdmitted(into: Records, user: UserId): void {
  put(into, eventCodes['option.admitted'], user)
}

export function writeOptionLimits(into: Records, event: Omit<OptionLimitsChanged, 'type'>): void {
  put(into, eventCodes['option.limits'], event.user, event.lossMax, event.nextLossMax, event.nextAt, event.coolOffUntil)
}

export function writeOptionHouse(into: Records, isOpen: boolean, fund: Units): void {
  put(into, eventCodes['option.house'], isOpen ? 1 : 0, fund)
}

/** `slots`: the tick's canonical slots (`core/proof/tape`). */
export function writeTapeExtended(into: Records, tick: number, atMs: Millis, hash: Uint8Array, slots: Float64Array): void {
  const length = TAPE_PRICES - 1 + slots.length - TICK_COUNT
  const at = into.reserve(length)
  const { data } = into
  data[at] = head(eventCodes['tape.extended'], length)
  data[at + 1] = tick
  data[at + 2] = atMs
  const words = new DataView(hash.buffer, hash.byteOffset, hash.byteLength)
  for (let i = 0; i < hashSlots; i++) data[at + 3 + i] = words.getUint32(i * 4)
  data.set(slots.subarray(TICK_COUNT), at + TAPE_PRICES - 1)
}

function put(into: Records, code: number, ...values: readonly number[]): void {
  const at = into.reserve(1 + values.length)
  into.data[at] = head(code, 1 + values.length)
  for (let i = 0; i < values.length; i++) into.data[at + 1 + i] = values[i]!
}
