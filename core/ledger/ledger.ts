import * as reasons from './reasons.ts'
import type { Units } from '../money/brand.ts'
import { accountKinds, systemAccounts } from '../protocol/account.ts'
import type { AccountRef, SystemAccount } from '../protocol/account.ts'
import { accountSlot, systemOwner } from '../protocol/codec/event.ts'
import * as writers from '../protocol/codec/event-write.ts'
import { Records } from '../protocol/codec/records.ts'
import type { Balance } from '../protocol/port.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { writeEntry } = writers
const { HOLD, RELEASE, TRADE, FEE } = reasons

/** Sum of an asset that may be issued in all, in units: half of what a safe integer holds, so no account can overflow. */
export const supplyMax = 2 ** 52

/** Slots of one row: what is available, what is held. */
const ROW = 2
const HELD = 1
/** All bits of a row's place: the compiler need not check that a slot more overflows. */
const rowMask = 2 ** 30 - 1
/** Rows start here, four to a cache line where large arrays start 16 bytes after the start of one. */
const FIRST = 6
/** Name of a block that is not of spot accounts: above all owners. */
const OTHER = 2 ** 32
/** Blocks of other kinds are found by owner + kind × this: owners stay below it, kinds (16 × market included) below 2^19. */
const kindUnit = 2 ** 34
const feeBlock = 1 + systemAccounts.indexOf('fees')
/** By what `systemOwner` gives, above zero: the accounts that may be negative. */
const isOutside = [false, ...systemAccounts.map((name) => name.startsWith('outside:'))]

/**
 * All accounts of the exchange. The accounts of one owner and kind are a block of neighbouring rows, one per asset,
 * made on first use; a row has what is available and what is held side by side. Every change is checked: nothing but
 * `outside:*` goes below zero, nothing passes 2^53. Every change is told as an entry event when it is made.
 */
export class Ledger {
  #rows = new Float64Array(FIRST + ROW * 4 * 64)
  /** Rows of a block: four times an odd number, because blocks a power of two apart would fight for the same places in a cache. */
  #stride = 4
  #blocks = 0
  /** Block of a user's spot accounts, 0 when there is none: the only kind in the hot path. */
  #spotBlocks = new Int32Array(1024)
  /** Blocks of all other kinds, by owner and kind. */
  readonly #otherBlocks = new Map<number, number>()
  /** Per user: blocks of accounts that exist per market. */
  readonly #isolatedBlocks = new Map<number, readonly number[]>()
  /** Per block: owner (below zero: one of the exchange's own), and kind + 16 × isolated market. */
  #owners: number[] = [0]
  /** The same for entries: the owner of spot accounts; `OTHER` of any other block. */
  #names = new Float64Array(64)
  #kinds: number[] = [0]
  /** Per asset: units issued from outside. */
  readonly #issued: number[] = [0]
  /** Where entries are written: the events of the running command. */
  #events = new Records(0)

  constructor() {
    this.#blocks = 1
    for (let system = 0; system < systemAccounts.length; system++) this.#block(systemOwner(system), 0)
  }

  /** Entries from here on go there. */
  write(events: Records): void {
    this.#events = events
  }

