/** Slots of the commands and events of presales. */
import type { PresaleCommand, PresaleTerms, ReleaseStep } from '../../command/presale.ts'
import type { PresaleEvent } from '../../event/presale.ts'
import type { PresaleNumber } from '../../ids.ts'
import { presaleOutcomes, releaseKinds } from '../../wire/presale.ts'
import type { Codec } from '../command.ts'
import { numberOf, wordOf } from '../fields.ts'
import { USER } from '../layout.ts'
import { integer } from '../records.ts'
import {
  fittingCount,
  type Read,
  readAssetId,
  readClientId,
  readDays,
  readMillis,
  readPpm,
  readUnits,
  readUserId,
  type Write,
} from '../slots.ts'
import { packText, unpackText } from '../text.ts'
import * as at from './layout.ts'

type CommandOf<T extends PresaleCommand['type']> = Extract<PresaleCommand, { readonly type: T }>
type EventOf<T extends PresaleEvent['type']> = Extract<PresaleEvent, { readonly type: T }>

/** Slots of a hash as text. */
const HASH = 11
/** Slots of terms before their steps, and of a step. */
const TERMS = 14 + 2 * HASH
const STEP = 2

export function presaleTermsSlots({ release }: PresaleTerms): number {
  return TERMS + release.steps.length * STEP
}

export const writePresaleTerms: Write<PresaleTerms> = (terms, data, start) => {
  const { price, release } = terms
  data[start] = integer(terms.token, 'token')
  data[start + 1] = integer(terms.pay, 'pay')
  data[start + 2] = integer(price.pay, 'price.pay')
  data[start + 3] = integer(price.per, 'price.per')
  data[start + 4] = integer(terms.supply, 'supply')
  data[start + 5] = integer(terms.purchaseLimit, 'purchaseLimit')
  data[start + 6] = integer(terms.subscriptionMin, 'subscriptionMin')
  data[start + 7] = integer(terms.subscriptionMax, 'subscriptionMax')
  data[start + 8] = integer(terms.softCap, 'softCap')
  data[start + 9] = integer(terms.startsAt, 'startsAt')
  data[start + 10] = integer(terms.endsAt, 'endsAt')
  data[start + 11] = integer(release.atListingPpm, 'atListingPpm')
  // The number of steps is above the two bits of the kind.
  data[start + 12] = numberOf(releaseKinds, release.kind) + release.steps.length * 4
  data[start + 13] = integer(release.lockDays, 'lockDays')
  packText(terms.documentHash, data, start + 14, HASH)
  packText(terms.detailsHash, data, start + 14 + HASH, HASH)
  for (const [n, { day, ppm }] of release.steps.entries()) {
    data[start + TERMS + n * STEP] = integer(day, 'day')
    data[start + TERMS + n * STEP + 1] = integer(ppm, 'ppm')
  }
}

export const readPresaleTerms: Read<PresaleTerms> = (data, start) => ({
  token: readAssetId(data, start),
  pay: readAssetId(data, start + 1),
  price: { pay: readUnits(data, start + 2), per: readUnits(data, start + 3) },
  supply: readUnits(data, start + 4),
  purchaseLimit: readUnits(data, start + 5),
  subscriptionMin: readUnits(data, start + 6),
  subscriptionMax: readUnits(data, start + 7),
  softCap: readUnits(data, start + 8),
  startsAt: readMillis(data, start + 9),
  endsAt: readMillis(data, start + 10),
  release: {
    atListingPpm: readPpm(data, start + 11),
    kind: wordOf(releaseKinds, data[start + 12]! % 4),
    lockDays: readDays(data, start + 13),
    steps: Array.from({ length: fittingCount(Math.floor(data[start + 12]! / 4), data, start + 12, STEP) }, (_, n) =>
      readStep(data, start + TERMS + n * STEP),
    ),
  },
  documentHash: unpackText(data, start + 14, HASH),
  detailsHash: unpackText(data, start + 14 + HASH, HASH),
})

