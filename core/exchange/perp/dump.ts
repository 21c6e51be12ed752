import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { withSlot } from '../records/slots.ts'
import { gateSlots } from '../records/phase.ts'
import type { State } from '../state/state.ts'
import { isAsleep, restoreAsleep } from './positions/asleep.ts'
import { count, holdingOf } from './positions/close.ts'
import { fitRates, fitTier } from './rules/money.ts'
import { Ranking } from './records/ranking.ts'
import { Round } from './records/round.ts'
import { ISOLATED } from './records/state.ts'
import type { Contract, Holding, PerpAccount } from './records/state.ts'
import type { Turnover } from './records/turnover.ts'
import { setLevels } from './positions/watch.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, LEFT, MARKET, PRICE } = fields

/** Contracts by market, accounts by user, and the queue of liquidations in its order. */
export function dumpPerp(x: State, into: Records): void {
  put(into, x.perp.list.length)
  for (const contract of x.perp.list) {
    const { id, mark, index, fundingAtMs } = contract
    put(into, id, mark, index, fundingAtMs, contract.rounds, contract.round === undefined ? 0 : 1)
    contract.round?.dump(into)
    contract.premium.dump(into)
    contract.basis.dump(into)
    contract.inventory.dump(into)
    put(into, ...contract.unpaid, contract.refitFrom)
    for (const ranking of contract.rankings) {
      put(into, ranking === undefined ? 0 : 1)
      ranking?.dump(into)
    }
    put(
      into,
      ...contract.gate.record(),
      contract.fundingClosedMs,
      contract.isClearing ? 1 : 0,
      ...contract.reviewedTo,
      contract.tries,
      contract.waiting.length,
    )
    for (const { order, untilMs } of contract.waiting) put(into, order, untilMs)
  }
  const accounts = x.perp.accounts().filter(isTold)
  put(into, accounts.length)
  for (const account of accounts) dumpAccount(account, into)
  put(into, x.perp.moved, x.perp.looksOn ? 1 : 0, x.perp.lookedTo, x.perp.looksAgain ? 1 : 0, x.perp.mixed.count)
  for (const { user, calmUntil } of x.perp.mixed.sorted()) put(into, user, calmUntil)
  put(into, x.perp.queue.length)
  for (const { account, holding } of x.perp.queue) put(into, account.user, holding?.market ?? 0, holding?.side ?? 0)
  put(into, x.perp.watched.length)
  for (const { account, holding, position } of x.perp.watched) put(into, account.user, holding?.market ?? 0, holding?.side ?? 0, position)
  const carried = [...x.perp.exits].sort((a, b) => a[0] - b[0])
  put(into, carried.length)
  for (const [order, { takeProfit, stopLoss, bits }] of carried) put(into, order, takeProfit, stopLoss, bits)
  put(into, x.perp.hole)
}

/**
 * Reads what `dumpPerp` wrote, after the markets and before the orders. Returns the index just after it. Version 12 has no phases
 * of contracts: a running outage or halt counts from the restore.
 */
