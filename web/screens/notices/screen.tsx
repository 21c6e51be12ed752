import type { WireNotice } from '@candor/core/protocol/wire/notices.ts'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { ArrowDownUp, Bell, CheckCheck, Settings2, ShieldAlert, TrendingUp, UserRound, type LucideIcon } from 'lucide-react'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { noticeTerms, type NoticeArea } from '@candor/core/protocol/wire/notices.ts'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { notices, noticesQuery, unreadQuery } from '../../parts/notices/notices.ts'
import { useMe } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { laterSheets } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, FormError, LoginFirst } from '../../parts/ui/state.tsx'
import { Chip } from '../../parts/ui/tabs.tsx'
import { byDay, dayOf } from './days.ts'
import { placeOf } from './places.ts'
import { useNoticeWords } from './words.ts'

const PreferencesSheet = laterSheets(
  () => import('./preferences.tsx').then((module) => module.PreferencesSheet),
  (frame) => frame,
)

const icon = { size: 20, strokeWidth: 1.75 } as const

const areasShown = ['trading', 'funds', 'security', 'account'] as const satisfies readonly NoticeArea[]

/** What the exchange told the customer, newest first, and on which ways it does. */
export function Screen() {
  const { t } = useTranslation()
  const isCustomer = useMe() !== undefined
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: noticesQuery })}>
      <PageHeader title={t('notices.title')} fallback="/">
        {isCustomer && (
          <IconButton label={t('notices.settings')} onClick={() => setIsChoosing(true)}>
            <Settings2 {...icon} aria-hidden />
          </IconButton>
        )}
      </PageHeader>
      {isCustomer ? <Inbox /> : <LoginFirst text={t('notices.loginFirst')} next="/notices" />}
      <Suspense fallback={null}>
        <PreferencesSheet isOpen={isChoosing} onClose={() => setIsChoosing(false)} />
      </Suspense>
    </Pull>
  )
}

