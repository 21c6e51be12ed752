import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Sheet } from '../ui/sheet.tsx'
import { Chip, Segmented } from '../ui/tabs.tsx'
import type { PriceChart } from './chart.ts'
import { inPanes, onPrice } from './indicators.ts'
import type { View } from './use-view.ts'

/** Type of bars, and indicators with their parameters. */
export function IndicatorSheet({
  isOpen,
  onClose,
  chart,
  view,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly chart: PriceChart | undefined
  readonly view: View
}) {
  const { t } = useTranslation()
  const [on, setOn] = useState(() => view.keeping.layout().indicators)
  const toggle = (name: string): void => {
    chart?.toggleIndicator(name)
    setOn(view.keeping.layout().indicators)
  }
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('chart.indicators')}>
      <div className="flex flex-col gap-5">
        <Segmented
          label={t('chart.type')}
          value={view.type}
          onChange={view.setType}
          choices={[
            { value: 'candle_solid', label: t('chart.types.candles') },
            { value: 'candle_stroke', label: t('chart.types.hollow') },
            { value: 'ohlc', label: t('chart.types.bars') },
            { value: 'area', label: t('chart.types.line') },
          ]}
        />
        <Group title={t('chart.onPrice')} names={onPrice} on={on} onToggle={toggle} />
        <Group title={t('chart.below')} names={inPanes} on={on} onToggle={toggle} />
        {chart !== undefined && on.length > 0 && (
          <section className="flex flex-col gap-2">
            <h3 className="text-13 font-medium text-fg2">{t('chart.parameters')}</h3>
            {on.map((name) => (
              <Parameters key={name} name={name} chart={chart} />
            ))}
          </section>
        )}
      </div>
    </Sheet>
  )
}

function Group({
  title,
  names,
  on,
  onToggle,
}: {
  readonly title: string
  readonly names: readonly string[]
  readonly on: readonly string[]
  readonly onToggle: (name: string) => void
}) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-13 font-medium text-fg2">{title}</h3>
      <div className="flex flex-wrap gap-2">
        {names.map((name) => (
          <Chip key={name} isOn={on.includes(name)} onClick={() => onToggle(name)}>
            {name}
          </Chip>
        ))}
      </div>
    </section>
  )
}

/** An indicator's parameters, e.g. "7, 25, 99". Applied if they are valid: as many whole numbers from 1 to 500 as before. */
function Parameters({ name, chart }: { readonly name: string; readonly chart: PriceChart }) {
  const { t } = useTranslation()
  const before = chart.parametersOf(name)
  const [text, setText] = useState(before.join(', '))
  if (before.length === 0) return null
  const change = (next: string): void => {
    setText(next)
    const numbers = next
      .split(/[,\s]+/)
      .filter((part) => part !== '')
      .map(Number)
    const isFine = numbers.length === before.length && numbers.every((value) => Number.isInteger(value) && value >= 1 && value <= 500)
    if (isFine) chart.setParameters(name, numbers)
  }
  return (
    <label className="flex min-h-11 items-center justify-between gap-3 text-13">
      {name}
      <input
        value={text}
        inputMode="numeric"
        aria-label={t('chart.parametersOf', { name })}
        onChange={(event) => change(event.target.value)}
        className="tn h-9 w-40 rounded-chip bg-s2 px-3 text-end text-13"
      />
    </label>
  )
}
