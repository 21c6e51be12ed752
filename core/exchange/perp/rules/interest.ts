/** Caps on open interest: of a market, and of one customer in it, who may be a firm. Values in USDT units. */
import type { SideNumber } from '../../../book/codes.ts'
import { mulDivFloor } from '../../../money/mul-div.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import type { MarketId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import type { PerpInterest } from '../../../protocol/port.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { positionValue } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { closable, openingValue, valueAtMark } from './money.ts'
import type { Contract, Holding, PerpAccount } from '../records/state.ts'

/**
 * Whether the caps of the market and the customer allow an order. `opening`: value that the orders of the side would open, including
 * this one; `own`: the value of this one alone. Existing positions are valued at the mark.
 */
export function checkInterest(x: State, holding: Holding, side: SideNumber, opening: Units, own: Units): Refusal | undefined {
  if (own === 0) return undefined
  const { contract, account, user } = holding
  if (own > marketLeft(contract)) return 'OPEN_INTEREST_FULL'
  const left = userMax(contract) - standing(account, contract, holding, side) - elsewhere(x, user, contract, side)
  return opening > left ? 'POSITION_TOO_LARGE' : undefined
}

/** Value that orders may still open under the market's cap; negative after a rise of the mark. */
function marketLeft({ terms, openLots, mark, q }: Contract): number {
  return terms.openInterestMax - positionValue(openLots, mark, q)
}

function userMax({ terms }: Contract): number {
  return mulDivFloor(terms.openInterestMax, terms.userInterestPpm, 1_000_000)
}

/**
 * Value of the user's positions in a contract that count beside an order of a side. In one-way mode an opposite position does not
 * count, because the order closes it first.
 */
function standing(account: PerpAccount, contract: Contract, holding: Holding | undefined, side: SideNumber): number {
  let value = 0
  for (const each of account.holdings) {
    if (each.contract !== contract || (each === holding && closable(each, side) > 0)) continue
    value += valueAtMark(each)
  }
  return value
}

/**
 * Value in a contract that the other accounts of the user's firm hold, and that their orders of a side would open; 0 for a person. Their
 * positions count whatever the side is, because an order of this account closes none of them.
 */
function elsewhere(x: State, user: UserId, contract: Contract, side: SideNumber): number {
  let value = 0
  for (const other of x.firm.othersOf(user))
    for (const each of x.perp.knownAccount(other)?.holdings ?? [])
      if (each.contract === contract) value += valueAtMark(each) + openingValue(x, each, side, 0 as Lots, 0 as Ticks) * contract.q
  return value
}

/** Value that the user may still open in every contract, by the rules of `checkInterest`. */
export function viewInterest(x: State, user: UserId): readonly PerpInterest[] {
  const account = x.perp.knownAccount(user)
  const used = new Set((account?.holdings ?? []).map(({ contract }) => contract))
  return x.perp.list.map((contract) => {
    const left = (side: SideNumber): number => {
      const max = userMax(contract) - elsewhere(x, user, contract, side)
      return Math.max(0, account !== undefined && used.has(contract) ? max - openOf(x, account, contract, side) : max)
    }
    return {
      market: contract.id as MarketId,
      left: Math.max(0, marketLeft(contract)) as Units,
      buy: left(0) as Units,
      sell: left(1) as Units,
    }
  })
}

/** Value of positions and opening orders that count against the cap when an order of a side opens. */
function openOf(x: State, account: PerpAccount, contract: Contract, side: SideNumber): number {
  const holding = account.find(contract.id, (account.isHedge ? side + 1 : 0) as PositionNumber)
  const resting = holding === undefined ? 0 : openingValue(x, holding, side, 0 as Lots, 0 as Ticks) * contract.q
  return resting + standing(account, contract, holding, side)
}
