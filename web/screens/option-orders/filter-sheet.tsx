import type { OptionResult } from '@candor/core/protocol/event/option.ts'
import { useTranslation } from '../../app/translate.ts'
import { useMarkets } from '../../app/config.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { Chip } from '../../parts/ui/tabs.tsx'
import { useState } from 'react'
import { type Filter, noFilter } from './filter.ts'

const results = ['win', 'lose', 'tie', 'void'] as const satisfies readonly OptionResult[]

/** Pair, result and days of settled orders. */
export function FilterSheet({
  filter,
  onChange,
  onClose,
}: {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const markets = useMarkets('spot').filter((market) => market.hasOption)
  const [next, setNext] = useState(filter)
  const done = (wanted: Filter): void => {
    onChange(wanted)
    onClose()
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('settled.filter')}
      footer={
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" className="flex-1" onClick={() => done(noFilter)}>
            {t('settled.filterClear')}
          </Button>
          <Button className="flex-1" onClick={() => done(next)}>
            {t('settled.filterShow')}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        <div className="flex flex-col gap-2">
          <h3 className="text-13 font-medium text-fg2">{t('settled.filterResult')}</h3>
          <div className="flex flex-wrap gap-2">
            <Chip isOn={next.result === ''} onClick={() => setNext({ ...next, result: '' })}>
              {t('settled.allResults')}
            </Chip>
            {results.map((result) => (
              <Chip key={result} isOn={next.result === result} onClick={() => setNext({ ...next, result })}>
                {t(`option.result.${result}`)}
              </Chip>
            ))}
          </div>
        </div>
        <div className="flex flex-col gap-2">
          <h3 className="text-13 font-medium text-fg2">{t('orders.pair')}</h3>
          <div className="flex flex-wrap gap-2">
            <Chip isOn={next.symbol === ''} onClick={() => setNext({ ...next, symbol: '' })}>
              {t('orders.allPairs')}
            </Chip>
            {markets.map((market) => (
              <Chip key={market.symbol} isOn={next.symbol === market.symbol} onClick={() => setNext({ ...next, symbol: market.symbol })}>
                {`${market.base}/${market.quote}`}
              </Chip>
            ))}
          </div>
        </div>
        <div className="grid grid-cols-2 gap-3">
          <Field
            type="date"
            label={t('settled.filterFrom')}
            value={next.from}
            max={next.to === '' ? undefined : next.to}
            onChange={(event) => setNext({ ...next, from: event.target.value })}
          />
          <Field
            type="date"
            label={t('settled.filterTo')}
            value={next.to}
            min={next.from === '' ? undefined : next.from}
            onChange={(event) => setNext({ ...next, to: event.target.value })}
          />
        </div>
      </div>
    </Sheet>
  )
}
