import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../../money/brand.ts'
import { Triggers } from '../../../book/triggers.ts'
import type { Orders } from '../../../book/orders.ts'
import { ByNumber } from '../../../protocol/codec/by-number.ts'
import type { ClosedRecord, PositionRecord } from '../../../protocol/codec/perp-write.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import type { PerpTerms } from '../../../protocol/market.ts'
import { noSlots } from '../../records/slots.ts'
import { Gate } from '../../records/phase.ts'
import type { Venue } from '../../records/venue.ts'
import { Calm } from './calm.ts'
import { Basis } from './basis.ts'
import { Inventory } from './inventory.ts'
import { Premium } from './premium.ts'
import type { Ranking } from './ranking.ts'
import type { Round } from './round.ts'
import { Turnover } from './turnover.ts'

/** Numbers of the words in their lists. */
export const CROSS = 0
export const ISOLATED = 1
export const BOTH = 0
export const LONG = 1
export const SHORT = 2

/** What a user chose for a market. Leverage 1 and isolated until then: nobody risks more than they said. */
export class Setting {
  leverage = 1
  mode = ISOLATED
}

/**
 * A user's place in a market: a position, and the sums of the orders that rest beside it. In one-way mode a user has
 * one (`both`), in hedge mode a long and a short one.
 */
export class Holding implements PositionRecord {
  readonly account: PerpAccount
  readonly contract: Contract
  readonly user: UserId
  readonly market: MarketId
  readonly side: number
  readonly setting: Setting

  id = 0
  lots = 0 as Lots
  cost = 0 as Units
  margin = 0 as Units
  realised = 0
  fees = 0 as Units
  funding = 0
  openedAtMs = 0 as Millis
  readonly openedLots = new Turnover()
  readonly openedValue = new Turnover()
  readonly closedLots = new Turnover()
  readonly closedValue = new Turnover()
  /** The last round of funding that is settled for it; what the insurance fund advanced and waits for. */
  round = 0
  advance = 0
  /** Largest number that a position here ever had. */
  lastId = 0
  /** Rate of its maintenance margin: that of the tier of its cost. */
  maintenancePpm = 0 as Ppm
  /** Rate at which it is close to its liquidation. */
  watchedPpm = 0 as Ppm

  /** Slots of all its orders, in the book and asleep. */
  slots = noSlots

  // Orders in the book by side (0 buys, 1 sells): lots and value (tick × lot) of those that may open, lots of those that may not.
  readonly openLots: [number, number] = [0, 0]
  readonly openValue: [number, number] = [0, 0]
  readonly reduceLots: [number, number] = [0, 0]
  /** All sleeping orders, and those that go away with the position. */
  asleep = 0
  sleeping = 0
  /** Value (tick × lot) of the other sleeping orders, at the prices that their margin is counted with. */
  sleepingValue = 0
  /** Units held for the orders. */
  ordersMargin = 0

  /** Which way the position goes, or the last one went. */
  isShort = false

  /** Place among the contract's open positions; −1: none. */
  at = -1
  isDirty = false
  /** The position itself changed, not only its orders. */
  isChanged = false
  /** A position ended here in the running command. */
  hasEnded = false
  /** It waits in the queue of liquidations. */
  isLiquidating = false
  /** It is isolated, and its user was told that it is close to its liquidation. */
  isWatched = false

  constructor(account: PerpAccount, contract: Contract, side: number, setting: Setting) {
    this.account = account
    this.contract = contract
    this.user = account.user
    this.market = contract.id
    this.side = side
    this.setting = setting
  }

  get leverage(): number {
    return this.setting.leverage
  }

  get mode(): number {
    return this.setting.mode
  }

  get isCross(): boolean {
    return this.setting.mode === CROSS
  }
}

export class PerpAccount {
  readonly user: UserId
  isHedge = false
  /** By market. */
  readonly settings = new Map<number, Setting>()
  /** In the order in which they were made; whoever depends on an order sorts. */
  readonly holdings: Holding[] = []
  /** Open cross positions. */
  readonly cross: Holding[] = []
  /** Place among the accounts with several cross positions, −1: none; and how far marks may have moved in all until it is looked at. */
  at = -1
  calmUntil = 0
  isDirty = false
  isLiquidating = false
  /** The user was told that the cross account is close to its liquidation. */
  isWatched = false

  constructor(user: UserId) {
    this.user = user
  }

