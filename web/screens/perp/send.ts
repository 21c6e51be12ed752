/** The ticket's order on its way. Comes after the desk: nobody presses in the first moment. */
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'
import { announce } from '../../parts/order/placed.ts'
import { perp } from '../../parts/perp/api.ts'
import type { Context, Form } from './form.ts'
import { requestOf } from './request.ts'

/** Places the order and says what became of it. Sent again with the same `clientId`, it is the same order. */
export async function sendOrder(form: Form, side: Side, context: Context, clientId: string, t: Translate, format: Formats): Promise<void> {
  announce(await perp.place(requestOf(form, side, context, clientId)), context.market, t, format)
}
