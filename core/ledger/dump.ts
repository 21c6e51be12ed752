import type { AccountNumber, UserId } from '../protocol/ids.ts'
import * as blocks from './blocks.ts'
import { Blocks } from './blocks.ts'
import { layoutOf } from '../protocol/codec/records.ts'
import type { Records } from '../protocol/codec/records.ts'
import { isMoreAt } from '../protocol/codec/slots.ts'

const { BASE, BLOCK } = blocks

// A dumped block; `accounts` is its base number × 64 + one bit for each of its six sums that is not zero. Those sums follow. Owner 0
// ends the list.
const DUMPED = layoutOf('owner', 'accounts')
/** Up to version 12 each account that is not empty has a record of its own. */
export const ROW_12 = layoutOf('user', 'kind', 'asset', 'available', 'held')
const SUMS = 6
const sumBits = 2 ** SUMS
const FIRST_SUM = BLOCK - SUMS

/**
 * Appends all blocks, sorted by owner and account number. Empty blocks are included, because their count decides when the
 * exchange is full.
 */
export function* dumpBlocks(all: Blocks, into: Records): Generator<void> {
  for (let owner = Blocks.ownersStart; owner < all.ownersEnd; owner++) {
    for (const block of all.ofOwner(owner)) dumpBlock(all.rows, block, into)
    if ((owner & 1023) === 0) yield
  }
  into.data[into.reserve(1)] = 0
}

function dumpBlock(rows: Float64Array, from: number, into: Records): void {
  const at = into.reserve(BLOCK)
  const { data } = into
  let end = at + DUMPED.length
  let present = 0
  for (let n = 0; n < SUMS; n++) {
    const sum = rows[from + FIRST_SUM + n]!
    if (sum === 0) continue
    present |= 1 << n
    data[end++] = sum
  }
  data[at + DUMPED.owner] = rows[from]!
  data[at + DUMPED.accounts] = rows[from + BASE]! * sumBits + present
  into.length = end
}

/** Reads what `dumpBlocks` wrote. Returns the index just after it. */
export function restoreBlocks(all: Blocks, data: Float64Array, start: number): number {
  let next = start
  let owner = -Infinity
  let last = -1
  while (isMoreAt(data, next)) {
    const word = data[next + DUMPED.accounts]!
    if (data[next] !== owner) {
      all.tidy()
      last = -1
    }
    // An account that comes twice, or in another order, would make tables of the ledger that no search leaves.
    if (!(data[next]! >= owner && word > last && Number.isSafeInteger(word))) throw new Error(`block at slot ${next} is not in its place`)
    owner = data[next + DUMPED.owner]!
    last = word
    const base = Math.floor(word / sumBits) as AccountNumber
    const present = word - base * sumBits
    const block = all.open(data[next] as UserId, base)
    next += DUMPED.length
    for (let n = 0; n < SUMS; n++) if ((present & (1 << n)) !== 0) all.rows[block + FIRST_SUM + n] = data[next++]!
  }
  all.tidy()
  return next + 1
}
