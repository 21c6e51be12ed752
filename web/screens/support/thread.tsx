import type { WireThread, WireTicketMessage } from '@candor/core/protocol/wire/support/tickets.ts'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ConfirmSheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError } from '../../parts/ui/state.tsx'
import { Composer } from './composer.tsx'
import { support, threadQuery } from './data.ts'
import { Picture } from './pictures.tsx'
import { Presence, Safe } from './questions.tsx'

/** How often the exchange learns that the thread is looked at. */
const lookEveryMs = 20_000

/** A ticket as a chat: what the other side writes appears by the user's stream. */
export function Thread({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const [isClosing, setIsClosing] = useState(false)
  const pages = useInfiniteQuery({
    queryKey: threadQuery(id),
    queryFn: ({ pageParam }) => support.thread(id, pageParam === undefined ? {} : { before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ before }) => before,
    staleTime: 0,
  })
  const newest = pages.data?.pages[0]
  const messages = (pages.data?.pages ?? []).toReversed().flatMap((page) => page.messages)
  const last = messages.at(-1)?.number
  useLooking(id, last)
  const end = useEnd(last)
  const change = useMutation({
    mutationFn: (what: 'close' | 'reopen') => support[what](id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own', 'support'] }),
  })
  const isClosed = newest?.ticket.state === 'closed'
  return (
    <div className="flex min-h-[calc(var(--vh,1vh)*100)] flex-col">
      <PageHeader title={t('support.title')} fallback="/support">
        {newest !== undefined && !isClosed && (
          <Button variant="ghost" size="small" onClick={() => setIsClosing(true)}>
            {t('support.close')}
          </Button>
        )}
      </PageHeader>
      {newest === undefined && (pages.isError ? <Failure error={pages.error} /> : <RowsSkeleton rows={5} />)}
      {newest !== undefined && (
        <>
          <Head thread={newest} />
          {pages.hasNextPage && (
            <Button
              variant="soft"
              size="small"
              className="mx-4 mt-3 self-center"
              isBusy={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              {t('support.earlier')}
            </Button>
          )}
          <ol aria-live="polite" className="flex flex-1 flex-col gap-3 px-4 py-4">
            {messages.map((message) => (
              <Message
                key={message.number}
                message={message}
                isSeen={message.number <= newest.readBySupport}
                isLast={message.number === last}
              />
            ))}
          </ol>
          <div ref={end} />
          {isClosed ? (
            <div className="flex flex-col gap-3 px-4 pb-8">
              <FormError error={change.error} />
              <Button variant="soft" isWide isBusy={change.isPending} onClick={() => change.mutate('reopen')}>
                {t('support.reopen')}
              </Button>
            </div>
          ) : (
            <Composer id={id} />
          )}
        </>
      )}
      <ConfirmSheet
        isOpen={isClosing}
        onClose={() => setIsClosing(false)}
        title={t('support.closeAsk')}
        note={t('support.closeHint')}
        error={change.error}
        confirm={t('support.close')}
        isBusy={change.isPending}
        onConfirm={() => change.mutate('close', { onSuccess: () => setIsClosing(false) })}
      />
    </div>
  )
}

function Head({ thread: { ticket } }: { readonly thread: WireThread }) {
  const { t } = useTranslation()
  return (
    <section className="flex flex-col gap-2 px-4">
      <h2 dir="auto" className="text-17 font-semibold break-words">
        {ticket.subject}
      </h2>
      <p className="tn flex flex-wrap gap-x-3 text-12 text-fg3">
        <span className="select-all">{t('support.number', { id: ticket.id })}</span>
        <span>{t(`support.states.${ticket.state}`)}</span>
        {ticket.about !== undefined && (
          <span className="break-all">{t(`support.abouts.${ticket.about.kind}`, { id: ticket.about.id })}</span>
        )}
      </p>
      <Presence />
      <Safe />
    </section>
  )
}

function Message({
  message: { author, text, event, at, images },
  isSeen,
  isLast,
}: {
  readonly message: WireTicketMessage
  readonly isSeen: boolean
  readonly isLast: boolean
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const isOwn = author === 'customer'
  const time = (
    <time dateTime={new Date(at).toISOString()} title={format.utc(at)}>
      {format.dateTime(at)}
    </time>
  )
  if (event !== undefined)
    return (
      <li className="tn self-center text-center text-12 text-fg3">
        {t(`support.events.${event}`)} · {time}
      </li>
    )
  return (
    <li className={`flex max-w-[85%] flex-col gap-1 ${isOwn ? 'items-end self-end' : 'items-start self-start'}`}>
      <div className={`flex flex-col gap-2 rounded-card px-3.5 py-2.5 ${isOwn ? 'bg-brandtint' : 'bg-s1'}`}>
        <p dir="auto" className="text-15 break-words whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
        {images.map((image, index) => (
          <Picture key={image.id} image={image} count={index + 1} className="h-auto max-h-80 w-full object-contain" />
        ))}
      </div>
      <p className="tn flex gap-2 text-11 text-fg3">
        {!isOwn && <span>{t('support.title')}</span>}
        {time}
        {isOwn && isLast && isSeen && <span>{t('support.seen')}</span>}
      </p>
    </li>
  )
}

/** Marks what is shown as read, and says now and then that somebody looks, as long as the page is visible. */
function useLooking(id: string, last: number | undefined): void {
  useEffect(() => {
    if (last === undefined) return
    const look = (): void => {
      if (document.visibilityState === 'visible') support.read(id, last).catch(() => undefined)
    }
    look()
    const timer = setInterval(look, lookEveryMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id, last])
}

/** Keeps the newest message in sight. */
function useEnd(last: number | undefined) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (last !== undefined) end.current?.scrollIntoView({ block: 'end' })
  }, [last])
  return end
}
