import type { Decimal } from '@candor/core/money/brand.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Profit } from '../../funds/profit.tsx'

type Props = {
  readonly label: 'value' | 'profit'
  readonly before: Decimal | undefined
  readonly after: Decimal | undefined
  readonly asset: string
}

/** What a move changes: the value of an order, or the profit or loss of the position that it closes. */
export function Outcome({ label, before, after, asset }: Props) {
  const { t } = useTranslation()
  const format = useFormats()
  if (after === undefined) return null
  const show = (value: Decimal) =>
    label === 'profit' ? <Profit value={value} /> : <span className="tn text-fg">{format.usdt(value)}</span>
  return (
    <span className="text-fg2">
      {t(label === 'profit' ? 'chart.own.profit' : 'trade.value')}{' '}
      {before !== undefined && before !== after && (
        <>
          {show(before)} <span aria-hidden>→</span>{' '}
        </>
      )}
      {show(after)} {asset}
    </span>
  )
}
