import { OfflineError } from '@candor/client/errors.ts'
import type { Units } from '@candor/core/money/brand.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { TriggerPrice } from '@candor/core/protocol/command/perp.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newClientId, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { perp } from './api.ts'
import { useOnce } from '../once.ts'
import type { PositionSheetProps } from './position-sheets.tsx'
import { Profit } from './profit.tsx'
import { heldOf } from './risk.ts'

type Exits = { readonly takeProfit: WireOrder | undefined; readonly stopLoss: WireOrder | undefined }

/**
 * Take profit and stop loss of a whole position. A new price places its order before the old one is taken away, so that
 * a position that is protected stays so; an empty field takes it away.
 */
export function ExitsSheet({
  position,
  scales,
  mark,
  exits,
  isHedge,
  onClose,
}: PositionSheetProps & { readonly exits: Exits; readonly isHedge: boolean }) {
  const { t } = useTranslation()
  const { market } = scales
  const before = { takeProfit: priceOf(exits.takeProfit), stopLoss: priceOf(exits.stopLoss) }
  const [takeProfit, setTakeProfit] = useState(before.takeProfit)
  const [stopLoss, setStopLoss] = useState(before.stopLoss)
  const [triggerBy, setTriggerBy] = useState<TriggerPrice>(exits.stopLoss?.perp?.triggerBy ?? exits.takeProfit?.perp?.triggerBy ?? 'mark')
  const ids = useRef({ takeProfit: newClientId(), stopLoss: newClientId() })
  const isLong = position.side === 'buy'
  const markTicks = mark === undefined ? undefined : parseTicks(mark.mark, market.tick)
  const wrong = (text: string, isAbove: boolean): string | undefined => {
    if (text === '') return undefined
    const ticks = parseTicks(text, market.tick)
    if (ticks === undefined) return t('refusals.TRIGGER_INVALID')
    if (markTicks === undefined || (isAbove ? ticks > markTicks : ticks < markTicks)) return undefined
    return isAbove ? t('positions.mustBeAbove') : t('positions.mustBeBelow')
  }
  const errors = { takeProfit: wrong(takeProfit, isLong), stopLoss: wrong(stopLoss, !isLong) }

  const save = useMutation({
    mutationFn: async () => {
      const wanted = [
        { name: 'takeProfit', price: takeProfit, isAbove: isLong },
        { name: 'stopLoss', price: stopLoss, isAbove: !isLong },
      ] as const
      for (const { name, price, isAbove } of wanted) {
        const old = exits[name]
        if (price === before[name] && (old === undefined || old.perp?.triggerBy === triggerBy)) continue
        if (price !== '') {
          await perp.place({
            clientId: ids.current[name],
            symbol: position.symbol,
            side: isLong ? 'sell' : 'buy',
            ...(isHedge ? { position: position.position } : {}),
            type: 'market',
            closing: true,
            trigger: { kind: 'stop', price, direction: isAbove ? 'rises-to' : 'falls-to' },
            triggerBy,
          })
        }
        if (old !== undefined) await perp.cancel(old.id, position.symbol)
      }
    },
    onSuccess: () => {
      tick(12)
      toast({ text: t('positions.exitsSaved'), tone: 'good' })
      onClose()
    },
    onError: (error) => {
      // After a lost answer the same ids are sent again: each exit is placed once.
      if (!(error instanceof OfflineError)) ids.current = { takeProfit: newClientId(), stopLoss: newClientId() }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const run = useOnce(save)
  const isSame =
    takeProfit === before.takeProfit &&
    stopLoss === before.stopLoss &&
    [exits.takeProfit, exits.stopLoss].every((order) => order === undefined || order.perp?.triggerBy === triggerBy)
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('positions.exitsTitle', { pair: `${market.base}/${market.quote}` })}
      footer={
        <Button
          isWide
          disabled={isSame || errors.takeProfit !== undefined || errors.stopLoss !== undefined}
          isBusy={save.isPending}
          onClick={run}
        >
          {t('trade.confirm')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-12 text-fg2">{t('positions.exitsHint')}</p>
        <Segmented
          size="small"
          label={t('positions.triggerBy')}
          value={triggerBy}
          onChange={setTriggerBy}
          choices={[
            { value: 'mark', label: t('perp.mark') },
            { value: 'last', label: t('perp.last') },
          ]}
        />
        <NumberField
          label={`${t('perp.takeProfit')} (${market.quote})`}
          value={takeProfit}
          step={market.tick}
          onChange={setTakeProfit}
          error={errors.takeProfit}
        />
        <Outcome position={position} scales={scales} price={takeProfit} />
        <NumberField
          label={`${t('perp.stopLoss')} (${market.quote})`}
          value={stopLoss}
          step={market.tick}
          onChange={setStopLoss}
          error={errors.stopLoss}
        />
        <Outcome position={position} scales={scales} price={stopLoss} />
        <FormError error={save.error} />
      </div>
    </Sheet>
  )
}

function priceOf(order: WireOrder | undefined): string {
  return order?.trigger?.kind === 'stop' ? order.trigger.price : ''
}

/** What the position would have gained or lost at a price. */
function Outcome({
  position,
  scales,
  price,
}: {
  readonly position: WirePosition
  readonly scales: PositionSheetProps['scales']
  readonly price: string
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const ticks = price === '' ? undefined : parseTicks(price, scales.market.tick)
  if (ticks === undefined) return <p className="text-12 text-fg3">{t('positions.exitEmpty')}</p>
  const held = heldOf(position, scales)
  const profit = formatUnits(unrealised(held.lots, held.cost, ticks, scales.perTickLot) as Units, scales.quoteScale)
  return (
    <p className="text-12 text-fg2">
      {t('positions.exitBrings', { price: format.exact(price) })} <Profit value={profit} asset={scales.market.quote} />
    </p>
  )
}
