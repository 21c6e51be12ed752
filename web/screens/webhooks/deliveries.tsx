import type { WireDelivery, WireWebhook } from '@candor/core/protocol/wire/webhooks.ts'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, FormError } from '../../parts/ui/state.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { deliveriesQuery, lookAgainMs, webhooks, webhooksQuery } from './data.ts'
import { useKinds, useProblem, useStates } from './words.ts'

const shownAtOnce = 20

/** Deliveries to a webhook, newest first, with buttons to send them again. */
export function Deliveries({ webhook }: { readonly webhook: WireWebhook }) {
  const { t } = useTranslation()
  const { id } = webhook
  const list = useInfiniteQuery({
    queryKey: deliveriesQuery(id),
    queryFn: ({ pageParam }) => webhooks.deliveries(id, { limit: shownAtOnce, ...(pageParam === undefined ? {} : { before: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next,
    refetchInterval: lookAgainMs,
  })
  const all = list.data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
  const isOn = webhook.off === undefined && webhook.pending === undefined
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-15 font-semibold">{t('webhooks.deliveries')}</h3>
      {list.data === undefined && (list.error === null ? <RowsSkeleton rows={2} /> : <Failure error={list.error} isSmall />)}
      {list.data !== undefined && all.length === 0 && <p className="text-13 text-fg2">{t('webhooks.noDeliveries')}</p>}
      {all.length > 0 && (
        <ul className="flex flex-col gap-2">
          {all.map((delivery) => (
            <Delivery key={delivery.sequence} webhook={id} delivery={delivery} isOn={isOn} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="soft" size="medium" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('webhooks.more')}
        </Button>
      )}
      {all.length > 0 && isOn && <SinceForm webhook={id} />}
    </section>
  )
}

function Delivery({ webhook, delivery, isOn }: { readonly webhook: string; readonly delivery: WireDelivery; readonly isOn: boolean }) {
  const { t } = useTranslation()
  const format = useFormats()
  const kinds = useKinds()
  const states = useStates()
  const problem = useProblem(delivery)
  const again = useMutation({
    mutationFn: () => webhooks.replay(webhook, delivery.sequence),
    onSuccess: () => void toast({ text: t('webhooks.sentAgain'), tone: 'good' }),
    onSettled: () => lookAgain(webhook),
  })
  const { type, state, tries, createdAt, nextTryAt, answer, body } = delivery
  const tone = { waiting: 'bg-warntint text-fg', delivered: 'bg-brandtint text-brand', failed: 'bg-dangertint text-danger' }[state]
  return (
    <li>
      <details className="rounded-control bg-s2">
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-0 flex-1">
            <span className="block text-13 font-medium">{type === 'test' ? t('webhooks.kind.test') : kinds[type]}</span>
            <span className="tn block text-12 text-fg2">{format.dateTime(createdAt)}</span>
          </span>
          <span className={`rounded-chip px-2 py-0.5 text-12 font-medium ${tone}`}>{states[state]}</span>
        </summary>
        <div className="flex flex-col gap-2 px-3 pb-3 text-12 text-fg2">
          <p>
            {t('webhooks.tries', { count: tries })}
            {problem !== undefined && ` · ${problem}`}
          </p>
          {nextTryAt !== undefined && tries > 0 && <p>{t('webhooks.nextTry', { time: format.dateTime(nextTryAt) })}</p>}
          {answer !== undefined && <Text label={t('webhooks.answer')} text={answer} />}
          <Text label={t('webhooks.event')} text={body} />
          {isOn && state !== 'waiting' && (
            <Button variant="soft" size="small" className="self-start bg-s3" isBusy={again.isPending} onClick={() => again.mutate()}>
              {t('webhooks.again')}
            </Button>
          )}
          <FormError error={again.error} />
        </div>
      </details>
    </li>
  )
}

function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <p className="font-medium">{label}</p>
      <code className="block break-all whitespace-pre-wrap select-all">{text}</code>
    </div>
  )
}

const spans = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 } as const
type Span = keyof typeof spans

function SinceForm({ webhook }: { readonly webhook: string }) {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('day')
  const again = useMutation({
    mutationFn: () => webhooks.replaySince(webhook, Date.now() - spans[span]),
    onSuccess: ({ count }) => void toast({ text: t('webhooks.sentCount', { count }), tone: 'good' }),
    onSettled: () => lookAgain(webhook),
  })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-13 font-medium text-fg2">{t('webhooks.againSince')}</p>
      <Segmented
        label={t('webhooks.againSince')}
        choices={[
          { value: 'hour', label: t('webhooks.hour') },
          { value: 'day', label: t('webhooks.day') },
          { value: 'week', label: t('webhooks.week') },
        ]}
        value={span}
        onChange={setSpan}
      />
      <Button variant="soft" size="medium" isBusy={again.isPending} onClick={() => again.mutate()}>
        {t('webhooks.againAll')}
      </Button>
      <FormError error={again.error} />
    </div>
  )
}

function lookAgain(webhook: string): void {
  void queries.invalidateQueries({ queryKey: deliveriesQuery(webhook) })
  void queries.invalidateQueries({ queryKey: webhooksQuery })
}