export function restorePerp(x: State, data: Float64Array, start: number, from: number): number {
  let at = start + 1
  for (let n = 0; n < data[start]!; n++) {
    const contract = x.perp.contract(data[at] as MarketId)!
    contract.mark = data[at + 1] as Ticks
    contract.index = data[at + 2] as IndexPrice
    if (from === 12) {
      contract.premium.restore12(data[at + 3] as Units, data[at + 4]!)
      contract.fundingAtMs = data[at + 6] as Millis
      at = contract.basis.restore12(data, at + 7, contract.index, contract.terms.markClampPpm)
      if (contract.mark > 0) contract.gate.advance(x.atMs, contract.isGood, contract.venue.market.terms.isTrading)
    } else {
      contract.fundingAtMs = data[at + 3] as Millis
      contract.rounds = data[at + 4]!
      let next = at + 6
      if (data[at + 5] === 1) {
        const { round, end } = Round.restore(data, next)
        contract.round = round
        next = end
      }
      at = contract.basis.restore(data, contract.premium.restore(data, next))
      at = restoreLosses(contract, data, at)
      at = restoreGate(contract, data, at)
    }
  }
  const accounts = data[at++]!
  for (let n = 0; n < accounts; n++) at = restoreAccount(x, data, at, from)
  const calm = from > 12 ? at : 0
  if (from > 12) at += 5 + 2 * data[at + 4]!
  const waiting = data[at++]!
  for (let n = 0; n < waiting; n++, at += 3) {
    const account = x.perp.account(data[at] as UserId)
    const holding = data[at + 1] === 0 ? undefined : account.find(data[at + 1] as MarketId, data[at + 2]!)
    ;(holding ?? account).isLiquidating = true
    x.perp.queue.push({ account, holding })
  }
  const watched = data[at++]!
  for (let n = 0; n < watched; n++, at += 4) {
    const account = x.perp.account(data[at] as UserId)
    const holding = data[at + 1] === 0 ? undefined : account.find(data[at + 1] as MarketId, data[at + 2]!)
    ;(holding ?? account).isWatched = true
    x.perp.watched.push({ account, holding, position: data[at + 3]! })
  }
  const carried = data[at++]!
  for (let n = 0; n < carried; n++, at += 4) {
    x.perp.exits.set(data[at]!, { takeProfit: data[at + 1] as Ticks, stopLoss: data[at + 2] as Ticks, bits: data[at + 3]! })
  }
  for (const account of x.perp.accounts()) setLevels(x, account)
  if (calm > 0) restoreCalm(x, data, calm)
  x.perp.hole = data[at]!
  return at + 1
}

function restoreGate(contract: Contract, data: Float64Array, start: number): number {
  contract.gate.restore(data, start)
  const at = start + gateSlots + 1
  contract.fundingClosedMs = data[at - 1]!
  contract.isClearing = data[at] === 1
  contract.reviewedTo[0] = data[at + 1]!
  contract.reviewedTo[1] = data[at + 2]!
  contract.tries = data[at + 3]!
  const end = at + 5 + 2 * data[at + 4]!
  for (let n = at + 5; n < end; n += 2) contract.waiting.push({ order: data[n] as OrderId, untilMs: data[n + 1] as Millis })
  return end
}

/**
 * Call after the orders are restored: what rests or sleeps beside the positions. Orders that slept in version 12 hold nothing
 * until they wake.
 */
export function restorePerpOrders(x: State): void {
  const { f, i } = x.orders
  for (const slot of x.orders.slots()) {
    const contract = x.perp.contract(f[slot * F + MARKET] as MarketId)
    if (contract === undefined) continue
    const flags = i[slot * I + FLAGS] as OrderFlags
    const holding = holdingOf(x, contract, slot as OrderSlot)
    holding.slots = withSlot(holding.slots, slot as OrderSlot)
    if (isAsleep(flags)) restoreAsleep(x, holding, slot as OrderSlot)
    else count(holding, flags, f[slot * F + PRICE] as Ticks, f[slot * F + LEFT] as Lots)
  }
}

/** Call after the levels are set, because setting them ends every account's calm. */
function restoreCalm(x: State, data: Float64Array, start: number): void {
  x.perp.moved = data[start]!
  x.perp.looksOn = data[start + 1] === 1
  x.perp.lookedTo = data[start + 2]!
  x.perp.looksAgain = data[start + 3] === 1
  const end = start + 5 + 2 * data[start + 4]!
  for (let at = start + 5; at < end; at += 2) x.perp.mixed.put(x.perp.account(data[at] as UserId), data[at + 1]!)
}

