import * as layout from '../protocol/codec/layout.ts'
import { commandCodes } from '../protocol/codec/layout.ts'
import { lengthOf, opcodeOf } from '../protocol/codec/records.ts'
import type { State } from './state.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { CLIENT_ID, REF_MARKET, REF_ORDER, USER } = layout

const PLACE = commandCodes['spot.place']
const AMEND = commandCodes['spot.amend']
const CANCEL = commandCodes['spot.cancel']

const homes = new Int32Array(1024)
const slots = new Int32Array(1024)

/**
 * Reads what the commands in slots `from` to `to` will need and does nothing with it. A command waits for main memory
 * several times, one wait after the other; here the waits of many commands overlap, which makes each far cheaper. Pure
 * guessing: a command that turns out to touch something else is only slower. Returns a meaningless number, so that the
 * reads are not dropped.
 */
export function warm(x: State, data: Float64Array, from: number, to: number): number {
  let sum = 0
  let named = 0
  // First only arithmetic, so that the reads that follow stand close together.
  for (let at = from; at < to && named < homes.length; at += lengthOf(data[at]!)) {
    if (data[at + CLIENT_ID] !== 0) homes[named++] = x.requests.home(data[at + USER]!, data, at + CLIENT_ID)
  }
  for (let n = 0; n < named; n++) sum += x.requests.warm(homes[n]!)
  let users = 0
  let known = 0
  for (let at = from; at < to && users < homes.length; at += lengthOf(data[at]!)) {
    const code = opcodeOf(data[at]!)
    if (code !== PLACE && code !== AMEND && code !== CANCEL) continue
    const venue = x.venue(data[at + REF_MARKET]!)
    if (venue === undefined) continue
    const user = data[at + USER]!
    sum += x.ledger.warm(user, venue.quote, venue.base)
    if (code === PLACE) {
      homes[users++] = user
      continue
    }
    const slot = x.orders.find(data[at + REF_ORDER]!)
    if (slot >= 0 && known < slots.length) slots[known++] = slot
  }
  for (let n = 0; n < users; n++) sum += x.volumes.warm(homes[n]!) + x.orders.warmUser(homes[n]!)
  for (let n = 0; n < known; n++) sum += x.orders.warm(slots[n]!)
  return sum
}