  /** Makes room for an asset. Assets are numbered from 1 without gaps. */
  addAsset(asset: number): void {
    this.#issued[asset] = 0
    if (asset <= this.#stride) return
    const wider = this.#stride + (this.#stride >>> 4) * 8 + 8
    const slots = FIRST + Math.max(this.#blocks * 2, 64) * wider * ROW
    if (slots > rowMask) throw new Error('there are more accounts than rows')
    const rows = new Float64Array(slots)
    for (let block = 0; block < this.#blocks; block++) {
      const from = FIRST + block * this.#stride * ROW
      rows.set(this.#rows.subarray(from, from + this.#stride * ROW), FIRST + block * wider * ROW)
    }
    this.#rows = rows
    this.#stride = wider
  }

  /** Where the user's spot account of an asset stands: good until the next asset or block is added. */
  spotRow(user: number, asset: number): number {
    let block = user < this.#spotBlocks.length ? this.#spotBlocks[user]! : 0
    if (block === 0) block = this.#block(user, 0)
    return this.#at(block, asset)
  }

  /** The same, where there may be no such user or account: then some other row. */
  nearRow(user: number, asset: number): number {
    return user >>> 0 < this.#spotBlocks.length ? this.#at(this.#spotBlocks[user]!, asset) : FIRST
  }

  /** Reads the first `count` of these rows. */
  reach(rows: Int32Array, count: number): number {
    const all = this.#rows
    let read = 0
    for (let n = 0; n < count; n++) read ^= all[rows[n]!]! | 0
    return read
  }

  row(user: number, kind: number, asset: number): number {
    if (kind === 0) return this.spotRow(user, asset)
    return this.#at(this.#block(user, kind), asset)
  }

  systemRow(system: SystemAccount, asset: number): number {
    return this.#at(1 + systemAccounts.indexOf(system), asset)
  }

  /** The exchange's own fees: in the hot path. */
  feeRow(asset: number): number {
    return this.#at(feeBlock, asset)
  }

  available(row: number): number {
    return this.#rows[row]!
  }

  held(row: number): number {
    return this.#rows[row + HELD]!
  }

  /** What of this account may still be issued: 2^52 units of an asset in all. */
  issuable(asset: number): number {
    return supplyMax - this.#issued[asset]!
  }

  /** From the world into an account: the only way that an asset's supply grows. */
  issue(source: number, row: number, asset: number, amount: number, reason: number): void {
    if (amount > this.issuable(asset)) throw new Error(`asset ${asset} would pass its supply by ${amount}`)
    this.#issued[asset] = this.#issued[asset]! + amount
    const rows = this.#rows
    rows[source] = rows[source]! - amount
    this.#tell(source, reason, -amount, 0)
    this.credit(row, amount, reason)
  }

  /** Adds to what is available. Throws when an account would pass 2^53: conservation makes that unreachable. */
  credit(row: number, amount: number, reason: number): void {
    const rows = this.#rows
    const after = rows[row]! + amount
    if (!(amount >= 0 && after <= Number.MAX_SAFE_INTEGER)) throw new Error(`credit of ${amount} breaks row ${row}`)
    rows[row] = after
    this.#tell(row, reason, amount, 0)
  }

  /** Takes from what is available. Throws below zero: the caller checked. */
  debit(row: number, amount: number, reason: number): void {
    const rows = this.#rows
    const after = rows[row]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`debit of ${amount} breaks row ${row}`)
    rows[row] = after
    this.#tell(row, reason, -amount, 0)
  }

  /** Takes from an account of the world beyond, which may go below zero. */
  debitOutside(row: number, amount: number, reason: number): void {
    const rows = this.#rows
    const after = rows[row]! - amount
    if (!(amount >= 0 && after >= -Number.MAX_SAFE_INTEGER)) throw new Error(`debit of ${amount} breaks row ${row}`)
    rows[row] = after
    this.#tell(row, reason, -amount, 0)
  }

  /** A credit and what is taken off it at once, as two reasons: a trade and its fee. */
  creditLess(row: number, amount: number, fee: number): void {
    const rows = this.#rows
    const after = rows[row]! + amount - fee
    if (!(fee >= 0 && fee <= amount && after <= Number.MAX_SAFE_INTEGER)) throw new Error(`credit of ${amount} − ${fee} breaks row ${row}`)
    rows[row] = rows[row]! + amount
    this.#tell(row, TRADE, amount, 0)
    rows[row] = after
    if (fee > 0) this.#tell(row, FEE, -fee, 0)
  }

  hold(row: number, amount: number): void {
    const rows = this.#rows
    const after = rows[row]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`hold of ${amount} breaks row ${row}`)
    rows[row] = after
    rows[row + HELD] = rows[row + HELD]! + amount
    this.#tell(row, HOLD, -amount, amount)
  }

  release(row: number, amount: number): void {
    const rows = this.#rows
    const after = rows[row + HELD]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`release of ${amount} breaks row ${row}`)
    rows[row + HELD] = after
    rows[row] = rows[row]! + amount
    this.#tell(row, RELEASE, amount, -amount)
  }

