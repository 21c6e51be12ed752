import { useState } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { Check } from '../../fields/field.tsx'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import type { PriceChart } from '../chart.ts'
import type { Pending } from './drawings.ts'
import { drawingTools } from '../indicators.ts'

/** Drawing tools: choose one, then tap its points in the chart. */
export function DrawSheet({
  isOpen,
  onClose,
  chart,
  symbol,
  onDraw,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly chart: PriceChart | undefined
  readonly symbol: string
  readonly onDraw: (pending: Pending | undefined) => void
}) {
  const { t } = useTranslation()
  const [isMagnetic, setIsMagnetic] = useState(true)
  const save = (): void => {
    if (chart === undefined) return
    const link = document.createElement('a')
    link.href = chart.picture()
    link.download = `${symbol}.png`
    link.click()
    onClose()
  }
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('chart.draw')}>
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-2">
          {drawingTools.map((name) => (
            <Button
              key={name}
              variant="soft"
              size="medium"
              onClick={() => {
                chart?.drawings.draw(name, isMagnetic, onDraw)
                onClose()
              }}
            >
              {t(`chart.tool.${name}`)}
            </Button>
          ))}
        </div>
        <Check isOn={isMagnetic} onChange={setIsMagnetic}>
          {t('chart.magnet')}
        </Check>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="soft"
            size="medium"
            className="flex-1"
            onClick={() => {
              chart?.drawings.undo()
              onClose()
            }}
          >
            {t('chart.undo')}
          </Button>
          <Button
            variant="soft"
            size="medium"
            className="flex-1"
            onClick={() => {
              chart?.drawings.clear()
              onClose()
            }}
          >
            {t('chart.clear')}
          </Button>
          <Button variant="soft" size="medium" className="flex-1" onClick={save}>
            {t('chart.save')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
