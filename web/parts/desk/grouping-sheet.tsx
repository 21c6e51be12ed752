import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../../app/format.ts'
import { useLast } from '../../app/quotes.ts'
import { useTranslation } from '../../app/translate.ts'
import { ChoiceRow } from '../ui/row.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { groupings, stepOf } from './book-view.ts'

/** The list of price steps of a market's book. */
export function GroupingSheet({
  market,
  group,
  onChange,
  onClose,
}: {
  readonly market: WireMarket
  readonly group: number
  readonly onChange: (group: number) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const last = useLast(market.symbol)
  return (
    <Sheet isOpen onClose={onClose} title={t('trade.grouping')}>
      <div role="radiogroup" aria-label={t('trade.grouping')} className="-mx-2">
        {groupings(market, last).map((one) => (
          <ChoiceRow
            key={one}
            isOn={one === group}
            title={stepOf(market, one, format)}
            onClick={() => {
              onChange(one)
              onClose()
            }}
          />
        ))}
      </div>
    </Sheet>
  )
}
