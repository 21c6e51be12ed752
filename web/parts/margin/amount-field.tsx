import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { NumberField } from '../fields/number-field.tsx'

/** An amount of a coin, with its maximum, which one tap sets. `most` is undefined while the maximum is unknown. */
export function AmountField({
  asset,
  scale,
  value,
  most,
  mostLabel,
  error,
  onChange,
}: {
  readonly asset: string
  readonly scale: number
  readonly value: string
  readonly most: Decimal | undefined
  readonly mostLabel: string
  readonly error?: string | undefined
  readonly onChange: (text: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        label={`${t('margin.amount')} (${asset})`}
        value={value}
        step={asset === 'USDT' ? '1' : '0.01'}
        places={scale}
        onChange={onChange}
        error={error}
      />
      <div className="flex flex-wrap items-center justify-between gap-2 text-13">
        <span className="text-fg2">{mostLabel}</span>
        <span className="ms-auto flex flex-wrap items-center justify-end gap-2">
          <span className="tn">{most === undefined ? '–' : `${format.sum(most, asset)} ${asset}`}</span>
          <Button
            variant="soft"
            size="small"
            disabled={most === undefined || Number(most) <= 0}
            onClick={() => most !== undefined && onChange(sumOf(parseUnits(most, scale) ?? 0, scale))}
          >
            {t('margin.all')}
          </Button>
        </span>
      </div>
    </div>
  )
}

/** Units as they are typed: without zeros at the end. */
export function sumOf(units: number, scale: number): string {
  return formatUnits(units, scale)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/** The typed amount for the request, without a trailing point. */
export function plain(text: string): string {
  return text.replace(/\.$/, '')
}

/** Units of the typed amount; undefined unless it is a number above zero. */
export function unitsOf(text: string, scale: number): number | undefined {
  const units = parseUnits(plain(text), scale)
  return units === undefined || units <= 0 ? undefined : units
}
