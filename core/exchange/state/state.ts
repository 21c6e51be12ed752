import { AlgoState } from '../algo/records/state.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Millis, Units } from '../../money/brand.ts'
import type { AssetId, DecisionNumber, MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import { FirmState } from '../firm/records/state.ts'
import { reservedBytes, reservedWords, roomierBytes, roomierWords } from '../../protocol/codec/memory.ts'
import { Orders } from '../../book/orders.ts'
import { usersMax } from '../../ledger/blocks.ts'
import { Ledger } from '../../ledger/ledger.ts'
import { Records } from '../../protocol/codec/records.ts'
import { listOffsetMax } from '../../protocol/command/order-list.ts'
import { userClasses } from '../../protocol/command/user.ts'
import type { Asset } from '../../protocol/market.ts'
import { ChainState } from '../chain/records/state.ts'
import { ConvertState } from '../convert/records/state.ts'
import { MarginState } from '../margin/records/state.ts'
import type { Desks } from './desks.ts'
import { PRODUCTION } from './mode.ts'
import { OptionDesk } from '../option/records/state.ts'
import { PerpState } from '../perp/records/state.ts'
import { PresaleState } from '../presale/records/state.ts'
import { requestLimits } from '../requests/users.ts'
import { Requests } from '../requests/requests.ts'
import { Once } from '../records/once.ts'
import { Retries } from '../records/retries.ts'
import { wholeRoom } from './room.ts'
import type { Room } from './room.ts'
import { UserFacts } from '../records/user-facts.ts'
import { Venue } from '../records/venue.ts'
import { Volumes } from '../records/volumes.ts'
import { ReferralState } from '../referral/records/state.ts'
import { Wakes } from '../records/wakes.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { EXTRA, F, I, ID, MARKET, USER_NEXT } = fields

/**
 * The rest of a `spot.cancelAll`: the user's orders up to number `upTo`, in one market or (0) in all. `only`: number in
 * `cancelScopes`, or −1.
 */
export type Sweep = { readonly user: UserId; readonly market: MarketId; readonly only: number; readonly upTo: OrderId }

/** Numbers of classes in `users`. */
const retail = userClasses.indexOf('retail')
const maker = userClasses.indexOf('maker')

// Bits of `users`. `HOUSE`: one of the exchange's own programs.
const CERTIFIED = 1 << 7
const HOUSE = 1 << 6
const CLASS = 3 << 1
/** The own account of a member of the staff. */
const STAFF = 1 << 5
/** The user has rested at some time: `facts` knows until when. */
const RESTED = 1 << 4

/** The user was invited, and the bond lasts. */
const INVITED = 1 << 3

/** Upper bound of one trade's value where it is converted. A day's volume has the same bound: see `Volumes`. */
const valueMax = (2 ** 48) as Units

/** The whole state of the exchange. Handlers change it; `dump.ts` lists it. */
export class State {
  seq = 0
  atMs = 0 as Millis
  /** Mode that the data belongs to, as `mode.ts` numbers it; 0: not given yet. */
  mode = 0
  readonly room: Room
  readonly ledger: Ledger
  readonly orders = new Orders()
  /** Volumes and fee tiers of Spot, and of Futures. */
  readonly volumes = new Volumes()
  readonly perpVolumes = new Volumes()
  readonly requests: Requests
  readonly assets: Asset[] = []
  /** By market number; 0 is empty. */
  readonly venues: (Venue | undefined)[] = [undefined]
  /** By market number, spot markets only; 0 is empty. */
  readonly spotVenues: (Venue | undefined)[] = [undefined]
  readonly perp = new PerpState()
  userCount = 0
  /** Per user: bit 0 frozen, bits 1 and 2 the class, bit 3 invited, bit 4 rested, bit 5 staff, bit 6 house, bit 7 certified. */
  users: Uint8Array<ArrayBuffer> = new Uint8Array(1024)
  referrers: Int32Array<ArrayBuffer> = new Int32Array(1024)
  lastOrder = 0 as OrderId
  /** Orders whose trigger was reached and that wait to act. */
  readonly wakes = new Wakes()
  /** Triggered market orders that are tried again. */
  readonly retries = new Retries()
  readonly sweeps: Sweep[] = []
  /** The products' desks, for calls from one to another. */
  desks!: Desks
  /** Margin accounts and lending pools. */
  readonly margin = new MarginState()
  /** Second, and the index tape. */
  option = new OptionDesk()
  /** Regions and ages of users, and the products that operators opened in each region. */
  readonly facts = new UserFacts()
  /** Decisions of the staff about postings that were carried out. */
  readonly postings = new Once<DecisionNumber>()
  /** Deposits and withdrawals. */
  readonly chain = new ChainState()
  /** Quotes and conversions. */
  readonly convert = new ConvertState()
  /** Commission of inviters. */
  readonly referral = new ReferralState()
  readonly presale = new PresaleState()
  /** Accounts that belong together, and what firms have by their own terms. */
  readonly firm = new FirmState()
  /** Orders that the exchange carries out in parts. */
  readonly algo = new AlgoState()
  /**
   * `usdt`: the asset USDT, 0 until it is listed. `usdtVenues`: per quote asset the market that gives its price in USDT;
   * undefined for USDT itself, or if there is none.
   */
  usdt = 0 as AssetId
  readonly usdtVenues: (Venue | undefined)[] = []

  /** Buffer for the running command's events. */
  events = new Records()
  /** Slot at which the running command's events begin. */
  eventsFrom = 0
  /** Of the running command: order and user of its outcome. */
  order = 0 as OrderId
  user = 0 as UserId

  /** `secret`: see `RequestIndex`. */
  constructor(room: Room = wholeRoom, secret = 0) {
    this.room = room
    const isOpen = (number: OrderId): boolean => this.isOpen(number)
    this.requests = new Requests(isOpen, (user) => this.isMaker(user), requestLimits, secret)
    this.ledger = new Ledger(room.blocks, room.reserve)
  }

  /** Takes the memory of all tables at once: see `memory.ts`. False when the system does not give all of it. */
  reserve(): boolean {
    this.users = reservedBytes(this.users, usersMax + 1)
    this.referrers = reservedWords(this.referrers, usersMax + 1)
    const { ledger, orders, volumes, perpVolumes, requests } = this
    const given = [ledger, orders, volumes, perpVolumes, requests].map((table) => table.reserve())
    return given.every(Boolean) && this.users.length > usersMax && this.referrers.length > usersMax
  }

  /** Sets the buffer that the following events are written to. */
  write(events: Records): void {
    this.events = events
    this.ledger.write(events)
  }

  venue(id: MarketId): Venue | undefined {
    const at = id | 0
    return at === id && at > 0 && at < this.venues.length ? this.venues[at] : undefined
  }

  isUser(user: UserId): boolean {
    return user > 0 && user <= this.userCount
  }

  isAsset(asset: AssetId): boolean {
    return asset > 0 && asset <= this.assets.length
  }

  isFrozen(user: UserId): boolean {
    return (this.users[user]! & 1) !== 0
  }

  /** Whether the user is a maker's program, a benchmark or the exchange itself: many of their client ids are remembered. */
  isMaker(user: UserId): boolean {
    return user === 0 || ((this.users[user]! >>> 1) & 3) !== retail
  }

  isCertified(user: UserId): boolean {
    return (this.users[user]! & CERTIFIED) !== 0
  }

  setCertified(user: UserId, isCertified: boolean): void {
    this.users[user] = (this.users[user]! & ~CERTIFIED) | (isCertified ? CERTIFIED : 0)
  }

  /** Whether the user's spot turnover is limited: in production, a customer without a certificate. */
  isCapped(user: UserId): boolean {
    return this.mode === PRODUCTION && (this.users[user]! & (CERTIFIED | HOUSE | CLASS)) === retail << 1
  }

  isHouse(user: UserId): boolean {
    return (this.users[user]! & HOUSE) !== 0
  }

  setHouse(user: UserId, isHouse: boolean): void {
    this.users[user] = (this.users[user]! & ~HOUSE) | (isHouse ? HOUSE : 0)
  }

  /** Whether the user has an inviter who may get a part of the user's fees. Part of the hot path. */
  isInvited(user: UserId): boolean {
    return (this.users[user]! & INVITED) !== 0
  }

  setInvited(user: UserId, isInvited: boolean): void {
    this.users[user] = (this.users[user]! & ~INVITED) | (isInvited ? INVITED : 0)
  }

  /** Whether the user's own pause runs: nothing that opens risk is accepted. */
  isResting(user: UserId): boolean {
    return (this.users[user]! & RESTED) !== 0 && this.atMs < this.facts.restUntil(user)
  }

  setRest(user: UserId, until: Millis): void {
    this.users[user] = this.users[user]! | RESTED
    this.facts.setRest(user, until)
  }

  isStaff(user: UserId): boolean {
    return (this.users[user]! & STAFF) !== 0
  }

  setStaff(user: UserId, isStaff: boolean): void {
    this.users[user] = (this.users[user]! & ~STAFF) | (isStaff ? STAFF : 0)
  }

  /** Whether the user can't use Second: staff, and programs that trade for the house or make markets. */
  isBarred(user: UserId): boolean {
    const bits = this.users[user]!
    return (bits & (STAFF | HOUSE)) !== 0 || ((bits >>> 1) & 3) === maker
  }

  /** A spot market; undefined for a perpetual contract. */
  spotVenue(id: MarketId): Venue | undefined {
    const at = id | 0
    return at === id && at > 0 && at < this.spotVenues.length ? this.spotVenues[at] : undefined
  }

  addUser(userClass: number, referrer: UserId): UserId {
    const user = ++this.userCount as UserId
    // The system may have given the memory for all users to one of the two only.
    if (user >= this.users.length) this.users = roomierBytes(this.users, user + 1, usersMax + 1)
    if (user >= this.referrers.length) this.referrers = roomierWords(this.referrers, user + 1, usersMax + 1)
    this.users[user] = userClass << 1
    this.referrers[user] = referrer
    return user
  }

  addAsset(asset: Asset): void {
    this.assets.push(asset)
    this.ledger.addAsset(asset.id)
    if (asset.symbol === 'USDT') this.usdt = asset.id
  }

  addVenue(venue: Venue): void {
    this.venues[venue.id] = venue
    this.spotVenues[venue.id] = venue.isSpot ? venue : undefined
    if (venue.isSpot && venue.quote === this.usdt && this.usdtVenues[venue.base] === undefined) this.usdtVenues[venue.base] = venue
  }

  /** Whether the core has an order of this number, or a leg of the list of this number. */
  isOpen(number: OrderId): boolean {
    return this.orders.find(number) >= 0 || this.option.orders.has(number) || this.algo.has(number) || this.legOf(number) >= 0
  }

  /** Slot of the first living order of a list, −1 if there is none, as for number 0. Their numbers follow the list's. */
  legOf(list: OrderId): number {
    // Orders that belong to no list have the list 0.
    if (list === 0 || list >= this.lastOrder) return -1
    for (let number = list + 1; number <= list + listOffsetMax; number++) {
      const slot = this.orders.find(number as OrderId)
      if (slot < 0 || this.orders.extras.get(this.orders.i[slot * I + EXTRA]!)?.list !== list) continue
      // Exits of Futures have the number of their order as list, whatever their own number.
      if (number <= list + 2 || this.spotVenue(this.orders.f[slot * F + MARKET] as MarketId) !== undefined) return slot
    }
    return -1
  }

  /**
   * Value in USDT units of a sum of an asset, by the last trade price of its market (otherwise the index price), rounded down and
   * at most 2^48; 0 when it has none. USDT itself is returned as it is, whatever the sum: `Volumes` limits what a day counts.
   */
  usdtValue(asset: AssetId, units: Units): Units {
    if (asset === this.usdt) return units
    const venue = this.usdtVenues[asset]
    if (venue === undefined) return 0 as Units
    const price = venue.lastPrice || Math.floor(venue.indexPrice / venue.indexPerTick)
    const perLot = price * venue.quotePerTickLot
    const exact = units * perLot
    if (exact <= Number.MAX_SAFE_INTEGER) return Math.floor(exact / venue.basePerLot) as Units
    // A trade too large to count counts as the maximum: a very large trade must not stop the exchange.
    if (exact / venue.basePerLot >= valueMax) return valueMax
    return Number((BigInt(units) * BigInt(price) * BigInt(venue.quotePerTickLot)) / BigInt(venue.basePerLot)) as Units
  }

  /** Slots of all orders of a user, oldest first. */
  ordersOf(user: UserId): OrderSlot[] {
    const slots: OrderSlot[] = []
    for (let slot = this.orders.firstOf(user); slot >= 0; slot = this.orders.i[slot * I + USER_NEXT]!) slots.push(slot as OrderSlot)
    return slots.sort((a, b) => this.orders.f[a * F + ID]! - this.orders.f[b * F + ID]!)
  }
}