  /** Pays out of what is held. */
  spendHeld(row: number, amount: number): void {
    const rows = this.#rows
    const after = rows[row + HELD]! - amount
    if (!(amount >= 0 && after >= 0)) throw new Error(`payment of ${amount} from held breaks row ${row}`)
    rows[row + HELD] = after
    this.#tell(row, TRADE, 0, -amount)
  }

  /** Every account that was ever used, in the order of owner, kind and asset. */
  accounts(): Balance[] {
    const order = Array.from({ length: this.#blocks - 1 }, (_, i) => i + 1)
    order.sort((a, b) => this.#owners[a]! - this.#owners[b]! || this.#kinds[a]! - this.#kinds[b]!)
    return order.flatMap((block) => this.#accountsOf(block))
  }

  accountsOfUser(user: number): Balance[] {
    const blocks: number[] = []
    for (let kind = 0; kind < accountKinds.length; kind++) {
      const block = kind === 0 ? (this.#spotBlocks[user] ?? 0) : (this.#otherBlocks.get(user + kind * kindUnit) ?? 0)
      if (block !== 0) blocks.push(block)
    }
    const isolated = [...(this.#isolatedBlocks.get(user) ?? [])].sort((a, b) => this.#kinds[a]! - this.#kinds[b]!)
    return [...blocks, ...isolated].flatMap((block) => this.#accountsOf(block))
  }

  /** Per asset: the sum of all accounts (must be 0) and what is wrong with single ones (must be empty). */
  trialBalance(): { readonly sums: readonly number[]; readonly violations: readonly string[] } {
    const sums = this.#issued.map(() => 0)
    const violations: string[] = []
    for (let block = 1; block < this.#blocks; block++) {
      for (let asset = 1; asset < this.#issued.length; asset++) {
        const row = this.#at(block, asset)
        const available = this.#rows[row]!
        const held = this.#rows[row + HELD]!
        const mayBeNegative = isOutside[-this.#owners[block]!] === true
        if (!Number.isSafeInteger(available) || !Number.isSafeInteger(held)) violations.push(`owner ${this.#owners[block]} asset ${asset}`)
        if ((available < 0 && !mayBeNegative) || held < 0) violations.push(`owner ${this.#owners[block]} asset ${asset} below zero`)
        sums[asset] = sums[asset]! + available + held
      }
    }
    return { sums, violations }
  }

  /** Appends every row that is not empty, sorted by owner, kind and asset, and the issued sums. */
  dump(into: Records): void {
    const issued = into.reserve(this.#issued.length)
    into.data[issued] = this.#issued.length - 1
    for (let asset = 1; asset < this.#issued.length; asset++) into.data[issued + asset] = this.#issued[asset]!
    const order = Array.from({ length: this.#blocks - 1 }, (_, i) => i + 1)
    order.sort((a, b) => this.#owners[a]! - this.#owners[b]! || this.#kinds[a]! - this.#kinds[b]!)
    const countAt = into.reserve(1)
    let count = 0
    for (const block of order) {
      for (let asset = 1; asset < this.#issued.length; asset++) {
        const row = this.#at(block, asset)
        if (this.#rows[row] === 0 && this.#rows[row + HELD] === 0) continue
        const at = into.reserve(5)
        into.data[at] = this.#owners[block]!
        into.data[at + 1] = this.#kinds[block]!
        into.data[at + 2] = asset
        into.data[at + 3] = this.#rows[row]!
        into.data[at + 4] = this.#rows[row + HELD]!
        count++
      }
    }
    into.data[countAt] = count
  }

  /** Reads what `dump` wrote at `at`, into an empty ledger; returns where it ends. */
  restore(data: Float64Array, at: number): number {
    const assets = data[at]!
    for (let asset = 1; asset <= assets; asset++) {
      this.addAsset(asset)
      this.#issued[asset] = data[at + asset]!
    }
    let next = at + assets + 1
    const count = data[next++]!
    for (let i = 0; i < count; i++, next += 5) {
      const row = this.#at(this.#block(data[next]!, data[next + 1]!), data[next + 2]!)
      this.#rows[row] = data[next + 3]!
      this.#rows[row + HELD] = data[next + 4]!
    }
    return next
  }

  /** Says what has just changed, and what is there now. */
  #tell(row: number, reason: number, delta: number, heldDelta: number): void {
    if (delta === 0 && heldDelta === 0) return
    const rows = this.#rows
    const stride = this.#stride
    const number = (row - FIRST) >> 1
    const block = (number / stride) | 0
    const asset = number - Math.imul(block, stride) + 1
    const owner = this.#names[block]!
    if (owner < OTHER) writeEntry(this.#events, owner, asset, reason, delta, heldDelta, rows[row]!, rows[row + HELD]!)
    else this.#tellOther(block, asset, reason, delta, heldDelta, rows[row]!, rows[row + HELD]!)
  }

  #tellOther(block: number, asset: number, reason: number, delta: number, heldDelta: number, available: number, held: number): void {
    const kind = this.#kinds[block]!
    const account = accountSlot(kind % 16, asset, Math.floor(kind / 16))
    writeEntry(this.#events, this.#owners[block]!, account, reason, delta, heldDelta, available, held)
  }

  /** Row of an asset in a block. */
  #at(block: number, asset: number): number {
    return (FIRST - ROW + Math.imul(Math.imul(block, this.#stride) + asset, ROW)) & rowMask
  }

  #block(owner: number, kind: number): number {
    const known = owner > 0 && kind === 0 ? (this.#spotBlocks[owner] ?? 0) : (this.#otherBlocks.get(owner + kind * kindUnit) ?? 0)
    if (known !== 0) return known
    const block = this.#blocks++
    this.#owners[block] = owner
    this.#kinds[block] = kind
    if (block === this.#names.length) {
      const names = new Float64Array(block * 2)
      names.set(this.#names)
      this.#names = names
    }
    this.#names[block] = kind === 0 ? owner : OTHER
    if (owner > 0 && kind === 0) {
      if (owner >= this.#spotBlocks.length) this.#spotBlocks = widened(this.#spotBlocks, owner + 1)
      this.#spotBlocks[owner] = block
    } else {
      this.#otherBlocks.set(owner + kind * kindUnit, block)
      if (kind >= 16) this.#isolatedBlocks.set(owner, [...(this.#isolatedBlocks.get(owner) ?? []), block])
    }
    const slots = FIRST + this.#blocks * this.#stride * ROW
    if (slots > this.#rows.length) {
      if (slots > rowMask) throw new Error('there are more accounts than rows')
      const rows = new Float64Array(FIRST + (slots - FIRST) * 2)
      rows.set(this.#rows)
      this.#rows = rows
    }
    return block
  }

  #accountsOf(block: number): Balance[] {
    const found: Balance[] = []
    const owner = this.#owners[block]!
    const kind = accountKinds[this.#kinds[block]! % 16]!
    const market = Math.floor(this.#kinds[block]! / 16)
    const name = { user: owner, kind, ...(market === 0 ? {} : { market }) }
    for (let asset = 1; asset < this.#issued.length; asset++) {
      const row = this.#at(block, asset)
      const available = this.#rows[row]!
      const held = this.#rows[row + HELD]!
      if (available === 0 && held === 0) continue
      const account = owner < 0 ? { system: systemAccounts[-1 - owner]!, asset } : { ...name, asset }
      found.push({ account: account as AccountRef, available: available as Units, held: held as Units })
    }
    return found
  }
}

function widened(old: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(least, old.length * 2))
  wider.set(old)
  return wider
}
