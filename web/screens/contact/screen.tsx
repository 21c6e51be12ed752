import { ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConfig } from '../../app/config.ts'
import { routes } from '../../app/routes.ts'
import { useTranslation } from '../../app/translate.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { LinkRow, Rows } from '../../parts/ui/row.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { waysOf } from './ways.ts'

/** The ways to the people behind the exchange. */
export function Screen() {
  const { t } = useTranslation()
  const config = useConfig().data
  const ways = config === undefined ? undefined : waysOf(Object.keys(routes), config.support)
  return (
    <>
      <PageHeader title={t('site.contact.title')} />
      <div className="flex flex-col gap-5 pt-1 pb-10">
        <p className="px-4 text-15 text-pretty text-fg2">{t('site.contact.lead')}</p>
        <Rows title={t('site.contact.support')}>
          {ways === undefined && <Skeleton className="m-4 h-5 w-48" />}
          {ways?.map((way) =>
            way.kind === 'desk' ? (
              <LinkRow key={way.kind} to={way.to} title={t('site.contact.desk')} detail={t('site.contact.deskHint')} />
            ) : (
              <Outside key={way.kind} href={way.href}>
                {way.text}
              </Outside>
            ),
          )}
          {ways?.length === 0 && <p className="p-4 text-13 text-fg2">{t('site.contact.none')}</p>}
        </Rows>
        <Rows>
          <LinkRow to="/freeze" title={t('site.contact.freeze')} detail={t('site.contact.freezeHint')} />
          <LinkRow to="/announcements" title={t('site.contact.news')} />
          <a href="/docs" target="_blank" rel="noreferrer" className="flex min-h-13 items-center px-4 text-15 active:bg-s2">
            {t('site.contact.api')}
          </a>
          <div className="px-4 py-3">
            <p className="text-15">{t('site.contact.security')}</p>
            <p className="text-12 text-pretty text-fg2">{t('site.contact.securityHint')}</p>
          </div>
        </Rows>
        <p className="mx-4 flex gap-3 rounded-card bg-s1 p-4 text-13 text-pretty text-fg2">
          <ShieldAlert size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-warn" />
          {t('site.contact.warning')}
        </p>
      </div>
    </>
  )
}

function Outside({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a
      href={href}
      {...(href.startsWith('https:') ? { target: '_blank', rel: 'noreferrer' } : {})}
      className="flex min-h-13 items-center px-4 py-2 text-15 font-medium break-all text-brand active:bg-s2"
    >
      {children}
    </a>
  )
}
