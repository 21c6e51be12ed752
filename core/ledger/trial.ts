import * as blocks from './blocks.ts'
import type { BlockPlace } from './blocks.ts'
import { systemAccounts } from '../protocol/account.ts'

const { ACCOUNTS, BASE, kindUnit, OWNER } = blocks

/** Slots of an account: available, held. */
const HELD = 1
/** Indexed by minus the owner (see `systemOwner`): whether the account may go negative. */
const isOutside = [false, ...systemAccounts.map((name) => name.startsWith('outside:'))]

/** `sums`: by asset number, of all accounts; each is zero. `violations`: accounts that are below zero or hold what cannot be. */
export type Trial = { readonly sums: number[]; readonly violations: string[] }

/** The sums of all accounts of these blocks of `rows`. `issued`: by asset number. */
export function trialOf(places: Iterable<BlockPlace>, rows: Float64Array, issued: readonly number[]): Trial {
  const sums = issued.map(() => 0)
  const violations: string[] = []
  for (const at of places) {
    const owner = rows[at + OWNER]!
    const base = rows[at + BASE]! % kindUnit
    const mayBeNegative = isOutside[-owner] === true
    for (let n = 1; n <= ACCOUNTS; n++) {
      const available = rows[at + n * 2]!
      const held = rows[at + n * 2 + HELD]!
      if (available === 0 && held === 0) continue
      const asset = base + n
      if (!Number.isSafeInteger(available) || !Number.isSafeInteger(held)) violations.push(`owner ${owner} asset ${asset}`)
      if ((available < 0 && !mayBeNegative) || held < 0) violations.push(`owner ${owner} asset ${asset} below zero`)
      if (asset >= sums.length) violations.push(`owner ${owner} has asset ${asset}`)
      else sums[asset] = sums[asset]! + available + held
    }
  }
  return { sums, violations }
}
