import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Millis, Ticks } from '../../../money/brand.ts'
import type { CloseNumber, OrderId } from '../../../protocol/ids.ts'
import { BUY, SELL_SIDE } from '../../../book/codes.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import type { State } from '../../state/state.ts'
import { checkBankruptcy, checkImmediate, checkResting } from '../rules/checks.ts'
import { diesWithPosition, fallAsleep, leaveSleep } from '../positions/asleep.ts'
import { contractOf, discard, holdingOf, reasonNumber } from '../positions/close.ts'
import { fitOrders } from '../positions/fill.ts'
import { flush } from '../positions/flush.ts'
import { closable } from '../rules/money.ts'
import { actAsLimit, immediateReason, marketLimit, selfTradeOf } from '../positions/orders.ts'
import { take } from '../positions/settle.ts'
import { takePrice } from '../positions/terms.ts'
import { protectionPrice } from '../rules/sound.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAmended, writeTriggered } = writers
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, LEFT, PENDING, PRICE, UPDATED_AT, WAKING } = fields
const { CLOSING, HAS_TERMS, MARKET_ORDER, REDUCE_ONLY, SELL, TIF_MASK } = layout

/** Open time during which the unfilled rest of a triggered market order is tried again. */
export const retriesMs = 300_000
/**
 * Largest numbers of a contract's waiting orders that a command tries, and that it passes over because no order would trade with
 * them.
 */
export const retriesMax = 32
const passesMax = 1000

const FILLED = reasonNumber('filled')
const GONE = reasonNumber('position-closed')
const REDUCED = reasonNumber('reduce-only')
const SELF_TRADE = reasonNumber('self-trade')
const MARGIN = reasonNumber('margin')
const RESTING = reasonNumber('resting')
const NO_LEVEL = reasonNumber('no-level')

/** Lets a triggered order act, or makes it wait until it may. `untilMs`: open time until which it is tried, 0 before the first try. */
export function wake(x: State, slot: OrderSlot, untilMs: Millis): void {
  const contract = contractOf(x, slot)
  const holding = holdingOf(x, contract, slot)
  if (mayAct(holding)) act(x, holding, slot, untilMs)
  else contract.waiting.push({ order: x.orders.f[slot * F + ID] as OrderId, untilMs })
  flush(x)
}

/** Tries all waiting orders again at an index tick, in turn. The rest of a long job is left to clock ticks. */
export function retryAll(x: State): void {
  for (const contract of x.perp.list) contract.tries = contract.gate.matches ? contract.waiting.length : 0
  retrySome(x)
}

/** Whether waiting orders have not had their turn since the last index tick. */
export function isRetrying(x: State): boolean {
  return x.perp.list.some(({ tries, gate }) => tries > 0 && gate.matches)
}

/** Continues with these orders, up to the limit of one command. */
export function retrySome(x: State): void {
  for (const contract of x.perp.list) if (contract.tries > 0 && contract.gate.matches) retryIn(x, contract)
}

function retryIn(x: State, contract: Contract): void {
  const { waiting, venue } = contract
  const crosses = ([BUY, SELL_SIDE] as const).map((side) => venue.book.crosses(side, protectionPrice(x, contract, side)))
  const now = x.atMs - contract.gate.closedMs(x.atMs)
  let acted = 0
  for (let passed = 0; contract.tries > 0 && acted < retriesMax && passed < passesMax; passed++) {
    contract.tries--
    // Each order may end others that wait.
    const one = waiting.shift()
    if (one === undefined) break
    const slot = x.orders.find(one.order) as OrderSlot
    if (one.untilMs > now && !crosses[x.orders.i[slot * I + FLAGS]! & SELL]!) waiting.push(one)
    else {
      acted++
      wake(x, slot, one.untilMs)
    }
  }
  contract.tries = Math.min(contract.tries, waiting.length)
}

/** Orders wait while their contract does not match or their position is in liquidation. */
function mayAct({ contract, isLiquidating, isCross, account }: Holding): boolean {
  return contract.gate.matches && !isLiquidating && !(isCross && account.isLiquidating)
}

