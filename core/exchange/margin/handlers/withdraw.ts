import type { Units } from '../../../money/brand.ts'
import type { AssetId, UserId } from '../../../protocol/ids.ts'
import { LEND_AMOUNT, LEND_ASSET } from '../../../protocol/codec/margin.ts'
import { USER } from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import { turnHour } from '../loans/interest.ts'
import { pendingInterest, settleLender } from '../loans/lenders.ts'
import { leavePool, liquidity, payOut, tellClaim, tellPools } from '../loans/pool.ts'
import { lendRow } from '../rules/postings.ts'
import type { Pool } from '../records/state.ts'

/** Largest number of places of a lender in a queue. A further redemption joins the last place, which moves to the end. */
export const placesMax = 20

/**
 * `lend.withdraw`: pays to spot as far as the pool is liquid and its queue is empty. The rest joins the queue and earns until it
 * is paid. The part that is paid at once earns nothing for the running hour.
 */
export function withdrawAsset(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const asset = data[start + LEND_ASSET] as AssetId
  const amount = data[start + LEND_AMOUNT]!
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const pool = x.margin.pools[asset]
  const row = lendRow(x, user, asset)
  if (pool === undefined || x.ledger.available(row) + pendingInterest(x, pool, user) < amount) return 'CLAIM_TOO_SMALL'

  turnHour(x)
  const earned = settleLender(x, pool, user)
  const now = (pool.queue.length > 0 ? 0 : Math.min(amount, liquidity(x, pool))) as Units
  if (now > 0) leavePool(x, pool, user, now)
  if (now < amount) {
    x.ledger.hold(row, (amount - now) as Units)
    join(pool, user, (amount - now) as Units)
  }
  x.margin.touched.add(pool)
  tellClaim(x, pool, user, earned)
  payOut(x, pool)
  tellPools(x)
  return undefined
}

function join(pool: Pool, user: UserId, amount: Units): void {
  const own = pool.queue.filter((waiting) => waiting.user === user)
  const last = own.length >= placesMax ? own[own.length - 1] : undefined
  if (last !== undefined) pool.queue.splice(pool.queue.indexOf(last), 1)
  pool.queue.push({ user, amount: (amount + (last?.amount ?? 0)) as Units })
  pool.queued = (pool.queued + amount) as Units
}

/** `lend.cancelWithdraw`: the waiting part of a withdrawal stays lent. */
export function cancelWithdraw(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const asset = data[start + LEND_ASSET] as AssetId
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  const pool = x.margin.pools[asset]
  const row = lendRow(x, user, asset)
  const waiting = x.ledger.held(row)
  if (pool === undefined || waiting === 0) return 'QUEUE_EMPTY'

  turnHour(x)
  const earned = settleLender(x, pool, user)
  x.ledger.release(row, waiting)
  pool.queued = (pool.queued - waiting) as Units
  pool.queue.splice(0, pool.queue.length, ...pool.queue.filter((place) => place.user !== user))
  x.margin.touched.add(pool)
  tellClaim(x, pool, user, earned)
  payOut(x, pool)
  tellPools(x)
  return undefined
}
