import type { SideNumber } from '../../../book/codes.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { checkLots, isPrice } from '../../../risk/orders.ts'
import { checkTrigger } from '../../../risk/trigger.ts'
import type { State } from '../../state/state.ts'
import { checkPosition, hasTooMany, isInBand } from '../rules/checks.ts'
import { checkAsleep, diesWithPosition, fallAsleep, hasAllExits, hasTooManyAsleep } from '../positions/asleep.ts'
import { sleepersOf } from '../positions/close.ts'
import { carry, checkExits, exitsOf } from '../positions/exits.ts'
import { flush } from '../positions/flush.ts'
import { checkPhase } from '../market/gate.ts'
import { closable } from '../rules/money.ts'
import { copyClientId, store } from '../positions/orders.ts'
import { checkGoodTill, keepTerms, termsAt } from '../positions/terms.ts'
import type { Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAccepted } = writers
const { BY_MARK, CLIENT_ID, CLOSING, HAS_TERMS, IOC, MARKET_ORDER, PLACE_ACTIVATION, PLACE_TRIGGER, SELL, TIF_MASK, TRAILING } = layout
const { PENDING } = fields

/**
 * Places an order that sleeps until the last trade price or the mark reaches its trigger. An order that may open holds its margin
 * at the trigger (a trailing one at the mark) and is checked again when it wakes. An order that may only reduce needs a position
 * and ends with it.
 */
export function placeSleeping(
  x: State,
  holding: Holding,
  flags: OrderFlags,
  price: Ticks,
  lots: Lots,
  data: Float64Array,
  start: number,
): Refusal | undefined {
  const { contract, user } = holding
  const { terms } = contract.venue.market
  const isMarket = (flags & MARKET_ORDER) !== 0
  const own = (flags & HAS_TERMS) === 0 ? undefined : termsAt(data, start)
  // It has no price before it wakes.
  const isOpen = isMarket || (own !== undefined && own.match !== 0)
  const reduces = diesWithPosition(flags)
  const trigger = data[start + PLACE_TRIGGER] as Ticks
  const activation = data[start + PLACE_ACTIVATION] as Ticks
  const isTrailing = (flags & TRAILING) !== 0
  const sleepers = sleepersOf(contract, flags)
  const now = (flags & BY_MARK) !== 0 ? contract.mark : contract.venue.lastPrice
  const exits = exitsOf(flags, data, start)
  const near = (isTrailing ? (activation === 0 ? now : activation) : trigger) as Ticks
  const counted = isTrailing ? contract.mark : trigger
  const wrong =
    (isOpen || isPrice(price) ? undefined : 'PRICE_INVALID') ??
    checkGoodTill(x, own) ??
    ((flags & CLOSING) !== 0 ? undefined : checkLots(terms, contract.q, isOpen ? contract.mark : price, lots)) ??
    checkTrigger(flags, trigger, activation, now) ??
    checkExits(contract, flags, isOpen ? near : price, exits) ??
    (isOpen || near === 0 || isInBand(contract, price, near) ? undefined : 'PRICE_OUTSIDE_BAND') ??
    (isTrailing && now === 0 ? 'NO_REFERENCE_PRICE' : undefined) ??
    (hasTooMany(x, contract, user) || hasTooManyAsleep(x, contract, user) || hasAllExits(holding, flags)
      ? 'TOO_MANY_OPEN_ORDERS'
      : undefined) ??
    (reduces || x.isCertified(user) ? undefined : 'NOT_CERTIFIED') ??
    checkPhase(contract, reduces, false) ??
    checkPosition(holding, x.perp.knownAccount(user)?.isHedge === true) ??
    (reduces ? checkStanding(holding, flags) : checkAsleep(x, holding, counted, lots))
  if (wrong !== undefined) return wrong

  const order = ++x.lastOrder as OrderId
  x.order = order
  const told = (isMarket ? (flags & ~TIF_MASK) | IOC : flags) as OrderFlags
  writeAccepted(x.events, order, 0, user, data, start + CLIENT_ID, contract.id, told, price, lots, 0, 0, trigger, activation)
  carry(x, order, exits)
  keepTerms(x, order, flags, holding, own)
  const slot = store(x, holding, order, (told | PENDING) as OrderFlags, price, lots)
  copyClientId(x, slot, data, start + CLIENT_ID)
  const extra = x.orders.extra(slot)
  extra.trigger = trigger
  extra.activation = activation
  sleepers.add(slot, now)
  fallAsleep(x, holding, slot, counted)
  flush(x)
  return undefined
}

function checkStanding(holding: Holding, flags: OrderFlags): Refusal | undefined {
  if (closable(holding, (flags & SELL) as SideNumber) > 0) return undefined
  return (flags & CLOSING) !== 0 && holding.lots === 0 ? 'POSITION_UNKNOWN' : 'REDUCE_ONLY_REJECTED'
}
