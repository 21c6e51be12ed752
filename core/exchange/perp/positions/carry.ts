/** The insurance fund's inventories: its risk limits and its trades. */
import type { Lots, Millis, Ppm, Ticks, Units } from '../../../money/brand.ts'
import * as reasons from '../../../ledger/reasons.ts'
import { mulDivCeil, mulDivFloor } from '../../../money/mul-div.ts'
import { writePerpInventory } from '../../../protocol/codec/perp-write.ts'
import { positionValue, shareOf, unrealised } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { slotMs } from '../records/inventory.ts'
import { insuranceRow, outsideRow } from '../rules/money.ts'
import type { Contract } from '../records/state.ts'

const { REALISED } = reasons

/** Parts of the fund, in ppm, that may be at risk: in one market, in all markets, and in one market within ten minutes. */
const marketPpm = 100_000
const allPpm = 250_000
const recentPpm = 50_000
const recentMs = 600_000

/**
 * Possible cost of an inventory to the fund: the present loss at the mark, and a part of its value for future moves.
 *
 *   max(0, −profit) + ⌈value at the mark × carry ppm ÷ 10^6⌉
 */
function riskOf(contract: Contract, lots: Lots, cost: Units): number {
  const { mark, q, terms } = contract
  if (lots === 0) return 0
  return Math.max(0, -unrealised(lots, cost, mark, q)) + mulDivCeil(positionValue(lots, mark, q), terms.carryPpm, 1_000_000)
}

/**
 * Lots of a position (with its sign) that the fund takes over at a price: as many as keep its risk within its caps and whose losses
 * it can pay. Of lots on both sides of zero only those that close the opposite inventory are taken.
 */
export function acceptable(x: State, contract: Contract, lots: Lots, price: Ticks): Lots {
  const { inventory } = contract
  const sign = lots > 0 ? 1 : -1
  const size = Math.abs(lots)
  const fund = x.ledger.available(insuranceRow(x))
  const room = roomOf(x, contract, fund)
  const fits = (more: Lots): boolean => {
    const { risk, loss } = additionOf(contract, (sign * more) as Lots, price)
    return risk <= room && loss <= fund
  }
  let [low, high] = [0, inventory.lots * sign < 0 ? Math.min(size, Math.abs(inventory.lots)) : size]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2) as Lots
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low as Lots
}

/**
 * The risk that a trade of the fund (lots with their sign) adds, and the loss that it realises by closing an opposite inventory. The
 * loss counts as risk, because it is gone from the fund. The risk of the closed part ends.
 */
function additionOf(contract: Contract, lots: Lots, price: Ticks): { readonly risk: number; readonly loss: number } {
  const { inventory, q } = contract
  const closed = inventory.lots * lots < 0 ? Math.min(Math.abs(inventory.lots), Math.abs(lots)) : 0
  const part = shareOf(inventory.cost, closed, Math.abs(inventory.lots))
  const loss = Math.max(0, -unrealised((Math.sign(inventory.lots) * closed) as Lots, part, price, q))
  const cost = (inventory.cost - part + positionValue((Math.abs(lots) - closed) as Lots, price, q)) as Units
  const before = riskOf(contract, inventory.lots, inventory.cost)
  return { risk: riskOf(contract, (inventory.lots + lots) as Lots, cost) + loss - before, loss }
}

/** Amount that the fund may still risk in a market: the least that its three caps leave. */
function roomOf(x: State, contract: Contract, fund: Units): number {
  const { inventory } = contract
  while (inventory.taken.length > 0 && inventory.taken[0]!.atMs <= x.atMs - recentMs) inventory.taken.shift()
  const recent = inventory.taken.reduce((sum, { risk }) => sum + risk, 0)
  let all = 0
  for (const each of x.perp.list) all += riskOf(each, each.inventory.lots, each.inventory.cost)
  const here = riskOf(contract, inventory.lots, inventory.cost)
  const cap = (ppm: Ppm): number => mulDivFloor(fund, ppm, 1_000_000)
  return Math.max(0, Math.min(cap(marketPpm as Ppm) - here, cap(allPpm as Ppm) - all, cap(recentPpm as Ppm) - recent))
}

/** Notes that the fund took a position over: its risk counts from now on. */
export function noteRisk(x: State, contract: Contract, lots: Lots, price: Ticks): void {
  const { inventory } = contract
  const { risk } = additionOf(contract, lots, price)
  if (risk <= 0) return
  const last = inventory.taken.at(-1)
  // One entry per time slot keeps the list short.
  if (last !== undefined && Math.floor(last.atMs / slotMs) === Math.floor(x.atMs / slotMs)) {
    inventory.taken[inventory.taken.length - 1] = { atMs: x.atMs, risk: last.risk + risk }
  } else inventory.taken.push({ atMs: x.atMs, risk })
}

/** Trades for the fund, buying (positive lots) or selling at a price. Closing a part gives the fund a profit or loss. */
export function tradeInventory(x: State, contract: Contract, lots: Lots, price: Ticks): void {
  const { inventory, q } = contract
  const was = inventory.lots
  const closed = was * lots < 0 ? Math.min(Math.abs(was), Math.abs(lots)) : 0
  if (closed > 0) {
    const part = shareOf(inventory.cost, closed, Math.abs(was))
    const profit = unrealised((Math.sign(was) * closed) as Lots, part, price, q)
    inventory.cost = (inventory.cost - part) as Units
    inventory.lots = (inventory.lots - Math.sign(was) * closed) as Lots
    post(x, profit)
  }
  const opened = (Math.abs(lots) - closed) as Lots
  if (opened > 0) {
    inventory.lots = (inventory.lots + Math.sign(lots) * opened) as Lots
    inventory.cost = (inventory.cost + positionValue(opened, price, q)) as Units
  }
  contract.openLots = (contract.openLots + (Math.max(0, inventory.lots) - Math.max(0, was))) as Lots
  if (inventory.lots === 0) inventory.sinceMs = 0 as Millis
  else if (inventory.sinceMs === 0) {
    inventory.sinceMs = x.atMs
    inventory.workedAtMs = x.atMs
  }
  writePerpInventory(x.events, contract.id, inventory.lots, inventory.cost)
}

function post(x: State, profit: Units): void {
  const { ledger } = x
  const fund = insuranceRow(x)
  if (profit > 0) {
    ledger.debitOutside(outsideRow(x), profit, REALISED)
    ledger.credit(fund, profit, REALISED)
  } else if (profit < 0) {
    const paid = Math.min(-profit, ledger.available(fund)) as Units
    if (paid > 0) {
      ledger.debit(fund, paid, REALISED)
      ledger.credit(outsideRow(x), paid, REALISED)
    }
    // The part that the fund could not pay is missing until the fund can pay it.
    x.perp.hole += -profit - paid
  }
}
