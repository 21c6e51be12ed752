/** Sends the ticket's order. Loaded after the desk, because nobody places an order immediately. */
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'
import { announce } from '../../parts/order/placed.ts'
import { perp } from '../../parts/perp/api.ts'
import type { Context, Form } from './form.ts'
import { requestOf } from './request.ts'

export type Order = { readonly clientId: string; readonly form: Form; readonly side: Side; readonly context: Context }

/** Places the order with the prices at its confirmation. Resolves to a function that announces the result. */
export async function place({ clientId, form, side, context }: Order, t: Translate, format: Formats): Promise<() => void> {
  const placed = await perp.place(requestOf(form, side, context, clientId))
  return () => announce(placed, context.market, t, format)
}
