import type { Units } from '../../../money/brand.ts'
import type { AssetId, UserId } from '../../../protocol/ids.ts'
import { LEND_AMOUNT, LEND_ASSET } from '../../../protocol/codec/margin.ts'
import { USER } from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import { checkUse } from './borrow.ts'
import { turnHour } from '../loans/interest.ts'
import { arrive, settleLender } from '../loans/lenders.ts'
import { payOut, tellClaim, tellPools } from '../loans/pool.ts'
import { SUPPLY, move, openLendRow } from '../rules/postings.ts'
import { hasPrice } from '../rules/prices.ts'
import { isPriced, valueIn } from '../rules/value.ts'

/** `lend.supply`: from spot into the pool. It earns from the next full hour. */
export function supplyAsset(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const asset = data[start + LEND_ASSET] as AssetId
  const amount = data[start + LEND_AMOUNT] as Units
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user)) return 'RESTING'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const row = x.ledger.findSpot(user, asset)
  if (x.ledger.available(row) < amount) return 'INSUFFICIENT_BALANCE'
  const closed = checkUse(x, user)
  if (closed !== undefined) return closed
  // Without a price nobody could borrow it.
  if (!isPriced(x, asset)) return 'NO_INDEX_PRICE'
  if (hasPrice(x, asset) && valueIn(x, asset, amount) < x.margin.terms!.supplyMin) return 'AMOUNT_TOO_SMALL'

  turnHour(x)
  const pool = x.margin.pool(asset)
  const earned = settleLender(x, pool, user)
  move(x, row, openLendRow(x, user, asset), amount, SUPPLY)
  arrive(x, pool, user, amount)
  x.margin.touched.add(pool)
  tellClaim(x, pool, user, earned)
  payOut(x, pool)
  tellPools(x)
  return undefined
}
