import { balancesOf } from './balances.ts'
import * as blocks from './blocks.ts'
import { Blocks } from './blocks.ts'
import * as directories from './directories.ts'
import { dumpBlocks, restoreBlocks, ROW_12 } from './dump.ts'
import * as reasons from './reasons.ts'
import type { Row } from './row.ts'
import { trialOf } from './trial.ts'
import type { Units } from '../money/brand.ts'
import { systemAccounts } from '../protocol/account.ts'
import type { SystemAccount } from '../protocol/account.ts'
import { systemOwner } from '../protocol/codec/event.ts'
import * as writers from '../protocol/codec/event-write.ts'
import type { DumpVersion } from '../protocol/codec/records.ts'
import { Records } from '../protocol/codec/records.ts'
import type { AccountNumber, AssetId, KindNumber, OwnerId, ReasonNumber, UserId } from '../protocol/ids.ts'
import type { Balance } from '../protocol/port.ts'
import { countAt } from '../protocol/codec/slots.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeEntry } = writers
const { HOLD, RELEASE, TRADE, FEE } = reasons
const { wordMask } = directories
const { ACCOUNTS, BASE, BLOCK, FIRST, kindUnit, MASK, NONE, OWNER, OWNER_WORDS, ownersBelow, slotMask } = blocks

/** Largest supply of an asset, in units: half of what a safe integer holds, so no account can overflow. */
export const supplyMax = 2 ** 52

/** Assets that can be listed. */
export const assetsMax = 4096

/** Slots of a row: available, held. */
const ROW = 2
const HELD = 1
/** (n × third) >> 17 is ⌊n ÷ 3⌋ for n below 2^16. */
const third = 43_691
const thirdShift = 17
const systems = systemAccounts.length
const fees = systemAccounts.indexOf('fees')
/** The exchange's own accounts have no kind and use this one. */
const SPOT = 0 as KindNumber
/** Rows below this belong to no account. */
const firstRow = NONE + blocks.BLOCK

/**
 * All accounts of the exchange. A row names an account: it is the position of the account's available and held sums, side by side,
 * and does not change during a command. A row is made on first use. Rows of one owner, one kind and three neighbouring assets share
 * a cache line with their owner's number (see `Blocks`). Every change is checked: only `outside:*` accounts go below zero, and none
 * exceeds 2^53. Every change emits an entry event.
 */
export class Ledger {
  readonly #blocks: Blocks
  /** The memory of `#blocks`. */
  #rows: Float64Array
  #owners: Int32Array
  #words: Int32Array
  /** Rows of the exchange's own accounts, at asset × number of such accounts + account. */
  #systemRows = new Int32Array(systems * 8)
  /** Per asset: units issued from outside the exchange. */
  readonly #issued: number[] = [0]
  /** Buffer into which entries are written: the events of the running command. */
  #events = new Records(0)

  /** Whether `tidy` has something to do. */
  isUntidy = false
  /** Whether only the reserved blocks are left, which nothing new may use. */
  isShort = false
  readonly #reserve: number

  /** `blocksMax`: most blocks, of three accounts each, that there can be. `reserve`: how many of them nothing new may use. */
  constructor(blocksMax?: number, reserve = 0) {
    this.#blocks = new Blocks(blocksMax)
    this.#reserve = reserve
    this.#rows = this.#blocks.rows
    this.#owners = this.#blocks.owners
    this.#words = this.#blocks.directories.words
  }

  /** Takes the memory for as many accounts as there can ever be. False when the system does not give it. */
  reserve(): boolean {
    const isGiven = this.#blocks.reserve()
    this.#lookAgain()
    return isGiven
  }

  /** Sets the buffer that the following entries are written to. */
  write(events: Records): void {
    this.#events = events
  }

  /** Blocks that can still be made. A command that would open an account is refused before this reaches 0. */
  get blocksLeft(): number {
    return this.#blocks.left
  }

  get blockCount(): number {
    return this.#blocks.count
  }

