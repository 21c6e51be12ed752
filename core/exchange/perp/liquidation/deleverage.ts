import type { UserId } from '../../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import { writeDeleveraged } from '../../../protocol/codec/perp-write.ts'
import { isBeyondBankruptcy } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { BY_DELEVERAGE, end, reduce } from '../positions/fill.ts'
import { cushionOf } from '../rules/money.ts'
import { nextOf, rankingOf } from './rank.ts'
import type { Contract, PerpAccount } from '../records/state.ts'

/** Largest number of positions that one command closes against. */
export const partnersMax = 32

/** Largest number of positions that one closing passes over because they can't bear the price. */
const passedMax = 256

/** Returned instead of lots while the queue is still being built. */
export const NOT_READY = -1

/** Signed lots that nothing else takes at this price, and how a part of them is closed. `account` undefined: the fund's inventory. */
export type Untaken = {
  readonly contract: Contract
  readonly lots: Lots
  readonly price: Ticks
  readonly account: PerpAccount | undefined
  readonly close: (lots: Lots) => void
}

/** Closes lots against the first positions of the opposite queue that can bear the price. Returns the lots closed, or `NOT_READY`. */
export function deleverage(x: State, { contract, lots, price, account, close }: Untaken): number {
  const ranking = rankingOf(x, contract, lots > 0 ? 1 : 0)
  if (ranking === undefined) return NOT_READY
  const size = Math.abs(lots)
  let left = size
  // Positions passed over may be right for the next closing.
  const first = ranking.next
  let passed = 0
  while (left > 0 && x.perp.partners < partnersMax && passed < passedMax) {
    const partner = nextOf(x, contract, ranking)
    if (partner === undefined) break
    const isUnable = partner.account === account || isBeyondBankruptcy(partner.lots, partner.cost, cushionOf(x, partner), price, contract.q)
    if (isUnable) {
      passed++
      ranking.next++
      continue
    }
    const closed = Math.min(left, Math.abs(partner.lots)) as Lots
    x.perp.partners++
    const bankruptUser = (account?.user ?? 0) as UserId
    writeDeleveraged(x.events, { market: contract.id, price, lots: closed, bankruptUser, user: partner.user, position: partner.id })
    reduce(x, partner, closed, (price * closed * contract.q) as Units, false)
    if (partner.lots === 0) end(x, partner, BY_DELEVERAGE)
    close(closed)
    left -= closed
  }
  if (passed > 0) ranking.next = first
  return size - left
}
