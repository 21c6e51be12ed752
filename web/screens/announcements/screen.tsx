import { useInfiniteQuery } from '@tanstack/react-query'
import { Newspaper } from 'lucide-react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { announcementsQuery, news } from '../../parts/news/news.ts'
import { Button } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'

/** Announcements of the exchange, newest first. */
export function Screen() {
  const { t } = useTranslation()
  const format = useFormats()
  const lang = useLang((state) => state.lang)
  const pages = useInfiniteQuery({
    queryKey: announcementsQuery(lang),
    queryFn: ({ pageParam }) => news.announcements({ lang, ...(pageParam === undefined ? {} : { before: pageParam }) }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
  const all = pages.data?.pages.flatMap(({ announcements }) => announcements)
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: announcementsQuery(lang) })}>
      <PageHeader title={t('about.news.announcements.title')} fallback="/about" />
      <div className="flex flex-col gap-4 pt-1 pb-8">
        {all === undefined && (pages.isError ? <Failure error={pages.error} /> : <RowsSkeleton rows={4} />)}
        {all?.length === 0 && <Empty text={t('about.news.announcements.empty')} icon={<Newspaper size={22} strokeWidth={1.75} />} />}
        {all?.map(({ number, title, text, at }) => (
          <article key={number} className="mx-4 flex flex-col gap-1.5 rounded-card bg-s1 px-4 py-3">
            <time dateTime={new Date(at).toISOString()} title={format.utc(at)} className="tn text-12 text-fg3">
              {format.dateTime(at)}
            </time>
            <h2 className="text-15 font-semibold text-pretty break-words">{title}</h2>
            <p className="text-13 text-pretty break-words whitespace-pre-line text-fg2">{text}</p>
          </article>
        ))}
        {pages.hasNextPage && (
          <Button
            variant="soft"
            size="medium"
            className="mx-4"
            isBusy={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t('about.news.announcements.earlier')}
          </Button>
        )}
      </div>
    </Pull>
  )
}
