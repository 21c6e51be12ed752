/** What a user may withdraw on one UTC day. */
import type { Units } from '../../money/brand.ts'
import type { AssetId, UserId } from '../../protocol/ids.ts'
import { policies } from '../../risk/policy.ts'
import { indexScale } from '../records/venue.ts'
import { PRODUCTION } from '../state/mode.ts'
import type { State } from '../state/state.ts'

/** Upper bound of one withdrawal's value: far above the limit, and a sum of two is a safe integer. */
const valueMax = 2n ** 48n

/** Largest value of the withdrawals that a user asks for on a UTC day, in USDT units: a firm's by its terms. */
export function withdrawnMax(x: State, user: UserId): Units {
  const terms = x.firm.termsOf(user)
  if (terms !== undefined) return terms.withdrawMax
  const { sandbox, production } = policies.withdrawnMax
  return ((x.mode === PRODUCTION ? production : sandbox) * 10 ** scaleOf(x, x.usdt)) as Units
}

/**
 * Value of a withdrawal in USDT units, rounded up and at most 2^48:
 *
 *   amount × index price, or last trade price without an index
 *
 * returns    undefined if the asset never had a price in USDT
 */
export function withdrawValue(x: State, asset: AssetId, amount: Units): Units | undefined {
  if (asset === x.usdt) return Math.min(amount, Number(valueMax)) as Units
  const venue = x.usdtVenues[asset]
  const price = venue === undefined ? 0n : BigInt(venue.indexPrice) || BigInt(venue.lastPrice) * BigInt(venue.indexPerTick)
  if (price === 0n) return undefined
  const divisor = 10n ** BigInt(indexScale + scaleOf(x, asset))
  const value = (BigInt(amount) * price * 10n ** BigInt(scaleOf(x, x.usdt)) + divisor - 1n) / divisor
  return Number(value < valueMax ? value : valueMax) as Units
}

function scaleOf({ assets }: State, asset: AssetId): number {
  return assets[asset - 1]?.scale ?? 0
}
