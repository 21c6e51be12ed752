/** Slots of `perp.amend`. */
import { priceMatches } from '../../command/perp.ts'
import type { AmendPerp } from '../../command/perp.ts'
import { AMEND_HAS_TRIGGER, AMEND_TRIGGER, AMEND_TRIGGER_SLOTS } from '../amend/trigger.ts'
import type { Codec } from '../command.ts'
import { numberOf, wordOf } from '../fields.ts'
import * as at from '../layout.ts'
import { integer } from '../records.ts'
import { readLots, readTicks } from '../slots.ts'
import { readReference, writeReference } from './reference.ts'

const known = at.AMEND_HAS_LOTS | at.AMEND_HAS_PRICE | at.AMEND_HAS_MATCH | AMEND_HAS_TRIGGER

export const amendCodec: Codec<AmendPerp> = {
  length: ({ priceMatch, triggerPrice }) =>
    at.AMEND_LENGTH + (triggerPrice !== undefined ? AMEND_TRIGGER_SLOTS : priceMatch !== undefined ? 1 : 0),
  write(command, data, start) {
    writeReference(command, data, start)
    data[start + at.AMEND_FLAGS] =
      (command.lots === undefined ? 0 : at.AMEND_HAS_LOTS) |
      (command.price === undefined ? 0 : at.AMEND_HAS_PRICE) |
      (command.priceMatch === undefined ? 0 : at.AMEND_HAS_MATCH) |
      (command.triggerPrice === undefined ? 0 : AMEND_HAS_TRIGGER)
    data[start + at.AMEND_LOTS] = integer(command.lots ?? 0, 'lots')
    data[start + at.AMEND_PRICE] = integer(command.price ?? 0, 'price')
    if (command.triggerPrice !== undefined) {
      data[start + at.AMEND_MATCH] = 0
      data[start + AMEND_TRIGGER] = integer(command.triggerPrice, 'triggerPrice')
    }
    if (command.priceMatch !== undefined) data[start + at.AMEND_MATCH] = 1 + numberOf(priceMatches, command.priceMatch)
  },
  read(data, start) {
    const flags = data[start + at.AMEND_FLAGS]!
    if ((flags & ~known) !== 0) throw new Error(`unknown flags in an amend: ${flags}`)
    return {
      type: 'perp.amend',
      ...readReference(data, start),
      ...((flags & at.AMEND_HAS_LOTS) !== 0 ? { lots: readLots(data, start + at.AMEND_LOTS) } : {}),
      ...((flags & at.AMEND_HAS_PRICE) !== 0 ? { price: readTicks(data, start + at.AMEND_PRICE) } : {}),
      ...((flags & at.AMEND_HAS_MATCH) !== 0 ? { priceMatch: wordOf(priceMatches, data[start + at.AMEND_MATCH]! - 1) } : {}),
      ...((flags & AMEND_HAS_TRIGGER) !== 0 ? { triggerPrice: readTicks(data, start + AMEND_TRIGGER) } : {}),
    }
  },
}
