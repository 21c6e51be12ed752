import fc from 'fast-check'
import { plain } from '../../../money/test/plain.ts'
import type { ConvertCommand } from '../../command/convert.ts'
import type { ConvertEvent } from '../../event/convert.ts'
import * as convertWriters from '../convert/write.ts'
import type { Cases } from './cases.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()
const clientId = fc.stringMatching(/^[A-Za-z0-9.:/_-]{0,36}$/)

const terms = fc.record({
  ...{ isOpen: fc.boolean(), spreadPpm: safe, validMs: safe, delayMs: safe, waitMs: safe, driftPpm: safe, bookPpm: safe },
  ...{ min: safe, max: safe, userMax: safe, hedger: count },
  shelves: fc.array(fc.record({ asset: count, target: safe, band: safe }), { maxLength: 20 }),
})

/** Commands of conversions with any values. */
export const convertCommands: Record<ConvertCommand['type'], fc.Arbitrary<object>> = {
  'convert.setTerms': fc.record({ terms }),
  'convert.quote': fc.record({ user: count, clientId, from: count, to: count, amount: safe, isGet: fc.boolean() }),
  'convert.accept': fc.record({ user: count, quote: count }),
  'convert.hedge': fc.record({ user: count, clientId, asset: count, amount: safe, isTaking: fc.boolean() }),
}

const convert = plain(convertWriters)
const facts = {
  ...{ quote: 9_001, user: 3, from: 1, to: 2, give: 1_000_000_000, get: 1_997_600, value: 1_000_000_000 },
  ...{ fromPrice: 100_000_000, toPrice: 5_000_000_000_000 },
}
const quoted = { ...facts, expiresAt: 1_750_000_008_000 }
const accepted = { ...facts, decidesFrom: 1_750_000_001_500 }
const ended = { ...facts, why: 'no-index' as const }
const changed = {
  ...{ isOpen: true, spreadPpm: 1000, validMs: 8000, delayMs: 1500, waitMs: 10_000, driftPpm: 800, bookPpm: 10_000 },
  ...{ min: 5, max: 50, userMax: 500, hedger: 4, shelves: [{ asset: 1, target: 7, band: 3 }] },
}

/** Events of conversions, each with its writer. */
export const convertEvents: Cases<ConvertEvent['type']> = {
  'convert.quoted': { put: (into) => convert.writeQuoted(into, quoted), event: quoted },
  'convert.accepted': { put: (into) => convert.writeQuoteAccepted(into, accepted), event: accepted },
  'convert.filled': { put: (into) => convert.writeConverted(into, facts), event: facts },
  'convert.ended': { put: (into) => convert.writeConversionEnded(into, ended), event: ended },
  'convert.terms': { put: (into) => convert.writeConvertTermsChanged(into, changed), event: { terms: changed } },
}
