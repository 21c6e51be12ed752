/**
 * Numbers, money and times in the format of a language. Formatters are created once per language, because creating one costs more
 * than using it a hundred times. Amounts stay decimal text, which `Intl` formats exactly with any number of digits.
 */
import type { Decimal } from '@candor/core/money/brand.ts'

export type Formats = {
  /** At least `min` and at most `max` decimal places; never scientific. Default 0 to 8. */
  number(value: Decimal | number, min?: number, max?: number): string
  /** Grouped, with exactly the places of the text: for prices and amounts, which carry their own precision. */
  exact(value: Decimal): string
  /** A price of a market. Before its first one, which the exchange sends as 0, and while it loads: a dash. */
  quoted(value: Decimal | undefined): string
  /**
   * A sum of a coin with the coin's places, cut off and never rounded: 1234.567 USDT is "1,234.56". A sum that its places would show as
   * zero has all of its digits. `isFull` shows all digits of any sum, in at least the coin's places: for fees, receipts and what is confirmed.
   */
  sum(value: Decimal, asset: string, isFull?: boolean): string
  /** A sum in USDT. */
  usdt(value: Decimal): string
  /** A price with the places of its market's tick. An average between two ticks has one place more. */
  price(value: Decimal, digits?: number): string
  /** "+2.41 %" in the format of the language, with a sign unless zero. `value` is percent: "2.41". */
  change(value: Decimal): string
  /** Without sign. `value` is percent. */
  percent(value: Decimal | number, digits?: number): string
  /** Parts per million as percent: 1000 is 0.1 %. */
  ppm(value: number): string
  /** 1.84B, 12.5K. */
  compact(value: Decimal | number): string
  /** The text of a number field while typing, with the language's decimal sign: "0,5" or "0," in German. */
  typing(text: string): string
  /** The plain decimal of a number field, grouped, with its own places: "1.234,50" in German. */
  field(text: string): string
  /** The decimal sign of the language and the sign between its groups. */
  readonly marks: { readonly decimal: string; readonly group: string }
  time(ms: number): string
  /** With seconds. */
  clock(ms: number): string
  date(ms: number): string
  dateTime(ms: number): string
  /** The same time in UTC, shown by a tap on a time. */
  utc(ms: number): string
  /** "3 minutes ago". */
  ago(ms: number, now?: number): string
  /** "25 sec", "3 min": how long something has lasted, in whole seconds below two minutes. */
  span(ms: number): string
}

const built = new Map<string, Formats>()

/** The formats of a BCP 47 language, with times in the device's zone or in UTC. */
export function decimalFormats(tag: string, zone: 'local' | 'utc' = 'local'): Formats {
  const key = `${tag} ${zone}`
  const known = built.get(key)
  if (known !== undefined) return known
  const formats = build(tag, zone)
  built.set(key, formats)
  return formats
}

function build(tag: string, zone: 'local' | 'utc'): Formats {
  // Spanish and Italian don't group four digits by default, which would make a column of prices uneven.
  const useGrouping = 'always'
  const numbers = new Map<string, Intl.NumberFormat>()
  const number = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options)
    const format = numbers.get(key) ?? new Intl.NumberFormat(tag, { useGrouping, ...options } as Intl.NumberFormatOptions)
    numbers.set(key, format)
    return format
  }
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {}
  const moment = (options: Intl.DateTimeFormatOptions): ((ms: number) => string) => {
    let format: Intl.DateTimeFormat | undefined
    return (ms) => (format ??= new Intl.DateTimeFormat(tag, { ...options, ...timeZone })).format(ms)
  }
  let relative: Intl.RelativeTimeFormat | undefined

  const decimal = (value: Decimal | number, min: number, max: number): string =>
    number({ minimumFractionDigits: min, maximumFractionDigits: max }).format(value as number)

  const parts = number({}).formatToParts(1_234_567.5)
  const markOf = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? '.'
  const marks = { decimal: markOf('decimal'), group: markOf('group') }

  const sum: Formats['sum'] = (value, asset, isFull = false) => {
    const own = placesOf(value)
    // The token of a presale is in no list of coins.
    const places = sumPlaces(asset) ?? own
    const short = value.slice(0, value.length - Math.max(0, own - places))
    return decimal(isFull || !/[1-9]/.test(short) ? value : short, places, Math.max(places, own))
  }

  const exact = (value: Decimal): string => {
    const digits = placesOf(value)
    return decimal(value, digits, digits)
  }

  return {
    number: (value, min = 0, max = 8) => decimal(value, min, max),
    exact,
    quoted: (value) => (value === undefined || Number(value) === 0 ? '–' : exact(value)),
    sum,
    usdt: (value) => sum(value, 'USDT'),
    price: (value, digits = placesOf(value)) => decimal(value, digits, digits + 1),
    change: (value) =>
      number({ style: 'unit', unit: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' }).format(
        value as unknown as number,
      ),
    percent: (value, digits = 2) =>
      number({ style: 'unit', unit: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value as number),
    ppm: (value) => number({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(value / 1_000_000),
    compact: (value) => number({ notation: 'compact', maximumSignificantDigits: 4 } as Intl.NumberFormatOptions).format(value as number),
    typing: (text) => text.replace('.', marks.decimal),
    field(text) {
      const [whole = '', ...part] = text.split('.')
      return [whole.replace(/\B(?=(\d{3})+$)/g, marks.group), ...part].join(marks.decimal)
    },
    marks,
    time: moment({ hour: '2-digit', minute: '2-digit' }),
    clock: moment({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    date: moment({ dateStyle: 'medium' }),
    dateTime: moment({ dateStyle: 'medium', timeStyle: 'short' }),
    utc: (ms) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    ago(ms, now = Date.now()) {
      relative ??= new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
      const seconds = Math.round((ms - now) / 1000)
      if (Math.abs(seconds) < 60) return relative.format(0, 'minute')
      if (Math.abs(seconds) < 3_600) return relative.format(Math.round(seconds / 60), 'minute')
      if (Math.abs(seconds) < 86_400) return relative.format(Math.round(seconds / 3_600), 'hour')
      return relative.format(Math.round(seconds / 86_400), 'day')
    },
    span(ms) {
      const seconds = Math.round(ms / 1_000)
      const [unit, value] =
        seconds < 120 ? ['second', seconds] : seconds < 7_200 ? ['minute', seconds / 60] : ['hour', Math.floor(seconds / 3_600)]
      return number({ style: 'unit', unit: unit as string, unitDisplay: 'short', maximumFractionDigits: 0 }).format(value as number)
    },
  }
}

/** Number of decimal places of a text: "67412.50" has 2. */
export function placesOf(value: Decimal): number {
  const point = value.indexOf('.')
  return point < 0 ? 0 : value.length - point - 1
}

/** Decimal places of the listed coins. */
const scales = new Map<string, number>()

/** Coins of which one is a dollar. */
const dollars = /^(USD[TC]|DAI|TUSD)$/

/** Keeps the places of the listed coins. Called whenever the exchange's list arrives. */
export function learnPlaces(assets: readonly { readonly symbol: string; readonly scale: number }[]): void {
  for (const { symbol, scale } of assets) scales.set(symbol, scale)
}

/**
 * How many decimal places the sums of a coin show, so that a column of them lines up: two for dollars, all places of the exchange for
 * any other coin. Undefined for a coin that is not listed, such as the token of a presale.
 */
export function sumPlaces(asset: string): number | undefined {
  return dollars.test(asset) ? 2 : scales.get(asset)
}
