import { FileUser, LockKeyhole, type LucideIcon, MailOpen, Timer } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { Footer } from '../../parts/papers/step-page.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'

/** For whoever comes here without a login that waits: how it works, and where it begins. */
export function Intro() {
  const { t } = useTranslation()
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-5 px-4 pt-2 pb-4">
        <p className="text-15 text-fg2">{t('reverify.introLead')}</p>
        <Ways />
      </div>
      <Footer>
        <ButtonLink to="/login" isWide>
          {t('common.login')}
        </ButtonLink>
        <ButtonLink to="/password?reset=1" variant="ghost" size="medium">
          {t('reverify.introPassword')}
        </ButtonLink>
      </Footer>
    </div>
  )
}

/** The steps of a request. */
export function Ways() {
  const { t } = useTranslation()
  const ways: readonly (readonly [LucideIcon, string])[] = [
    [MailOpen, t('reverify.wayCode')],
    [FileUser, t('reverify.wayPapers')],
    [Timer, t('reverify.wayWait')],
    [LockKeyhole, t('reverify.wayLink')],
  ]
  return (
    <ol className="flex flex-col gap-4 rounded-card bg-s1 p-4">
      {ways.map(([Icon, text]) => (
        <li key={text} className="flex items-start gap-3 text-15">
          <span aria-hidden className="flex size-9 shrink-0 items-center justify-center rounded-full bg-brandtint text-brand">
            <Icon size={18} strokeWidth={1.75} />
          </span>
          <span className="min-w-0 flex-1 self-center">{text}</span>
        </li>
      ))}
    </ol>
  )
}
