import { areWithdrawTermsValid } from '@candor/core/exchange/chain/terms.ts'
import { areTermsValid } from '@candor/core/exchange/market/list.ts'
import { areTermsValid as areSecondTermsValid } from '@candor/core/exchange/option/set-terms.ts'
import { indexScale } from '@candor/core/exchange/records/venue.ts'
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import { basePerLot, quotePerTickLot } from '@candor/core/money/price.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { fractionDigits } from '@candor/core/money/units.ts'
import { areConvertTermsValid } from '@candor/core/risk/convert.ts'
import { areReferralTermsValid } from '@candor/core/risk/referral.ts'
import { wrongPerpTerm } from '@candor/core/risk/perp-terms.ts'
import { countries } from '@candor/core/protocol/countries.ts'
import type { ConvertTerms } from '@candor/core/protocol/command/convert.ts'
import type { WithdrawTerms } from '@candor/core/protocol/command/chain.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { Change, OperateExchange } from '@candor/core/protocol/command/operate.ts'
import type { ReferralTerms } from '@candor/core/protocol/command/referral.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { AssetId, DecisionNumber, MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Asset, FeeTier, Market, MarketTerms, PerpTerms } from '@candor/core/protocol/market.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { termFields, type TermKind, type Terms } from '@candor/core/protocol/wire/changes.ts'
import { Refused } from '../refused.ts'
import { type AskFirms, currentFirm, firmChange } from './firms.ts'
import { type Holders, postingOf } from './postings.ts'
import { currentPresale, presaleChange, presaleOf } from './presales.ts'
import { fromText, type Scales, toText } from './terms.ts'
import { type PayingNetwork, placeOf, type WithdrawalPlace } from './withdrawals.ts'

/** `networks`: those on which customers can withdraw. `uidOf`: a customer's UID. */
export type AskTerms = Pick<
  Ask,
  'convertTerms' | 'listing' | 'marginTerms' | 'optionTerms' | 'presales' | 'referralTerms' | 'regions' | 'withdrawTerms'
> &
  AskFirms & {
    readonly networks: readonly PayingNetwork[]
    readonly uidOf: (user: UserId) => Promise<string>
  }
export type Listing = Awaited<ReturnType<Ask['listing']>>

/**
 * `terms`: as they are now; null for a market that is not listed, and for withdrawals without terms. `market`, `place`: what the terms
 * belong to.
 */
export type Current = {
  readonly terms: Terms | null
  readonly scales: Scales
  readonly market?: Market
  readonly place?: WithdrawalPlace
  /** The main account of the firm. */
  readonly firm?: UserId
  readonly listing: Listing
}

/** The members who decide, by their numbers, and their reason. */
export type People = Pick<OperateExchange, 'proposer' | 'approver' | 'reason'>

/**
 * Content of a decision's commands. `id`: its number. `payer`, `amount`: the firm's own account and its payment into the house fund.
 * `holders`: users of the core by the UIDs in the terms.
 */
export type Decision = {
  readonly id: number
  readonly kind: TermKind
  readonly terms: Terms
  readonly people: People
  readonly clientId: string
  readonly payer: UserId
  readonly amount: Units
  readonly holders: Holders
}

/**
 * The terms of a subject as they are now.
 *
 * throws  Refused MARKET_UNKNOWN, MARKET_EXISTS, FIELD_INVALID, NOT_FOUND
 */
