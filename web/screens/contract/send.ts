/** The ticket's order on its way, with the exits that belong to it. Comes after the desk: nobody presses in the first moment. */
import { OfflineError } from '@candor/client/errors.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import type { Formats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import type { Translate } from '../../app/translate.ts'
import { perp } from '../../parts/perp/api.ts'
import { toast } from '../../parts/toast.tsx'
import type { Context, Form } from './form.ts'
import { exitsOf, requestOf } from './request.ts'

/** Places the order and says what became of it. Sent again with the same `clientId`, it is the same order and the same exits. */
export async function sendOrder(form: Form, side: Side, context: Context, clientId: string, t: Translate, format: Formats): Promise<void> {
  const placed = await perp.place(requestOf(form, side, context, clientId))
  const missed = await placeExits(placed, form, context, clientId, t)
  announce(placed, context.market, t, format)
  if (missed !== undefined) toast({ text: t('perp.exitsFailed'), detail: missed, tone: 'bad' })
}

/** Why the exits of an order that exists could not be placed: the order stays, and the person is told. */
async function placeExits(
  { order }: WirePlaced,
  form: Form,
  context: Context,
  clientId: string,
  t: Translate,
): Promise<string | undefined> {
  const exits = exitsOf(form, order.side, context, clientId)
  // They belong to a position: while the order rests there may be none.
  if (exits.length > 0 && Number(order.executed) === 0) return t('perp.exitsLater')
  try {
    for (const exit of exits) await perp.place(exit)
    return undefined
  } catch (error) {
    if (error instanceof OfflineError) throw error
    return problemOf(error, t).text
  }
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
