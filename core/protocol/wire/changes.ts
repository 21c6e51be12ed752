/**
 * Terms of the exchange as decisions, pages and the public list of changes know them: one table of fields for each kind, with the unit
 * of each value. Money and quantities are decimal text, all other values are numbers.
 */

/**
 * Unit of a value:
 *
 *   ppm, nano, pico   parts of 1e6, 1e9 and 1e12
 *   times, count      whole numbers; `times` is a leverage
 *   ms, seconds, hours
 *   usdt, quote       decimal text; `quote` in the market's quote asset
 *   lots              decimal text in the market's base asset
 *   sum               decimal text in the asset that the terms are about
 *   own               decimal text in the asset of its row
 *   market, asset     a symbol
 *   decimal, name     decimal text, and a symbol that may be new
 *   region            a region's code, such as `DE`
 *   account           a customer's UID, or an account of the exchange that the staff post to
 *   uid               a customer's UID; empty for none
 *   time              a moment, in milliseconds since 1970
 *   hash              a SHA-256 in lower-case hexadecimal, or empty
 *   release           a word of `releaseKinds`
 */
export const termUnits = [
  ...(['flag', 'ppm', 'nano', 'pico', 'times', 'count', 'ms', 'seconds', 'hours'] as const),
  ...(['usdt', 'quote', 'lots', 'sum', 'own', 'market', 'asset', 'decimal', 'name', 'region', 'account', 'uid'] as const),
  ...(['time', 'hash', 'release'] as const),
] as const
export type TermUnit = (typeof termUnits)[number]

/** A value of one unit, or a list of rows with a unit for each of their columns. */
export type TermField = TermUnit | { readonly [Column in string]: TermUnit }
export type TermFields = { readonly [Name in string]: TermField }

export type TermValue = string | number | boolean
export type TermRow = { readonly [Column in string]: TermValue }
export type Terms = { readonly [Name in string]: TermValue | readonly TermRow[] }

const spot = {
  makerFeePpm: 'ppm',
  takerFeePpm: 'ppm',
  notionalMin: 'quote',
  lotsMin: 'lots',
  lotsMax: 'lots',
  bandPpm: 'ppm',
  slippagePpm: 'ppm',
  openOrdersMax: 'count',
  isTrading: 'flag',
} as const satisfies TermFields

const futures = {
  ...spot,
  index: 'market',
  leverageMax: 'times',
  tiers: { valueMax: 'quote', initialPpm: 'ppm', maintenancePpm: 'ppm' },
  fundingHours: 'hours',
  fundingInterest: 'nano',
  fundingStretch: 'nano',
  fundingCap: 'nano',
  impactValue: 'quote',
  markClampPpm: 'ppm',
  basisWindowMs: 'ms',
  liquidationFeePpm: 'ppm',
  liquidationStepPpm: 'ppm',
  openInterestMax: 'quote',
  userInterestPpm: 'ppm',
  carryPpm: 'ppm',
} as const satisfies TermFields

const margin = {
  isOpen: 'flag',
  tiers: { loanMax: 'usdt', leverage: 'times', liquidationPpm: 'ppm' },
  isolatedCallPpm: 'ppm',
  crossLeverage: 'times',
  crossTransferPpm: 'ppm',
  crossBorrowPpm: 'ppm',
  crossCallPpm: 'ppm',
  crossLiquidationPpm: 'ppm',
  rateZero: 'pico',
  rateKink: 'pico',
  rateFull: 'pico',
  kinkPpm: 'ppm',
  borrowStopPpm: 'ppm',
  reservePpm: 'ppm',
  liquidationFeePpm: 'ppm',
  cushionPpm: 'ppm',
  weights: { asset: 'asset', weightPpm: 'ppm' },
  weightPpm: 'ppm',
  userSharePpm: 'ppm',
  loanMin: 'usdt',
  supplyMin: 'usdt',
  fundAssetPpm: 'ppm',
  fundAllPpm: 'ppm',
  fundFastPpm: 'ppm',
} as const satisfies TermFields

const second = {
  isOpen: 'flag',
  rates: { seconds: 'seconds', profitPpm: 'ppm' },
  stakeMin: 'usdt',
  stakeMax: 'usdt',
  openMax: 'usdt',
  sideMax: 'usdt',
  strikeDelayMs: 'ms',
  windowPpm: 'ppm',
  windowMaxMs: 'ms',
  gapMaxMs: 'ms',
  marketExposurePpm: 'ppm',
  totalExposurePpm: 'ppm',
  groupExposurePpm: 'ppm',
  groupPpm: 'ppm',
  guardVoidsFree: 'count',
  guardVoidsPpm: 'ppm',
  houseFloor: 'usdt',
  limitWaitMs: 'ms',
} as const satisfies TermFields

const conversion = {
  isOpen: 'flag',
  spreadPpm: 'ppm',
  driftPpm: 'ppm',
  bookPpm: 'ppm',
  validMs: 'ms',
  delayMs: 'ms',
  waitMs: 'ms',
  smallest: 'usdt',
  largest: 'usdt',
  userMax: 'usdt',
  hedger: 'uid',
  shelves: { asset: 'asset', target: 'own', band: 'own' },
} as const satisfies TermFields

