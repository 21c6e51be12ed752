import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { IndexPrice, Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import * as codes from '../../../book/codes.ts'
import { mulDivCeil } from '../../../money/mul-div.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { writeLiquidated } from '../../../protocol/codec/perp-write.ts'
import { bankruptcyPrice, liquidationStep } from '../../../risk/perp.ts'
import { endTwapsOf } from '../../algo/records/end.ts'
import type { State } from '../../state/state.ts'
import { dropSome, reasonNumber, trimStops, UNFINISHED } from '../positions/close.ts'
import { flush } from '../positions/flush.ts'
import { NOT_READY, partnersMax } from './deleverage.ts'
import { payBack, settleAccount, settleHolding } from '../positions/due.ts'
import { crossMaintenance, cushionOf, equityOf, maintenanceOf, profitOf } from '../rules/money.ts'
import { takeToLiquidate } from '../positions/settle.ts'
import { protectionPrice } from '../rules/sound.ts'
import type { Holding, PerpAccount, Waiting } from '../records/state.ts'
import { takeOver } from './take-over.ts'
import { isRuined, setLevels } from '../positions/watch.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAccepted, writeClosed } = writers
const { BUY, EXPIRE_MAKER, SELL_SIDE } = codes
const { IOC, LIQUIDATION, POSITION_SHIFT, REDUCE_ONLY, SELF_TRADE_SHIFT, SELL } = layout

/** Largest numbers of liquidation steps that one command takes, and of orders that it cancels for them. The others follow with clock ticks. */
export const stepsMax = 16
export const cancelsMax = 200
/** Returned by a step instead of lots when orders are left to cancel. */
const CANCELLING = -2

const LIQUIDATED = reasonNumber('liquidation')
const FILLED = reasonNumber('filled')
const EXPIRED = reasonNumber('ioc')
const noClientId = new Float64Array(6)
/** Orders of the user's other position must not keep a position from being liquidated. */
const kind = IOC | LIQUIDATION | REDUCE_ONLY | (EXPIRE_MAKER << SELF_TRADE_SHIFT)

/** Continues the queue of liquidations, first come, first served. */
export function liquidateSome(x: State): void {
  const { queue } = x.perp
  for (let steps = 0; steps < stepsMax && queue.length > 0 && x.perp.partners < partnersMax; steps++) {
    const waiting = queue[0]!
    const closed = step(x, waiting)
    // The opposite queue is still being built, or orders are left: clock ticks continue with it.
    if (closed === NOT_READY || closed === CANCELLING) return
    if (closed > 0) continue
    // It is healthy again, gone, or finds no buyer at this mark: the next index price checks it again.
    queue.shift()
    ;(waiting.holding ?? waiting.account).isLiquidating = false
    setLevels(x, waiting.account)
  }
}

/**
 * Whether a step can act on any part of it. A cross account is judged by everything it holds, at the last good mark where the
 * index is not good. Steps act only in contracts that allow liquidations; if it has none there, it waits as a whole.
 */
export function canAct({ account, holding }: Waiting): boolean {
  return holding === undefined ? account.cross.some(isReachable) : isReachable(holding)
}

function isReachable({ contract }: Holding): boolean {
  return contract.gate.liquidates
}

/** Takes one step. Returns the lots that it closed, `NOT_READY` or `CANCELLING`. */
function step(x: State, waiting: Waiting): number {
  if (!canAct(waiting)) return 0
  const { account, holding } = waiting
  if (holding === undefined) settleAccount(x, account)
  else settleHolding(x, holding)
  const behind = holding === undefined ? [...account.cross].sort((a, b) => a.id - b.id) : [holding]
  for (const one of behind) payBack(x, one)
  if (!isRuined(x, waiting)) return finish(x)
  // A part would open again what the liquidation closes.
  for (const { contract, user } of behind) endTwapsOf(x, user, contract.id, 'liquidated')
  const dropped = dropSome(x, holding ?? account.cross[0]!, LIQUIDATED, cancelsMax - x.perp.cancelled)
  flush(x)
  // No position is reduced before all orders are cancelled. Until then the account accepts no orders.
  if (dropped === UNFINISHED) return CANCELLING
  x.perp.cancelled += dropped
  if (!isRuined(x, waiting)) return 0
  const candidates = holding === undefined ? byMaintenance(account) : [holding]
  for (const candidate of candidates) {
    const closed = sell(x, candidate)
    if (closed > 0) return closed
  }
  // If the loser could wait down to the last unit, every overshoot would fall to the fund, without the fund having earned
  // anything.
  if (2 * equityOf(x, candidates[0]!) > decision(x, candidates[0]!).maintenance) return 0
  // Positions with a profit first: it pays for those with a loss.
  for (const candidate of holding === undefined ? byProfit(account) : [holding]) {
    const closed = handOver(x, candidate)
    if (closed !== 0) return closed
  }
  return 0
}

/** Ends a step that closed nothing: emits the funding that was settled and paid back on the way. */
function finish(x: State): 0 {
  flush(x)
  return 0
}

/** Largest maintenance margin first, then the older position. */
function byMaintenance(account: PerpAccount): Holding[] {
  return account.cross.filter(isReachable).sort((a, b) => maintenanceOf(b) - maintenanceOf(a) || a.id - b.id)
}

function byProfit(account: PerpAccount): Holding[] {
  return account.cross.filter(isReachable).sort((a, b) => profitOf(b) - profitOf(a) || a.id - b.id)
}

/** Places a part of the position in the book, at most at its bankruptcy price. Returns the lots that it closed. */
function sell(x: State, holding: Holding): number {
  const { contract, user } = holding
  const { venue, mark, q } = contract
  const { terms } = venue.market
  const side = holding.lots > 0 ? SELL_SIDE : BUY
  const before = decision(x, holding)
  const [low, high] = [protectionPrice(x, contract, SELL_SIDE), protectionPrice(x, contract, BUY)]
  const limit = Math.max(low, Math.min(high, before.bankruptcyPrice)) as Ticks
  if (!venue.book.crosses(side, limit)) return 0
  const least = Math.max(terms.lotsMin, mulDivCeil(terms.notionalMin, 1, mark * q)) as Lots
  const lots = liquidationStep(Math.abs(holding.lots) as Lots, contract.terms.liquidationStepPpm, least)
  const order = ++x.lastOrder as OrderId
  const flags = ((side === SELL_SIDE ? SELL : 0) | kind | ((holding.side + 1) << POSITION_SHIFT)) as OrderFlags
  writeAccepted(x.events, order, 0, user, noClientId, 0, contract.id, flags, limit, lots, 0, 0, 0, 0)
  x.perp.liquidationFees = 0 as Units
  const left = takeToLiquidate(x, holding, side, order, limit, lots)
  writeClosed(x.events, order, user, contract.id, left === 0 ? FILLED : EXPIRED, (lots - left) as Lots, (venue.book.taken * q) as Units)
  trimStops(x, holding)
  const closedLots = (lots - left) as Lots
  const insured = flush(x)
  writeLiquidated(x.events, { ...before, order, askedLots: lots, closedLots, fee: x.perp.liquidationFees, insured })
  return closedLots
}

/**
 * Called when the book does not take the position and little of its margin is left: the fund takes it over at its bankruptcy price
 * with the rest of the margin, or it is closed against positions on the other side.
 */
function handOver(x: State, holding: Holding): number {
  const before = decision(x, holding)
  const askedLots = Math.abs(holding.lots) as Lots
  const closedLots = takeOver(x, holding)
  if (closedLots <= 0) return closedLots
  const insured = flush(x)
  writeLiquidated(x.events, { ...before, order: 0 as OrderId, askedLots, closedLots, fee: 0 as Units, insured })
  return closedLots
}

/** The values that decide a step, as they are before it. */
function decision(
  x: State,
  holding: Holding,
): {
  readonly user: UserId
  readonly market: MarketId
  readonly position: OrderId
  readonly mark: Ticks
  readonly index: IndexPrice
  readonly equity: Units
  readonly maintenance: Units
  readonly maintenancePpm: Ppm
  readonly bankruptcyPrice: number
} {
  const { account, contract, user, market, id } = holding
  return {
    user,
    market,
    position: id,
    mark: contract.mark,
    index: contract.index,
    equity: equityOf(x, holding),
    maintenance: holding.isCross ? crossMaintenance(account) : maintenanceOf(holding),
    maintenancePpm: holding.maintenancePpm,
    bankruptcyPrice: bankruptcyPrice(holding.lots, holding.cost, cushionOf(x, holding), contract.q),
  }
}
