import { textSizes, type TextSize } from '@candor/core/protocol/wire/own/preferences.ts'
import { useTranslation } from '../../app/translate.ts'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { useKeptLayout } from './use-kept-layout.ts'

/** In pixels, so that the four letters keep their proportions and their room at each size. */
const letterPx: Readonly<Record<TextSize, number>> = { small: 12, normal: 15, large: 18, extra: 22 }

/** Four sizes, each drawn as a letter, with the name of the chosen one. */
export function TextSizeChoice() {
  const { t } = useTranslation()
  const { layout, change } = useKeptLayout()
  return (
    <section className="flex flex-col gap-2 px-4">
      <div className="flex items-baseline justify-between gap-2 px-1 text-12">
        <h2 className="font-medium text-fg3">{t('setting.textSize')}</h2>
        <span aria-hidden className="text-fg2">
          {t(`setting.size.${layout.textSize}`)}
        </span>
      </div>
      <Segmented
        label={t('setting.textSize')}
        value={layout.textSize}
        onChange={(textSize) => change(() => ({ textSize }))}
        choices={textSizes.map((value) => ({
          value,
          label: t(`setting.size.${value}`),
          shown: (
            <span aria-hidden className="font-semibold" style={{ fontSize: letterPx[value] }}>
              A
            </span>
          ),
        }))}
      />
      <p className="px-1 text-12 text-fg3">{t('setting.textSizeHint')}</p>
    </section>
  )
}
