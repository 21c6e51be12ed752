import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireAmend, WireOrder, WirePlaced } from '@candor/core/protocol/wire/spot.ts'

/** The amend route of a product. */
export type SendChange = (id: string, body: WireAmend) => Promise<WirePlaced>

/** Empty for what the order does not have: a price, a quantity, a trigger. */
export type Typed = { readonly price: string; readonly quantity: string; readonly trigger: string }

export type Change = {
  /** `filled`: not more than is filled already. */
  readonly wrong: { readonly price?: Refusal; readonly amount?: Refusal | 'filled'; readonly stop?: Refusal }
  readonly isSame: boolean
  /** Whether the order keeps its place in the queue: at the same price, with a smaller quantity. */
  readonly keepsPlace: boolean
}

/** The price at which a stop that sleeps wakes up. */
export function sleepsUntil({ status, trigger }: Pick<WireOrder, 'status' | 'trigger'>): string | undefined {
  return status === 'pending' && trigger?.kind === 'stop' ? trigger.price : undefined
}

/** What an order has, as its form begins. */
export function typedOf(order: Pick<WireOrder, 'price' | 'quantity' | 'status' | 'trigger'>): Typed {
  return { price: order.price ?? '', quantity: order.quantity ?? '', trigger: sleepsUntil(order) ?? '' }
}

/**
 * The request that gives an order other values. What stays the same is not sent, except the trigger of a stop: without it, an order
 * that sleeps is not changed.
 */
export function amendOf(clientId: string, order: WireOrder, asked: Partial<Typed>): WireAmend {
  const before = typedOf(order)
  return {
    clientId,
    symbol: order.symbol,
    ...(asked.price === undefined || asked.price === before.price ? {} : { price: asked.price }),
    ...(asked.quantity === undefined || asked.quantity === before.quantity ? {} : { quantity: asked.quantity }),
    ...(before.trigger === '' ? {} : { triggerPrice: asked.trigger ?? before.trigger }),
  }
}

/** What the typed values change in an order, and what is wrong with them. */
export function changeOf(
  order: Pick<WireOrder, 'price' | 'quantity' | 'executed' | 'status' | 'trigger'>,
  { price, quantity, trigger }: Typed,
  { tick, lot }: Pick<WireMarket, 'tick' | 'lot'>,
): Change {
  const [ticks, lots] = [parseTicks(price, tick), parseLots(quantity, lot)]
  const executed = parseLots(order.executed, lot) ?? 0
  const before = parseLots(order.quantity ?? '0', lot) ?? 0
  const isSamePrice = ticks === parseTicks(order.price ?? '', tick)
  const faultOf = (text: string): Refusal | undefined => {
    const value = parseTicks(text, tick)
    return value !== undefined && value > 0 ? undefined : text === '' ? 'FIELD_MISSING' : 'PRICE_INVALID'
  }
  const priceFault = order.price === undefined ? undefined : faultOf(price)
  const wakesAt = sleepsUntil(order)
  const triggerFault = wakesAt === undefined ? undefined : faultOf(trigger)
  const isSameTrigger = wakesAt === undefined || parseTicks(trigger, tick) === parseTicks(wakesAt, tick)
  const isSum = lots !== undefined && lots > 0
  const quantityFault = isSum ? (lots > executed ? undefined : 'filled') : quantity === '' ? 'FIELD_MISSING' : 'QUANTITY_INVALID'
  const amountFault = order.quantity === undefined ? undefined : quantityFault
  return {
    wrong: {
      ...(priceFault && { price: priceFault }),
      ...(amountFault && { amount: amountFault }),
      ...(triggerFault && { stop: triggerFault }),
    },
    isSame: isSamePrice && isSameTrigger && (order.quantity === undefined || lots === before),
    keepsPlace: wakesAt === undefined && isSamePrice && lots !== undefined && lots < before,
  }
}

/** Whether an order can be amended: a stop that sleeps, or one in the book that is no leg of an OCO. */
export function isAmendable(order: Pick<WireOrder, 'status' | 'type' | 'listId' | 'perp' | 'trigger'>): boolean {
  if (order.status === 'pending') return sleepsUntil(order) !== undefined
  return order.type === 'limit' && !isLeg(order)
}

/** Whether an order may be a leg of an OCO, which has its quantity in common with the other one. */
export function isLeg({ listId, perp }: Pick<WireOrder, 'listId' | 'perp'>): boolean {
  return listId !== undefined && perp === undefined
}
