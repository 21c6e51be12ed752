import type { KindNumber, MarketId, OrderId } from '../../protocol/ids.ts'
import type { Millis, Ppm, Units } from '../../money/brand.ts'
import { windowMsOf } from '../../proof/second.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { writeOptionOpened } from '../../protocol/codec/option-write.ts'
import type { Direction, OpenOption, OptionTerms } from '../../protocol/command/option.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { directionNets, exposureMax, groupRoom, groupSum, guardVoidsMax, optionProfit, worstCase } from '../../risk/option.ts'
import type { OptionSides } from '../../risk/option.ts'
import { accountKinds } from '../../protocol/account.ts'
import type { State } from '../state/state.ts'
import { isSecondOpened } from '../state/ceiling.ts'
import type { Venue } from '../records/venue.ts'
import { houseFund, houseRow, isHouseOpen } from './house.ts'
import { countGuards, guardsOf, lossMaxOf, lossOf } from './records/state.ts'
import type { OptionOrder, OptionUser } from './records/state.ts'

const OPTION = accountKinds.indexOf('option') as KindNumber
const million = 1_000_000

/** `option.open`: holds the stake and the possible profit. From here on only the tape decides the order. */
export function openOption(x: State, data: Float64Array, start: number): Refusal | undefined {
  const command = decodeCommand(data, start).command as OpenOption
  const refused = checkRequest(x, command) ?? checkOrder(x, command)
  if (refused !== undefined) return refused

  // Up to here nothing has changed; from here on nothing can be refused.
  const { terms } = x.option
  const order = orderOf(x, command, terms!)
  x.ledger.hold(x.ledger.row(command.user, OPTION, x.usdt), order.stake)
  x.ledger.hold(houseRow(x), order.profit)
  x.option.add(order)
  countGuards(x.option.user(command.user), x.atMs, 1, 0)
  x.order = order.order
  writeOptionOpened(x.events, order)
  return undefined
}

function orderOf(x: State, command: OpenOption, terms: OptionTerms): OptionOrder {
  const { user, clientId, market, direction, stake, seconds, guardPpm } = command
  const profitPpm = rateOf(terms, seconds)!
  const strikeFrom = (x.atMs + terms.strikeDelayMs) as Millis
  return {
    order: ++x.lastOrder as OrderId,
    user,
    clientId,
    market,
    direction,
    stake,
    profitPpm,
    profit: optionProfit(stake, profitPpm),
    acceptedAt: x.atMs,
    strikeFrom,
    expiresAt: (strikeFrom + seconds * 1000) as Millis,
    windowMs: windowMsOf(seconds, terms.windowPpm, terms.windowMaxMs),
    gapMaxMs: terms.gapMaxMs,
    guardPpm,
    reference: x.venues[market]!.indexPrice,
    strike: undefined,
    isSettled: false,
  }
}

/** Checks the user and the request, and whether the product accepts orders now. */
function checkRequest(x: State, command: OpenOption): Refusal | undefined {
  const { user, stake, guardPpm } = command
  if (guardPpm < 0 || guardPpm > million) return 'FIELD_INVALID'
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user)) return 'RESTING'
  if (x.isBarred(user)) return 'STAFF_BARRED'
  const venue = x.venue(command.market)
  if (venue === undefined || !hasOption(x, venue)) return 'MARKET_UNKNOWN'
  if (!venue.market.terms.isTrading) return 'MARKET_HALTED'
  if (stake <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (x.ledger.available(x.ledger.find(user, OPTION, x.usdt)) < stake) return 'INSUFFICIENT_BALANCE'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  if (!isHouseOpen(x)) return 'PRODUCT_CLOSED'
  if (!isSecondOpened(x, user)) return 'REGION_CLOSED'
  return isPaused(x, venue) ? 'NO_INDEX_PRICE' : undefined
}

