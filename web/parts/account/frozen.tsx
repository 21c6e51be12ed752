import { ShieldAlert } from 'lucide-react'
import { useConfig } from '../../app/config.ts'
import { useTranslation } from '../../app/translate.ts'
import { AskSupport } from '../ui/ask-support.tsx'

/** What a frozen account means for its owner, and the way to open it again. */
export function Frozen() {
  const { t } = useTranslation()
  return (
    <section role="alert" className="flex flex-col gap-4">
      <span aria-hidden className="flex size-12 items-center justify-center rounded-full bg-warntint text-warn">
        <ShieldAlert size={24} strokeWidth={1.75} />
      </span>
      <h2 className="text-22 font-semibold">{t('safety.freezePage.frozen')}</h2>
      <p className="text-15 text-fg2">{t('safety.freezePage.frozenLead')}</p>
      <p className="text-15 text-fg2">{t('safety.freezePage.frozenHow')}</p>
      <Support />
    </section>
  )
}

/** Where customers write to. */
export function Support() {
  const { t } = useTranslation()
  const support = useConfig().data?.support
  if (support === undefined)
    return (
      <>
        <p className="rounded-control bg-s2 p-3 text-13 text-fg2">{t('safety.freezePage.noSupport')}</p>
        <AskSupport />
      </>
    )
  const isPage = support.startsWith('https:')
  return (
    <>
      <a
        href={isPage ? support : `mailto:${support}`}
        {...(isPage ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="flex min-h-13 flex-col justify-center rounded-control bg-s2 px-3.5 py-2"
      >
        <span className="text-12 text-fg3">{t('safety.freezePage.support')}</span>
        <span className="text-15 font-medium break-all text-brand">{support}</span>
      </a>
      <AskSupport />
    </>
  )
}