const readStep: Read<ReleaseStep> = (data, start) => ({ day: readDays(data, start), ppm: readPpm(data, start + 1) })

export const readPresaleNumber: Read<PresaleNumber> = (data, start) => data[start] as PresaleNumber

export const presaleCodecs: { readonly [T in PresaleCommand['type']]: Codec<CommandOf<T>> } = {
  'presale.set': {
    length: ({ terms }) => at.PRESALE_TERMS + presaleTermsSlots(terms),
    write({ presale, terms }, data, start) {
      data[start + at.PRESALE] = integer(presale, 'presale')
      writePresaleTerms(terms, data, start + at.PRESALE_TERMS)
    },
    read: (data, start) => ({
      type: 'presale.set',
      presale: readPresaleNumber(data, start + at.PRESALE),
      terms: readPresaleTerms(data, start + at.PRESALE_TERMS),
    }),
  },
  'presale.cancel': {
    length: () => at.PRESALE_CANCEL_LENGTH,
    write({ presale }, data, start) {
      data[start + at.PRESALE] = integer(presale, 'presale')
    },
    read: (data, start) => ({ type: 'presale.cancel', presale: readPresaleNumber(data, start + at.PRESALE) }),
  },
  'presale.subscribe': {
    length: () => at.PRESALE_SUBSCRIBE_LENGTH,
    write(command, data, start) {
      data[start + at.PRESALE] = integer(command.presale, 'presale')
      data[start + at.PRESALE_AMOUNT] = integer(command.amount, 'amount')
    },
    read: (data, start) => ({
      type: 'presale.subscribe',
      user: readUserId(data, start + USER),
      clientId: readClientId(data, start),
      presale: readPresaleNumber(data, start + at.PRESALE),
      amount: readUnits(data, start + at.PRESALE_AMOUNT),
    }),
  },
}

export const presaleEventCodes = {
  'presale.set': 120,
  'presale.subscribed': 121,
  'presale.allocated': 122,
  'presale.released': 123,
  'presale.ended': 124,
  'presale.unlocked': 125,
} as const satisfies Record<PresaleEvent['type'], number>

export const presaleReaders: { readonly [T in PresaleEvent['type']]: Read<EventOf<T>> } = {
  'presale.set': (data, to) => ({ type: 'presale.set', presale: readPresaleNumber(data, to + 1), terms: readPresaleTerms(data, to + 2) }),
  'presale.subscribed': (data, to) => ({
    type: 'presale.subscribed',
    presale: readPresaleNumber(data, to + 1),
    user: readUserId(data, to + 2),
    amount: readUnits(data, to + 3),
    total: readUnits(data, to + 4),
    subscribed: readUnits(data, to + 5),
    subscribers: data[to + 6]!,
  }),
  'presale.allocated': (data, to) => ({
    type: 'presale.allocated',
    presale: readPresaleNumber(data, to + 1),
    user: readUserId(data, to + 2),
    allocated: readUnits(data, to + 3),
    cost: readUnits(data, to + 4),
    refunded: readUnits(data, to + 5),
    released: readUnits(data, to + 6),
  }),
  'presale.released': (data, to) => ({
    type: 'presale.released',
    presale: readPresaleNumber(data, to + 1),
    user: readUserId(data, to + 2),
    amount: readUnits(data, to + 3),
    released: readUnits(data, to + 4),
    day: readDays(data, to + 5),
  }),
  'presale.ended': (data, to) => ({
    type: 'presale.ended',
    presale: readPresaleNumber(data, to + 1),
    outcome: wordOf(presaleOutcomes, data[to + 2]!),
    sold: readUnits(data, to + 3),
    proceeds: readUnits(data, to + 4),
  }),
  'presale.unlocked': (data, to) => ({ type: 'presale.unlocked', presale: readPresaleNumber(data, to + 1) }),
}
