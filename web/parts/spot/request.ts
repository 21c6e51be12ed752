/** Builds the request of a ticket without errors. */
import { formatLots, parseTicks } from '@candor/core/money/price.ts'
import type { WireMarginOrder } from '@candor/core/protocol/wire/margin.ts'
import type { WirePlaceOco, WirePlaceOrder, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import type { Context, Form } from './form.ts'
import { priceOf, sizeOf } from './sizing.ts'

export type OrderRequest = { readonly kind: 'order'; readonly body: WirePlaceOrder } | { readonly kind: 'oco'; readonly body: WirePlaceOco }

/** Longest id of a list: the ids of its legs get a suffix. */
const listIdMax = 30

/** `margin`: the margin account that the order uses instead of the spot account. */
export function requestOf(form: Form, context: Context, clientId: string, margin?: WireMarginOrder): OrderRequest {
  const { symbol } = context.market
  const onMargin = margin === undefined ? {} : { margin }
  if (form.kind === 'oco') {
    const sizes = { quantity: form.amount, limitPrice: form.price, stopPrice: form.stop }
    return {
      kind: 'oco',
      body: { clientId: clientId.replaceAll('-', '').slice(0, listIdMax), symbol, side: form.side, ...sizes, ...onMargin },
    }
  }
  const isLimit = form.kind === 'limit' || form.kind === 'stop-limit'
  const trigger = triggerOf(form, context)
  return {
    kind: 'order',
    body: {
      clientId,
      symbol,
      side: form.side,
      type: isLimit ? 'limit' : 'market',
      ...(form.unit === 'quote' && !isLimit ? { spend: form.amount } : { quantity: quantityOf(form, context) }),
      ...(isLimit ? { price: form.price, timeInForce: form.timeInForce } : {}),
      ...(form.isPostOnly ? { postOnly: true } : {}),
      ...(form.display === '' ? {} : { display: form.display }),
      ...(trigger === undefined ? {} : { trigger }),
      ...onMargin,
    },
  }
}

/** The quantity to send: for a limit order by amount, the lots that the amount pays for at its price. */
function quantityOf(form: Form, context: Context): string {
  const size = form.unit === 'base' ? undefined : sizeOf(form, priceOf(form, context), context)
  return size === undefined ? form.amount : formatLots(size.lots, context.market.lot)
}

/** The trigger: a stop above the last price waits for a rise, one below for a fall; a trailing stop depends on the order's side. */
function triggerOf(form: Form, context: Context): WireTrigger | undefined {
  if (form.kind === 'trailing')
    return { kind: 'trailing', trailPercent: form.trail, direction: form.side === 'buy' ? 'rises-to' : 'falls-to' }
  if (form.kind !== 'stop-limit' && form.kind !== 'stop-market') return undefined
  const stop = parseTicks(form.stop, context.market.tick)
  const last = parseTicks(context.last ?? form.stop, context.market.tick)
  const isAbove = stop !== undefined && last !== undefined && stop > last
  return { kind: 'stop', price: form.stop, direction: isAbove ? 'rises-to' : 'falls-to' }
}
