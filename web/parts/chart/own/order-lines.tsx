/** Lines of open orders, of all products. */
import { formatLots } from '@candor/core/money/price.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { ReactNode } from 'react'
import type { Formats } from '../../../app/formats.ts'
import { quotesNow } from '../../../app/quotes.ts'
import type { Translate } from '../../../app/translate.ts'
import { amendOf, isAmendable, type SendChange, sleepsUntil } from '../../order/amend.ts'
import type { LineMove, OwnLine, Tone } from './line.ts'
import { actingPrice, leftOf } from './result.ts'

export type OrderLineOptions = {
  readonly market: WireMarket
  readonly name: string
  readonly tone: Tone
  /** In place of what is left of the order. */
  readonly quantity?: Decimal
  readonly result?: ReactNode
  readonly outcomeAt: (price: Decimal) => ReactNode
  /** A reason to confirm every move of this order. */
  readonly caution: string | undefined
  readonly asks: boolean
  /** How a stop that sleeps moves to another trigger. */
  readonly stop: Pick<LineMove, 'warningAt' | 'faultAt'>
  readonly amend: SendChange
  readonly cancel: (order: WireOrder) => void
}

/** The line of an order; undefined for one without a fixed price. */
export function orderLine(order: WireOrder, options: OrderLineOptions, t: Translate, format: Formats): OwnLine | undefined {
  const price = actingPrice(order)
  if (price === undefined) return undefined
  const { market, name, tone, result, cancel } = options
  const left = leftOf(order, market)
  const spends = options.quantity === undefined && left === 0 ? order.spend : undefined
  const quantity = options.quantity ?? spends ?? formatLots(left, market.lot)
  return {
    id: `order-${order.id}`,
    price,
    tone,
    isDashed: true,
    name,
    quantity: format.exact(quantity),
    unit: spends === undefined ? market.base : market.quote,
    ...(result === undefined ? {} : { result }),
    remove: { label: `${t('orders.cancel')}: ${name}`, run: () => cancel(order) },
    ...moveOf(order, options, t),
  }
}

/** An order that rests in the book moves by its price, a stop that sleeps by its trigger; its limit stays. */
function moveOf(order: WireOrder, { outcomeAt, caution, asks, amend, stop }: OrderLineOptions, t: Translate): Pick<OwnLine, 'move'> {
  const wakesAt = sleepsUntil(order)
  const shared = { outcomeAt, asks, needsMarket: true, done: t('orders.changed') }
  const version = `${order.status} ${order.price} ${order.quantity} ${order.executed} ${wakesAt}`
  if (wakesAt !== undefined) {
    const send: LineMove['send'] = (clientId, to) => amend(order.id, amendOf(clientId, order, { trigger: to }))
    return { move: { ...shared, ...stop, version, send } }
  }
  if (isAmendable(order)) {
    const warningAt = (to: Decimal): string | undefined => (fillsAt(order, to) ? t('chart.own.fills') : caution)
    return { move: { ...shared, version, warningAt, send: (clientId, to) => amend(order.id, amendOf(clientId, order, { price: to })) } }
  }
  return {}
}

/** Whether an order at a price is at or beyond the last one, so that it may trade at once. */
function fillsAt(order: WireOrder, price: Decimal): boolean {
  const last = quotesNow().get(order.symbol)?.price
  if (last === undefined) return true
  return order.side === 'buy' ? Number(price) >= Number(last) : Number(price) <= Number(last)
}
