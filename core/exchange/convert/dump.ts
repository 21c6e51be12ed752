import { convertTermsSlots, readConvertTerms, readQuoteNumber, writeConvertTerms } from '../../protocol/codec/convert/slots.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt, type Read, readAssetId, readIndexPrice, readMillis, readPpm, readUnits, readUserId } from '../../protocol/codec/slots.ts'
import type { ConversionFacts } from '../../protocol/event/convert.ts'
import type { Acceptance, ConvertState, Quote } from './records/state.ts'

const facts = ['quote', 'user', 'from', 'to', 'give', 'get', 'value', 'fromPrice', 'toPrice'] as const
// Lists, each preceded by its length.
const QUOTE = layoutOf(...facts, 'expiresAt', 'delayMs', 'waitMs', 'driftPpm')
const ACCEPTANCE = layoutOf(...facts, 'acceptedAt', 'driftPpm', 'decidesFrom', 'endsAt')
const DAY = layoutOf('user', 'day', 'value')
const ENDED = layoutOf('quote', 'user')

/** The terms if there are any; accepted, open and ended quotes, each oldest first; then the days by user. */
export function dumpConvert(convert: ConvertState, into: Records): void {
  const { terms } = convert
  put(into, terms === undefined ? 0 : 1)
  if (terms !== undefined) {
    const at = into.reserve(convertTermsSlots(terms))
    writeConvertTerms(terms, into.data, at)
  }
  put(into, convert.accepted.size)
  for (const acceptance of convert.accepted.values()) putRecord(into, ACCEPTANCE, acceptance)
  put(into, convert.quotes.size)
  for (const quote of convert.quotes.values()) putRecord(into, QUOTE, quote)
  put(into, convert.ended.size)
  for (const [quote, user] of convert.ended) putRecord(into, ENDED, { quote, user })
  put(into, convert.days.size)
  for (const [user, { day, value }] of [...convert.days].sort((a, b) => a[0] - b[0])) putRecord(into, DAY, { user, day, value })
}

/** Reads what `dumpConvert` wrote at `start` into an empty state. Returns the index just after it. */
export const restoreConvert =
  (convert: ConvertState): Read<number> =>
  (data, start) => {
    let at = start + 1
    if (data[start] === 1) {
      convert.terms = readConvertTerms(data, at)
      at += convertTermsSlots(convert.terms)
    }
    for (let left = countAt(data, at++, ACCEPTANCE.length); left > 0; left--, at += ACCEPTANCE.length)
      convert.accept(acceptanceAt(data, at))
    for (let left = countAt(data, at++, QUOTE.length); left > 0; left--, at += QUOTE.length) convert.addQuote(quoteAt(data, at))
    for (let left = countAt(data, at++, ENDED.length); left > 0; left--, at += ENDED.length)
      convert.ended.set(readQuoteNumber(data, at + ENDED.quote), readUserId(data, at + ENDED.user))
    for (let left = countAt(data, at++, DAY.length); left > 0; left--, at += DAY.length)
      convert.days.set(readUserId(data, at + DAY.user), { day: readMillis(data, at + DAY.day), value: readUnits(data, at + DAY.value) })
    return at
  }

const factsAt: Read<ConversionFacts> = (data, at) => ({
  quote: readQuoteNumber(data, at + QUOTE.quote),
  user: readUserId(data, at + QUOTE.user),
  from: readAssetId(data, at + QUOTE.from),
  to: readAssetId(data, at + QUOTE.to),
  give: readUnits(data, at + QUOTE.give),
  get: readUnits(data, at + QUOTE.get),
  value: readUnits(data, at + QUOTE.value),
  fromPrice: readIndexPrice(data, at + QUOTE.fromPrice),
  toPrice: readIndexPrice(data, at + QUOTE.toPrice),
})

const quoteAt: Read<Quote> = (data, at) => ({
  ...factsAt(data, at),
  expiresAt: readMillis(data, at + QUOTE.expiresAt),
  delayMs: readMillis(data, at + QUOTE.delayMs),
  waitMs: readMillis(data, at + QUOTE.waitMs),
  driftPpm: readPpm(data, at + QUOTE.driftPpm),
})

const acceptanceAt: Read<Acceptance> = (data, at) => ({
  ...factsAt(data, at),
  acceptedAt: readMillis(data, at + ACCEPTANCE.acceptedAt),
  driftPpm: readPpm(data, at + ACCEPTANCE.driftPpm),
  decidesFrom: readMillis(data, at + ACCEPTANCE.decidesFrom),
  endsAt: readMillis(data, at + ACCEPTANCE.endsAt),
})
