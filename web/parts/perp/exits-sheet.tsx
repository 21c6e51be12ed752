import type { Lots, Units } from '@candor/core/money/brand.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { TriggerPrice } from '@candor/core/protocol/command/perp.ts'
import type { WirePlacePerp, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { Fragment, useState } from 'react'
import { newClientId } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { perp } from './api.ts'
import type { PositionSheetProps } from './position-sheets.tsx'
import { Profit } from './profit.tsx'
import { heldOf } from './risk.ts'

type Exits = { readonly takeProfit: WireOrder | undefined; readonly stopLoss: WireOrder | undefined }

/**
 * Take profit and stop loss of a whole position. A new order is placed before the old one is cancelled, so that a protected position
 * stays protected. An empty field cancels it.
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

  const save = useSendOnce({
    request: (clientId, asked: Wanted) =>
      changesOf({ position, exits, isHedge, asked, ids: { takeProfit: clientId, stopLoss: newClientId() } }),
    call: change,
    onAnswer() {
      toast({ text: t('positions.exitsSaved'), tone: 'good' })
      onClose()
    },
  })
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
          isBusy={save.isSending}
          onClick={() => save.send({ takeProfit, stopLoss, triggerBy })}
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
        {[
          { label: t('perp.takeProfit'), price: takeProfit, put: setTakeProfit, error: errors.takeProfit },
          { label: t('perp.stopLoss'), price: stopLoss, put: setStopLoss, error: errors.stopLoss },
        ].map(({ label, price, put, error }) => (
          <Fragment key={label}>
            <NumberField label={`${label} (${market.quote})`} value={price} step={market.tick} onChange={put} error={error} />
            <Outcome position={position} scales={scales} price={price} />
          </Fragment>
        ))}
        <FormError error={save.error} />
      </div>
    </Sheet>
  )
}

/** The typed prices. */
type Wanted = { readonly takeProfit: string; readonly stopLoss: string; readonly triggerBy: TriggerPrice }

/** A change of one exit: the order to place, and the order that it replaces. */
type Change = { readonly symbol: string; readonly place: WirePlacePerp | undefined; readonly cancel: string | undefined }

/** The changed exits. One with the same price and trigger is left alone. */
function changesOf({
  position,
  exits,
  isHedge,
  asked,
  ids,
}: {
  readonly position: WirePosition
  readonly exits: Exits
  readonly isHedge: boolean
  readonly asked: Wanted
  readonly ids: Readonly<Record<keyof Exits, string>>
}): readonly Change[] {
  const { symbol } = position
  const isLong = position.side === 'buy'
  const isChanged = (name: keyof Exits): boolean =>
    asked[name] !== priceOf(exits[name]) || (exits[name] !== undefined && exits[name].perp?.triggerBy !== asked.triggerBy)
  const orderAt = (name: keyof Exits): WirePlacePerp => ({
    clientId: ids[name],
    symbol,
    side: isLong ? 'sell' : 'buy',
    ...(isHedge ? { position: position.position } : {}),
    type: 'market',
    closing: true,
    trigger: { kind: 'stop', price: asked[name], direction: (name === 'takeProfit') === isLong ? 'rises-to' : 'falls-to' },
    triggerBy: asked.triggerBy,
  })
  return (['takeProfit', 'stopLoss'] as const)
    .filter(isChanged)
    .map((name) => ({ symbol, place: asked[name] === '' ? undefined : orderAt(name), cancel: exits[name]?.id }))
}

/** Sends the changes. If they are sent again after a lost answer, each exit is placed once. */
async function change(changes: readonly Change[]): Promise<void> {
  for (const { symbol, place, cancel } of changes) {
    if (place !== undefined) await perp.place(place)
    if (cancel !== undefined) await perp.cancel(cancel, symbol)
  }
}

function priceOf(order: WireOrder | undefined): string {
  return order?.trigger?.kind === 'stop' ? order.trigger.price : ''
}

/** Profit or loss of the position at a price. */
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
  const profit = formatUnits(unrealised(held.lots as Lots, held.cost as Units, ticks, scales.perTickLot) as Units, scales.quoteScale)
  return (
    <p className="text-12 text-fg2">
      {t('positions.exitBrings', { price: format.exact(price) })} <Profit value={profit} asset={scales.market.quote} />
    </p>
  )
}
