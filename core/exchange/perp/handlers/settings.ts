import type { MarketId, UserId } from '../../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import { writePerpSettings } from '../../../protocol/codec/perp-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { initialMargin, positionValue, unrealised } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { ceilingOf } from '../../state/ceiling.ts'
import { checkLeverage } from '../rules/checks.ts'
import { settleAccount } from '../positions/due.ts'
import { flush } from '../positions/flush.ts'
import { allOrdersOf, fundingOf, openingValue, ordersNeed, perpRow, usableBy } from '../rules/money.ts'
import { Setting } from '../records/state.ts'
import type { Contract, Holding, PerpAccount } from '../records/state.ts'

const { PERP_HEDGE, PERP_MARKET, PERP_SETTING, USER } = layout

/** `perp.setLeverage`: for open positions and resting orders in the market, and new ones. Freed margin is available at once. */
export function setLeverage(x: State, data: Float64Array, start: number): Refusal | undefined {
  const contract = x.perp.contract(data[start + PERP_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  const leverage = data[start + PERP_SETTING]!
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (contract === undefined) return 'MARKET_UNKNOWN'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  if (!(leverage >= 1 && leverage <= contract.terms.leverageMax)) return 'LEVERAGE_INVALID'
  if (leverage > ceilingOf(x, user)) return 'LEVERAGE_CEILING'
  const account = x.perp.account(user)
  const wrong = checkChange(x, account, contract, leverage)
  if (wrong !== undefined) return wrong

  // Up to here nothing has changed; from here on nothing can be refused.
  changeLeverage(x, account, contract, leverage)
  return undefined
}

/** Whether the positions and resting orders in a market can continue at another leverage. */
function checkChange(x: State, account: PerpAccount, contract: Contract, leverage: number): Refusal | undefined {
  const holdings = inMarket(account, contract)
  for (const holding of holdings) {
    for (const side of [0, 1] as const) {
      const cost = (side === 0 ? holding.lots > 0 : holding.lots < 0) ? holding.cost : 0
      const value = (cost + openingValue(x, holding, side, 0 as Lots, 0 as Ticks) * contract.q) as Units
      const wrong = value === 0 ? undefined : checkLeverage(contract, value, leverage)
      if (wrong !== undefined) return wrong
    }
  }
  const margins = holdings.map((holding) => marginWith(holding, leverage))
  const thinner = holdings.filter((holding, n) => margins[n]! < holding.margin)
  if (thinner.some((holding) => isTooThin(holding, marginWith(holding, leverage), leverage))) return 'MARGIN_INSUFFICIENT'
  // While the mark stands still, the position's losses are unknown, and it can't be liquidated.
  if (thinner.length > 0 && !contract.gate.liquidates) return contract.isGood ? 'MARKET_HALTED' : 'NO_INDEX_PRICE'
  // Due funding is settled first: paid out of margins, it leaves less that must be held again.
  if (fundingOf(account) > x.ledger.available(perpRow(x, account.user))) return 'MARGIN_INSUFFICIENT'
  let more = 0
  holdings.forEach((holding, n) => {
    more += margins[n]! - holding.margin + ordersNeed(x, holding, leverage) - holding.ordersMargin
  })
  const [any] = holdings
  return more > (any === undefined ? 0 : usableBy(x, any)) ? 'MARGIN_INSUFFICIENT' : undefined
}

function changeLeverage(x: State, account: PerpAccount, contract: Contract, leverage: number): void {
  const setting = account.setting(contract.id)
  const was = setting.leverage
  const holdings = inMarket(account, contract)
  setting.leverage = leverage
  settleAccount(x, account)
  // Changes that free margin come first, because the freed margin may pay for the others.
  const changes = holdings.flatMap((holding) => [
    { holding, isOrders: false, to: marginBetween(holding, was, leverage) },
    { holding, isOrders: true, to: ordersNeed(x, holding) },
  ])
  const growth = ({ holding, isOrders, to }: (typeof changes)[number]): number => to - (isOrders ? holding.ordersMargin : holding.margin)
  for (const change of changes.sort((a, b) => growth(a) - growth(b))) move(x, change.holding, change.isOrders, change.to as Units)
  // Orders are valued at the new leverage, and their holds affect when a cross account is liquidated. The account is touched
  // separately: if it never traded here and has no orders, a restored exchange has no holdings of it.
  for (const holding of holdings) x.perp.touch(holding, false)
  x.perp.touchAccount(account)
  tell(x, account, contract, setting)
  flush(x)
}

/** `perp.setMarginMode`: refused while the user has a position or an order in the market. */
export function setMarginMode(x: State, data: Float64Array, start: number): Refusal | undefined {
  const contract = x.perp.contract(data[start + PERP_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  const mode = data[start + PERP_SETTING]!
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (contract === undefined) return 'MARKET_UNKNOWN'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  const account = x.perp.account(user)
  if (inMarket(account, contract).some((holding) => isInUse(x, holding))) return 'POSITION_OPEN'
  const setting = account.setting(contract.id)
  if (setting.mode === mode) return 'MODE_UNCHANGED'
  setting.mode = mode
  tell(x, account, contract, setting)
  return undefined
}

/** `perp.setHedgeMode`: refused while the user has a position or an order in any Futures market. */
export function setHedgeMode(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const isHedge = data[start + PERP_HEDGE] === 1
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  const account = x.perp.account(user)
  if (account.holdings.some((holding) => isInUse(x, holding))) return 'POSITION_OPEN'
  if (account.isHedge === isHedge) return 'MODE_UNCHANGED'
  account.isHedge = isHedge
  const { leverage, mode } = new Setting()
  writePerpSettings(x.events, user, 0 as MarketId, leverage, mode, isHedge)
  return undefined
}

function inMarket(account: PerpAccount, contract: Contract): Holding[] {
  return account.holdings.filter((holding) => holding.contract === contract).sort((a, b) => a.side - b.side)
}

function isInUse(x: State, holding: Holding): boolean {
  return holding.lots !== 0 || allOrdersOf(x, holding).length > 0
}

/** Margin of a position at another leverage: an isolated position keeps its excess or deficit against the initial margin. */
function marginWith(holding: Holding, leverage: number): Units {
  return marginBetween(holding, holding.leverage, leverage)
}

function marginBetween(holding: Holding, from: number, leverage: number): Units {
  const initial = initialMargin(holding.cost, leverage)
  if (holding.isCross) return initial
  return Math.max(0, holding.margin + initial - initialMargin(holding.cost, from)) as Units
}

/** Whether an isolated position would have less than its initial margin at the mark, after losses. */
export function isTooThin(holding: Holding, margin: Units, leverage: number): boolean {
  if (holding.isCross) return false
  const { lots, cost, contract } = holding
  const loss = Math.min(0, unrealised(lots, cost, contract.mark, contract.q))
  return margin + loss < initialMargin(positionValue(lots, contract.mark, contract.q), leverage)
}

function move(x: State, holding: Holding, isOrders: boolean, to: Units): void {
  const row = perpRow(x, holding.user)
  const more = (to - (isOrders ? holding.ordersMargin : holding.margin)) as Units
  if (more > 0) x.ledger.hold(row, more)
  else if (more < 0) x.ledger.release(row, -more as Units)
  if (isOrders) holding.ordersMargin = to
  else holding.margin = to
  if (holding.lots !== 0) x.perp.touch(holding, true)
}

function tell(x: State, account: PerpAccount, contract: Contract, setting: Setting): void {
  writePerpSettings(x.events, account.user, contract.id, setting.leverage, setting.mode, account.isHedge)
}
