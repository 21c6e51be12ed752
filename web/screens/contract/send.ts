/** The ticket's order on its way. Comes after the desk: nobody presses in the first moment. */
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'
import { perp } from '../../parts/perp/api.ts'
import { toast } from '../../parts/toast.tsx'
import type { Context, Form } from './form.ts'
import { requestOf } from './request.ts'

/** Places the order and says what became of it. Sent again with the same `clientId`, it is the same order. */
export async function sendOrder(form: Form, side: Side, context: Context, clientId: string, t: Translate, format: Formats): Promise<void> {
  announce(await perp.place(requestOf(form, side, context, clientId)), context.market, t, format)
}

function announce({ order }: WirePlaced, { base, quote }: WireMarket, t: Translate, format: Formats): void {
  if ((order.status === 'filled' || order.status === 'partially-filled') && order.average !== undefined) {
    const quantity = `${format.exact(order.executed)} ${base}`
    const text = order.side === 'buy' ? t('trade.bought', { quantity }) : t('trade.sold', { quantity })
    toast({ text, detail: t('trade.atAverage', { price: `${format.number(order.average)} ${quote}` }), tone: 'good' })
  } else if (order.status === 'expired' || order.status === 'cancelled') {
    toast({
      text: t('trade.notFilled'),
      detail: order.closeReason === undefined ? '' : t(`orders.reason.${order.closeReason}`),
      tone: 'bad',
    })
  } else toast({ text: t('trade.placed'), tone: 'good' })
}