export async function currentOf(ask: AskTerms, kind: TermKind, subject: string): Promise<Current> {
  const listing = await ask.listing()
  const { assets, markets } = listing
  const scales: Scales = { assets, markets, usdt: scaleOf(assets, 'USDT') }
  if (kind === 'spot' || kind === 'futures') {
    const market = markets.find((one) => one.symbol === subject && (one.perp !== undefined) === (kind === 'futures'))
    if (market === undefined) throw new Refused('MARKET_UNKNOWN')
    const own = { ...scales, quote: assets.find(({ id }) => id === market.quote)!.scale, lot: market.lot }
    return { terms: toText(kind, { ...market.terms, ...market.perp }, own), scales: own, market, listing }
  }
  if (kind === 'posting') return { terms: null, scales, listing }
  if (kind === 'listing' || kind === 'futures-listing') {
    if (markets.some(({ symbol }) => symbol === subject)) throw new Refused('MARKET_EXISTS')
    // A Futures market has the steps of the spot market that it follows; which one that is, its terms say.
    return { terms: null, scales, listing }
  }
  if (kind === 'country') return { terms: { ...(await regionOf(ask, subject)) }, scales, listing }
  if (kind === 'withdrawal') {
    const place = placeOf(subject, ask.networks, assets)
    const own = { ...scales, sum: place.asset.scale }
    const row = (await ask.withdrawTerms()).find(({ asset, network }) => asset === place.asset.id && network === place.network)
    return { terms: row === undefined ? null : toText(kind, row.terms, own), scales: own, place, listing }
  }
  if (kind === 'presale' || kind === 'presale-cancel') {
    const { number, asset } = presaleOf(subject, assets)
    const own = { ...scales, sum: asset.scale }
    const core = currentPresale(kind, await ask.presales(), number, asset)
    return { terms: core === null ? null : toText(kind, core, own), scales: own, listing }
  }
  if (kind === 'firm') {
    const { main, tier, withdrawMax } = await currentFirm(ask, subject)
    return { terms: toText(kind, { tier, withdrawMax }, scales), scales, firm: main, listing }
  }
  if (subject !== '') throw new Refused('FIELD_INVALID', { field: 'subject' })
  if (kind === 'fees') return { terms: toText(kind, { tiers: listing.fees, perpTiers: listing.perpFees }, scales), scales, listing }
  if (kind === 'referral') {
    const core = await ask.referralTerms()
    if (core === null) throw new Refused('NOT_FOUND')
    return { terms: toText(kind, { ...core, closedIn: core.closedIn.map((region) => ({ region })) }, scales), scales, listing }
  }
  if (kind === 'conversion') {
    const core = await ask.convertTerms()
    if (core === null) throw new Refused('NOT_FOUND')
    const hedger = core.hedger === 0 ? '' : await ask.uidOf(core.hedger)
    return { terms: toText(kind, { ...core, smallest: core.min, largest: core.max, hedger }, scales), scales, listing }
  }
  const terms = kind === 'margin' ? await ask.marginTerms() : (await ask.optionTerms()).terms
  if (terms === null) throw new Refused('NOT_FOUND')
  return { terms: toText(kind, terms, scales), scales, listing }
}

async function regionOf(ask: AskTerms, region: string) {
  if (region !== '*' && !countries.includes(region)) throw new Refused('FIELD_INVALID', { field: 'subject' })
  const rows = await ask.regions()
  const row = rows.find((one) => one.region === region) ?? rows.find((one) => one.region === '*')
  return { isLeverageOpen: row?.isLeverageOpen ?? false, isSecondOpen: row?.isSecondOpen ?? false }
}

/** The name of the value that takes a kind's products off the market; undefined when there is nothing to close. */
export function closing(kind: TermKind, terms: Terms): Terms | undefined {
  if (kind === 'spot' || kind === 'futures') return { ...terms, isTrading: false }
  if (Object.hasOwn(terms, 'isOpen')) return { ...terms, isOpen: false }
  return undefined
}

/**
 * The commands of a decision, each of which may be sent twice: a repeat sets the same terms again, what is listed is not listed
 * again, a payment has a client id, and a posting the number of its decision.
 *
 * throws  Refused FIELD_INVALID, MARKET_TERMS_INVALID
 */
