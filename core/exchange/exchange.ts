import type { IndexPrice, Lots, Millis, Units } from '../money/brand.ts'
import { Sha256, toHex } from '../proof/sha256.ts'
import * as writers from '../protocol/codec/event-write.ts'
import * as layout from '../protocol/codec/layout.ts'
import * as records from '../protocol/codec/records.ts'
import type { Records } from '../protocol/codec/records.ts'
import type { MarginTerms } from '../protocol/command/margin.ts'
import type { Mode } from '../protocol/command/mode.ts'
import type { MarketId, OrderId, UserId } from '../protocol/ids.ts'
import type { ListingView, UserTiers } from '../protocol/market.ts'
import type {
  Balance,
  BookView,
  ClaimView,
  MarginAccount,
  MarkView,
  OpenOrder,
  OptionStanding,
  OptionView,
  PerpAccountView,
  RegionRow,
  RunningOption,
  PoolView,
  UserStanding,
} from '../protocol/port.ts'
import { type Refusal, refusalId } from '../protocol/refusal.ts'
import { Ahead } from './ahead.ts'
import { type ChainReads, chainReads } from './chain/view.ts'
import { type ConvertReads, convertReads } from './convert/view.ts'
import { dumpState, restoreState } from './dump.ts'
import { type FirmReads, firmReads } from './firm/view.ts'
import { type ReferralReads, referralReads } from './referral/view.ts'
import { payReferrals } from './referral/pay.ts'
import { workDueAtMs } from './joint/clock-tick.ts'
import { marginDesk } from './margin/desk.ts'
import { type MarginHoldings, viewAccounts, viewClaims, viewHoldings, viewPools } from './margin/views.ts'
import * as handling from './handlers.ts'
import { type PricesView, viewBook, viewGoodPrices, viewListing, viewPrices } from './market/view.ts'
import { modeOf } from './state/mode.ts'
import { viewOrder } from './order-view.ts'
import { viewStanding, viewTier } from './user/view.ts'
import { viewOption, viewOptions, viewOptionUser } from './option/view.ts'
import { perpDesk } from './perp/desk.ts'
import { viewInventories, viewMarks, viewPerpAccount } from './perp/view.ts'
import { type PresaleReads, presaleReads } from './presale/view.ts'
import * as expecting from './requests/expected-fields.ts'
import * as entry from './requests/entry.ts'
import type { RequestPlace } from './requests/entry.ts'
import type { KeptRequest, RequestRoom } from './requests/kept.ts'
import * as deciding from './state/deciders.ts'
import * as rooms from './state/room.ts'
import { drop } from './spot/close.ts'
import { countVolume, take } from './spot/settle.ts'
import { isOverTurnover, openTurnover } from './spot/turnover.ts'
import { wakeSome } from './spot/wake.ts'
import { State } from './state/state.ts'
import { trialOfState } from './trial.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeOutcome } = writers
const { AT, BODY, CLIENT_ID, PLACE_FLAGS_AT, PLACE_MARKET, SELL, SEQ, USER } = layout
const { UNKNOWN } = entry
const { lengthOf, opcodeOf, SLOTS } = records
const { handlerOfCode, isFromUser } = handling
const { isFull, opens } = rooms
const { isDecided, needsDecision } = deciding
const expectedAtOnce = expecting.expectedMax
const houseRoom: RequestRoom = { ring: 2 ** 40, left: 2 ** 40, isCrowded: false, ownRing: 2 ** 40, ownLeft: 2 ** 40, next: 0 }
const PLACE = layout.commandCodes['spot.place']

/**
 * With at least `farMin` users or orders, the tables are so much larger than the caches that `look` pays off; with at least
 * `middlingMin` orders, the cheaper `glance` does.
 */
const farMin = 2 ** 17
const middlingMin = 2 ** 13

/** Largest number of commands that one call of `expect` covers. */
export const expectedMax = expectedAtOnce

/**
 * The whole exchange in memory. Commands go in one at a time and events come out. The same commands in the same order give the
 * same events and the same hash on any machine. Queries change nothing.
 */
