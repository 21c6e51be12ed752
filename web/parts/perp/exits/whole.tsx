import type { Lots, Units } from '@candor/core/money/brand.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { TriggerPrice } from '@candor/core/protocol/command/perp.ts'
import type { WirePlacePerp, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { Fragment, type ReactNode, useState } from 'react'
import { newClientId } from '../../../app/client.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { useSendOnce } from '../../../app/use-send-once.ts'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../fields/number-field.tsx'
import { FormError } from '../../ui/state.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { perp } from '../api.ts'
import type { PositionSheetProps } from '../position-sheets.tsx'
import { Profit } from '../../funds/profit.tsx'
import { heldOf } from '../risk.ts'
import { type Draft, orderOf, wrongTrigger } from './draft.ts'
import { type ExitKind, exitKinds } from './list.ts'

type Exits = Readonly<Record<ExitKind, WireOrder | undefined>>
type WholeProps = PositionSheetProps & { readonly exits: Exits; readonly isHedge: boolean }

/**
 * The form of take profit and stop loss of the whole position, at the market. An exit moves in one step; one that follows another
 * price from now on is placed before the old one is cancelled, so that a protected position stays protected. An empty field cancels it.
 */
export function useWhole({ position, scales, mark, exits, isHedge, onClose }: WholeProps): {
  readonly body: ReactNode
  readonly footer: ReactNode
} {
  const { t } = useTranslation()
  const { market } = scales
  const before = { takeProfit: priceOf(exits.takeProfit), stopLoss: priceOf(exits.stopLoss) }
  const [takeProfit, setTakeProfit] = useState(before.takeProfit)
  const [stopLoss, setStopLoss] = useState(before.stopLoss)
  const [triggerBy, setTriggerBy] = useState<TriggerPrice>(exits.stopLoss?.perp?.triggerBy ?? exits.takeProfit?.perp?.triggerBy ?? 'mark')
  const isLong = position.side === 'buy'
  const markTicks = mark === undefined ? undefined : parseTicks(mark.mark, market.tick)
  const wrong = (kind: ExitKind, text: string): string | undefined => {
    const fault = text === '' ? undefined : wrongTrigger(isLong, kind, parseTicks(text, market.tick), markTicks)
    if (fault === 'invalid') return t('refusals.TRIGGER_INVALID')
    return fault && (fault === 'tooLow' ? t('positions.mustBeAbove') : t('positions.mustBeBelow'))
  }
  const errors = { takeProfit: wrong('takeProfit', takeProfit), stopLoss: wrong('stopLoss', stopLoss) }

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
  const footer = (
    <Button
      isWide
      disabled={isSame || errors.takeProfit !== undefined || errors.stopLoss !== undefined}
      isBusy={save.isSending}
      onClick={() => save.send({ takeProfit, stopLoss, triggerBy })}
    >
      {t('trade.confirm')}
    </Button>
  )
  const body = (
    <>
      <p className="text-12 text-fg2">{t('positions.exitsHint')}</p>
      <TriggerBy value={triggerBy} onChange={setTriggerBy} />
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
    </>
  )
  return { body, footer }
}

/** The choice of the price that triggers. */
export function TriggerBy({ value, onChange }: { readonly value: TriggerPrice; readonly onChange: (by: TriggerPrice) => void }) {
  const { t } = useTranslation()
  return (
    <Segmented
      size="small"
      label={t('positions.triggerBy')}
      value={value}
      onChange={onChange}
      choices={[
        { value: 'mark', label: t('perp.mark') },
        { value: 'last', label: t('perp.last') },
      ]}
    />
  )
}

/** The typed prices. */
type Wanted = { readonly takeProfit: string; readonly stopLoss: string; readonly triggerBy: TriggerPrice }

/** A change of one exit: the trigger to which an order moves, or the order to place and the one that it replaces. */
type Change = {
  readonly symbol: string
  readonly move: { readonly id: string; readonly clientId: string; readonly triggerPrice: string } | undefined
  readonly place: WirePlacePerp | undefined
  readonly cancel: string | undefined
}

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
  readonly ids: Readonly<Record<ExitKind, string>>
}): readonly Change[] {
  const { symbol } = position
  const isSameBy = (name: ExitKind): boolean => exits[name]?.perp?.triggerBy === asked.triggerBy
  const isChanged = (name: ExitKind): boolean => asked[name] !== priceOf(exits[name]) || (exits[name] !== undefined && !isSameBy(name))
  return exitKinds.filter(isChanged).map((kind): Change => {
    const before = exits[kind]
    const trigger = asked[kind]
    if (before !== undefined && trigger !== '' && isSameBy(kind))
      return { symbol, move: { id: before.id, clientId: ids[kind], triggerPrice: trigger }, place: undefined, cancel: undefined }
    const draft: Draft = { kind, trigger, by: asked.triggerBy, part: 'whole', quantity: '', type: 'market', price: '' }
    return { symbol, move: undefined, place: trigger === '' ? undefined : orderOf(position, isHedge, draft, ids[kind]), cancel: before?.id }
  })
}

/** Sends the changes. If they are sent again after a lost answer, each exit is placed or moved once. */
async function change(changes: readonly Change[]): Promise<void> {
  for (const { symbol, move, place, cancel } of changes) {
    if (move !== undefined) await perp.amend(move.id, { clientId: move.clientId, symbol, triggerPrice: move.triggerPrice })
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