function restoreLosses(contract: Contract, data: Float64Array, start: number): number {
  let at = contract.inventory.restore(data, start)
  contract.openLots = (contract.openLots + Math.max(0, contract.inventory.lots)) as Lots
  contract.unpaid[0] = data[at++]!
  contract.unpaid[1] = data[at++]!
  contract.refitFrom = data[at++]!
  for (const side of [0, 1] as const) {
    if (data[at++] === 0) continue
    const ranking = new Ranking()
    at = ranking.restore(data, at)
    contract.rankings[side] = ranking
  }
  return at
}

function isTold(account: PerpAccount): boolean {
  return account.isHedge || settingsOf(account).length > 0 || account.holdings.some(isHoldingTold)
}

/** Whether a holding is dumped: one that never had a position and holds nothing for orders is made again when needed. */
function isHoldingTold(holding: Holding): boolean {
  return holding.lastId !== 0 || holding.ordersMargin !== 0
}

function settingsOf(account: PerpAccount): [market: number, leverage: number, mode: number][] {
  return [...account.settings]
    .filter(([, { leverage, mode }]) => leverage !== 1 || mode !== ISOLATED)
    .sort((a, b) => a[0] - b[0])
    .map(([market, { leverage, mode }]) => [market, leverage, mode])
}

function turnoversOf({ openedLots, openedValue, closedLots, closedValue }: Holding): readonly Turnover[] {
  return [openedLots, openedValue, closedLots, closedValue]
}

function dumpAccount(account: PerpAccount, into: Records): void {
  const settings = settingsOf(account)
  put(into, account.user, account.isHedge ? 1 : 0, settings.length)
  for (const setting of settings) put(into, ...setting)
  const holdings = account.holdings.filter(isHoldingTold).sort((a, b) => a.market - b.market || a.side - b.side)
  put(into, holdings.length)
  for (const each of holdings) {
    put(into, each.market, each.side, each.lastId, each.ordersMargin, each.lots)
    if (each.lots === 0) continue
    put(into, each.id, each.cost, each.margin, each.realised, each.fees, each.funding, each.openedAtMs, each.round, each.advance)
    put(into, each.maintenancePpm)
    for (const { whole, rest } of turnoversOf(each)) put(into, whole, rest)
  }
}

function restoreAccount(x: State, data: Float64Array, start: number, from: number): number {
  const account = x.perp.account(data[start] as UserId)
  account.isHedge = data[start + 1] === 1
  let at = start + 3
  for (let n = 0; n < data[start + 2]!; n++, at += 3) {
    const setting = account.setting(data[at] as MarketId)
    setting.leverage = data[at + 1]!
    setting.mode = data[at + 2]!
  }
  const holdings = data[at++]!
  for (let n = 0; n < holdings; n++) {
    const holding = x.perp.holding(account.user, x.perp.contract(data[at] as MarketId)!, data[at + 1]!)
    holding.lastId = data[at + 2]!
    holding.ordersMargin = data[at + 3]!
    holding.lots = data[at + 4] as Lots
    at += 5
    if (holding.lots === 0) continue
    holding.isShort = holding.lots < 0
    holding.contract.openLots = (holding.contract.openLots + Math.max(0, holding.lots)) as Lots
    holding.id = data[at]!
    holding.cost = data[at + 1] as Units
    holding.margin = data[at + 2] as Units
    holding.realised = data[at + 3]!
    holding.fees = data[at + 4] as Units
    holding.funding = data[at + 5]!
    holding.openedAtMs = data[at + 6] as Millis
    at += 7
    if (from > 12) {
      holding.round = data[at++]!
      holding.advance = data[at++]!
      // The holding may not have been adapted to new terms yet.
      fitRates(holding, data[at++] as Ppm)
    } else fitTier(holding)
    for (const turnover of turnoversOf(holding)) {
      turnover.whole = data[at++]!
      turnover.rest = data[at++] as Units
    }
    x.perp.enlist(holding)
  }
  return at
}

function put(into: Records, ...values: readonly number[]): void {
  const at = into.reserve(values.length)
  for (let n = 0; n < values.length; n++) into.data[at + n] = values[n]!
}