function act(x: State, holding: Holding, slot: OrderSlot, untilMs: Millis): void {
  const { f, i } = x.orders
  const { contract, user } = holding
  const order = f[slot * F + ID] as OrderId
  const asked = f[slot * F + LEFT]!
  let flags = i[slot * I + FLAGS]! & ~(PENDING | WAKING)
  const side = (flags & SELL) as SideNumber
  const counted = leaveSleep(x, holding, slot)
  if (diesWithPosition(flags as OrderFlags)) {
    const standing = closable(holding, side)
    f[slot * F + LEFT] = (flags & CLOSING) !== 0 ? standing : Math.min(standing, asked)
    flags |= REDUCE_ONLY
  }
  i[slot * I + FLAGS] = flags
  // The order's own hold may pay for it.
  fitOrders(x, holding)
  if (untilMs === 0) writeTriggered(x.events, order, user, contract.id)
  const lots = f[slot * F + LEFT]!
  // The order's quantity becomes the lots that it may still close, so that followers of the events compute fills from the right total.
  if (lots !== asked && lots > 0)
    writeAmended(x.events, order, user, contract.id, f[slot * F + PRICE] as Ticks, (lots + f[slot * F + EXECUTED_LOTS]!) as Lots, 0)
  if ((flags & HAS_TERMS) !== 0 && lots > 0 && !takePrice(x, contract, slot, flags as OrderFlags))
    return discard(x, contract, slot, NO_LEVEL)
  const reason = obstacle(x, holding, slot, flags as OrderFlags)
  if (reason !== undefined) return discard(x, contract, slot, reason)
  if ((flags & MARKET_ORDER) !== 0) actAsMarket(x, holding, slot, order, untilMs, counted)
  else actAsLimit(x, holding, slot, order)
}

/** Reason why a woken order can't act; undefined when it can. */
function obstacle(x: State, holding: Holding, slot: OrderSlot, flags: OrderFlags): CloseNumber | undefined {
  const side = (flags & SELL) as SideNumber
  const lots = x.orders.f[slot * F + LEFT] as Lots
  if (lots === 0) return (flags & CLOSING) !== 0 ? GONE : REDUCED
  if ((flags & REDUCE_ONLY) === 0 && x.isResting(holding.user)) return RESTING
  const isMarket = (flags & MARKET_ORDER) !== 0
  const price = isMarket ? marketLimit(x, holding, side, lots) : (x.orders.f[slot * F + PRICE] as Ticks)
  if (checkBankruptcy(x, holding, side, price) !== undefined) return MARGIN
  if ((flags & REDUCE_ONLY) !== 0) return undefined
  const wrong =
    isMarket || (flags & TIF_MASK) !== 0 ? checkImmediate(x, holding, side, price, lots) : checkResting(x, holding, side, price, lots)
  return wrong === undefined ? undefined : MARGIN
}

/** Matches at the market within the present protection price. The rest waits for the next tick, for up to five minutes. */
function actAsMarket(x: State, holding: Holding, slot: OrderSlot, order: OrderId, untilMs: Millis, counted: Ticks): void {
  const { f, i } = x.orders
  const { contract } = holding
  const flags = i[slot * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const { book } = contract.venue
  const asked = f[slot * F + LEFT] as Lots
  const left = take(x, holding, side, order, marketLimit(x, holding, side, asked), asked, selfTradeOf(flags))
  f[slot * F + LEFT] = left
  f[slot * F + EXECUTED_LOTS] = f[slot * F + EXECUTED_LOTS]! + book.takenLots
  f[slot * F + EXECUTED] = f[slot * F + EXECUTED]! + book.taken
  x.orders.c[slot * C + UPDATED_AT] = x.atMs
  const reason = immediateReason(holding, side, left, true)
  const now = x.atMs - contract.gate.closedMs(x.atMs)
  const until = (untilMs === 0 ? now + retriesMs : untilMs) as Millis
  if (reason === FILLED || reason === SELF_TRADE || now >= until) return discard(x, contract, slot, reason)
  i[slot * I + FLAGS] = flags | WAKING
  fallAsleep(x, holding, slot, counted)
  contract.waiting.push({ order, untilMs: until })
}
