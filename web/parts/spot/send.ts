/** Sends the ticket's order. Loaded after the desk, because nobody places an order immediately. */
import type { WireMarginOrder } from '@candor/core/protocol/wire/margin.ts'
import { client } from '../../app/client.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { announce } from '../order/placed.ts'
import { toast } from '../ui/toast.tsx'
import type { Context, Form } from './form.ts'
import { requestOf } from './request.ts'

export type Order = {
  readonly clientId: string
  readonly form: Form
  readonly context: Context
  readonly margin: WireMarginOrder | undefined
}

/** Places the order with the prices at its confirmation. Resolves to a function that announces the result. */
export async function place({ clientId, form, context, margin }: Order, t: Translate, format: Formats): Promise<() => void> {
  const request = requestOf(form, context, clientId, margin)
  if (request.kind === 'oco') {
    await client.spot.placeOco(request.body)
    return () => toast({ text: t('orders.placed'), tone: 'good' })
  }
  const placed = await client.spot.place(request.body)
  return () => announce(placed, context.market, t, format)
}
