import type { WireActive } from '@candor/core/protocol/wire/own-limits.ts'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'

/** The reality check: time and result, gains and losses in the same colour, and two exits of the same weight. */
export function CheckSheet({
  minutes,
  active,
  onClose,
}: {
  readonly minutes: number
  readonly active: WireActive
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const rows = [
    [t('limits.checkSession'), t('limits.minutes', { value: minutes })],
    [t('limits.checkToday'), t('limits.minutes', { value: active.minutesToday })],
    [t('limits.checkResult'), active.result === null ? '—' : `${format.usdt(active.result)} USDT`],
  ] as const
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('limits.checkTitle')}
      footer={
        <div className="grid grid-cols-2 gap-2">
          <Button variant="soft" onClick={onClose}>
            {t('limits.checkGoOn')}
          </Button>
          <Button
            variant="soft"
            onClick={() => {
              onClose()
              navigate('/limits')
            }}
          >
            {t('limits.checkBreak')}
          </Button>
        </div>
      }
    >
      <dl className="tn flex flex-col gap-2 pb-2 text-15">
        {rows.map(([label, value]) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="text-13 text-fg2">{label}</dt>
            <dd className="text-end font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="pb-2 text-13 text-fg2">{t('limits.checkNote')}</p>
    </Sheet>
  )
}
