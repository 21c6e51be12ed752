import type { Decimal } from '@candor/core/money/brand.ts'

/** Reference rates of one day. `date`: "2026-04-13". `perEuro`: units of a currency for one euro; the euro itself is not in it. */
export type ReferenceRates = { readonly date: string; readonly perEuro: ReadonlyMap<string, Decimal> }

/** A file that can't be what the source publishes. */
export class RatesFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RatesFault'
  }
}

/** Far above the size of the real file, which has about 2 kB. */
export const fileMax = 65_536
/** Without these a file is not taken: the app offers them first. */
const needed = ['USD', 'GBP', 'CHF', 'JPY', 'CNY', 'HKD'] as const
const dayMs = 86_400_000
const scale = 10n ** 12n
/** How far a rate may be from the last one: ten percent, and half a percent more for each day between, at most half. In 1e-12. */
const jump = { base: scale / 10n, perDay: scale / 200n, most: scale / 2n } as const

const outer = /^<Cube>$/
const dated = /^<Cube time=(["'])(\d{4}-\d{2}-\d{2})\1>$/
const priced = /^<Cube currency=(["'])([A-Z]{3})\1 rate=(["'])(\d{1,9}(?:\.\d{1,8})?)\3\s*\/>$/

/** Reads the daily file of the European Central Bank: one day, and each currency once. Throws RatesFault for anything else. */
export function parseRates(xml: string): ReferenceRates {
  if (xml.length > fileMax) throw new RatesFault('the file is too long')
  if (/<!(DOCTYPE|ENTITY|\[CDATA)/i.test(xml)) throw new RatesFault('the file declares more than rates')
  let date: string | undefined
  const perEuro = new Map<string, Decimal>()
  for (const [tag] of xml.matchAll(/<Cube\b[^>]*>/g)) {
    if (outer.test(tag)) continue
    const day = dated.exec(tag)?.[2]
    const [, , currency, , rate] = priced.exec(tag) ?? []
    if (day !== undefined && date === undefined) date = day
    else if (currency !== undefined && rate !== undefined && date !== undefined && !perEuro.has(currency)) perEuro.set(currency, rate)
    else throw new RatesFault(`the file has ${tag.slice(0, 60)}`)
  }
  if (date === undefined || !isDay(date)) throw new RatesFault('the file has no day')
  const missing = needed.find((currency) => !perEuro.has(currency))
  if (missing !== undefined) throw new RatesFault(`the file has no ${missing}`)
  const zero = [...perEuro].find(([, rate]) => units(rate) === 0n)
  if (zero !== undefined) throw new RatesFault(`${zero[0]} is worth nothing`)
  return { date, perEuro }
}

/**
 * Whether rates may replace the last ones. Throws RatesFault for a day that is still to come, or a rate that is too far from its last
 * one.
 *
 * returns  false for a day that is not newer
 */
export function mayReplace(next: ReferenceRates, last: ReferenceRates, nowMs: number): boolean {
  if (next.date <= last.date) return false
  if (Date.parse(next.date) > nowMs + dayMs) throw new RatesFault(`${next.date} is still to come`)
  const days = BigInt(Math.round((Date.parse(next.date) - Date.parse(last.date)) / dayMs))
  const allowed = jump.base + jump.perDay * days
  const most = allowed < jump.most ? allowed : jump.most
  for (const [currency, rate] of next.perEuro) {
    const before = last.perEuro.get(currency)
    if (before === undefined) continue
    const moved = (units(rate) * scale) / units(before) - scale
    if (moved > most || moved < -most) throw new RatesFault(`${currency} went from ${before} to ${rate}`)
  }
  return true
}

/** Units of each currency for one US dollar with ten decimal places, rounded down, by symbol; the dollar and the euro among them. */
export function perDollar({ perEuro }: ReferenceRates): readonly { readonly currency: string; readonly rate: Decimal }[] {
  const dollar = units(perEuro.get('USD') as Decimal)
  const all: [string, bigint][] = [['EUR', scale], ...[...perEuro].map(([currency, rate]): [string, bigint] => [currency, units(rate)])]
  return all
    .map(([currency, rate]) => ({ currency, rate: decimalOf((rate * 10n ** 10n) / dollar) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

function isDay(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text
}

/** A rate in 1e-12. It has at most eight decimal places. */
function units(rate: Decimal): bigint {
  const [whole = '0', part = ''] = rate.split('.')
  return BigInt(whole + part.padEnd(12, '0'))
}

function decimalOf(tenths: bigint): Decimal {
  const text = String(tenths).padStart(11, '0')
  return `${text.slice(0, -10)}.${text.slice(-10)}`.replace(/\.?0+$/, '')
}
