import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useTranslation } from '../../app/translate.ts'
import { Switch } from '../fields/field.tsx'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Segmented } from '../ui/tabs.tsx'
import { axisNames, comparedMax, type LineName, lineNames } from './kept.ts'
import type { View } from './use-view.ts'

const ofPerp: readonly LineName[] = ['position', 'mark', 'index']

/** The price axis, and which own things and reference prices the chart shows. */
export function LineSheet({
  isOpen,
  onClose,
  market,
  view,
  onCompare,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly market: WireMarket
  readonly view: View
  readonly onCompare: () => void
}) {
  const { t } = useTranslation()
  // The candles show their own price already.
  const shown = lineNames.filter((name) => (market.kind === 'perp' || !ofPerp.includes(name)) && name !== view.price)
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('chart.lines.title')}>
      <div className="flex flex-col gap-1">
        {view.compared.length === 0 ? (
          <Segmented
            label={t('chart.axis.title')}
            value={view.axis}
            onChange={view.setAxis}
            choices={axisNames.map((value) => ({ value, label: t(`chart.axis.${value}`) }))}
          />
        ) : (
          <p className="text-13 text-fg2">{t('chart.compare.axis')}</p>
        )}
        <div className="flex min-h-12 items-center justify-between gap-3">
          <span className="text-15">{t('chart.compare.title')}</span>
          <Button variant="soft" size="small" disabled={view.compared.length >= comparedMax} onClick={onCompare}>
            {t('chart.compare.add')}
          </Button>
        </div>
        {shown.map((name) => (
          <div key={name} className="flex min-h-12 items-center justify-between gap-3">
            <span className="text-15">{t(`chart.lines.${name}`)}</span>
            <Switch isOn={view.lines.includes(name)} onChange={() => view.toggleLine(name)} label={t(`chart.lines.${name}`)} />
          </div>
        ))}
      </div>
    </Sheet>
  )
}
