import { type ChartCount, chartCounts } from '@candor/core/protocol/wire/own/preferences.ts'
import { usePreference } from '../../../app/preferences/preferences.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Segmented } from '../../ui/tabs.tsx'
import { gridRules } from './arrangement.ts'

const isCount = (text: string): ChartCount => chartCounts.find((one) => String(one) === text) ?? 1

/** *Charts: 1 2 4*. */
export function CountChoice() {
  const { t } = useTranslation()
  const [{ count }, change] = usePreference('chart-grid', gridRules)
  return (
    <div className="flex shrink-0 items-center gap-2 text-12 text-fg2">
      <span aria-hidden>{t('shortcuts.charts.count')}</span>
      <div className="w-32">
        <Segmented
          size="small"
          label={t('shortcuts.charts.count')}
          value={String(count)}
          onChange={(next) => void change((now) => ({ ...now, count: isCount(next) }))}
          choices={chartCounts.map((one) => ({ value: String(one), label: String(one) }))}
        />
      </div>
    </div>
  )
}