export function commandsOf(decision: Decision, subject: string, now: Current): readonly Command[] {
  const { kind, terms, people, clientId, payer, amount } = decision
  if (kind === 'posting') return [postingOf(terms, decision.id as DecisionNumber, decision.holders, people, now.listing)]
  if (kind === 'listing') return listingOf(terms, now.listing).map((change) => operate(people, change))
  if (kind === 'futures-listing') return futuresOf(terms, now.listing).map((change) => operate(people, change))
  const core = fromText(kind, terms, now.scales)
  if (kind === 'presale' || kind === 'presale-cancel')
    return presaleChange(kind, core, presaleOf(subject, now.listing.assets), now).map((change) => operate(people, change))
  if (kind === 'firm') return [operate(people, firmChange(core, now.firm!, now.listing.fees.length))]
  if (kind === 'country')
    return [
      {
        ...{ type: 'region.operate', region: subject, ...people },
        ...{ isLeverageOpen: core['isLeverageOpen'] as boolean, isSecondOpen: core['isSecondOpen'] as boolean },
      },
    ]
  if (kind === 'second') {
    const second = core as unknown as OptionTerms
    if (!areSecondTermsValid(second)) throw new Refused('FIELD_INVALID', { field: 'terms' })
    return [{ type: 'option.operate', user: payer, clientId, amount, terms: second, ...people }]
  }
  if (kind === 'fees') return [operate(people, feesOf(core))]
  if (kind === 'margin') return [operate(people, { type: 'margin.setTerms', terms: core as unknown as MarginTerms })]
  if (kind === 'conversion') return [operate(people, { type: 'convert.setTerms', terms: convertTermsOf(core, terms, decision.holders) })]
  if (kind === 'referral') return [operate(people, { type: 'referral.setTerms', terms: referralTermsOf(core) })]
  if (kind === 'withdrawal') {
    const withdrawing = core as unknown as WithdrawTerms
    if (!areWithdrawTermsValid(withdrawing)) throw new Refused('FIELD_INVALID', { field: 'terms' })
    const { asset, network } = now.place!
    return [operate(people, { type: 'withdraw.setTerms', asset: asset.id, network, terms: withdrawing })]
  }
  const { id, basePerLot: lotUnits } = now.market!
  const plain = partOf(core, Object.keys(termFields.spot)) as MarketTerms
  if (!areTermsValid(plain, lotUnits)) throw new Refused('MARKET_TERMS_INVALID')
  if (kind === 'spot') return [operate(people, { type: 'market.set', market: id, terms: plain })]
  const perp = perpOf(core)
  return [operate(people, { type: 'perp.set', market: id, terms: plain, perp })]
}

/** The shelves in the order of the core. throws  Refused FIELD_INVALID */
function convertTermsOf(core: Readonly<Record<string, unknown>>, terms: Terms, holders: Holders): ConvertTerms {
  const { smallest: min, largest: max, ...rest } = core
  const hedger = holders.get(terms['hedger'] as string) ?? 0
  const shelves = (rest['shelves'] as ConvertTerms['shelves']).toSorted((one, other) => one.asset - other.asset)
  const converting = { ...rest, min, max, hedger, shelves } as unknown as ConvertTerms
  if (!areConvertTermsValid(converting)) throw new Refused('FIELD_INVALID', { field: 'terms' })
  return converting
}

/** Tiers and regions in the order of the core. throws  Refused FIELD_INVALID */
function referralTermsOf(core: Readonly<Record<string, unknown>>): ReferralTerms {
  const rows = core['closedIn'] as readonly { readonly region: string }[]
  const tiers = (core['tiers'] as ReferralTerms['tiers']).toSorted((one, other) => one.volumeMin - other.volumeMin)
  const closedIn = [...new Set(rows.map(({ region }) => region))].sort()
  const terms = { ...core, tiers, closedIn } as unknown as ReferralTerms
  if (!areReferralTermsValid(terms)) throw new Refused('FIELD_INVALID', { field: 'terms' })
  return terms
}

function feesOf(core: Readonly<Record<string, unknown>>): Change {
  const { tiers, perpTiers } = core as { readonly tiers: readonly FeeTier[]; readonly perpTiers: readonly FeeTier[] }
  return { type: 'fees.set', tiers, perpTiers }
}

const operate = (people: People, change: Change): Command => ({ type: 'exchange.operate', ...people, change })

function partOf(core: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return Object.fromEntries(names.map((name) => [name, core[name]]))
}

