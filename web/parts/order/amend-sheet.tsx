import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useMarket } from '../../app/config.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'

/** Changes price or quantity of a resting order, and says whether it keeps its place in the queue. */
export function AmendSheet({
  order,
  send = client.spot.amend,
  onClose,
}: {
  readonly order: WireOrder
  /** The amend route of the order's product. */
  readonly send?: typeof client.spot.amend
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const market = useMarket(order.symbol)
  const [price, setPrice] = useState(order.price ?? '')
  const [quantity, setQuantity] = useState(order.quantity ?? '')
  const amend = useSendOnce({
    request: (clientId, asked: { readonly price: string; readonly quantity: string }) => ({
      clientId,
      symbol: order.symbol,
      ...(asked.price === order.price ? {} : { price: asked.price }),
      ...(asked.quantity === order.quantity ? {} : { quantity: asked.quantity }),
    }),
    call: (change) => send(order.id, change),
    onAnswer() {
      toast({ text: t('orders.changed'), tone: 'good' })
      onClose()
    },
  })
  if (market === undefined) return null
  const [ticks, lots] = [parseTicks(price, market.tick), parseLots(quantity, market.lot)]
  const executed = parseLots(order.executed, market.lot) ?? 0
  const before = parseLots(order.quantity ?? '0', market.lot) ?? 0
  const isSamePrice = ticks === parseTicks(order.price ?? '', market.tick)
  const isSame = isSamePrice && lots === before
  const canSend = ticks !== undefined && lots !== undefined && lots > executed && !isSame
  const keepsPlace = isSamePrice && lots !== undefined && lots < before
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('orders.changeTitle', { pair: `${market.base}/${market.quote}` })}
      footer={
        <Button isWide disabled={!canSend} isBusy={amend.isSending} onClick={() => amend.send({ price, quantity })}>
          {t('orders.change')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <NumberField label={`${t('trade.price')} (${market.quote})`} value={price} step={market.tick} onChange={setPrice} />
        <NumberField
          label={`${t('trade.quantity')} (${market.base})`}
          value={quantity}
          step={market.lot}
          onChange={setQuantity}
          error={lots === undefined ? t('refusals.QUANTITY_INVALID') : lots <= executed ? t('orders.belowFilled') : undefined}
        />
        {!isSame && <p className="text-12 text-fg2">{keepsPlace ? t('orders.keepsPlace') : t('orders.losesPlace')}</p>}
        <FormError error={amend.error} />
      </div>
    </Sheet>
  )
}