  /** Makes the exchange's own accounts of an asset. Assets are numbered from 1 without gaps. Moves accounts, as `tidy` does. */
  addAsset(asset: AssetId): void {
    this.#issued[asset] = 0
    for (let system = 0; system < systems; system++) this.row(systemOwner(system), SPOT, asset)
    this.tidy()
    if ((asset + 1) * systems > this.#systemRows.length) this.#systemRows = new Int32Array(this.#systemRows.length * 2)
    for (let n = systems; n < (asset + 1) * systems; n++) {
      this.#systemRows[n] = this.find(systemOwner(n % systems), SPOT, Math.floor(n / systems) as AssetId)
    }
  }

  /** Row of a user's spot account; made if needed. */
  spotRow(user: UserId, asset: AssetId): Row {
    const row = this.findSpot(user, asset)
    return row >= firstRow ? row : ((this.#open(user, baseOf(asset)) + row - NONE) as Row)
  }

  /** Row of a user's spot account, or the shared empty row. Part of the hot path. */
  findSpot(user: UserId, asset: AssetId): Row {
    // As an integer: numbers that come from slots are float64.
    const number = asset | 0
    const group = Math.imul(number - 1, third) >>> thirdShift
    const base = Math.imul(group, ACCOUNTS) as AccountNumber
    const from = Math.imul(number - base, ROW)
    const at = Math.imul(user + ownersBelow, OWNER_WORDS)
    const owners = this.#owners
    const entry = owners[at] ?? 0
    if (entry === 0) return (NONE + from) as Row
    const place = (group + user) & owners[(at + MASK) | 0]!
    const block = (entry < 0 ? this.#words[(place - entry) & wordMask]! : entry + place * BLOCK) & slotMask
    if (this.#rows[block + BASE] === base) return (block + from) as Row
    return (this.#blocks.find(user, base) + from) as Row
  }

  /** Probable row of a spot account, for prefetching; any row when the user or the account does not exist. */
  nearRow(user: UserId, asset: AssetId): Row {
    const number = asset | 0
    const group = Math.imul(number - 1, third) >>> thirdShift
    const at = Math.imul(user + ownersBelow, OWNER_WORDS)
    const owners = this.#owners
    const entry = owners[at] ?? 0
    if (entry === 0) return NONE as number as Row
    const place = (group + user) & owners[(at + MASK) | 0]!
    const block = entry < 0 ? this.#words[(place - entry) & wordMask]! : entry + place * BLOCK
    return ((block & slotMask) + Math.imul(number - Math.imul(group, ACCOUNTS), ROW)) as Row
  }

  /** Reads the first `count` of these rows, to bring them into the cache. */
  reach(rows: Int32Array, count: number): number {
    const all = this.#rows
    let read = 0
    for (let n = 0; n < count; n++) read ^= all[rows[n]!]! | 0
    return read
  }

  /** Tidies the blocks at the end of a command. Rows obtained before are no longer valid. */
  tidy(): void {
    this.#blocks.tidy()
    this.#lookAgain()
  }

  /** Row of any account; made if needed. `kind`: position in `accountKinds` + 16 × isolated market. */
  row(owner: OwnerId, kind: KindNumber, asset: AssetId): Row {
    const base = baseOf(asset)
    const block = this.#blocks.find(owner, (kind * kindUnit + base) as AccountNumber)
    return ((block === NONE ? this.#open(owner, (kind * kindUnit + base) as AccountNumber) : block) + (asset - base) * ROW) as Row
  }

  /** Row of any account, or the shared empty row. */
  find(owner: OwnerId, kind: KindNumber, asset: AssetId): Row {
    const base = baseOf(asset)
    return (this.#blocks.find(owner, (kind * kindUnit + base) as AccountNumber) + (asset - base) * ROW) as Row
  }

  systemRow(system: SystemAccount, asset: AssetId): Row {
    return this.#systemRows[asset * systems + systemAccounts.indexOf(system)] as Row
  }

  /** Row of the exchange's own fee account. Part of the hot path. */
  feeRow(asset: AssetId): Row {
    return this.#systemRows[asset * systems + fees] as Row
  }

  available(row: Row): Units {
    return this.#rows[row] as Units
  }

  held(row: Row): Units {
    return this.#rows[(row & slotMask) + HELD] as Units
  }

  /** Amount of the asset that this account may still issue: at most 2^52 units of an asset exist in total. */
  issuable(asset: AssetId): Units {
    return (supplyMax - this.#issued[asset]!) as Units
  }

  /** From outside the exchange into an account: the only way an asset's supply grows. */
  issue(source: Row, row: Row, asset: AssetId, amount: Units, reason: ReasonNumber): void {
    if (amount > this.issuable(asset)) throw new Error(`asset ${asset} would pass its supply by ${amount}`)
    this.#issued[asset] = this.#issued[asset]! + amount
    const rows = this.#rows
    const at = (source & slotMask) as Row
    rows[at] = rows[at]! - amount
    this.#tell(rows, at, reason, -amount as Units, 0 as Units)
    this.credit(row, amount, reason)
  }

  /**
   * From an account to outside the exchange: the asset's supply shrinks. It falls below zero when more leaves than ever came in: accounts
   * also have money that is lent or owed.
   */
  redeem(row: Row, outside: Row, asset: AssetId, amount: Units, reason: ReasonNumber): void {
    this.debit(row, amount, reason)
    this.#issued[asset] = this.#issued[asset]! - amount
    this.credit(outside, amount, reason)
  }

  /** The same out of the held sum. */
  redeemHeld(row: Row, outside: Row, asset: AssetId, amount: Units, reason: ReasonNumber): void {
    this.payHeld(row, outside, amount, reason)
    this.#issued[asset] = this.#issued[asset]! - amount
  }

  /** Pays out of the held sum into another account. */
  payHeld(row: Row, target: Row, amount: Units, reason: ReasonNumber): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at + HELD]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`payment of ${amount} from held breaks row ${row}`)
    rows[at + HELD] = after
    this.#tell(rows, at, reason, 0 as Units, -amount as Units)
    this.credit(target, amount, reason)
  }

  /** Adds to the available sum. Throws when the account would pass 2^53, which conservation makes unreachable. */
  credit(row: Row, amount: Units, reason: ReasonNumber): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at]! + amount
    if (!(amount >= 0 && after <= Number.MAX_SAFE_INTEGER) || row < firstRow) throw new Error(`credit of ${amount} breaks row ${row}`)
    rows[at] = after
    this.#tell(rows, at, reason, amount, 0 as Units)
  }

  /** Takes from the available sum. Throws below zero: the caller has checked. */
  debit(row: Row, amount: Units, reason: ReasonNumber): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`debit of ${amount} breaks row ${row}`)
    rows[at] = after
    this.#tell(rows, at, reason, -amount as Units, 0 as Units)
  }

  /** Takes from an outside account, which may go below zero. */
  debitOutside(row: Row, amount: Units, reason: ReasonNumber): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at]! - amount
    if (!(amount >= 0 && after >= -Number.MAX_SAFE_INTEGER)) throw new Error(`debit of ${amount} breaks row ${row}`)
    rows[at] = after
    this.#tell(rows, at, reason, -amount as Units, 0 as Units)
  }

  /** Credits `amount` and takes `fee` off it at once, as two entries: a trade and its fee. */
  creditLess(row: Row, amount: Units, fee: Units): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at]! + amount - fee
    if (!(fee >= 0 && fee <= amount && after <= Number.MAX_SAFE_INTEGER) || row < firstRow)
      throw new Error(`credit of ${amount} − ${fee} breaks row ${row}`)
    rows[at] = rows[at]! + amount
    this.#tell(rows, at, TRADE, amount, 0 as Units)
    rows[at] = after
    if (fee > 0) this.#tell(rows, at, FEE, -fee as Units, 0 as Units)
  }

  hold(row: Row, amount: Units): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`hold of ${amount} breaks row ${row}`)
    rows[at] = after
    rows[at + HELD] = rows[at + HELD]! + amount
    this.#tell(rows, at, HOLD, -amount as Units, amount)
  }

  release(row: Row, amount: Units): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at + HELD]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`release of ${amount} breaks row ${row}`)
    rows[at + HELD] = after
    rows[at] = rows[at]! + amount
    this.#tell(rows, at, RELEASE, amount, -amount as Units)
  }

  /** Changes both sums as one entry. Throws below zero: the caller has checked. */
  change(row: Row, delta: Units, heldDelta: Units, reason: ReasonNumber): void {
    const rows = this.#rows
    const [available, held] = [rows[row]! + delta, rows[row + HELD]! + heldDelta]
    if (!(available >= 0 && held >= 0) || row < firstRow) throw new Error(`change of ${delta} and ${heldDelta} breaks row ${row}`)
    rows.set([available, held], row)
    this.#tell(rows, row, reason, delta, heldDelta)
  }

  /** Pays out of the held sum. */
  spendHeld(row: Row, amount: Units): void {
    const rows = this.#rows
    const at = (row & slotMask) as Row
    const after = rows[at + HELD]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`payment of ${amount} from held breaks row ${row}`)
    rows[at + HELD] = after
    this.#tell(rows, at, TRADE, 0 as Units, -amount as Units)
  }

  /** Every account that is not empty, ordered by owner, kind and asset. */
  accounts(): Balance[] {
    const found: Balance[] = []
    for (let owner = Blocks.ownersStart; owner < this.#blocks.ownersEnd; owner++)
      found.push(...balancesOf(owner, this.#blocks.ofOwner(owner), this.#rows))
    return found
  }

  accountsOfUser(user: UserId): Balance[] {
    return balancesOf(user, this.#blocks.ofOwner(user), this.#rows)
  }

  /**
   * `sums`: per asset the sum of all accounts, which must be 0. `violations`: what is wrong with single accounts, which must be
   * empty.
   */
  trialBalance(): { readonly sums: readonly number[]; readonly violations: readonly string[] } {
    return trialOf(this.#blocks.all(), this.#rows, this.#issued)
  }

  /** Appends the issued sums and all blocks, sorted by owner and account number. Yields whenever much has been appended. */
  *dump(into: Records): Generator<void> {
    const issued = into.reserve(this.#issued.length)
    into.data[issued] = this.#issued.length - 1
    for (let asset = 1; asset < this.#issued.length; asset++) into.data[issued + asset] = this.#issued[asset]!
    yield* dumpBlocks(this.#blocks, into)
  }

  /** Reads what `dump` wrote at `at` into an empty ledger. Returns the index just after it. `from`: version of the dump. */
  restore(data: Float64Array, at: number, from: DumpVersion): number {
    const assets = countAt(data, at)
    for (let asset = 1; asset <= assets; asset++) {
      this.addAsset(asset as AssetId)
      this.#issued[asset] = data[at + asset]!
    }
    const next = at + assets + 1
    if (from < 13) return this.#restoreRows(data, next)
    const end = restoreBlocks(this.#blocks, data, next)
    this.#lookAgain()
    return end
  }

  /** Up to version 12 a dump listed every non-empty row by itself. */
  #restoreRows(data: Float64Array, start: number): number {
    let next = start + 1
    for (let left = countAt(data, start, ROW_12.length); left > 0; left--, next += ROW_12.length) {
      const [user, kind] = [data[next + ROW_12.user] as UserId, data[next + ROW_12.kind] as KindNumber]
      const row = this.row(user, kind, data[next + ROW_12.asset] as AssetId)
      this.#rows[row] = data[next + ROW_12.available]!
      this.#rows[row + HELD] = data[next + ROW_12.held]!
    }
    this.tidy()
    return next
  }

  /** Emits an entry with what has just changed and the new sums. */
  #tell(rows: Float64Array, row: Row, reason: ReasonNumber, delta: Units, heldDelta: Units): void {
    if (delta === 0 && heldDelta === 0) return
    // Number of the account among its block's three: a block begins at FIRST + a multiple of its length.
    const n = ((row - FIRST) >> 1) & ACCOUNTS
    const block = (row - n * 2) & slotMask
    const owner = rows[block + OWNER] as OwnerId
    const account = (rows[block + BASE]! + n) as AccountNumber
    writeEntry(this.#events, owner, account, reason, delta, heldDelta, rows[row] as Units, rows[row + HELD] as Units)
  }

  #open(owner: OwnerId, base: AccountNumber): number {
    const block = this.#blocks.open(owner, base)
    this.#lookAgain()
    return block
  }

  /** Reads the memory again: making blocks may have replaced it. */
  #lookAgain(): void {
    this.isShort = this.#blocks.left <= this.#reserve
    this.isUntidy = this.#blocks.isUntidy
    this.#rows = this.#blocks.rows
    this.#owners = this.#blocks.owners
    this.#words = this.#blocks.directories.words
  }
}

/** Number just before the first spot account of an asset's block. */
function baseOf(asset: AssetId): AccountNumber {
  return Math.imul(Math.imul(asset - 1, third) >>> thirdShift, ACCOUNTS) as AccountNumber
}
