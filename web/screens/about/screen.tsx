import type { WireFeed } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useConfig } from '../../app/config.ts'
import { Mark } from '../../parts/ui/mark.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ActionRow, LinkRow, Row, Rows } from '../../parts/ui/row.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { AgreementSheet } from '../../parts/account/agreement-sheet.tsx'

/** Third-party software in the app, with its licences. */
const others: readonly (readonly [string, string])[] = [
  ['React', 'MIT'],
  ['TanStack Query', 'MIT'],
  ['Zustand', 'MIT'],
  ['Tailwind CSS', 'MIT'],
  ['Lucide', 'ISC'],
  ['KLineChart', 'Apache-2.0'],
  ['Inter', 'OFL-1.1'],
  ['Cryptocurrency Icons', 'CC0-1.0'],
]

export function Screen() {
  const { t } = useTranslation()
  const config = useConfig().data
  const feed = config?.feed
  const [open, setOpen] = useState<'agreement' | 'licences'>()
  return (
    <>
      <PageHeader title={t('shell.about')} fallback="/me" />
      <div className="flex flex-col gap-5 pt-2 pb-8">
        <section className="flex flex-col items-start gap-3 px-4">
          <Mark size={48} />
          <p className="text-22 font-semibold">Candor</p>
          <p className="text-15 text-pretty text-fg2">{t('about.lead')}</p>
        </section>
        <Block title={t('site.about.who')}>
          <p>{t('site.about.whoText', { host: location.host })}</p>
        </Block>
        <Block title={t('site.about.reserves')}>
          <p>{config?.mode === 'sandbox' ? t('site.about.simulated') : t('site.about.reservesText')}</p>
        </Block>
        <Rows>
          <LinkRow to="/proof" title={t('site.about.proof')} />
          <LinkRow to="/features" title={t('site.about.features')} />
          <LinkRow to="/fees" title={t('site.about.fees')} />
          <LinkRow to="/contact" title={t('site.about.contact')} />
        </Rows>
        <Rows title={t('about.documents')}>
          <ActionRow onClick={() => setOpen('agreement')} title={t('shell.agreement')} />
          <ActionRow onClick={() => setOpen('licences')} title={t('about.licences')} />
          <a href="/docs" target="_blank" rel="noreferrer" className="flex min-h-13 items-center px-4 text-15 active:bg-s2">
            {t('about.api')}
          </a>
        </Rows>
        <Rows title={t('about.this')}>
          {feed !== undefined && <Row title={t('site.about.status')} value={t('site.about.sources', sourcesOf(feed))} />}
          <LinkRow to="/announcements" title={t('about.announcements')} />
          <LinkRow to="/changes" title={t('about.changes')} />
          <Row title={t('about.version')} value={<span className="tn">{config?.version ?? ''}</span>} />
          <Row title={t('about.commit')} value={<span className="tn select-all">{config?.commit.slice(0, 12) ?? ''}</span>} />
        </Rows>
      </div>
      <AgreementSheet isOpen={open === 'agreement'} onClose={() => setOpen(undefined)} />
      <Sheet isOpen={open === 'licences'} onClose={() => setOpen(undefined)} title={t('about.licences')}>
        <p className="pb-3 text-13 text-fg2">{t('about.licencesHint')}</p>
        <dl className="text-13">
          {others.map(([name, licence]) => (
            <div key={name} className="flex min-h-10 items-center justify-between gap-4 border-b border-line last:border-0">
              <dt>{name}</dt>
              <dd className="text-fg3">{licence}</dd>
            </div>
          ))}
        </dl>
        <a
          href="/NOTICE.txt"
          target="_blank"
          rel="noreferrer"
          className="mt-2 inline-flex min-h-11 items-center text-13 font-semibold text-brand"
        >
          {t('about.notices')}
        </a>
      </Sheet>
    </>
  )
}

function Block({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 px-4 text-13 text-pretty text-fg2">
      <h2 className="text-17 font-semibold text-fg">{title}</h2>
      {children}
    </section>
  )
}

function sourcesOf({ venues }: WireFeed): { readonly up: number; readonly all: number } {
  return { up: venues.filter(({ isUp }) => isUp).length, all: venues.length }
}
