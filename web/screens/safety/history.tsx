import type { WireAccess } from '@candor/core/protocol/wire/factors.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { factors } from '../../parts/account/factors.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { isWarning, useActionWords } from '../../parts/lists/action-words.ts'

const key = ['own', 'accesses'] as const

/** Logins and security changes of the account, newest first, with the next page on demand. */
export function HistorySheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => factors.accesses(pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: isOpen,
    staleTime: 0,
  })
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('safety.history')}>
      <p className="pb-2 text-13 text-fg2">{t('safety.historyLead')}</p>
      {pages.isPending && <RowsSkeleton rows={6} />}
      {pages.data === undefined && pages.isError && <Failure error={pages.error} onRetry={() => void pages.refetch()} isSmall />}
      <ul className="flex flex-col">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {pages.data !== undefined && pages.isError && <Failure error={pages.error} onRetry={() => void pages.fetchNextPage()} isSmall />}
      {pages.hasNextPage && !pages.isError && (
        <Button variant="soft" size="medium" isWide isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('safety.earlier')}
        </Button>
      )}
    </Sheet>
  )
}

function Entry({ entry: { action, at, device, ip } }: { readonly entry: WireAccess }) {
  const format = useFormats()
  const words = useActionWords()
  const isFailed = isWarning(action)
  const Icon = isFailed ? TriangleAlert : CircleCheck
  return (
    <li className="flex gap-3 border-b border-line py-3 last:border-0">
      <Icon size={20} strokeWidth={1.75} aria-hidden className={`shrink-0 ${isFailed ? 'text-warn' : 'text-fg3'}`} />
      <span className="min-w-0 flex-1">
        <span className={`block text-15 ${isFailed ? 'font-medium text-warn' : ''}`}>{words(action)}</span>
        <span className="block text-12 break-words text-fg2">
          {device} · <span className="tn">{ip}</span>
        </span>
        <time dateTime={new Date(at).toISOString()} title={format.utc(at)} className="tn block text-12 text-fg3">
          {format.dateTime(at)}
        </time>
      </span>
    </li>
  )
}