function Inbox() {
  const { t } = useTranslation()
  const [area, setArea] = useState<NoticeArea>()
  const pages = useInfiniteQuery({
    queryKey: [...noticesQuery, area ?? ''],
    queryFn: async ({ pageParam }) => {
      const asked = { ...(pageParam === undefined ? {} : { before: pageParam }), ...(area === undefined ? {} : { area }) }
      const [page] = await Promise.all([notices.list(asked), loadArea('orders'), loadArea('accounts')])
      return page
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
  const all = pages.data?.pages.flatMap((page) => page.notices) ?? []
  const markAll = useMutation({
    mutationFn: (upTo: number) => notices.readAll({ upTo }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own', 'notices'] }),
  })
  const newest = all[0]?.number
  useSeen(area === undefined ? all : none)
  const hasUnread = all.some(({ readAt }) => readAt === undefined) || (pages.data?.pages[0]?.unread ?? 0) > 0
  return (
    <div className="flex flex-col gap-4 pt-1 pb-8">
      <Areas area={area} onChoose={setArea} />
      {pages.data === undefined && (pages.isError ? <Failure error={pages.error} /> : <RowsSkeleton rows={6} />)}
      {pages.data !== undefined && newest === undefined && (
        <Empty text={area === undefined ? t('notices.empty') : t('notices.emptyArea')} icon={<Bell size={22} strokeWidth={1.75} />} />
      )}
      {newest !== undefined && hasUnread && (
        <Button
          variant="ghost"
          size="small"
          className="mx-4 self-end whitespace-normal!"
          isBusy={markAll.isPending}
          onClick={() => markAll.mutate(newest)}
        >
          <CheckCheck size={16} strokeWidth={1.75} aria-hidden />
          {t('notices.markAll')}
        </Button>
      )}
      <FormError error={markAll.error} />
      <Days all={all} />
      {pages.hasNextPage && (
        <Button variant="soft" size="medium" className="mx-4" isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('notices.earlier')}
        </Button>
      )}
    </div>
  )
}

const none: readonly WireNotice[] = []
/** Whoever sees a list for this long has seen what is new in it. */
const seenMs = 2_000

/** Counts what the list shows as read once it was seen. Its marks stay until the list is loaded again, so that the eye finds them. */
function useSeen(all: readonly WireNotice[]): void {
  const isShown = useIsShown()
  const [upTo, from] = [all[0]?.number, all.at(-1)?.number]
  const isNew = all.some(({ readAt }) => readAt === undefined)
  useEffect(() => {
    if (!isShown || !isNew || upTo === undefined || from === undefined) return undefined
    const read = (): void => {
      notices
        .readAll({ upTo, from })
        .then((unread) => queries.setQueryData(unreadQuery, unread))
        .catch(() => undefined)
    }
    const timer = setTimeout(read, seenMs)
    return () => clearTimeout(timer)
  }, [isShown, isNew, upTo, from])
}

/** Whether the page is in front. */
function useIsShown(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => !document.hidden,
  )
}

function Areas({ area, onChoose }: { readonly area: NoticeArea | undefined; readonly onChoose: (area?: NoticeArea) => void }) {
  const { t } = useTranslation()
  return (
    <div role="group" aria-label={t('notices.title')} className="no-scrollbar flex gap-2 overflow-x-auto px-4">
      <Chip isOn={area === undefined} onClick={() => onChoose()}>
        {t('notices.all')}
      </Chip>
      {areasShown.map((one) => (
        <Chip key={one} isOn={area === one} onClick={() => onChoose(one)}>
          {t(`notices.${one}`)}
        </Chip>
      ))}
    </div>
  )
}

function Days({ all }: { readonly all: readonly WireNotice[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const zone = useSettings(({ timeZone }) => timeZone)
  const now = Date.now()
  const [today, yesterday] = [dayOf(now, zone), dayOf(now - 86_400_000, zone)]
  return byDay(all, zone).map(({ key, at, notices: ofDay }) => (
    <section key={key} className="flex flex-col gap-2 px-4">
      <h2 className="px-1 text-12 font-medium text-fg3">
        {key === today ? t('notices.today') : key === yesterday ? t('notices.yesterday') : format.date(at)}
      </h2>
      <ul className="overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
        {ofDay.map((notice) => (
          <Entry key={notice.number} notice={notice} />
        ))}
      </ul>
    </section>
  ))
}

const icons: Readonly<Record<NoticeArea, LucideIcon>> = {
  security: ShieldAlert,
  account: UserRound,
  funds: ArrowDownUp,
  trading: TrendingUp,
}

function Entry({ notice }: { readonly notice: WireNotice }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { title, text, facts } = useNoticeWords()(notice)
  const isUnread = notice.readAt === undefined
  const Icon = icons[noticeTerms[notice.kind].area]
  const read = (): void => {
    if (!isUnread) return
    // The link is followed at once, whatever becomes of this.
    notices
      .read(notice.number)
      .then(() => queries.invalidateQueries({ queryKey: ['own', 'notices'] }))
      .catch(() => undefined)
    queries.setQueryData(unreadQuery, (before: { readonly unread: number } | undefined) =>
      before === undefined ? before : { unread: Math.max(0, before.unread - 1) },
    )
  }
  return (
    <li>
      <a href={`#${placeOf(notice)}`} onClick={read} className="flex gap-3 px-4 py-3 active:bg-s2">
        <Icon {...icon} aria-hidden className={`mt-0.5 shrink-0 ${isUnread ? 'text-brand' : 'text-fg3'}`} />
        <span className="min-w-0 flex-1">
          <span className={`block text-15 text-pretty ${isUnread ? 'font-semibold' : ''}`}>{title}</span>
          <span className="block text-13 text-pretty break-words text-fg2">{text}</span>
          <span className="tn flex flex-wrap gap-x-2 text-12 text-fg3">
            {facts !== '' && <span className="break-words">{facts}</span>}
            <time dateTime={new Date(notice.createdAt).toISOString()} title={format.utc(notice.createdAt)}>
              {format.time(notice.createdAt)}
            </time>
          </span>
        </span>
        {isUnread && <span role="img" aria-label={t('notices.unread')} className="mt-2 size-2 shrink-0 rounded-full bg-brand" />}
      </a>
    </li>
  )
}
