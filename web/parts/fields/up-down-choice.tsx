import { useTranslation } from '../../app/translate.ts'
import type { UpDown } from '../../app/appearance.ts'
import { useFormats } from '../../app/format.ts'
import { set, useSettings } from '../../app/settings.ts'
import { Triangle } from '../ui/figure.tsx'
import { ChoiceRow } from '../ui/row.tsx'

/** The choice of up and down colours, each with a preview. Applies immediately. */
export function UpDownChoice() {
  const { t } = useTranslation()
  const format = useFormats()
  const chosen = useSettings((settings) => settings.updown) ?? 'green'
  const choices: readonly { readonly value: UpDown; readonly title: string; readonly up: string; readonly down: string }[] = [
    { value: 'green', title: t('setting.greenUp'), up: 'var(--green)', down: 'var(--red)' },
    { value: 'red', title: t('setting.redUp'), up: 'var(--red)', down: 'var(--green)' },
    { value: 'cb', title: t('setting.colourBlind'), up: 'var(--blue)', down: 'var(--orange)' },
  ]
  return (
    <div role="radiogroup" aria-label={t('setting.colours')}>
      {choices.map(({ value, title, up, down }) => (
        <ChoiceRow
          key={value}
          isOn={value === chosen}
          onClick={() => set({ updown: value })}
          title={title}
          value={
            <span className="tn flex gap-3 font-medium" aria-hidden>
              <span style={{ color: up }} className="inline-flex items-center gap-1">
                <Triangle direction={1} /> {format.number(2.41)}
              </span>
              <span style={{ color: down }} className="inline-flex items-center gap-1">
                <Triangle direction={-1} /> {format.number(1.07)}
              </span>
            </span>
          }
        />
      ))}
    </div>
  )
}