  setting(market: MarketId): Setting {
    let setting = this.settings.get(market)
    if (setting === undefined) {
      setting = new Setting()
      this.settings.set(market, setting)
    }
    return setting
  }

  find(market: MarketId, side: number): Holding | undefined {
    for (const holding of this.holdings) if (holding.market === market && holding.side === side) return holding
    return undefined
  }
}

/** An order that waits, and the open time of its contract at which its tries end; 0: it has not acted yet. */
export type Waiter = { readonly order: OrderId; readonly untilMs: Millis }

/** A perpetual contract while it runs. */
export class Contract {
  readonly venue: Venue
  readonly id: MarketId
  /** Spot market whose index it follows. */
  readonly source: Venue
  readonly q: number
  readonly markTriggers: Triggers
  readonly basis = new Basis()
  /** What it may do now. */
  readonly gate = new Gate()
  /** Orders that could open are being cancelled because the index was not good for long; nothing matches before they are gone. */
  isClearing = false
  /** By side: the price up to which the last index tick reviewed orders; 0: the next begins with the best. */
  readonly reviewedTo: [number, number] = [0, 0]
  /** Orders whose trigger was reached and that wait until they may act, or act again, in their order. */
  readonly waiting: Waiter[] = []
  /** Of these the first so many have not had their turn since the last index tick. */
  tries = 0
  /** In ticks; 0 before the first index price. */
  mark = 0 as Ticks
  index = 0 as IndexPrice
  readonly premium = new Premium()
  fundingAtMs = 0 as Millis
  /** How long the contract had not matched in all when the running period began. */
  fundingClosedMs = 0
  /** The period that is being settled, and how many there were. */
  round: Round | undefined = undefined
  rounds = 0
  /** The next user whose positions are to be measured by new terms; 0: all are. */
  refitFrom = 0
  /** What the insurance fund carries. */
  readonly inventory = new Inventory()
  /** The queues of auto-deleveraging, of longs and of shorts, while they are needed. */
  readonly rankings: [Ranking | undefined, Ranking | undefined] = [undefined, undefined]
  /** Losses that neither accounts nor the fund could pay, to be taken from the profits of longs and of shorts. */
  readonly unpaid: [number, number] = [0, 0]
  readonly positions: Holding[] = []
  /** Lots of all long positions, which are those of all short ones. */
  openLots = 0 as Lots
  /** The marks at which something is to be told or done about them side by side, those of shorts below zero: most ticks look at nothing else. */
  levels = new Float64Array(64)

  constructor(venue: Venue, source: Venue, orders: Orders) {
    this.venue = venue
    this.id = venue.id
    this.source = source
    this.q = venue.quotePerTickLot
    this.markTriggers = new Triggers(orders)
  }

  add(holding: Holding): void {
    holding.at = this.positions.push(holding) - 1
    if (this.positions.length > this.levels.length) {
      const levels = new Float64Array(this.levels.length * 2)
      levels.set(this.levels)
      this.levels = levels
    }
    this.levels[holding.at] = 0
  }

  remove(holding: Holding): void {
    const { at } = holding
    const last = this.positions.pop()!
    if (last !== holding) {
      this.positions[at] = last
      this.levels[at] = this.levels[last.at]!
      last.at = at
    }
    holding.at = -1
  }

  /** The mark at which a position is looked at, 0 for none. */
  setLevel(holding: Holding, price: Ticks): void {
    if (holding.at >= 0) this.levels[holding.at] = holding.lots > 0 ? price : -price
  }

  get terms(): PerpTerms {
    return this.venue.market.perp!
  }

  /** Whether liquidations may go by the index. */
  get isGood(): boolean {
    return this.source.isIndexGood && this.source.indexSources >= 3 && this.mark > 0
  }
}

/** One that waits to be liquidated: an isolated position, or (no holding) a whole cross account. */
export type Waiting = { readonly account: PerpAccount; readonly holding: Holding | undefined }

/** What an order gives its position. Prices in ticks, 0 for none; `bits`: those of `PLACE_EXITS`. */
export type Exits = { readonly takeProfit: Ticks; readonly stopLoss: Ticks; readonly bits: number }

/** A fill that opened or enlarged a position whose order carries exits. */
export type Protection = { readonly holding: Holding; readonly order: OrderId; readonly side: number; readonly exits: Exits }

/** Whose users were told that it is close: an isolated position, or (no holding, position 0) a whole cross account. */
export type Watched = Waiting & { readonly position: number }