const referral = {
  isOpen: 'flag',
  tiers: { volumeMin: 'usdt', sharePpm: 'ppm' },
  secondPpm: 'ppm',
  days: 'count',
  inviteeDayMax: 'usdt',
  inviterDayMax: 'usdt',
  closedIn: { region: 'region' },
} as const satisfies TermFields

const listing = { symbol: 'name', base: 'name', baseScale: 'count', quote: 'asset', tick: 'decimal', lot: 'decimal', ...spot } as const

/** `pricePay` USDT buy `pricePer` tokens. */
const presale = {
  token: 'asset',
  pricePay: 'usdt',
  pricePer: 'sum',
  supply: 'sum',
  purchaseLimit: 'sum',
  subscriptionMin: 'usdt',
  subscriptionMax: 'usdt',
  softCap: 'usdt',
  startsAt: 'time',
  endsAt: 'time',
  atListingPpm: 'ppm',
  release: 'release',
  lockDays: 'count',
  steps: { day: 'count', ppm: 'ppm' },
  documentHash: 'hash',
  detailsHash: 'hash',
} as const satisfies TermFields

/** What a firm has by contract: at least this fee tier, and the value of withdrawals on a UTC day. */
const firm = { tier: 'count', withdrawMax: 'usdt' } as const satisfies TermFields

/** Coin, currency and steps are those of the spot market whose index it follows. */
const futuresListing = { symbol: 'name', ...futures } as const

const feeTier = { volumeMin: 'usdt', makerPpm: 'ppm', takerPpm: 'ppm' } as const

/**
 * The terms of each kind of decision. `country`: products in a region. `listing`: a new spot market, with its coin. `futures-listing`: a
 * new Futures market. `posting`: a sum that is moved by hand. `withdrawal`: of an asset on a network, such as `USDT:TRC20`. `presale`: of a
 * number and its token, such as `3:NEW`. `firm`: by the UID of its main account. A list as a value replaces the whole list.
 */
export const termFields = {
  spot,
  futures,
  margin,
  fees: { tiers: feeTier, perpTiers: feeTier },
  country: { isLeverageOpen: 'flag', isSecondOpen: 'flag' },
  second,
  conversion,
  referral,
  listing,
  'futures-listing': futuresListing,
  posting: { from: 'account', to: 'account', asset: 'asset', amount: 'decimal' },
  withdrawal: { isOpen: 'flag', min: 'sum', fee: 'sum', autoMax: 'sum', singleMax: 'sum' },
  presale,
  'presale-cancel': { isCancelled: 'flag' },
  firm,
} as const satisfies Readonly<Record<string, TermFields>>

export type TermKind = keyof typeof termFields
export const termKinds = Object.keys(termFields) as readonly TermKind[]
const privateKinds = ['posting', 'presale', 'presale-cancel', 'firm'] as const satisfies readonly TermKind[]
/** Kinds in the public list of changes. Postings and firms concern single customers, and presales have pages of their own. */
export type PublicKind = Exclude<TermKind, (typeof privateKinds)[number]>
/** Values that single accounts concern, so that the public list leaves them out. */
const ownNames: ReadonlySet<string> = new Set<keyof typeof conversion>(['hedger'])
export const isPublicName = (name: string): boolean => !ownNames.has(name)
export const publicKinds = termKinds.filter((kind): kind is PublicKind => !(privateKinds as readonly TermKind[]).includes(kind))

/** A value that a decision changed. `before` is null for a new market. */
export type TermDifference = {
  readonly name: string
  readonly before: TermValue | readonly TermRow[] | null
  readonly after: TermValue | readonly TermRow[]
}

/**
 * A decision that the exchange carried out. `subject`: the market's symbol, the region's code (`*` for all others), asset and network, or
 * empty. `assets`: symbols of the market's base and quote asset, or of the asset of the terms. `paid`: USDT that the firm paid into the house fund. `seq`: the command's position in
 * the journal.
 */
export type WireChange = {
  readonly number: number
  readonly kind: PublicKind
  readonly subject: string
  readonly assets: readonly string[]
  readonly differences: readonly TermDifference[]
  readonly paid?: string
  readonly at: number
  readonly seq?: number
}

/** Newest first. `next`: the `before` of the following page. */
export type WireChanges = { readonly changes: readonly WireChange[]; readonly next?: number }

/** Names of the values that differ, in the order of the fields. Both sides have all fields of the kind. */
export function differences(kind: TermKind, before: Terms | null, after: Terms): readonly TermDifference[] {
  return Object.keys(termFields[kind]).flatMap((name) => {
    const [old, now] = [before?.[name] ?? null, after[name]]
    return now === undefined || isSame(old, now) ? [] : [{ name, before: old, after: now }]
  })
}

/** Whether two values say the same; the order of a row's columns doesn't count. */
function isSame(one: TermValue | readonly TermRow[] | null, other: TermValue | readonly TermRow[]): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  if (one === null || one.length !== other.length) return false
  return one.every((row, at) => Object.keys(row).every((column) => row[column] === other[at]![column]))
}
