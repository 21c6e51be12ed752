import { CONVERT } from '../../ledger/reasons.ts'
import type { Millis } from '../../money/brand.ts'
import { writeConversionEnded, writeConverted, writeQuoteAccepted } from '../../protocol/codec/convert/write.ts'
import { readQuoteNumber } from '../../protocol/codec/convert/slots.ts'
import { CONVERT_QUOTE, USER } from '../../protocol/codec/layout.ts'
import { readUserId } from '../../protocol/codec/slots.ts'
import type { ConversionEnd } from '../../protocol/event/convert.ts'
import type { OrderId } from '../../protocol/ids.ts'
import { movementsFrom } from '../../protocol/ids.ts'
import { hasMoved } from '../../risk/convert.ts'
import type { Handler } from '../state/handler.ts'
import { isFull } from '../state/room.ts'
import type { State } from '../state/state.ts'
import { pairOf } from './prices.ts'
import type { Acceptance } from './records/state.ts'
import { inventoryRow, isWithinShelves } from './shelves.ts'

/** Acceptances that one command decides. The rest waits for the next tick. */
const decidedMax = 256

/**
 * `convert.accept`: holds both amounts. From here on nothing but the index decides: it converts all, or nothing. A repeat of an
 * acceptance changes nothing.
 */
export const acceptQuote: Handler = (x, data, start) => {
  const { convert, ledger } = x
  const [user, number] = [readUserId(data, start + USER), readQuoteNumber(data, start + CONVERT_QUOTE)]
  const known = convert.accepted.get(number)?.user ?? convert.ended.get(number)
  if (known === user) {
    x.order = (movementsFrom + number) as OrderId
    return undefined
  }
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user) && convert.quotes.get(user)?.from === x.usdt) return 'RESTING'
  const quote = convert.quotes.get(user)
  if (quote === undefined || quote.quote !== number) return 'QUOTE_UNKNOWN'
  if (quote.expiresAt < x.atMs) return 'QUOTE_EXPIRED'
  const { from, to, give, get, value } = quote
  if (ledger.available(ledger.findSpot(user, from)) < give) return 'INSUFFICIENT_BALANCE'
  if (x.desks.spot.isOverTurnover(x, user, value)) return 'TURNOVER_LIMIT'
  const { terms } = convert
  if (terms?.isOpen !== true) return 'PRODUCT_CLOSED'
  if (isFull(x)) return 'EXCHANGE_FULL'
  if (convert.convertedOn(x.firm.customerOf(user), x.atMs) + value > terms.userMax) return 'CONVERT_LIMIT'
  if (!isWithinShelves(x, quote)) return 'INVENTORY_LIMIT'

  const { delayMs, waitMs, driftPpm, expiresAt: _expiresAt, ...facts } = quote
  const decidesFrom = (x.atMs + delayMs) as Millis
  x.order = (movementsFrom + number) as OrderId
  // Made here, so that the conversion itself opens no account.
  ledger.spotRow(user, to)
  ledger.hold(ledger.findSpot(user, from), give)
  ledger.hold(inventoryRow(x, to), get)
  const acceptance = { ...facts, acceptedAt: x.atMs, driftPpm, decidesFrom, endsAt: (x.atMs + waitMs) as Millis }
  convert.accept(acceptance)
  convert.count(x.firm.customerOf(user), acceptance)
  writeQuoteAccepted(x.events, { ...facts, decidesFrom })
  return undefined
}

/** Decides the acceptances whose time has come, by the index of this tick. */
export function decideConversions(x: State): void {
  let left = decidedMax
  for (const acceptance of x.convert.accepted.values()) {
    if (left === 0) return
    if (acceptance.decidesFrom > x.atMs) continue
    const { from, to, fromPrice, toPrice, driftPpm } = acceptance
    const now = pairOf(x, from, to)
    if (now === undefined) continue
    left--
    if (hasMoved({ from: fromPrice, to: toPrice }, now, driftPpm)) end(x, acceptance, 'moved')
    else convert(x, acceptance)
  }
}

/** Ends the acceptances that waited too long for a good index. */
export function endWaiting(x: State): void {
  let left = decidedMax
  for (const acceptance of x.convert.accepted.values()) {
    if (left === 0) return
    if (acceptance.endsAt > x.atMs) continue
    left--
    end(x, acceptance, 'no-index')
  }
}

/** Time from which `endWaiting` has something to do; Infinity for never. */
export function convertDueAtMs(x: State): number {
  let due = Infinity
  for (const { endsAt } of x.convert.accepted.values()) due = Math.min(due, endsAt)
  return due
}

function convert(x: State, acceptance: Acceptance): void {
  const { ledger } = x
  const { user, from, to, give, get, value } = acceptance
  x.convert.end(acceptance)
  ledger.payHeld(ledger.findSpot(user, from), inventoryRow(x, from), give, CONVERT)
  ledger.payHeld(inventoryRow(x, to), ledger.findSpot(user, to), get, CONVERT)
  x.desks.spot.count(x, user, value)
  writeConverted(x.events, acceptance)
}

/** Gives everything back. */
function end(x: State, acceptance: Acceptance, why: ConversionEnd): void {
  const { ledger } = x
  const { user, from, to, give, get } = acceptance
  x.convert.end(acceptance)
  ledger.release(ledger.findSpot(user, from), give)
  ledger.release(inventoryRow(x, to), get)
  x.convert.uncount(x.firm.customerOf(user), acceptance)
  writeConversionEnded(x.events, { ...acceptance, why })
}
