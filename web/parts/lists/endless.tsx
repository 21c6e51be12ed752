import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'

/** A list that loads more when its end comes into view. `page` gets the cursor of the last page; the first time none. */
export function Endless<Item>({
  queryKey,
  page,
  empty,
  children,
}: {
  readonly queryKey: readonly unknown[]
  readonly page: (before: string | undefined) => Promise<WirePage<Item>>
  readonly empty: ReactNode
  readonly children: (items: readonly Item[]) => ReactNode
}) {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = query

  useEffect(() => {
    const element = end.current
    if (element === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && void fetchNextPage(), {
      rootMargin: '400px',
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={6} /> : <Failure error={query.error} onRetry={() => void query.refetch()} />
  const items = query.data.pages.flatMap((one) => one.items)
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      {children(items)}
      <div ref={end} />
      {isFetchingNextPage && <RowsSkeleton rows={2} />}
      {isFetchNextPageError && (
        <div className="flex justify-center py-4">
          <Button variant="soft" size="small" onClick={() => void fetchNextPage()}>
            {t('common.retry')}
          </Button>
        </div>
      )}
    </>
  )
}
