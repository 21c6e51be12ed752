import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { memo } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { InField, InFieldButton } from '../fields/in-field.tsx'
import { NumberField } from '../fields/number-field.tsx'
import type { OnTake } from './taker.ts'

/** The limit price of an order, with a button each for the best bid and the best ask. Amounts alone don't render it again. */
export const PriceField = memo(function PriceField({
  label,
  market,
  value,
  error,
  bid,
  ask,
  onChange,
  onTake,
}: {
  /** Label of the field, without its coin. */
  readonly label: string
  readonly market: WireMarket
  readonly value: string
  readonly error: string | undefined
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly onChange: (text: string) => void
  readonly onTake: OnTake
}) {
  const { t } = useTranslation()
  const best = (price: Decimal | undefined) => ({ isDisabled: price === undefined, onClick: () => price !== undefined && onTake(price) })
  return (
    <NumberField
      label={`${label} (${market.quote})`}
      value={value}
      step={market.tick}
      onChange={onChange}
      error={error}
      after={
        <InField>
          <InFieldButton label={t('trade.bestBid')} className="text-up" {...best(bid)}>
            {t('trade.bid')}
          </InFieldButton>
          <InFieldButton label={t('trade.bestAsk')} className="text-down" {...best(ask)}>
            {t('trade.ask')}
          </InFieldButton>
        </InField>
      }
    />
  )
})
