/** Sums of the form before there is a quote: by the index, with the core's own functions. A quote may be worse by the book's price. */
import type { Decimal, IndexPrice, Ppm, Units } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import { converted, giveFor, type Priced, rateText, usdtPrice, worth } from '@candor/core/risk/convert.ts'
import { type Form, plain } from './form.ts'

const [priceScale, percentScale, usdtScale] = [8, 4, 6]
/** The sum by which the rate is computed: large enough for eight digits of every coin. 100,000 USDT. */
const reference = 100_000_000_000 as Units
const usdt: Priced = { price: usdtPrice, scale: usdtScale }

export type Summary = {
  readonly give: Units | undefined
  readonly get: Units | undefined
  /** Of what is given, in units of USDT. */
  readonly value: Units | undefined
  /** One `from` in `to`, and the inverse, the spread included. */
  readonly rate: Decimal | undefined
  readonly inverse: Decimal | undefined
  /** Whether both coins have a good index price. */
  readonly isPriced: boolean
}

export function summaryOf(form: Form, terms: WireConvertTerms, assets: readonly WireAsset[]): Summary {
  const [from, to] = [pricedOf(form.from, terms, assets), pricedOf(form.to, terms, assets)]
  const typed = typedUnits(form, assets)
  const [isGive, none] = [form.side === 'give', undefined]
  if (from === undefined || to === undefined)
    return { give: isGive ? typed : none, get: isGive ? none : typed, value: none, rate: none, inverse: none, isPriced: false }
  const spread = (parseUnits(terms.spreadPercent, percentScale) ?? 0) as Ppm
  const give = isGive || typed === undefined ? typed : giveFor(typed, from, to, spread)
  const get = isGive && typed !== undefined ? converted(typed, from, to, spread) : typed
  const value = give === undefined ? none : worth(give, from, usdt)
  return { give, get, value, ...ratesOf(from, to, spread), isPriced: true }
}

/** Units of the typed amount; undefined unless it is a number above zero. */
export function typedUnits(form: Form, assets: readonly WireAsset[]): Units | undefined {
  const units = parseUnits(plain(form.amount), scaleOf(assets, form.side === 'give' ? form.from : form.to))
  return units === undefined || units <= 0 ? undefined : units
}

/** A sum in USDT of the exchange, in units. */
export function usdtUnits(text: Decimal): Units {
  return (parseUnits(text, usdtScale) ?? 0) as Units
}

/** What is left of the limit of the day, at least 0, in USDT. */
export function leftOf({ limit, used }: { readonly limit: Decimal; readonly used: Decimal }): Decimal {
  return formatUnits(Math.max(0, usdtUnits(limit) - usdtUnits(used)), usdtScale)
}

function pricedOf(symbol: string, terms: WireConvertTerms, assets: readonly WireAsset[]): Priced | undefined {
  const price = terms.assets.find(({ asset }) => asset === symbol)?.price ?? null
  const units = price === null ? undefined : parseUnits(price, priceScale)
  return units === undefined ? undefined : { price: Number(units) as IndexPrice, scale: scaleOf(assets, symbol) }
}

function ratesOf(from: Priced, to: Priced, spread: Ppm): Pick<Summary, 'rate' | 'inverse'> {
  const give = worth(reference, usdt, from)
  const get = give === undefined ? undefined : converted(give, from, to, spread)
  if (give === undefined || get === undefined || get <= 0) return { rate: undefined, inverse: undefined }
  const [given, got] = [
    { units: give, scale: from.scale },
    { units: get, scale: to.scale },
  ]
  return { rate: rateText(got, given), inverse: rateText(given, got) }
}
