/** Presales as text, for the app and the console. */
import type { Days, Decimal, Millis, Ppm, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { PresaleDetails } from '@candor/core/protocol/wire/console/presale.ts'
import type { LocaleCode } from '@candor/core/protocol/locales.ts'
import type * as wire from '@candor/core/protocol/wire/presale.ts'
import { costOf, dayMs, releaseDayAfter, releasedBy } from '@candor/core/risk/presale.ts'
import { textIn } from '../../presales/details.ts'
import { presaleStateOf } from '../../presales/state.ts'
import type { PresaleRow, SubscriptionRow } from '../../store/query/presale.ts'
import { amountText, type Listing } from '../listing.ts'

const [priceDigits, percentScale] = [18, 4] as const
/** All of an allocation, in ppm. */
const whole = 1_000_000 as Units

export function wirePresale(listing: Listing, row: PresaleRow, lang: LocaleCode, now: number): wire.WirePresale {
  const { terms } = row
  const [token, pay] = [listing.asset(terms.token), listing.asset(terms.pay)]
  const details = detailsOf(row)
  return {
    ...{ number: row.number, title: textIn(details, lang).title, name: details.name, symbol: token.symbol, payAsset: pay.symbol },
    ...{ state: presaleStateOf(row, now), outcome: row.outcome, startsAt: terms.startsAt, endsAt: terms.endsAt },
    ...{ price: priceOf(terms, token, pay), supply: amountText(token, terms.supply) },
    purchaseLimit: amountText(token, terms.purchaseLimit),
    subscriptionMin: amountText(pay, terms.subscriptionMin),
    subscriptionMax: amountText(pay, terms.subscriptionMax),
    softCap: terms.softCap === 0 ? null : amountText(pay, terms.softCap),
    ...{ lockDays: terms.release.lockDays, subscribers: row.subscribers, subscribed: amountText(pay, row.subscribed) },
    ratePercent: formatUnits((BigInt(row.subscribed) * 10_000n) / BigInt(costOf(terms.supply, terms.price)), 2),
    sold: row.sold === null ? null : amountText(token, row.sold),
    proceeds: row.proceeds === null ? null : amountText(pay, row.proceeds),
  }
}

export function wirePresaleDetail(listing: Listing, row: PresaleRow, lang: LocaleCode, now: number): wire.WirePresaleDetail {
  const { release, documentHash, detailsHash } = row.terms
  const details = detailsOf(row)
  const { title: _title, details: text, ...texts } = textIn(details, lang)
  return {
    ...wirePresale(listing, row, lang, now),
    ...{ ...texts, details: text, totalSupply: details.totalSupply, contract: details.contract },
    ...{ paper: documentHash === '' ? null : documentHash, detailsHash },
    release: {
      ...{ kind: release.kind, atListingPercent: percent(release.atListingPpm), lockDays: release.lockDays },
      steps: release.steps.map(({ day, ppm }) => ({ day, percent: percent(ppm) })),
    },
    schedule: releasesOf(row.terms, whole).map(({ day, at, total }) => ({ day, at, percent: formatUnits(total, percentScale) })),
  }
}

export function wireSubscription(
  listing: Listing,
  row: PresaleRow & { readonly own: SubscriptionRow },
  now: number,
): wire.WirePresaleSubscription {
  const { terms, own } = row
  const [token, pay] = [listing.asset(terms.token), listing.asset(terms.pay)]
  const sum = (asset: Asset, units: Units | null): Decimal | null => (units === null ? null : amountText(asset, units))
  const next = own.allocated === null ? undefined : releasesOf(terms, own.allocated).find(({ total }) => total > own.released!)
  return {
    ...{ presale: row.number, symbol: token.symbol, payAsset: pay.symbol, state: presaleStateOf(row, now), outcome: row.outcome },
    ...{ amount: amountText(pay, own.amount), subscribedAt: own.firstAt, lastAt: own.lastAt, endsAt: terms.endsAt },
    ...{ allocated: sum(token, own.allocated), cost: sum(pay, own.cost), refunded: sum(pay, own.refunded), decidedAt: row.decidedAt },
    released: sum(token, own.released),
    locked: own.allocated === null ? null : amountText(token, (own.allocated - own.released!) as Units),
    next: next === undefined ? null : { at: next.at, amount: amountText(token, (next.total - own.released!) as Units) },
  }
}

export function wireSchedule(listing: Listing, row: PresaleRow & { readonly own: SubscriptionRow }, now: number): wire.WirePresaleSchedule {
  const token = listing.asset(row.terms.token)
  const { allocated, released } = row.own
  const releases = allocated === null ? [] : releasesOf(row.terms, allocated)
  return {
    subscription: wireSubscription(listing, row, now),
    releases: releases.map(({ day, at, amount, total }) => ({
      ...{ day, at, amount: amountText(token, amount), total: amountText(token, total), isFree: total <= (released ?? 0) },
    })),
  }
}

type Release = { readonly day: Days; readonly at: Millis; readonly amount: Units; readonly total: Units }

/** The days on which parts of an allocation become free. Of a few units, some days bring none. */
function releasesOf({ endsAt, release }: PresaleTerms, allocated: Units): readonly Release[] {
  const found: Release[] = []
  let before = 0
  for (let day: Days | undefined = 0 as Days; day !== undefined; day = releaseDayAfter(release, day)) {
    const total = releasedBy(allocated, release, day)
    const amount = (total - before) as Units
    if (amount > 0) found.push({ day, at: (endsAt + day * dayMs) as Millis, amount, total })
    before = total
  }
  return found
}

/** Price of one whole token in whole coins, cut off after eighteen digits. */
function priceOf({ price }: PresaleTerms, token: Asset, pay: Asset): Decimal {
  const exact = BigInt(price.pay) * 10n ** BigInt(token.scale + priceDigits)
  return formatUnits(exact / (BigInt(price.per) * 10n ** BigInt(pay.scale)), priceDigits)
}

const nothing = { title: '', overview: '', details: '', pool: '', useOfFunds: '', risks: '' }

/** The details as they were hashed. A presale that was opened without any is shown without texts. */
function detailsOf({ details }: PresaleRow): PresaleDetails {
  if (details === null) return { token: '', name: '', totalSupply: '0', contract: null, texts: { en: nothing } }
  return JSON.parse(details) as PresaleDetails
}

function percent(ppm: Ppm): Decimal {
  return formatUnits(ppm, percentScale)
}
