import { fractionDigits, formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WirePlacePerp } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder, WirePlaceOrder } from '@candor/core/protocol/wire/spot.ts'

export type Anew =
  | { readonly product: 'spot'; readonly body: Omit<WirePlaceOrder, 'clientId'> }
  | { readonly product: 'perp'; readonly body: Omit<WirePlacePerp, 'clientId'> }

/**
 * The order that a cancelled order would be if it were placed again: what remained of it, at the same price, with the same options.
 * Undefined for orders that can't be the same again: legs of an OCO, exits of a whole position, market orders that were already at
 * work, and orders that end at a date.
 *
 * before   the order as it was before it was cancelled, which tells whether it still waited for its trigger
 * ended    the order as the cancel left it
 */
export function anewOf(before: WireOrder, ended: WireOrder): Anew | undefined {
  const { symbol, side, type, timeInForce, price, postOnly, trigger, margin, perp } = ended
  const isWaiting = before.status === 'pending'
  if (ended.listId !== undefined || ended.status !== 'cancelled') return undefined
  if (perp?.closing === true || perp?.liquidation === true || perp?.goodTill !== undefined) return undefined
  if (type === 'market' && !isWaiting) return undefined
  const quantity = less(ended.quantity, ended.executed)
  const spend = less(ended.spend, ended.executedQuote)
  if (quantity === undefined && spend === undefined) return undefined
  const common = {
    symbol,
    side,
    type,
    ...(type === 'limit' && { timeInForce }),
    ...(price !== undefined && { price }),
    ...(quantity !== undefined && { quantity }),
    ...(postOnly && { postOnly }),
    ...(isWaiting && trigger !== undefined && { trigger }),
  }
  if (perp === undefined) {
    const display = less(quantity, ended.display) === undefined ? undefined : ended.display
    return {
      product: 'spot',
      body: { ...common, ...(spend !== undefined && { spend }), ...(display !== undefined && { display }), ...(margin && { margin }) },
    }
  }
  if (quantity === undefined) return undefined
  // With positions on both sides, the side of the position says what an order may do.
  const effect = perp.position === 'both' ? perp.reduceOnly && { reduceOnly: true } : { position: perp.position }
  return {
    product: 'perp',
    body: {
      ...common,
      ...effect,
      ...(common.trigger !== undefined && { triggerBy: perp.triggerBy }),
      ...(perp.exits !== undefined && { exits: perp.exits }),
    },
  }
}

/** What is left of `whole` without `part`, exact. Undefined when nothing is left. */
function less(whole: string | undefined, part: string | undefined): string | undefined {
  if (whole === undefined || part === undefined) return undefined
  const scale = Math.max(fractionDigits(whole), fractionDigits(part))
  const [from, take] = [parseUnits(whole, scale), parseUnits(part, scale)]
  return from === undefined || take === undefined || from <= take ? undefined : formatUnits(from - take, scale)
}
