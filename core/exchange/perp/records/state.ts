import type { SideNumber } from '../../../book/codes.ts'
import type { MarketId, OrderId, PositionNumber, UserId } from '../../../protocol/ids.ts'
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
import { Deadlines } from './deadlines.ts'
import { Basis } from './basis.ts'
import { Inventory } from './inventory.ts'
import { Premium } from './premium.ts'
import type { Ranking } from './ranking.ts'
import type { Round } from './round.ts'
import { Turnover } from './turnover.ts'

/** Values of the modes: their positions in the lists. */
export const CROSS = 0
export const ISOLATED = 1
export const BOTH = 0 as PositionNumber
export const LONG = 1 as PositionNumber
export const SHORT = 2 as PositionNumber

/** A user's settings for a market. The default is leverage 1, isolated, so that no user risks more than they chose. */
export class Setting {
  leverage = 1
  mode = ISOLATED
}

/**
 * A user's place in a market: a position, and the sums of the orders resting beside it. In one-way mode a user has one (`both`),
 * in hedge mode a long and a short one.
 */
export class Holding implements PositionRecord {
  readonly account: PerpAccount
  readonly contract: Contract
  readonly user: UserId
  readonly market: MarketId
  readonly side: PositionNumber
  readonly setting: Setting

  id = 0 as OrderId
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
  /** The last funding round settled for it; and the insurance fund's advance, which must be paid back. */
  round = 0
  advance = 0
  /** Largest number that a position here has had. */
  lastId = 0
  /** Maintenance margin rate of the tier of its cost. */
  maintenancePpm = 0 as Ppm
  /** Margin rate at which it is close to liquidation. */
  watchedPpm = 0 as Ppm

  /** Slots of all its orders, including sleeping ones. */
  slots = noSlots
  /** By side: slots of the orders that may open, the cheapest first; undefined: to be sorted when needed. */
  readonly byPrice: [number[] | undefined, number[] | undefined] = [undefined, undefined]

  // Orders in the book by side (0 buys, 1 sells): lots and value (tick × lot) of those that may open, lots of those that may not.
  readonly openLots: [number, number] = [0, 0]
  readonly openValue: [number, number] = [0, 0]
  readonly reduceLots: [number, number] = [0, 0]
  /** Number of sleeping orders, and of those that are removed with the position. */
  asleep = 0
  sleeping = 0
  /** Value (tick × lot) of the other sleeping orders, at the prices used for their margin. */
  sleepingValue = 0
  /** Units held for the orders. */
  ordersMargin = 0

  /** Direction of the position, or of the last one. */
  isShort = false

  /** Index among the contract's open positions; −1: none. */
  at = -1
  isDirty = false
  /** The position itself changed, not just its orders. */
  isChanged = false
  /** A position ended here in the running command. */
  hasEnded = false
  /** It is in the queue of liquidations. */
  isLiquidating = false
  /** It is isolated, and its user was warned that it is close to liquidation. */
  isWatched = false

  constructor(account: PerpAccount, contract: Contract, side: PositionNumber, setting: Setting) {
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
  /** In order of creation; code that depends on an order must sort. */
  readonly holdings: Holding[] = []
  /** Open cross positions. */
  readonly cross: Holding[] = []
  /** Index among the accounts with several cross positions, −1: none; and the total movement of marks at which it is reviewed. */
  at = -1
  calmUntil = 0
  isDirty = false
  isLiquidating = false
  /** The user was warned that the cross account is close to liquidation. */
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

  find(market: MarketId, side: PositionNumber): Holding | undefined {
    for (const holding of this.holdings) if (holding.market === market && holding.side === side) return holding
    return undefined
  }
}

/** An order that waits, and the open time of its contract until which it is tried; 0: it has not acted yet. */
export type Waiter = { readonly order: OrderId; readonly untilMs: Millis }

/** The state of a perpetual contract. */
export class Contract {
  readonly venue: Venue
  readonly id: MarketId
  /** Spot market whose index it follows. */
  readonly source: Venue
  readonly q: number
  readonly markTriggers: Triggers
  readonly basis = new Basis()
  /** Decides whether it matches, triggers and liquidates now. */
  readonly gate = new Gate()
  /** Orders that could open are being cancelled because the index was not good for long; nothing matches until they are gone. */
  isClearing = false
  /** By side: price up to which the last index tick reviewed orders; 0: the next review starts with the best. */
  readonly reviewedTo: [number, number] = [0, 0]
  /** Triggered orders that wait until they may act, or act again, in order. */
  readonly waiting: Waiter[] = []
  /** Number of them, from the front, that have not been tried since the last index tick. */
  tries = 0
  /** In ticks; 0 before the first index price. */
  mark = 0 as Ticks
  index = 0 as IndexPrice
  readonly premium = new Premium()
  fundingAtMs = 0 as Millis
  /** Total time for which the contract had not matched when the running period began. */
  fundingClosedMs = 0
  /** The period being settled, and the number of periods so far. */
  round: Round | undefined = undefined
  rounds = 0
  /** The next user whose positions must be adapted to new terms; 0: all are. */
  refitFrom = 0
  /** The insurance fund's inventory. */
  readonly inventory = new Inventory()
  /** The auto-deleveraging queues of longs and of shorts, while needed. */
  readonly rankings: [Ranking | undefined, Ranking | undefined] = [undefined, undefined]
  /** Losses that neither accounts nor the fund could pay, to be taken from the profits of longs and of shorts. */
  readonly unpaid: [number, number] = [0, 0]
  readonly positions: Holding[] = []
  /** Lots of all long positions, equal to those of all short positions. */
  openLots = 0 as Lots
  /** The marks at which each open position needs attention, in one array, with those of shorts negative: most ticks read nothing else. */
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

