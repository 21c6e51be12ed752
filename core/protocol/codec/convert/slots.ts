/** Slots of the commands and events of conversions. */
import type { ConvertCommand, ConvertShelf, ConvertTerms } from '../../command/convert.ts'
import { type ConversionFacts, conversionEnds, type ConvertEvent } from '../../event/convert.ts'
import type { QuoteNumber } from '../../ids.ts'
import type { Codec } from '../command.ts'
import { flag, wordOf } from '../fields.ts'
import * as at from '../layout.ts'
import { integer } from '../records.ts'
import {
  countAt,
  type Read,
  readAssetId,
  readClientId,
  readIndexPrice,
  readMillis,
  readPpm,
  readUnits,
  readUserId,
  type Write,
} from '../slots.ts'

type CommandOf<T extends ConvertCommand['type']> = Extract<ConvertCommand, { readonly type: T }>
type EventOf<T extends ConvertEvent['type']> = Extract<ConvertEvent, { readonly type: T }>

/** Slots of terms before their shelves, and of a shelf. */
const TERMS = 12
const SHELF = 3
/** Slots of the facts that every event of a conversion has. */
export const FACTS = 9

export function convertTermsSlots({ shelves }: ConvertTerms): number {
  return TERMS + shelves.length * SHELF
}

export const writeConvertTerms: Write<ConvertTerms> = (terms, data, start) => {
  data[start] = terms.isOpen ? 1 : 0
  data[start + 1] = integer(terms.spreadPpm, 'spreadPpm')
  data[start + 2] = integer(terms.validMs, 'validMs')
  data[start + 3] = integer(terms.delayMs, 'delayMs')
  data[start + 4] = integer(terms.waitMs, 'waitMs')
  data[start + 5] = integer(terms.driftPpm, 'driftPpm')
  data[start + 6] = integer(terms.bookPpm, 'bookPpm')
  data[start + 7] = integer(terms.min, 'min')
  data[start + 8] = integer(terms.max, 'max')
  data[start + 9] = integer(terms.userMax, 'userMax')
  data[start + 10] = integer(terms.hedger, 'hedger')
  data[start + 11] = terms.shelves.length
  for (const [n, { asset, target, band }] of terms.shelves.entries()) {
    const to = start + TERMS + n * SHELF
    data[to] = integer(asset, 'asset')
    data[to + 1] = integer(target, 'target')
    data[to + 2] = integer(band, 'band')
  }
}

export const readConvertTerms: Read<ConvertTerms> = (data, start) => ({
  isOpen: flag(data[start]!, 'isOpen'),
  spreadPpm: readPpm(data, start + 1),
  validMs: readMillis(data, start + 2),
  delayMs: readMillis(data, start + 3),
  waitMs: readMillis(data, start + 4),
  driftPpm: readPpm(data, start + 5),
  bookPpm: readPpm(data, start + 6),
  min: readUnits(data, start + 7),
  max: readUnits(data, start + 8),
  userMax: readUnits(data, start + 9),
  hedger: readUserId(data, start + 10),
  shelves: Array.from({ length: countAt(data, start + 11, SHELF) }, (_, n) => readShelf(data, start + TERMS + n * SHELF)),
})

const readShelf: Read<ConvertShelf> = (data, at) => ({
  asset: readAssetId(data, at),
  target: readUnits(data, at + 1),
  band: readUnits(data, at + 2),
})

export const readQuoteNumber: Read<QuoteNumber> = (data, at) => data[at] as QuoteNumber

export const convertCodecs: { readonly [T in ConvertCommand['type']]: Codec<CommandOf<T>> } = {
  'convert.setTerms': {
    length: ({ terms }) => at.CONVERT_TERMS + convertTermsSlots(terms),
    write: ({ terms }, data, start) => writeConvertTerms(terms, data, start + at.CONVERT_TERMS),
    read: (data, start) => ({ type: 'convert.setTerms', terms: readConvertTerms(data, start + at.CONVERT_TERMS) }),
  },
  'convert.quote': {
    length: () => at.CONVERT_QUOTE_LENGTH,
    write(command, data, start) {
      data[start + at.CONVERT_FROM] = integer(command.from, 'from')
      data[start + at.CONVERT_TO] = integer(command.to, 'to')
      data[start + at.CONVERT_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.CONVERT_IS_GET] = command.isGet ? 1 : 0
    },
    read: (data, start) => ({
      type: 'convert.quote',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      from: readAssetId(data, start + at.CONVERT_FROM),
      to: readAssetId(data, start + at.CONVERT_TO),
      amount: readUnits(data, start + at.CONVERT_AMOUNT),
      isGet: flag(data[start + at.CONVERT_IS_GET]!, 'isGet'),
    }),
  },
  'convert.accept': {
    length: () => at.CONVERT_ACCEPT_LENGTH,
    write(command, data, start) {
      data[start + at.CONVERT_QUOTE] = integer(command.quote, 'quote')
    },
    read: (data, start) => ({
      type: 'convert.accept',
      user: readUserId(data, start + at.USER),
      quote: readQuoteNumber(data, start + at.CONVERT_QUOTE),
    }),
  },
  'convert.hedge': {
    length: () => at.CONVERT_HEDGE_LENGTH,
    write(command, data, start) {
      data[start + at.CONVERT_HEDGE_ASSET] = integer(command.asset, 'asset')
      data[start + at.CONVERT_HEDGE_AMOUNT] = integer(command.amount, 'amount')
      data[start + at.CONVERT_HEDGE_IS_TAKING] = command.isTaking ? 1 : 0
    },
    read: (data, start) => ({
      type: 'convert.hedge',
      user: readUserId(data, start + at.USER),
      clientId: readClientId(data, start),
      asset: readAssetId(data, start + at.CONVERT_HEDGE_ASSET),
      amount: readUnits(data, start + at.CONVERT_HEDGE_AMOUNT),
      isTaking: flag(data[start + at.CONVERT_HEDGE_IS_TAKING]!, 'isTaking'),
    }),
  },
}

export const convertEventCodes = {
  'convert.quoted': 110,
  'convert.accepted': 111,
  'convert.filled': 112,
  'convert.ended': 113,
  'convert.terms': 114,
} as const satisfies Record<ConvertEvent['type'], number>

export const convertReaders: { readonly [T in ConvertEvent['type']]: Read<EventOf<T>> } = {
  'convert.quoted': (data, at) => ({ type: 'convert.quoted', ...readFacts(data, at + 1), expiresAt: readMillis(data, at + 1 + FACTS) }),
  'convert.accepted': (data, at) => ({
    type: 'convert.accepted',
    ...readFacts(data, at + 1),
    decidesFrom: readMillis(data, at + 1 + FACTS),
  }),
  'convert.filled': (data, at) => ({ type: 'convert.filled', ...readFacts(data, at + 1) }),
  'convert.ended': (data, at) => ({
    type: 'convert.ended',
    ...readFacts(data, at + 1),
    why: wordOf(conversionEnds, data[at + 1 + FACTS]!),
  }),
  'convert.terms': (data, at) => ({ type: 'convert.terms', terms: readConvertTerms(data, at + 1) }),
}

const readFacts: Read<ConversionFacts> = (data, at) => ({
  quote: readQuoteNumber(data, at),
  user: readUserId(data, at + 1),
  from: readAssetId(data, at + 2),
  to: readAssetId(data, at + 3),
  give: readUnits(data, at + 4),
  get: readUnits(data, at + 5),
  value: readUnits(data, at + 6),
  fromPrice: readIndexPrice(data, at + 7),
  toPrice: readIndexPrice(data, at + 8),
})
