import { Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { queries } from '../../app/client.ts'
import { set, useSettings, type Settings } from '../../app/settings.ts'
import { loadArea, nameOf, useLang } from '../../app/texts.ts'
import { Switch } from '../../parts/fields/field.tsx'
import { laterSheet } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ActionRow, LinkRow, Row, Rows } from '../../parts/ui/row.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { TextSizeChoice } from './text-size.tsx'
import { Trading } from './trading.tsx'
import { UpDownChoice } from '../../parts/fields/up-down-choice.tsx'

const UnitSheet = laterSheet(async () => {
  const [module] = await Promise.all([import('../../parts/funds/unit-sheet.tsx'), loadArea('costs')])
  return module.UnitSheet
})

type Flag = { readonly [Key in keyof Settings]: Settings[Key] extends boolean ? Key : never }[keyof Settings] & keyof Settings

export function Screen() {
  const { t } = useTranslation()
  const settings = useSettings()
  const [isClearing, setIsClearing] = useState(false)

  const clear = async (): Promise<void> => {
    setIsClearing(true)
    queries.clear()
    if ('caches' in globalThis) for (const name of await caches.keys()) await caches.delete(name)
    setIsClearing(false)
    toast({ text: t('setting.cleared'), tone: 'good' })
  }
  return (
    <>
      <PageHeader title={t('shell.settings')} fallback="/me" />
      <div className="flex flex-col gap-5 pt-1 pb-8">
        <Look settings={settings} />
        <Region settings={settings} />
        <Trading />
        <Rows title={t('setting.comfort')}>
          <Toggle flag="hideBalancesAtStart" title={t('setting.hideAtStart')} detail={t('setting.hideAtStartHint')} />
          <Toggle flag="haptics" title={t('setting.haptics')} />
          <Toggle flag="reduceMotion" title={t('setting.reduceMotion')} />
          <Toggle flag="dataSaver" title={t('setting.dataSaver')} detail={t('setting.dataSaverHint')} />
        </Rows>
        <Rows>
          <ActionRow onClick={() => isClearing || void clear()} title={t('setting.clear')} detail={t('setting.clearHint')} />
        </Rows>
      </div>
    </>
  )
}

type SectionProps = { readonly settings: Settings }

/** Theme, colours of prices, and size of texts. */
function Look({ settings }: SectionProps) {
  const { t } = useTranslation()
  return (
    <>
      <section className="flex flex-col gap-2 px-4">
        <h2 className="px-1 text-12 font-medium text-fg3">{t('setting.theme')}</h2>
        <Segmented
          label={t('setting.theme')}
          value={settings.theme ?? 'system'}
          onChange={(theme) => set({ theme: theme === 'system' ? undefined : theme })}
          choices={[
            { value: 'system', label: t('setting.themeSystem') },
            { value: 'dark', label: t('setting.themeDark') },
            { value: 'light', label: t('setting.themeLight') },
          ]}
        />
      </section>
      <Rows title={t('setting.colours')}>
        <UpDownChoice />
      </Rows>
      <TextSizeChoice />
    </>
  )
}

/** Language, and units of totals and times. */
function Region({ settings }: SectionProps) {
  const { t } = useTranslation()
  const locale = useLang((state) => state.locale)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <Rows title={t('setting.region')}>
      <LinkRow to="/lang" title={t('shell.language')} value={nameOf(locale)} />
      <ActionRow title={t('setting.totalIn')} value={settings.totalIn} onClick={() => setChoosing(true)} />
      {isChoosing && (
        <Suspense>
          <UnitSheet onClose={() => setChoosing(false)} />
        </Suspense>
      )}
      <Row title={t('setting.timeZone')}>
        <div className="w-36">
          <Segmented
            size="small"
            label={t('setting.timeZone')}
            value={settings.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            choices={[
              { value: 'local', label: t('setting.timeLocal') },
              { value: 'utc', label: 'UTC' },
            ]}
          />
        </div>
      </Row>
    </Rows>
  )
}

function Toggle({ flag, title, detail }: { readonly flag: Flag; readonly title: string; readonly detail?: string }) {
  const isOn = useSettings((settings) => settings[flag])
  return (
    <Row title={title} {...(detail === undefined ? {} : { detail })}>
      <Switch isOn={isOn} onChange={(next) => set({ [flag]: next })} label={title} />
    </Row>
  )
}