/** Checks the order against the terms, the house's limits, and the customer's own limits. */
function checkOrder(x: State, command: OpenOption): Refusal | undefined {
  const desk = x.option
  const { user, stake, seconds } = command
  const terms = desk.terms!
  const profitPpm = rateOf(terms, seconds)
  if (profitPpm === undefined) return 'DURATION_UNKNOWN'
  if (stake < terms.stakeMin) return 'STAKE_TOO_SMALL'
  if (stake > terms.stakeMax) return 'STAKE_TOO_LARGE'
  const known = desk.users.get(user)
  const openStakes = known?.openStakes ?? 0
  if (openStakes + stake > terms.openMax) return 'STAKES_OPEN_LIMIT'
  if (stake > sideLeft(known, command.market, command.direction, terms)) return 'STAKES_SIDE_LIMIT'
  const profit = optionProfit(stake, profitPpm)
  if (!isWithinExposure(x, terms, command, profit)) return 'EXPOSURE_LIMIT'
  if (!isGroupWithin(x, terms, command, profit)) return 'EXPOSURE_GROUP_LIMIT'
  if (command.guardPpm > 0 && known !== undefined && guardsLeft(known, x.atMs, terms) <= 0) return 'GUARD_LIMIT'
  if (known?.isAdmitted !== true) return 'NOT_ADMITTED'
  const lossMax = lossMaxOf(known, x.atMs)
  if (lossMax > 0 && lossOf(known, x.atMs) + openStakes + stake > lossMax) return 'LOSS_LIMIT'
  return x.atMs < known.coolOffUntil ? 'COOLING_OFF' : undefined
}

/** Whether Second is offered on this market: on every spot market against USDT. */
export function hasOption(x: State, venue: Venue): boolean {
  return venue.quote === x.usdt && venue.market.perp === undefined
}

/** Whether the market's index is not good now, or the tape has stopped. */
export function isPaused(x: State, venue: Venue): boolean {
  return !venue.isIndexGood || x.atMs - x.option.tickedAt > (x.option.terms?.gapMaxMs ?? 0)
}

function rateOf(terms: OptionTerms, seconds: number): Ppm | undefined {
  return terms.rates.find((rate) => rate.seconds === seconds)?.profitPpm
}

/**
 * Whether the house can pay and stays within its exposure limits: the possible profit must be free in the fund, and the worst
 * cases must stay within their shares of the fund unless the order reduces them.
 */
function isWithinExposure(x: State, terms: OptionTerms, { market, direction, stake }: OpenOption, profit: Units): boolean {
  if (x.ledger.available(houseRow(x)) < profit) return false
  const fund = houseFund(x)
  const before = x.option.sides.get(market) ?? noSides
  const after = withOrder(before, direction, stake, profit)
  const worst = worstCase(after)
  const growth = worst - worstCase(before)
  if (growth <= 0) return true
  return worst <= exposureMax(fund, terms.marketExposurePpm) && x.option.worst + growth <= exposureMax(fund, terms.totalExposurePpm)
}

/**
 * Whether a move of all coins in the order's direction would cost the house at most the allowed share of the fund, or the order
 * does not raise that cost. The cost is the largest sum of a market's own net cost and `groupPpm` of the others'.
 */
function isGroupWithin(x: State, terms: OptionTerms, { market, direction, stake }: OpenOption, profit: Units): boolean {
  const { sides } = x.option
  const own = sides.get(market) ?? noSides
  const others = [...sides].filter(([other]) => other !== market).map(([, one]) => directionNets(one)[direction])
  const worst = (one: OptionSides): number => groupSum([...others, directionNets(one)[direction]], terms.groupPpm)
  const after = worst(withOrder(own, direction, stake, profit))
  return after <= worst(own) || after <= exposureMax(houseFund(x), terms.groupExposurePpm)
}

/** Largest stake that the cap of one direction still allows the customer in a market, in USDT units; 0 for none. */
export function sideLeft(known: OptionUser | undefined, market: MarketId, direction: Direction, terms: OptionTerms): number {
  const stakes = new Map<number, number>()
  for (const order of known?.open ?? [])
    if (order.direction === direction) stakes.set(order.market, (stakes.get(order.market) ?? 0) + order.stake)
  const own = (stakes.get(market) ?? 0) as Units
  stakes.delete(market)
  return groupRoom(own, [...stakes.values()], terms.groupPpm, terms.sideMax)
}

/** Number of orders that the customer's own guard may still void today, assuming that it voids all that wait for their strike. */
export function guardsLeft(known: OptionUser, atMs: Millis, terms: OptionTerms): number {
  const { orders, voids } = guardsOf(known, atMs)
  return guardVoidsMax(orders, terms.guardVoidsFree, terms.guardVoidsPpm) - voids - known.guarded
}

const noSides: OptionSides = { upStake: 0, upProfit: 0, downStake: 0, downProfit: 0 }

function withOrder(before: OptionSides, direction: Direction, stake: Units, profit: Units): OptionSides {
  return direction === 'up'
    ? { ...before, upStake: before.upStake + stake, upProfit: before.upProfit + profit }
    : { ...before, downStake: before.downStake + stake, downProfit: before.downProfit + profit }
}
