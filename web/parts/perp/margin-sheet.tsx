import { OfflineError } from '@candor/client/errors.ts'
import { formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { initialMargin, positionValue, unrealised } from '@candor/core/risk/perp.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { newClientId, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { FormError } from '../ui/state.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { toast } from '../ui/toast.tsx'
import { putAccount, usePerpAccount } from './account.ts'
import { perp } from './api.ts'
import { useOnce } from '../once.ts'
import type { PositionSheetProps } from './position-sheets.tsx'
import { heldOf, liquidationAt } from './risk.ts'

/** Adds margin to an isolated position or takes some out, with where it would then be liquidated. */
export function MarginSheet({ position, scales, mark, onClose }: PositionSheetProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const { market, quoteScale, perTickLot } = scales
  const account = usePerpAccount().data
  const [way, setWay] = useState<'add' | 'remove'>('add')
  const [amount, setAmount] = useState('')
  const clientId = useRef(newClientId())
  const held = heldOf(position, scales)
  const markTicks = mark === undefined ? undefined : parseTicks(mark.mark, market.tick)
  const free = parseUnits(account?.available ?? '0', quoteScale) ?? 0
  const most = way === 'add' ? free : markTicks === undefined ? 0 : removable(held, markTicks, perTickLot)
  const units = parseUnits(amount, quoteScale)
  const isTooMuch = units !== undefined && units > most
  const isReady = units !== undefined && units > 0 && !isTooMuch
  const after = held.margin + (isReady ? (way === 'add' ? units : -units) : 0)
  const liquidation = liquidationAt(held.lots, held.cost, after, scales)
  const adjust = useMutation({
    mutationFn: () =>
      perp.adjustMargin({
        clientId: clientId.current,
        symbol: position.symbol,
        ...(position.position === 'both' ? {} : { position: position.position }),
        amount: way === 'add' ? amount : `-${amount}`,
      }),
    onSuccess: (next) => {
      putAccount(next)
      tick(12)
      toast({ text: t('positions.marginSaved'), tone: 'good' })
      onClose()
    },
    onError: (error) => {
      // After a lost answer the same id is sent again: the margin moves once.
      if (!(error instanceof OfflineError)) clientId.current = newClientId()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const run = useOnce(adjust)
  const price = (ticks: number | undefined): string =>
    ticks === undefined ? t('positions.never') : format.exact(formatTicks(ticks, market.tick))
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('positions.marginTitle', { pair: `${market.base}/${market.quote}` })}
      footer={
        <Button isWide disabled={!isReady} isBusy={adjust.isPending} onClick={run}>
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
          onChange={(text) => {
            setAmount(text)
            clientId.current = newClientId()
          }}
          error={isTooMuch ? (way === 'add' ? t('refusals.MARGIN_INSUFFICIENT') : t('positions.removeTooMuch')) : undefined}
        />
        <div className="flex items-center justify-between gap-2 text-13">
          <span className="text-fg2">{way === 'add' ? t('trade.available') : t('positions.removable')}</span>
          <span className="flex items-center gap-2">
            <span className="tn">{`${format.number(formatUnits(most, quoteScale), 2, 6)} ${market.quote}`}</span>
            <Button variant="soft" size="small" disabled={most <= 0} onClick={() => setAmount(formatUnits(most, quoteScale))}>
              {t('positions.all')}
            </Button>
          </span>
        </div>
        <dl>
          <SummaryRow label={t('positions.margin')}>
            {format.number(position.margin, 2, 2)}
            {isReady && ` → ${format.number(formatUnits(after, quoteScale), 2, 2)}`}
          </SummaryRow>
          <SummaryRow label={t('perp.liquidation')}>
            {position.liquidationPrice === null ? t('positions.never') : format.exact(position.liquidationPrice)}
            {isReady && ` → ${price(liquidation)}`}
          </SummaryRow>
        </dl>
        <FormError error={adjust.error} />
      </div>
    </Sheet>
  )
}

/** What may leave: the margin above what the position at the mark would be opened with, less an open loss. */
function removable(held: ReturnType<typeof heldOf>, markTicks: number, perTickLot: number): number {
  const loss = Math.min(0, unrealised(held.lots, held.cost, markTicks, perTickLot))
  const needs = initialMargin(positionValue(held.lots, markTicks, perTickLot), held.leverage)
  return Math.max(0, held.margin + loss - needs)
}
