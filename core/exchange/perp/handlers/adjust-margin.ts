import type { Units } from '../../../money/brand.ts'
import type { MarketId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import { settleHolding } from '../positions/due.ts'
import { takeMargin } from '../positions/fill.ts'
import { flush } from '../positions/flush.ts'
import { freeOf, perpRow, transferableOf } from '../rules/money.ts'
import { isTooThin } from './settings.ts'

const { PERP_AMOUNT, PERP_MARKET, PERP_POSITION, USER } = layout

/** `perp.adjustMargin`: adds free balance to the margin of an isolated position, or takes out margin above its initial margin. */
export function adjustMargin(x: State, data: Float64Array, start: number): Refusal | undefined {
  const contract = x.perp.contract(data[start + PERP_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  const amount = data[start + PERP_AMOUNT] as Units
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (contract === undefined) return 'MARKET_UNKNOWN'
  if (amount === 0) return 'AMOUNT_NOT_POSITIVE'
  if (amount > freeOf(x, user)) return 'INSUFFICIENT_BALANCE'
  const holding = x.perp.knownAccount(user)?.find(contract.id, data[start + PERP_POSITION] as PositionNumber)
  const isOpen = holding !== undefined && holding.lots !== 0
  if (amount < 0 && isOpen && !holding.isCross) {
    const margin = (holding.margin + amount) as Units
    if (margin < 0 || !contract.gate.liquidates || isTooThin(holding, margin, holding.leverage)) return 'AMOUNT_BOUND'
  }
  if (!isOpen) return 'POSITION_UNKNOWN'
  if (amount < 0 && holding.isLiquidating) return 'POSITION_LIQUIDATING'
  if (holding.isCross) return 'MARGIN_NOT_ISOLATED'
  if (amount > transferableOf(x, user)) return 'AMOUNT_BOUND'

  settleHolding(x, holding)
  if (amount > 0) {
    x.ledger.hold(perpRow(x, user), amount)
    holding.margin = (holding.margin + amount) as Units
  } else takeMargin(x, holding, -amount)
  x.perp.touch(holding, true)
  flush(x)
  return undefined
}
