/** Conversions as text: for the app and for programs. */
import type { Decimal, Ppm } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { ConvertTerms, QuoteConversion } from '@candor/core/protocol/command/convert.ts'
import { movementsFrom, type UserId } from '@candor/core/protocol/ids.ts'
import type { ConvertStanding } from '@candor/core/protocol/port.ts'
import type { WireConversion, WireConvertTerms, WireQuote } from '@candor/core/protocol/wire/convert.ts'
import { rateText, spreadOf, type Sum } from '@candor/core/risk/convert.ts'
import { Refused } from '../../refused.ts'
import { conversionOf, type ConversionRow } from '../../store/query/convert.ts'
import { type Context, execute } from '../context.ts'
import { amountText, type Listing } from '../listing.ts'

/** Digits behind the point of an index price, and of a share in ppm that is printed in percent. */
const [priceScale, percentScale] = [8, 4]

/** Terms before they are set for the first time: nothing can be converted. */
const closed: WireConvertTerms = {
  ...{ isOpen: false, spreadPercent: '0', driftPercent: '0', validMs: 0, delayMs: 0, min: '0', max: '0', assets: [] },
}

/** The terms, and the coins with their index prices. */
export async function convertTermsOf({ ask, listing }: Context): Promise<WireConvertTerms> {
  const [terms, inventory] = await Promise.all([ask.convertTerms(), ask.convertInventory()])
  if (terms === null) return closed
  const usdt = listing.assetNamed('USDT')
  const { isOpen, spreadPpm, driftPpm, validMs, delayMs, min, max } = terms
  return {
    ...{ isOpen, spreadPercent: percent(spreadPpm), driftPercent: percent(driftPpm), validMs, delayMs },
    ...{ min: amountText(usdt, min), max: amountText(usdt, max) },
    assets: inventory.map(({ asset, price }) => ({
      asset: listing.asset(asset).symbol,
      price: price === null ? null : formatUnits(price, priceScale),
    })),
  }
}

/** An open quote of the core. */
export function wireQuote(listing: Listing, quote: NonNullable<ConvertStanding['quote']>, { spreadPpm }: ConvertTerms): WireQuote {
  const [from, to] = [listing.asset(quote.from), listing.asset(quote.to)]
  const [give, get] = [amountText(from, quote.give), amountText(to, quote.get)]
  return {
    ...{ id: String(quote.quote), from: from.symbol, to: to.symbol, give, get },
    ...ratesOf({ units: quote.give, scale: from.scale }, { units: quote.get, scale: to.scale }),
    spread: amountText(to, spreadOf(quote.get, spreadPpm)),
    value: amountText(listing.assetNamed('USDT'), quote.value),
    expiresAt: quote.expiresAt,
  }
}

/**
 * Asks the core for a quote, which replaces the user's open one.
 *
 * throws  Refused with the core's refusal, or QUOTE_EXPIRED for a repeat of an old request
 */
export async function quoteFor(context: Context, asked: Omit<QuoteConversion, 'type'>): Promise<WireQuote> {
  const { ask, listing } = context
  const { order } = await execute(context, asked.user, { type: 'convert.quote', ...asked })
  const [{ quote }, terms] = await Promise.all([ask.convertStanding(asked.user), ask.convertTerms()])
  // A repeat of an old request, or a newer quote from another device.
  if (quote?.quote !== order - movementsFrom || terms === null) throw new Refused('QUOTE_EXPIRED')
  return wireQuote(listing, quote, terms)
}

/** A row of the tables. */
export function wireConversion(listing: Listing, row: ConversionRow): WireConversion {
  const [from, to] = [listing.assetNamed(row.from), listing.assetNamed(row.to)]
  const [give, get] = [parseUnits(row.give, from.scale)!, parseUnits(row.get, to.scale)!]
  const value = parseUnits(row.value, listing.assetNamed('USDT').scale)!
  return {
    ...{ id: String(row.id), from: row.from, to: row.to, give: amountText(from, give), get: amountText(to, get) },
    ...ratesOf({ units: give, scale: from.scale }, { units: get, scale: to.scale }),
    value: amountText(listing.assetNamed('USDT'), value),
    ...{ state: row.state, acceptedAt: row.acceptedAt, decidesFrom: row.decidesFrom, endedAt: row.endedAt },
  }
}

/**
 * An accepted quote of the user, from the tables.
 *
 * throws  Refused QUOTE_UNKNOWN, STATUS_UNKNOWN
 */
export async function conversionNamed(context: Context, user: UserId, id: string): Promise<WireConversion> {
  await context.freshness.written(user)
  const row = await conversionOf(context.pool, user, Number(id))
  if (row === undefined) throw new Refused('QUOTE_UNKNOWN')
  return wireConversion(context.listing, row)
}

/** One unit of what is given in what is received, and the other way round. */
function ratesOf(give: Sum, get: Sum): { readonly rate: Decimal; readonly inverse: Decimal } {
  return { rate: rateText(get, give), inverse: rateText(give, get) }
}

function percent(ppm: Ppm): Decimal {
  return formatUnits(ppm, percentScale)
}
