import { OfflineError } from '@candor/client/errors.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client, newClientId, queries } from '../../app/client.ts'
import { useMarket } from '../../app/config.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { toast } from '../ui/toast.tsx'

/** Changes price or quantity of a resting order; says whether it keeps its place in the queue. */
export function AmendSheet({
  order,
  send = client.spot.amend,
  onClose,
}: {
  readonly order: WireOrder
  /** The call of the order's product. */
  readonly send?: typeof client.spot.amend
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const market = useMarket(order.symbol)
  const [price, setPrice] = useState(order.price ?? '')
  const [quantity, setQuantity] = useState(order.quantity ?? '')
  const clientId = useRef(newClientId())
  const amend = useMutation({
    mutationFn: () =>
      send(order.id, {
        clientId: clientId.current,
        symbol: order.symbol,
        ...(price === order.price ? {} : { price }),
        ...(quantity === order.quantity ? {} : { quantity }),
      }),
    onSuccess: () => {
      toast({ text: t('orders.changed'), tone: 'good' })
      onClose()
    },
    onError: (error) => {
      // After a lost answer the same id is sent again: what was changed is not changed twice.
      if (!(error instanceof OfflineError)) clientId.current = newClientId()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  if (market === undefined) return null
  const [ticks, lots] = [parseTicks(price, market.tick), parseLots(quantity, market.lot)]
  const executed = parseLots(order.executed, market.lot) ?? 0
  const before = parseLots(order.quantity ?? '0', market.lot) ?? 0
  const isSame = ticks === parseTicks(order.price ?? '', market.tick) && lots === before
  const canSend = ticks !== undefined && lots !== undefined && lots > executed && !isSame
  const keepsPlace = ticks === parseTicks(order.price ?? '', market.tick) && lots !== undefined && lots < before
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('orders.changeTitle', { pair: `${market.base}/${market.quote}` })}
      footer={
        <Button isWide disabled={!canSend} isBusy={amend.isPending} onClick={() => amend.mutate()}>
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