/** A loss that a fill made and its account could not pay. */
export type Shortage = { readonly holding: Holding; readonly amount: Units }

/** A position that ended in the running command, as it was. */
export type Ended = { readonly record: ClosedRecord; readonly isShort: boolean; readonly cause: number }

/** Everything that the exchange knows of contracts. */
export class PerpState {
  /** By market number. */
  readonly #contracts: (Contract | undefined)[] = []
  readonly list: Contract[] = []
  /** By user. */
  readonly #accounts = new ByNumber<PerpAccount>()
  /** Those with more than one open cross position: no single mark decides over them. */
  readonly mixed = new Calm()
  /** How far marks have moved in all, in 1e-9 of themselves: of each tick the furthest, and 1 more; and by the running one. */
  moved = 0
  movedBy = 0
  /** Positions that marks reached are being looked at; the number of the last that was, 0: from the first; whether a tick came meanwhile. */
  looksOn = false
  lookedTo = 0
  looksAgain = false
  readonly queue: Waiting[] = []
  /** In the order in which their users were told. */
  watched: Watched[] = []
  /** By order: of those in the core that carry any. */
  readonly exits = new Shards<Exits>()
  /** Losses that neither users nor the insurance fund could pay: `outside:perp` lacks them until the fund can. */
  hole = 0

  // Of the running command.
  readonly dirty: Holding[] = []
  readonly dirtyAccounts: PerpAccount[] = []
  readonly ended: Ended[] = []
  readonly shortages: Shortage[] = []
  readonly protections: Protection[] = []
  liquidationFees = 0 as Units
  /** Positions that were closed against, and valued for a queue. */
  partners = 0
  valued = 0

  /** A command of index or clock begins: its work is counted from here. */
  beginCommand(): void {
    this.partners = 0
    this.valued = 0
  }

  add(contract: Contract): void {
    this.#contracts[contract.id] = contract
    this.list.push(contract)
  }

  contract(market: MarketId): Contract | undefined {
    return this.#contracts[market]
  }

  /** Undefined: the user never used contracts. */
  knownAccount(user: UserId): PerpAccount | undefined {
    return this.#accounts.get(user)
  }

  account(user: UserId): PerpAccount {
    let account = this.#accounts.get(user)
    if (account === undefined) {
      account = new PerpAccount(user)
      this.#accounts.set(user, account)
    }
    return account
  }

  /** An isolated position, or a whole cross account, waits for its liquidation. */
  enqueue(account: PerpAccount, holding: Holding | undefined): void {
    const target = holding ?? account
    if (target.isLiquidating) return
    target.isLiquidating = true
    // What waits need not be found again.
    for (const one of holding === undefined ? account.cross : [holding]) one.contract.setLevel(one, 0 as Ticks)
    this.queue.push({ account, holding })
  }

  /** By user number. */
  accounts(): PerpAccount[] {
    return this.#accounts.all()
  }

  holding(user: UserId, contract: Contract, side: number): Holding {
    const account = this.account(user)
    const known = account.find(contract.id, side)
    if (known !== undefined) return known
    const holding = new Holding(account, contract, side, account.setting(contract.id))
    account.holdings.push(holding)
    return holding
  }

  /** Notes that a position or its orders changed: `flush` looks after what follows from it. */
  touch(holding: Holding, isPosition: boolean): void {
    if (isPosition) holding.isChanged = true
    if (holding.isDirty) return
    holding.isDirty = true
    this.dirty.push(holding)
    this.touchAccount(holding.account)
  }

  touchAccount(account: PerpAccount): void {
    if (account.isDirty) return
    account.isDirty = true
    this.dirtyAccounts.push(account)
  }

  /** Puts a position into the lists that it belongs to, or takes it out. */
  enlist(holding: Holding): void {
    const { contract, account } = holding
    const isOpen = holding.lots !== 0
    if (isOpen && holding.at < 0) contract.add(holding)
    else if (!isOpen && holding.at >= 0) contract.remove(holding)
    const inCross = account.cross.indexOf(holding)
    if (isOpen && holding.isCross) {
      if (inCross < 0) account.cross.push(holding)
    } else if (inCross >= 0) account.cross.splice(inCross, 1)
    this.#enlistAccount(account)
  }

  #enlistAccount(account: PerpAccount): void {
    const isMixed = account.cross.length > 1
    if (isMixed && account.at < 0) this.mixed.put(account, this.moved + 1)
    else if (!isMixed && account.at >= 0) this.mixed.remove(account)
  }
}