/** Everything is checked before: if the market were refused after its coin was listed, the coin could not be removed. */
function listingOf(terms: Terms, { assets, markets }: Listing): readonly Change[] {
  const { symbol, base, baseScale, quote: quoteSymbol } = terms as { readonly [name: string]: string } & { readonly baseScale: number }
  const [tick, lot] = [terms['tick'] as Decimal, terms['lot'] as Decimal]
  if (markets.some((one) => one.symbol === symbol)) return []
  const quote = assets.find((one) => one.symbol === quoteSymbol)
  if (quote === undefined || quote.symbol === base) throw new Refused('FIELD_INVALID', { field: 'terms.quote' })
  const known = assets.find((one) => one.symbol === base)
  if (known !== undefined && known.scale !== baseScale) throw new Refused('FIELD_INVALID', { field: 'terms.baseScale' })
  const isNew = known === undefined
  if (isNew && (!/^[A-Z0-9]{2,10}$/.test(base!) || baseScale > 12)) throw new Refused('FIELD_INVALID', { field: 'terms.base' })
  const lotUnits = Number(lot) > 0 ? basePerLot(lot, baseScale) : undefined
  if (lotUnits === undefined) throw new Refused('FIELD_INVALID', { field: 'terms.lot' })
  const isStep = Number(tick) > 0 && fractionDigits(tick) <= indexScale && quotePerTickLot(tick, lot, quote.scale) !== undefined
  if (!isStep) throw new Refused('FIELD_INVALID', { field: 'terms.tick' })
  const asset: Asset = known ?? { id: (assets.length + 1) as AssetId, symbol: base!, scale: baseScale }
  const scales = { assets: [...assets, ...(isNew ? [asset] : [])], markets, usdt: scaleOf(assets, 'USDT'), quote: quote.scale, lot }
  const plain = partOf(fromText('listing', terms, scales), Object.keys(termFields.spot)) as MarketTerms
  if (!/^[A-Z0-9]{4,20}$/.test(symbol!)) throw new Refused('FIELD_INVALID', { field: 'terms.symbol' })
  if (!areTermsValid(plain, lotUnits)) throw new Refused('MARKET_TERMS_INVALID')
  return [
    ...(isNew ? [{ type: 'asset.list', symbol: base!, scale: baseScale } as const] : []),
    { type: 'market.list', symbol: symbol!, base: asset.id, quote: quote.id, tick, lot, terms: plain },
  ]
}

/** The part of the terms that only Futures have. throws  Refused FIELD_INVALID with the first field that can't be so */
function perpOf(core: Readonly<Record<string, unknown>>): PerpTerms {
  const names = Object.keys(termFields.futures).filter((name) => !Object.hasOwn(termFields.spot, name))
  const perp = partOf(core, names) as PerpTerms
  const wrong = wrongPerpTerm(perp)
  if (wrong !== undefined) throw new Refused('FIELD_INVALID', { field: `terms.${wrong}` })
  return perp
}

/** A Futures market on the coin of its index, with the same steps. Nothing when it is listed. */
function futuresOf(terms: Terms, { assets, markets }: Listing): readonly Change[] {
  const symbol = String(terms['symbol'])
  if (markets.some((one) => one.symbol === symbol)) return []
  if (!/^[A-Z0-9]{4,20}$/.test(symbol)) throw new Refused('FIELD_INVALID', { field: 'terms.symbol' })
  const source = markets.find((one) => one.symbol === terms['index'])
  const quote = assets.find(({ id }) => id === source?.quote)
  // Futures are settled in USDT.
  if (source === undefined || source.perp !== undefined || quote?.symbol !== 'USDT')
    throw new Refused('FIELD_INVALID', { field: 'terms.index' })
  const { base, tick, lot, basePerLot: lotUnits } = source
  const core = fromText('futures', terms, { assets, markets, usdt: scaleOf(assets, 'USDT'), quote: quote.scale, lot })
  const plain = partOf(core, Object.keys(termFields.spot)) as MarketTerms
  if (!areTermsValid(plain, lotUnits)) throw new Refused('MARKET_TERMS_INVALID')
  return [{ type: 'perp.list', symbol, base, quote: quote.id, tick, lot, terms: plain, perp: perpOf(core) }]
}

/** Symbols of a market's base and quote asset, whose units its values have; empty for terms without a market. */
export function assetsOf({ market, listing }: Pick<Current, 'market' | 'listing'>): readonly string[] {
  if (market === undefined) return []
  return [market.base, market.quote].map((id: AssetId | MarketId) => listing.assets.find((asset) => asset.id === id)!.symbol)
}
