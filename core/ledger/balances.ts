import * as blocks from './blocks.ts'
import type { BlockPlace } from './blocks.ts'
import type { Units } from '../money/brand.ts'
import { accountKinds, systemAccounts } from '../protocol/account.ts'
import type { AccountRef } from '../protocol/account.ts'
import type { OwnerId } from '../protocol/ids.ts'
import type { Balance } from '../protocol/port.ts'

const { ACCOUNTS, BASE, kindUnit } = blocks

/** Slots of an account: available, held. */
const HELD = 1

/** The accounts of an owner that are not empty, by kind and asset. `places`: the owner's blocks of `rows`. */
export function balancesOf(owner: OwnerId, places: Iterable<BlockPlace>, rows: Float64Array): Balance[] {
  const found: Balance[] = []
  for (const at of places) {
    const kindAndMarket = Math.floor(rows[at + BASE]! / kindUnit)
    const market = Math.floor(kindAndMarket / 16)
    const name = { user: owner, kind: accountKinds[kindAndMarket % 16]!, ...(market === 0 ? {} : { market }) }
    for (let n = 1; n <= ACCOUNTS; n++) {
      const available = rows[at + n * 2]!
      const held = rows[at + n * 2 + HELD]!
      if (available === 0 && held === 0) continue
      const asset = (rows[at + BASE]! % kindUnit) + n
      const account = owner < 0 ? { system: systemAccounts[-1 - owner]!, asset } : { ...name, asset }
      found.push({ account: account as AccountRef, available: available as Units, held: held as Units })
    }
  }
  return found
}
