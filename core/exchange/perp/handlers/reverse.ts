import type { SideNumber } from '../../../book/codes.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import * as codes from '../../../book/codes.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { checkLots } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { checkImmediate, checkPosition } from '../rules/checks.ts'
import { checkPhase, isHalted } from '../market/gate.ts'
import { marketLimit } from '../positions/orders.ts'
import { trade } from './place.ts'
import { BOTH } from '../records/state.ts'

const { BUY, SELL_SIDE } = codes
const { HAS_LOTS, MARKET_ORDER, PERP_MARKET, POSITION_SHIFT, USER } = layout

/** `perp.reverse`: a market order of twice the position's size on the opposite side. */
export function reversePerp(x: State, data: Float64Array, start: number): Refusal | undefined {
  const contract = x.perp.contract(data[start + PERP_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user)) return 'RESTING'
  if (contract === undefined) return 'MARKET_UNKNOWN'
  const { venue, mark, q } = contract
  const shut = checkPhase(contract, false, true)
  if (isHalted(contract) || shut === 'MARKET_HALTED') return 'MARKET_HALTED'
  const account = x.perp.knownAccount(user)
  const holding = account?.find(contract.id, BOTH)
  const lots = (2 * Math.abs(holding?.lots ?? 0)) as Lots
  const wrong = lots === 0 ? undefined : checkLots(venue.market.terms, q, Math.max(1, mark) as Ticks, lots)
  if (wrong !== undefined) return wrong
  const side = lots > 0 && holding!.lots > 0 ? SELL_SIDE : BUY
  if (lots > 0 && venue.book.best((1 - side) as SideNumber) === 0) return 'NO_LIQUIDITY'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  if (shut !== undefined) return shut
  if (account?.isHedge === true) return 'POSITION_SIDE_INVALID'
  if (holding === undefined || lots === 0) return 'POSITION_UNKNOWN'
  const limit = marketLimit(x, holding, side, lots)
  const refused = checkPosition(holding, false) ?? checkImmediate(x, holding, side, limit, lots)
  if (refused !== undefined) return refused
  trade(x, holding, (side | MARKET_ORDER | HAS_LOTS | ((BOTH + 1) << POSITION_SHIFT)) as OrderFlags, lots, limit, data, start)
  return undefined
}