export class Exchange {
  readonly #x: State
  /** Rows of the accounts that the expected orders pay from. */
  readonly #rows = new Int32Array(expectedAtOnce)
  readonly #ahead = new Ahead(expectedAtOnce)
  /** Has no meaning: without it, the compiler could drop the prefetching reads. */
  reached = 0

  private constructor(state: State) {
    this.#x = state
    state.desks = { spot: { take, drop, isOverTurnover, count: countVolume }, margin: marginDesk, perp: perpDesk }
  }

  /**
   * `secret`: 32 bits unknown outside. They decide where client ids are in memory and affect no answer; without them, customers
   * could choose ids that are slow to find. `room`: smaller limits than usual, to test what happens when the exchange is full.
   */
  static create(secret = 0, room?: rooms.Room): Exchange {
    return new Exchange(new State(room, secret))
  }

  /** The exchange that `dump()` described. Throws when the version of the dump is unknown. `secret`: as for `create`. */
  static restore(dump: Uint8Array, secret = 0): Exchange {
    return new Exchange(restoreState(dump, secret))
  }

  /** Takes the memory of all tables before the first command. False when the system gives less: then tables are copied as they grow. */
  reserve(): boolean {
    return this.#x.reserve()
  }

  /** Position of the last executed command. */
  get seq(): number {
    return this.#x.seq
  }

  /** Time of the last executed command. */
  get atMs(): Millis {
    return this.#x.atMs as Millis
  }

