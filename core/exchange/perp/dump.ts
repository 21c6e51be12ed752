import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { MarketId, OrderId, PositionNumber, UserId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { DumpVersion } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import type { State } from '../state/state.ts'
import { isAsleep, restoreAsleep } from './positions/asleep.ts'
import { count, holdingOf } from './positions/close.ts'
import { fitRates, fitTier } from './rules/money.ts'
import { Ranking } from './records/ranking.ts'
import { Round } from './records/round.ts'
import { ISOLATED } from './records/state.ts'
import { addSlot } from './records/held-orders.ts'
import type { Contract, Holding, PerpAccount } from './records/state.ts'
import type { Turnover } from './records/turnover.ts'
import { setLevels } from './positions/watch.ts'
import { countAt } from '../../protocol/codec/slots.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, LEFT, MARKET, PRICE } = fields

const CONTRACT = layoutOf('market', 'mark', 'index', 'fundingAtMs', 'rounds', 'hasRound')
// Then the round, the premium, the basis, the inventory, and the unpaid losses of each side.
const CONTRACT_12 = layoutOf('market', 'mark', 'index', 'premiumSum', 'premiumCount', 'unused', 'fundingAtMs')
// Then the rankings of both sides, each after a flag that says whether there is one, and the gate.
const REVIEW = layoutOf('fundingClosedMs', 'isClearing', 'reviewedTo0', 'reviewedTo1', 'tries', 'waitingCount')
const WAITING = layoutOf('order', 'untilMs')
const CALM = layoutOf('moved', 'looksOn', 'lookedTo', 'looksAgain', 'mixedCount')
const MIXED = layoutOf('user', 'calmUntil')
/** Market 0: the cross account. */
const QUEUED = layoutOf('user', 'market', 'side')
const WATCHED = layoutOf(...QUEUED.names, 'position')
const CARRIED = layoutOf('order', 'takeProfit', 'stopLoss', 'bits')
const ACCOUNT = layoutOf('user', 'isHedge', 'settingCount')
const SETTING = layoutOf('market', 'leverage', 'mode')
const HOLDING = layoutOf('market', 'side', 'lastId', 'ordersMargin', 'lots')
// The position of a holding with lots follows, and then its turnovers.
const POSITION_12 = layoutOf('id', 'cost', 'margin', 'realised', 'fees', 'funding', 'openedAtMs')
const POSITION = layoutOf(...POSITION_12.names, 'round', 'advance', 'maintenancePpm')

/** Contracts by market, accounts by user, and the queue of liquidations in its order. */
export function dumpPerp(x: State, into: Records): void {
  put(into, x.perp.list.length)
  for (const contract of x.perp.list) {
    const { id, mark, index, fundingAtMs, rounds, round } = contract
    putRecord(into, CONTRACT, { market: id, mark, index, fundingAtMs, rounds, hasRound: round !== undefined })
    round?.dump(into)
    contract.premium.dump(into)
    contract.basis.dump(into)
    contract.inventory.dump(into)
    put(into, ...contract.unpaid, contract.refitFrom)
    for (const ranking of contract.rankings) {
      put(into, ranking === undefined ? 0 : 1)
      ranking?.dump(into)
    }
    contract.gate.dump(into)
    dumpReview(contract, into)
  }
  const accounts = x.perp.accounts().filter(isTold)
  put(into, accounts.length)
  for (const account of accounts) dumpAccount(account, into)
  const { moved, looksOn, lookedTo, looksAgain, mixed } = x.perp
  putRecord(into, CALM, { moved, looksOn, lookedTo, looksAgain, mixedCount: mixed.count })
  for (const account of mixed.sorted()) putRecord(into, MIXED, account)
  put(into, x.perp.queue.length)
  for (const each of x.perp.queue) putRecord(into, QUEUED, placeOf(each))
  put(into, x.perp.watched.length)
  for (const each of x.perp.watched) putRecord(into, WATCHED, { ...placeOf(each), position: each.position })
  const carried = [...x.perp.exits].sort((a, b) => a[0] - b[0])
  put(into, carried.length)
  for (const [order, { takeProfit, stopLoss, bits }] of carried) putRecord(into, CARRIED, { order, takeProfit, stopLoss, bits })
  put(into, x.perp.hole)
}

function dumpReview(contract: Contract, into: Records): void {
  const { fundingClosedMs, isClearing, reviewedTo, tries, waiting } = contract
  const [reviewedTo0, reviewedTo1] = reviewedTo
  putRecord(into, REVIEW, { fundingClosedMs, isClearing, reviewedTo0, reviewedTo1, tries, waitingCount: waiting.length })
  for (const each of waiting) putRecord(into, WAITING, each)
}

type Concerned = { readonly account: PerpAccount; readonly holding: Holding | undefined }

function placeOf({ account, holding }: Concerned): { readonly user: UserId; readonly market: number; readonly side: number } {
  return { user: account.user, market: holding?.market ?? 0, side: holding?.side ?? 0 }
}

/**
 * Reads what `dumpPerp` wrote, after the markets and before the orders. Returns the index just after it. Version 12 has no phases:
 * a running outage or halt counts from the restore.
 */
export function restorePerp(x: State, data: Float64Array, start: number, from: DumpVersion): number {
  let at = start + 1
  for (let left = countAt(data, start, CONTRACT_12.length); left > 0; left--) {
    const contract = x.perp.contract(data[at + CONTRACT.market] as MarketId)!
    contract.mark = data[at + CONTRACT.mark] as Ticks
    contract.index = data[at + CONTRACT.index] as IndexPrice
    if (from === 12) {
      contract.premium.restore12(data[at + CONTRACT_12.premiumSum] as Units, data[at + CONTRACT_12.premiumCount]!)
      contract.fundingAtMs = data[at + CONTRACT_12.fundingAtMs] as Millis
      at = contract.basis.restore12(data, at + CONTRACT_12.length, contract.index, contract.terms.markClampPpm)
      if (contract.mark > 0) contract.gate.advance(x.atMs, contract.isGood, contract.venue.market.terms.isTrading)
    } else {
      contract.fundingAtMs = data[at + CONTRACT.fundingAtMs] as Millis
      contract.rounds = data[at + CONTRACT.rounds]!
      let next = at + CONTRACT.length
      if (data[at + CONTRACT.hasRound] === 1) {
        const { round, end } = Round.restore(data, next)
        contract.round = round
        next = end
      }
      at = contract.basis.restore(data, contract.premium.restore(data, next))
      at = restoreLosses(contract, data, at)
      at = restoreReview(contract, data, contract.gate.restore(data, at))
    }
  }
  const accounts = countAt(data, at++, ACCOUNT.length)
  for (let n = 0; n < accounts; n++) at = restoreAccount(x, data, at, from)
  const calm = from > 12 ? at : 0
  if (from > 12) at += CALM.length + MIXED.length * countAt(data, at + CALM.mixedCount, MIXED.length)
  const waiting = countAt(data, at++, QUEUED.length)
  for (let n = 0; n < waiting; n++, at += QUEUED.length) {
    const { account, holding } = concernedAt(x, data, at)
    ;(holding ?? account).isLiquidating = true
    x.perp.queue.push({ account, holding })
  }
  const watched = countAt(data, at++, WATCHED.length)
  for (let n = 0; n < watched; n++, at += WATCHED.length) {
    const { account, holding } = concernedAt(x, data, at)
    ;(holding ?? account).isWatched = true
    x.perp.watched.push({ account, holding, position: data[at + WATCHED.position] as OrderId })
  }
  const carried = countAt(data, at++, CARRIED.length)
  for (let n = 0; n < carried; n++, at += CARRIED.length) {
    const [takeProfit, stopLoss] = [data[at + CARRIED.takeProfit] as Ticks, data[at + CARRIED.stopLoss] as Ticks]
    x.perp.exits.set(data[at + CARRIED.order]!, { takeProfit, stopLoss, bits: data[at + CARRIED.bits]! })
  }
  for (const account of x.perp.accounts()) setLevels(x, account)
  if (calm > 0) restoreCalm(x, data, calm)
  x.perp.hole = data[at]!
  return at + 1
}

function concernedAt(x: State, data: Float64Array, at: number): Concerned {
  const account = x.perp.account(data[at + QUEUED.user] as UserId)
  const market = data[at + QUEUED.market] as MarketId
  return { account, holding: market === 0 ? undefined : account.find(market, data[at + QUEUED.side] as PositionNumber) }
}

function restoreReview(contract: Contract, data: Float64Array, start: number): number {
  contract.fundingClosedMs = data[start + REVIEW.fundingClosedMs]!
  contract.isClearing = data[start + REVIEW.isClearing] === 1
  contract.reviewedTo[0] = data[start + REVIEW.reviewedTo0]!
  contract.reviewedTo[1] = data[start + REVIEW.reviewedTo1]!
  contract.tries = data[start + REVIEW.tries]!
  let at = start + REVIEW.length
  for (let left = countAt(data, start + REVIEW.waitingCount, WAITING.length); left > 0; left--, at += WAITING.length) {
    contract.waiting.push({ order: data[at + WAITING.order] as OrderId, untilMs: data[at + WAITING.untilMs] as Millis })
  }
  return at
}

/**
 * Adds resting and sleeping orders to their positions, after the orders are restored. Orders that slept in version 12 hold nothing
 * until they wake.
 */
export function restorePerpOrders(x: State): void {
  const { f, i } = x.orders
  for (const slot of x.orders.slots()) {
    const contract = x.perp.contract(f[slot * F + MARKET] as MarketId)
    if (contract === undefined) continue
    const flags = i[slot * I + FLAGS] as OrderFlags
    const holding = holdingOf(x, contract, slot as OrderSlot)
    addSlot(holding, slot as OrderSlot)
    if (isAsleep(flags)) restoreAsleep(x, holding, slot as OrderSlot)
    else count(holding, flags, f[slot * F + PRICE] as Ticks, f[slot * F + LEFT] as Lots)
  }
}

/** Restores the calm of accounts. Call it after the levels are set, because setting them ends every account's calm. */
function restoreCalm(x: State, data: Float64Array, start: number): void {
  x.perp.moved = data[start + CALM.moved]!
  x.perp.looksOn = data[start + CALM.looksOn] === 1
  x.perp.lookedTo = data[start + CALM.lookedTo]!
  x.perp.looksAgain = data[start + CALM.looksAgain] === 1
  const first = start + CALM.length
  const end = first + MIXED.length * data[start + CALM.mixedCount]!
  for (let at = first; at < end; at += MIXED.length) {
    x.perp.mixed.put(x.perp.account(data[at + MIXED.user] as UserId), data[at + MIXED.calmUntil]!)
  }
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

function settingsOf(account: PerpAccount): readonly { readonly market: number; readonly leverage: number; readonly mode: number }[] {
  return [...account.settings]
    .filter(([, { leverage, mode }]) => leverage !== 1 || mode !== ISOLATED)
    .sort((a, b) => a[0] - b[0])
    .map(([market, { leverage, mode }]) => ({ market, leverage, mode }))
}

function turnoversOf({ openedLots, openedValue, closedLots, closedValue }: Holding): readonly Turnover[] {
  return [openedLots, openedValue, closedLots, closedValue]
}

function dumpAccount(account: PerpAccount, into: Records): void {
  const settings = settingsOf(account)
  const { user, isHedge } = account
  putRecord(into, ACCOUNT, { user, isHedge, settingCount: settings.length })
  for (const setting of settings) putRecord(into, SETTING, setting)
  const holdings = account.holdings.filter(isHoldingTold).sort((a, b) => a.market - b.market || a.side - b.side)
  put(into, holdings.length)
  for (const each of holdings) {
    putRecord(into, HOLDING, each)
    if (each.lots === 0) continue
    putRecord(into, POSITION, each)
    for (const { whole, rest } of turnoversOf(each)) put(into, whole, rest)
  }
}

function restoreAccount(x: State, data: Float64Array, start: number, from: DumpVersion): number {
  const account = x.perp.account(data[start + ACCOUNT.user] as UserId)
  account.isHedge = data[start + ACCOUNT.isHedge] === 1
  let at = start + ACCOUNT.length
  for (let left = countAt(data, start + ACCOUNT.settingCount, SETTING.length); left > 0; left--, at += SETTING.length) {
    const setting = account.setting(data[at + SETTING.market] as MarketId)
    setting.leverage = data[at + SETTING.leverage]!
    setting.mode = data[at + SETTING.mode]!
  }
  const holdings = countAt(data, at++, HOLDING.length)
  for (let n = 0; n < holdings; n++) {
    const contract = x.perp.contract(data[at + HOLDING.market] as MarketId)!
    const holding = x.perp.holding(account.user, contract, data[at + HOLDING.side] as PositionNumber)
    holding.lastId = data[at + HOLDING.lastId]!
    holding.ordersMargin = data[at + HOLDING.ordersMargin]!
    holding.lots = data[at + HOLDING.lots] as Lots
    at += HOLDING.length
    if (holding.lots === 0) continue
    holding.isShort = holding.lots < 0
    contract.openLots = (contract.openLots + Math.max(0, holding.lots)) as Lots
    holding.id = data[at + POSITION.id] as OrderId
    holding.cost = data[at + POSITION.cost] as Units
    holding.margin = data[at + POSITION.margin] as Units
    holding.realised = data[at + POSITION.realised]!
    holding.fees = data[at + POSITION.fees] as Units
    holding.funding = data[at + POSITION.funding]!
    holding.openedAtMs = data[at + POSITION.openedAtMs] as Millis
    if (from > 12) {
      holding.round = data[at + POSITION.round]!
      holding.advance = data[at + POSITION.advance]!
      // The holding may not have been adapted to new terms yet.
      fitRates(holding, data[at + POSITION.maintenancePpm] as Ppm)
    } else fitTier(holding)
    at += (from > 12 ? POSITION : POSITION_12).length
    for (const turnover of turnoversOf(holding)) {
      turnover.whole = data[at++]!
      turnover.rest = data[at++] as Units
    }
    x.perp.enlist(holding)
  }
  return at
}
