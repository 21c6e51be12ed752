import { areTermsValid } from '@candor/core/exchange/market/list.ts'
import { indexScale } from '@candor/core/exchange/records/venue.ts'
import type { Lots, Ppm, Units } from '@candor/core/money/brand.ts'
import { basePerLot, parseLots, quotePerTickLot } from '@candor/core/money/price.ts'
import { fractionDigits, isDecimal, parseUnits } from '@candor/core/money/units.ts'
import type { ListAsset, ListMarket } from '@candor/core/protocol/command/market.ts'
import type { Asset, Market, MarketTerms } from '@candor/core/protocol/market.ts'
import { notionalMax } from '@candor/core/risk/spot.ts'
import { z } from 'zod'
import { CommandFault } from './command.ts'
import { firstTerms } from './defaults.ts'

/** A positive decimal: the step of prices or quantities. */
const step = z.string().refine((text) => isDecimal(text) && Number(text) > 0, 'is decimal text above zero')
const amount = z.string().refine((text) => isDecimal(text) && !text.startsWith('-'), 'is decimal text, not negative')
const ppm = z
  .int()
  .nonnegative()
  .transform((value) => value as Ppm)

/** The file that `candor market add` reads. Missing terms default to those of the markets of first start. */
const marketFile = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]{4,20}$/, 'has 4 to 20 capital letters and digits'),
  base: z.string(),
  quote: z.string(),
  tick: step,
  lot: step,
  /** Scale of the base asset, needed when the asset is not listed yet. */
  baseScale: z.int().min(0).max(12).exactOptional(),
  terms: z
    .strictObject({
      makerFeePpm: ppm.exactOptional(),
      takerFeePpm: ppm.exactOptional(),
      notionalMin: amount.exactOptional(),
      quantityMin: step.exactOptional(),
      quantityMax: step.exactOptional(),
      bandPpm: ppm.exactOptional(),
      slippagePpm: ppm.exactOptional(),
      openOrdersMax: z.int().positive().exactOptional(),
      isTrading: z.boolean().exactOptional(),
    })
    .exactOptional(),
})

type MarketFile = z.infer<typeof marketFile>
type Listed = { readonly assets: readonly Asset[]; readonly markets: readonly Market[] }

/** throws  CommandFault that names the first wrong field */
export function readMarketFile(text: string): MarketFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new CommandFault(`The file is not JSON: ${(cause as Error).message}`)
  }
  const read = marketFile.safeParse(json)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new CommandFault(`${issue!.path.join('.') || 'The file'}: ${issue!.message}`)
}

/**
 * The commands that list the market, with that of its base asset first if it is not listed yet. Everything is checked before: if
 * the market were refused after the asset was listed, the asset could not be removed.
 *
 * throws  CommandFault
 */
export function listingCommands(file: MarketFile, { assets, markets }: Listed): readonly (ListAsset | ListMarket)[] {
  const { symbol, tick, lot } = file
  if (markets.some((market) => market.symbol === symbol)) throw new CommandFault(`${symbol} is already listed: change it with market set`)
  const quote = assets.find((asset) => asset.symbol === file.quote)
  if (quote === undefined) throw new CommandFault(`quote: ${file.quote} is not listed`)
  const known = assets.find((asset) => asset.symbol === file.base)
  const base = known ?? newAsset(file, assets)
  if (known !== undefined && file.baseScale !== undefined && file.baseScale !== known.scale) {
    throw new CommandFault(`baseScale: ${known.symbol} is listed with ${known.scale}`)
  }
  if (base.id === quote.id) throw new CommandFault('base and quote are the same')
  const lotUnits = basePerLot(lot, base.scale) ?? wrong(`lot: ${lot} has more digits than ${base.symbol}`)
  if (fractionDigits(tick) > indexScale) throw new CommandFault(`tick: ${tick} has more than ${indexScale} digits`)
  if (quotePerTickLot(tick, lot, quote.scale) === undefined) {
    throw new CommandFault(`tick × lot: ${tick} × ${lot} is not a whole number of the smallest unit of ${quote.symbol}`)
  }
  const terms = termsOf(file, quote, lotUnits)
  if (!areTermsValid(terms, lotUnits)) throw new CommandFault('terms: a value is out of range, or two contradict each other')
  const market = { type: 'market.list', symbol, base: base.id, quote: quote.id, tick, lot, terms } as const
  return known === undefined ? [{ type: 'asset.list', symbol: base.symbol, scale: base.scale }, market] : [market]
}

/** The base asset with the number that the exchange will give it. */
function newAsset({ base, baseScale }: MarketFile, assets: readonly Asset[]): Asset {
  if (baseScale === undefined) throw new CommandFault(`base: ${base} is not listed; baseScale says how many decimal places it gets`)
  if (!/^[A-Z0-9]{2,10}$/.test(base)) throw new CommandFault('base: a symbol has 2 to 10 capital letters and digits')
  return { id: (assets.length + 1) as Asset['id'], symbol: base, scale: baseScale }
}

/** lotUnits  base units in one lot: limits the largest quantity to what an order may hold */
function termsOf({ lot, terms = {} }: MarketFile, quote: Asset, lotUnits: number): MarketTerms {
  const { notionalMin, quantityMin, quantityMax, ...plain } = terms
  const first = firstTerms(quote.symbol, quote.scale)
  const lots = (name: string, text: string): Lots => parseLots(text, lot) ?? wrong(`terms.${name}: ${text} is no whole number of lots`)
  const units = (name: string, text: string): Units =>
    parseUnits(text, quote.scale) ?? wrong(`terms.${name}: ${text} has more digits than ${quote.symbol}`)
  return {
    ...first,
    ...plain,
    notionalMin: notionalMin === undefined ? first.notionalMin : units('notionalMin', notionalMin),
    lotsMin: quantityMin === undefined ? first.lotsMin : lots('quantityMin', quantityMin),
    lotsMax:
      quantityMax === undefined ? (Math.min(first.lotsMax, Math.floor(notionalMax / lotUnits)) as Lots) : lots('quantityMax', quantityMax),
  }
}

function wrong(text: string): never {
  throw new CommandFault(text)
}
