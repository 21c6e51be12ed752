import type { Decimal, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { initialMargin, positionValue, unrealised } from '@candor/core/risk/perp.ts'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { putAccount, usePerpAccount } from './account.ts'
import { perp } from './api.ts'
import type { PositionSheetProps } from './position-sheets.tsx'
import { heldOf, liquidationAt, type Scales } from './risk.ts'

/** Adds margin to an isolated position or removes some, and shows the liquidation price that results. */
export function MarginSheet({ position, scales, mark, onClose }: PositionSheetProps) {
  const { t } = useTranslation()
  const { market, quoteScale, perTickLot } = scales
  const account = usePerpAccount().data
  const [way, setWay] = useState<'add' | 'remove'>('add')
  const [amount, setAmount] = useState('')
  const held = heldOf(position, scales)
  const markTicks = mark === undefined ? undefined : parseTicks(mark.mark, market.tick)
  const free = parseUnits(account?.available ?? '0', quoteScale) ?? 0
  const most = way === 'add' ? free : markTicks === undefined ? 0 : removable(held, markTicks, perTickLot)
  const units = parseUnits(amount, quoteScale)
  const isTooMuch = units !== undefined && units > most
  const isReady = units !== undefined && units > 0 && !isTooMuch
  const after = held.margin + (isReady ? (way === 'add' ? units : -units) : 0)
  const adjust = useSendOnce({
    request: (clientId, amount: string) => ({
      clientId,
      symbol: position.symbol,
      ...(position.position === 'both' ? {} : { position: position.position }),
      amount,
    }),
    call: perp.adjustMargin,
    onAnswer(next) {
      putAccount(next)
      toast({ text: t('positions.marginSaved'), tone: 'good' })
      onClose()
    },
  })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('positions.marginTitle', { pair: `${market.base}/${market.quote}` })}
      footer={
        <Button isWide disabled={!isReady} isBusy={adjust.isSending} onClick={() => adjust.send(way === 'add' ? amount : `-${amount}`)}>
          {way === 'add' ? t('positions.marginAdd') : t('positions.marginRemove')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label={t('positions.margin')}
          value={way}
          onChange={(next) => {
            setWay(next)
            setAmount('')
          }}
          choices={[
            { value: 'add', label: t('positions.add') },
            { value: 'remove', label: t('positions.remove') },
          ]}
        />
        <NumberField
          label={`${t('positions.amount')} (${market.quote})`}
          value={amount}
          step="1"
          places={quoteScale}
          onChange={setAmount}
          error={isTooMuch ? (way === 'add' ? t('refusals.MARGIN_INSUFFICIENT') : t('positions.removeTooMuch')) : undefined}
        />
        <Most
          label={way === 'add' ? t('trade.available') : t('positions.removable')}
          value={formatUnits(most, quoteScale)}
          quote={market.quote}
          onTake={setAmount}
        />
        <Effect position={position} scales={scales} after={isReady ? after : undefined} />
        <FormError error={adjust.error} />
      </div>
    </Sheet>
  )
}

/** Margin and liquidation price before and after the change. */
function Effect({
  position,
  scales,
  after,
}: {
  readonly position: WirePosition
  readonly scales: Scales
  readonly after: number | undefined
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { lots, cost } = heldOf(position, scales)
  const price = (ticks: number | undefined): string =>
    ticks === undefined ? t('positions.never') : format.exact(formatTicks(ticks, scales.market.tick))
  return (
    <dl>
      <SummaryRow label={t('positions.margin')}>
        {format.sum(position.margin, scales.market.quote)}
        {after !== undefined && ` → ${format.sum(formatUnits(after, scales.quoteScale), scales.market.quote)}`}
      </SummaryRow>
      <SummaryRow label={t('perp.liquidation')}>
        {position.liquidationPrice === null ? t('positions.never') : format.exact(position.liquidationPrice)}
        {after !== undefined && ` → ${price(liquidationAt(lots, cost, after, scales))}`}
      </SummaryRow>
    </dl>
  )
}

/** The maximum amount, which one tap sets. */
function Most({
  label,
  value,
  quote,
  onTake,
}: {
  readonly label: string
  readonly value: Decimal
  readonly quote: string
  readonly onTake: (value: Decimal) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div className="flex items-center justify-between gap-2 text-13">
      <span className="text-fg2">{label}</span>
      <span className="flex items-center gap-2">
        <span className="tn">{`${format.sum(value, quote, true)} ${quote}`}</span>
        <Button variant="soft" size="small" disabled={Number(value) <= 0} onClick={() => onTake(value)}>
          {t('positions.all')}
        </Button>
      </span>
    </div>
  )
}

/** Removable margin: the margin above the initial margin at the mark price, less an unrealised loss. */
function removable(held: ReturnType<typeof heldOf>, markTicks: number, perTickLot: number): number {
  const loss = Math.min(0, unrealised(held.lots as Lots, held.cost as Units, markTicks as Ticks, perTickLot))
  const needs = initialMargin(positionValue(held.lots as Lots, markTicks as Ticks, perTickLot), held.leverage)
  return Math.max(0, held.margin + loss - needs)
}
