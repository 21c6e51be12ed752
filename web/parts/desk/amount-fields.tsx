import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { ArrowLeftRight } from 'lucide-react'
import { memo } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { InField, InFieldButton } from '../fields/in-field.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { PercentSlider } from '../fields/percent-slider.tsx'
import type { Unit } from './unit.ts'

type Action =
  | { readonly type: 'set'; readonly field: 'amount'; readonly text: string }
  | { readonly type: 'unit'; readonly unit: Unit }
  | { readonly type: 'percent'; readonly percent: number }

/**
 * The amount of an order, typed or as a share of the available balance. A button in the field switches its coin. Prices alone don't
 * render it again.
 */
export const AmountFields = memo(function AmountFields({
  form,
  market,
  quoteScale,
  label,
  percent,
  error,
  hasUnits = true,
  isVisitor,
  act,
}: {
  readonly form: { readonly amount: string; readonly unit: Unit }
  readonly market: WireMarket
  readonly quoteScale: number
  /** Label of the field, without its coin. */
  readonly label: string
  readonly percent: number
  readonly error: string | undefined
  readonly hasUnits?: boolean
  readonly isVisitor: boolean
  readonly act: (action: Action) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isBase = form.unit === 'base'
  const coin = isBase ? market.base : market.quote
  return (
    <>
      <NumberField
        label={`${label} (${coin})`}
        value={form.amount}
        step={isBase ? market.lot : '1'}
        places={isBase ? market.quantityDigits : quoteScale}
        onChange={(text) => act({ type: 'set', field: 'amount', text })}
        error={error}
        after={
          hasUnits ? (
            <InField>
              <InFieldButton
                label={`${t('trade.amountIn')}: ${coin}`}
                className="gap-0.5 text-fg"
                onClick={() => act({ type: 'unit', unit: isBase ? 'quote' : 'base' })}
              >
                <span className="truncate">{coin}</span>
                <ArrowLeftRight size={12} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg2" />
              </InFieldButton>
            </InField>
          ) : undefined
        }
      />
      <PercentSlider
        value={percent}
        label={t('trade.percent')}
        says={`${format.percent(percent, 0)}, ${format.field(form.amount || '0')} ${coin}`}
        isDisabled={isVisitor}
        onChange={(share) => act({ type: 'percent', percent: share })}
      />
    </>
  )
})