  /** Sets the mark at which a position needs attention, 0 for none. */
  setLevel(holding: Holding, price: Ticks): void {
    if (holding.at >= 0) this.levels[holding.at] = holding.lots > 0 ? price : -price
  }

  get terms(): PerpTerms {
    return this.venue.market.perp!
  }

  /** Whether liquidations may rely on the index. */
  get isGood(): boolean {
    return this.source.isIndexGood && this.source.indexSources >= 3 && this.mark > 0
  }
}

/** Waits for liquidation: an isolated position or (no holding) a whole cross account. */
export type Waiting = { readonly account: PerpAccount; readonly holding: Holding | undefined }

/** Exits that an order gives its position. Prices in ticks, 0 for none; `bits`: those of `PLACE_EXITS`. */
export type Exits = { readonly takeProfit: Ticks; readonly stopLoss: Ticks; readonly bits: number }

/** A fill that opened or enlarged a position, of an order with exits. */
export type Protection = { readonly holding: Holding; readonly order: OrderId; readonly side: SideNumber; readonly exits: Exits }

/** Users were warned about this: an isolated position or (no holding, position 0) a whole cross account. */
export type Watched = Waiting & { readonly position: OrderId }

/** A loss from a fill that its account could not pay. */
export type Shortage = { readonly holding: Holding; readonly amount: Units }

/** A position that ended in the running command, with its last values. */
export type Ended = { readonly record: ClosedRecord; readonly isShort: boolean; readonly cause: number }

/** The state of Futures. */
export class PerpState {
  /** By market number. */
  readonly #contracts: (Contract | undefined)[] = []
  readonly list: Contract[] = []
  /** By user. */
  readonly #accounts = new ByNumber<PerpAccount>()
  /** Accounts with more than one open cross position: no single mark decides about them. */
  readonly mixed = new Calm()
  /** Total movement of marks, in 1e-9 of themselves: per tick the largest move plus 1; and the part of the running tick. */
  moved = 0
  movedBy = 0
  /**
   * Whether a check of the positions that marks have reached is under way; the number of the last checked one, 0: start with the
   * first; whether a tick came meanwhile, so that another check follows.
   */
  looksOn = false
  lookedTo = 0
  looksAgain = false
  readonly queue: Waiting[] = []
  /** In the order of the warnings. */
  watched: Watched[] = []
  /** By order, for orders in the core that have exits. */
  readonly exits = new Shards<Exits>()
  readonly deadlines = new Deadlines()
  /** Losses that neither users nor the insurance fund could pay: `outside:perp` lacks them until the fund can. */
  hole = 0

  // Of the running command.
  readonly dirty: Holding[] = []
  readonly dirtyAccounts: PerpAccount[] = []
  readonly ended: Ended[] = []
  readonly shortages: Shortage[] = []
  readonly protections: Protection[] = []
  liquidationFees = 0 as Units
  /** Positions that were closed against by this command, positions valued for a queue, and orders cancelled for liquidations. */
  partners = 0
  valued = 0
  cancelled = 0

  /** Starts an index or clock command: its work is counted from here. */
  beginCommand(): void {
    this.partners = 0
    this.valued = 0
    this.cancelled = 0
  }

  /** Drops what an order that leaves the core had beyond its slots. */
  forget(order: OrderId): void {
    this.exits.delete(order)
    this.deadlines.forget(order)
  }

  add(contract: Contract): void {
    this.#contracts[contract.id] = contract
    this.list.push(contract)
  }

  contract(market: MarketId): Contract | undefined {
    return this.#contracts[market]
  }

  /** Undefined if the user never used Futures. */
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

  /** Queues an isolated position, or a whole cross account, for liquidation. */
  enqueue(account: PerpAccount, holding: Holding | undefined): void {
    const target = holding ?? account
    if (target.isLiquidating) return
    target.isLiquidating = true
    // A position that waits for liquidation need not be found again.
    for (const one of holding === undefined ? account.cross : [holding]) one.contract.setLevel(one, 0 as Ticks)
    this.queue.push({ account, holding })
  }

  /** By user number. */
  accounts(): PerpAccount[] {
    return this.#accounts.all()
  }

  holding(user: UserId, contract: Contract, side: PositionNumber): Holding {
    const account = this.account(user)
    const known = account.find(contract.id, side)
    if (known !== undefined) return known
    const holding = new Holding(account, contract, side, account.setting(contract.id))
    account.holdings.push(holding)
    return holding
  }

  /** Notes that a position or its orders changed; `flush` handles the consequences. */
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

  /** Adds a position to the lists that it belongs to, or removes it. */
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
