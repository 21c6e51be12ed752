import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { memo } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { NumberField } from '../fields/number-field.tsx'
import { PercentSlider } from '../fields/percent-slider.tsx'
import { Segmented } from '../ui/tabs.tsx'
import type { Unit } from './unit.ts'

type Action =
  | { readonly type: 'set'; readonly field: 'amount'; readonly text: string }
  | { readonly type: 'unit'; readonly unit: Unit }
  | { readonly type: 'percent'; readonly percent: number }

/** The amount of an order, in either coin, typed or as a share of the available balance. Prices alone don't render it again. */
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
      />
      {hasUnits && (
        <Segmented
          size="small"
          label={t('trade.amountIn')}
          value={form.unit}
          onChange={(unit) => act({ type: 'unit', unit })}
          choices={[
            { value: 'base', label: market.base },
            { value: 'quote', label: market.quote },
          ]}
        />
      )}
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