  /** Mode that the data belongs to; undefined until the first start command has set it. */
  get mode(): Mode | undefined {
    return modeOf(this.#x.mode)
  }

  /** Time from which a `clock.tick` has something to do; Infinity if never. */
  get nextDueAtMs(): number {
    return workDueAtMs(this.#x)
  }

  /**
   * Announces that the first commands in slots `from` to `to`, at most `expectedMax`, will be decided next. Prefetches what they
   * need, which changes only how fast they run. Returns the slot after them.
   */
  expect(commands: Float64Array, from: number, to: number): number {
    const x = this.#x
    const { requests } = x
    const rows = this.#rows
    let rowCount = 0
    let at = from & SLOTS
    const end = to | 0
    requests.expectNone()
    for (let n = 0; n < expectedAtOnce && at < end; n++) {
      const head = commands[at]!
      const user = (commands[at + USER]! | 0) as UserId
      if (commands[at + CLIENT_ID] !== 0) requests.expect(user, commands, at + CLIENT_ID)
      const venue = opcodeOf(head) === PLACE ? x.venue((commands[at + PLACE_MARKET]! | 0) as MarketId) : undefined
      if (venue !== undefined) {
        const isSell = (commands[at + PLACE_FLAGS_AT]! & SELL) !== 0
        rows[rowCount++] = x.ledger.nearRow(user, isSell ? venue.base : venue.quote)
      }
      at += lengthOf(head)
    }
    this.reached = requests.reach() ^ x.ledger.reach(rows, rowCount)
    if (x.userCount >= farMin || x.orders.count >= farMin) this.reached ^= this.#ahead.look(x, commands, from, at)
    else if (x.orders.count >= middlingMin) this.reached ^= this.#ahead.glance(x, commands, from, at)
    return at
  }

  /**
   * Decides the stamped command at slot `offset` and appends its events, the outcome last. Throws when the stamp does not follow
   * the previous one or an invariant broke: then this exchange must not be used any more.
   */
  execute(commands: Float64Array, offset: number, events: Records): void {
    const x = this.#x
    const start = offset & SLOTS
    const code = opcodeOf(commands[start]!)
    const handler = handlerOfCode[code]
    const seq = commands[start + SEQ]!
    const atMs = commands[start + AT] as Millis
    if (handler === undefined) throw new Error(`unknown command code ${code}`)
    if (seq !== x.seq + 1 || !(atMs >= x.atMs)) throw new Error(`command ${seq} at ${atMs} does not follow ${x.seq} at ${x.atMs}`)
    x.seq = seq
    x.atMs = atMs
    if (x.events !== events) x.write(events)
    x.eventsFrom = events.length
    x.order = 0 as OrderId
    x.user = 0 as UserId
    const user = commands[start + USER] as UserId
    if (isFromUser[code] === 1 && !x.isUser(user)) return outcome(x, 'USER_UNKNOWN')
    const hasId = commands[start + CLIENT_ID] !== 0
    if (hasId) {
      const end = start + lengthOf(commands[start]!)
      const known = x.requests.meet(user, commands, start + CLIENT_ID, code, start + BODY, end)
      if (known !== UNKNOWN) return repeat(x, known, user === 0)
    }
    const barred = isDecided[code] === 1 && needsDecision(x) ? 'FORBIDDEN' : opens[code] === 1 && isFull(x) ? 'EXCHANGE_FULL' : undefined
    const refusal = barred ?? handler(x, commands, start)
    if (refusal === undefined && (x.wakes.count > 0 || x.retries.left > 0)) wakeSome(x)
    if (x.margin.changes.length > 0) marginDesk.finish(x)
    if (x.referral.isDue) payReferrals(x)
    if (hasId) x.requests.keep(user === 0 ? x.user : x.order, refusalId(refusal))
    outcome(x, refusal)
  }

  /** Decides the stamped commands in slots `from` to `to`. */
  executeAll(commands: Float64Array, from: number, to: number, events: Records): void {
    const last = to | 0
    for (let at = from & SLOTS; at < last; ) {
      const end = this.expect(commands, at, last)
      // Runs at least once: a record without a length makes `execute` throw instead of repeating for ever.
      do {
        this.execute(commands, at, events)
        at += lengthOf(commands[at]!)
      } while (at < end)
    }
  }

  /** SHA-256 over the dump, in hex: equal for equal states, whatever the history. */
  hash(): string {
    return toHex(new Sha256().update(this.dump()).digest())
  }

  /** Everything that can change a future outcome, sorted, as safe integers in little-endian float64 slots. */
  dump(): Uint8Array {
    return dumpState(this.#x).bytes()
  }

  listing(): ListingView {
    return viewListing(this.#x)
  }

  /** Accounts of a user that are not empty. */
  balances(user: UserId): readonly Balance[] {
    return this.#x.ledger.accountsOfUser(user)
  }

  /** All accounts that are not empty, the exchange's own included. */
  accounts(): readonly Balance[] {
    return this.#x.ledger.accounts()
  }

  /** Orders of a user that are open or pending, oldest first. */
  openOrders(user: UserId, market?: MarketId): readonly OpenOrder[] {
    const orders = this.#x.ordersOf(user).map((slot) => viewOrder(this.#x, slot))
    return market === undefined ? orders : orders.filter((order) => order.market === market)
  }

  /** Both sides of a market, best first. Throws for an unknown market. */
  book(market: MarketId): BookView {
    return viewBook(this.#x, market)
  }

  /** Last trade price (ticks) and last index price (1e-8 of the quote) of a market, 0 for none. Throws for an unknown market. */
  prices(market: MarketId): PricesView {
    return viewPrices(this.#x, market)
  }

  /** Time of the last index tick; 0 before the first. */
  get tickedAtMs(): Millis {
    return this.#x.option.tickedAt as Millis
  }

  /** Index prices (1e-8 of the quote) of the spot markets whose price is good. */
  goodPrices(): readonly { readonly market: MarketId; readonly price: IndexPrice }[] {
    return viewGoodPrices(this.#x)
  }

  /** A user's settings, balances and positions in Futures. */
  perpAccount(user: UserId): PerpAccountView {
    return viewPerpAccount(this.#x, user)
  }

  /** Regions with the products that operators have opened there. */
  regions(): readonly RegionRow[] {
    return this.#x.facts.rows()
  }

  /** Limits of a user as a whole: freeze, certificate, the user's own pause, turnover. */
  standing(user: UserId): UserStanding {
    return viewStanding(this.#x, user, () => openTurnover(this.#x, user))
  }

  /** Reads of deposits and withdrawals, of conversions, of referral, of firms, and of presales. */
  get chain(): ChainReads {
    return chainReads(this.#x)
  }
  get convert(): ConvertReads {
    return convertReads(this.#x)
  }
  get referral(): ReferralReads {
    return referralReads(this.#x)
  }
  get presale(): PresaleReads {
    return presaleReads(this.#x)
  }
  get firm(): FirmReads {
    return firmReads(this.#x)
  }

  /** Futures positions that the insurance fund has taken over, for operators and proofs. They are published an hour later. */
  inventories(): readonly { readonly market: MarketId; readonly lots: Lots; readonly cost: Units; readonly sinceMs: Millis }[] {
    return viewInventories(this.#x)
  }

  /** Mark, index and funding of every perpetual contract, by market number. */
  marks(): readonly MarkView[] {
    return viewMarks(this.#x)
  }

  /** A user's thirty-day volumes in USDT units as of the last command or of a later time, and the resulting tiers. */
  tier(user: UserId, atMs: Millis = this.#x.atMs): UserTiers {
    return viewTier(this.#x, user, atMs)
  }

  /** Terms of margin trading and lending; null until they are opened for the first time. */
  marginTerms(): MarginTerms | null {
    return this.#x.margin.terms ?? null
  }

  /** A user's cross account, then the isolated ones that hold or owe anything; that of `market`, if given, always. */
  marginAccounts(user: UserId, market?: MarketId): readonly MarginAccount[] {
    return viewAccounts(this.#x, user, market)
  }
  /** What a user's margin accounts hold and owe, without the limits of what they could still do, which cost far more. */
  marginHoldings(user: UserId): readonly MarginHoldings[] {
    return viewHoldings(this.#x, user)
  }

  /** Lending pools of all assets that can be lent. */
  pools(): readonly PoolView[] {
    return viewPools(this.#x)
  }

  /** A user's claims on lending pools. */
  claims(user: UserId): readonly ClaimView[] {
    return viewClaims(this.#x, user)
  }

  /** The present offer of Second: terms, markets, house fund. */
  optionTerms(): OptionView {
    return viewOption(this.#x)
  }

  /** A user's limits and permissions in Second, as of the last command. */
  optionMe(user: UserId): OptionStanding {
    return viewOptionUser(this.#x, user)
  }

  /** A user's unsettled orders of Second, oldest first. */
  openOptions(user: UserId): readonly RunningOption[] {
    return viewOptions(this.#x, user)
  }

  /** Whether a user is one of the house's own. */
  isHouse(user: UserId): boolean {
    return user > 0 && this.#x.isHouse(user)
  }

  /** How far a user's requests with a client id are remembered. The house's own programs never repeat one and need no room. */
  requestRoom(user: UserId): RequestRoom {
    return this.isHouse(user) ? houseRoom : this.#x.requests.room(user)
  }

  /** Calls `watch` with every request with a client id just before it is remembered, except those of the house's own programs. */
  watchRequests(watch: (request: KeptRequest) => void): void {
    this.#x.requests.watch((request) => (this.isHouse(request.user) ? undefined : watch(request)))
  }

  /** The remembered requests, of some users or of all. May be iterated while commands are executed: see `Requests.all`. */
  requests(users?: ReadonlySet<number>): Generator<KeptRequest> {
    return this.#x.requests.all(users)
  }

  /** Blocks of three accounts that can still be made. */
  get blocksLeft(): number {
    return this.#x.ledger.blocksLeft
  }

  get userCount(): number {
    return this.#x.userCount
  }

  /** Open and pending orders of all users. */
  get orderCount(): number {
    return this.#x.orders.count
  }

  /** `sums`: by asset number; all must be 0. `violations`: must be empty. */
  trialBalance(): { readonly sums: readonly number[]; readonly violations: readonly string[] } {
    return trialOfState(this.#x)
  }
}

function outcome(x: State, refusal: Refusal | undefined): void {
  if (x.ledger.isUntidy) x.ledger.tidy()
  writeOutcome(x.events, x.seq, x.atMs, x.user, x.order, refusalId(refusal), 0)
}

/** Repeats the first outcome of the remembered request `known`. `isUser`: the request's number is that of a new user. */
function repeat(x: State, known: RequestPlace, isUser: boolean): void {
  if (!x.requests.isSame(known)) return outcome(x, 'CLIENT_ID_REUSED')
  const number = x.requests.number(known)
  writeOutcome(x.events, x.seq, x.atMs, (isUser ? number : 0) as UserId, (isUser ? 0 : number) as OrderId, x.requests.refusal(known), 1)
}
