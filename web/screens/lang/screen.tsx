import type { Lang } from '@candor/core/protocol/locales.ts'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useSession } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { chooseLang, langs, nameOf, tagOf, useLang } from '../../app/texts.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ChoiceRow } from '../../parts/ui/row.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { toast } from '../../parts/ui/toast.tsx'

export function Screen() {
  const { t } = useTranslation()
  const lang = useLang((state) => state.lang)
  const chinese = useSettings((settings) => settings.chinese)

  const choose = async (next: Lang, script: 'hant' | 'hans' = chinese): Promise<void> => {
    try {
      await chooseLang(next, script)
    } catch {
      toast({ text: t('setting.languageFailed'), tone: 'bad' })
      return
    }
    // Sets the language of mails. If this fails, the next login sends it again.
    if (useSession.getState().me !== undefined) void client.user.setLang(next).catch(() => undefined)
  }
  return (
    <>
      <PageHeader title={t('shell.language')} fallback="/me" />
      <div role="radiogroup" aria-label={t('shell.language')} className="flex flex-col px-1 pt-1">
        {langs.map((value) => (
          <ChoiceRow
            key={value}
            isOn={value === lang}
            onClick={() => void choose(value)}
            title={<span lang={tagOf(value)}>{value === 'hk' ? '中文' : nameOf(value)}</span>}
          />
        ))}
      </div>
      {lang === 'hk' && (
        <div className="px-4 pt-4">
          <Segmented
            label={t('setting.chinese')}
            value={chinese}
            onChange={(script) => void choose('hk', script)}
            choices={[
              { value: 'hant', label: nameOf('hk') },
              { value: 'hans', label: nameOf('hk-hans') },
            ]}
          />
        </div>
      )}
    </>
  )
}
