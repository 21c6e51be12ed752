import type { TermDifference, WireChange } from '@candor/core/protocol/wire/changes.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import type { Key } from '../../app/translate.ts'
import { useTranslation } from '../../app/translate.ts'
import { news } from '../../parts/news/news.ts'
import { Button } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { linesOf } from './words.ts'

const changesQuery = ['changes'] as const

/** Decisions about terms that the exchange carried out, newest first. */
export function Screen() {
  const { t } = useTranslation()
  const pages = useInfiniteQuery({
    queryKey: changesQuery,
    queryFn: ({ pageParam }) => news.changes(pageParam === undefined ? {} : { before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
  const all = pages.data?.pages.flatMap(({ changes }) => changes)
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: changesQuery })}>
      <PageHeader title={t('about.news.title')} fallback="/about" />
      <div className="flex flex-col gap-4 pt-1 pb-8">
        <p className="px-4 text-13 text-pretty text-fg2">{t('about.news.lead')}</p>
        {all === undefined && (pages.isError ? <Failure error={pages.error} /> : <RowsSkeleton rows={6} />)}
        {all?.length === 0 && <Empty text={t('about.news.empty')} icon={<Scale size={22} strokeWidth={1.75} />} />}
        {all?.map((change) => (
          <Change key={change.number} change={change} />
        ))}
        {pages.hasNextPage && (
          <Button
            variant="soft"
            size="medium"
            className="mx-4"
            isBusy={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t('about.news.earlier')}
          </Button>
        )}
      </div>
    </Pull>
  )
}

function Change({ change }: { readonly change: WireChange }) {
  const { t, i18n } = useTranslation()
  const format = useFormats()
  const { kind, subject, differences, paid, at, seq } = change
  const regions = new Intl.DisplayNames([i18n.language], { type: 'region' })
  const regionName = (code: string): string => (code === '*' ? t('about.news.everywhere') : (regions.of(code) ?? code))
  const named = kind === 'country' ? regionName(subject) : subject.replace(':', ' · ')
  return (
    <section className="mx-4 overflow-hidden rounded-card bg-s1">
      <header className="flex flex-col gap-0.5 px-4 pt-3 pb-2">
        <h2 className="text-15 font-semibold text-pretty">{t(`about.news.kinds.${kind}`, { subject: named })}</h2>
        <p className="tn flex flex-wrap gap-x-2 text-12 text-fg3">
          <time dateTime={new Date(at).toISOString()} title={format.utc(at)}>
            {format.dateTime(at)}
          </time>
          {seq !== undefined && <span>{t('about.news.command', { seq: format.number(seq) })}</span>}
        </p>
      </header>
      <dl className="[&>*]:border-t [&>*]:border-line">
        {differences.map((one) => (
          <Difference key={one.name} {...{ change, one }} />
        ))}
      </dl>
      {paid !== undefined && (
        <p className="tn border-t border-line px-4 py-2.5 text-13">{t('about.news.paid', { amount: format.number(paid) })}</p>
      )}
    </section>
  )
}

function Difference({ change: { kind, assets }, one }: { readonly change: WireChange; readonly one: TermDifference }) {
  const { t } = useTranslation()
  const format = useFormats()
  const words = { t, format, assets }
  return (
    <div className="flex flex-col gap-0.5 px-4 py-2.5">
      <dt className="text-13 text-pretty text-fg2">{t(`about.news.names.${one.name}` as Key)}</dt>
      <dd className="tn flex flex-wrap items-center gap-x-2 text-13">
        {one.before !== null && (
          <>
            <span className="text-fg2">
              <span className="sr-only">{t('about.news.before')} </span>
              {lines(linesOf(kind, one.name, one.before, words))}
            </span>
            <span aria-hidden className="shrink-0 text-fg3">
              →
            </span>
          </>
        )}
        <span className="font-semibold">
          <span className="sr-only">{t('about.news.after')} </span>
          {lines(linesOf(kind, one.name, one.after, words))}
        </span>
      </dd>
    </div>
  )
}

const lines = (all: readonly string[]) =>
  all.map((line, at) =>
    all.length === 1 ? (
      line
    ) : (
      <span key={at} className="block">
        {line}
      </span>
    ),
  )
