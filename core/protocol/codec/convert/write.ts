/** Writers of the events of conversions. Each mirrors its reader in `slots.ts`; the round trip is tested. */
import type { ConvertTerms } from '../../command/convert.ts'
import {
  type ConversionAccepted,
  type ConversionEnded,
  conversionEnds,
  type ConversionFacts,
  type ConversionQuoted,
  type ConvertEvent,
} from '../../event/convert.ts'
import { head } from '../records.ts'
import type { Records } from '../records.ts'
import { convertEventCodes as codes, convertTermsSlots, FACTS, writeConvertTerms } from './slots.ts'

export function writeQuoted(into: Records, event: Omit<ConversionQuoted, 'type'>): void {
  write(into, 'convert.quoted', event, event.expiresAt)
}

export function writeQuoteAccepted(into: Records, event: Omit<ConversionAccepted, 'type'>): void {
  write(into, 'convert.accepted', event, event.decidesFrom)
}

export function writeConverted(into: Records, event: ConversionFacts): void {
  write(into, 'convert.filled', event)
}

export function writeConversionEnded(into: Records, event: Omit<ConversionEnded, 'type'>): void {
  write(into, 'convert.ended', event, conversionEnds.indexOf(event.why))
}

export function writeConvertTermsChanged(into: Records, terms: ConvertTerms): void {
  const length = 1 + convertTermsSlots(terms)
  const at = into.reserve(length)
  into.data[at] = head(codes['convert.terms'], length)
  writeConvertTerms(terms, into.data, at + 1)
}

function write(into: Records, type: ConvertEvent['type'], facts: ConversionFacts, ...more: readonly number[]): void {
  const { quote, user, from, to, give, get, value, fromPrice, toPrice } = facts
  const length = 1 + FACTS + more.length
  const at = into.reserve(length)
  into.data[at] = head(codes[type], length)
  into.data.set([quote, user, from, to, give, get, value, fromPrice, toPrice, ...more], at + 1)
}
