import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { type SignalEnd, signalEnds, type WireSignalCall } from '@candor/core/protocol/wire/own/signals.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { keys, signalQuery } from './data.ts'

/** Calls on one page of the exchange's answer. */
const pageMax = 50
const lookAgainMs = 10_000

/** The calls of the address, newest first. */
export function SignalLog({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const list = useInfiniteQuery({
    queryKey: [...signalQuery(id), 'log'],
    queryFn: ({ pageParam }) => keys.signal(id, pageParam === undefined ? {} : { before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ calls }) => (calls.length < pageMax ? undefined : calls.at(-1)?.id),
    refetchInterval: lookAgainMs,
  })
  const all = list.data?.pages.flatMap(({ calls }) => calls) ?? []
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-15 font-semibold">{t('signals.log')}</h3>
      {list.data === undefined && (list.error === null ? <RowsSkeleton rows={2} /> : <Failure error={list.error} isSmall />)}
      {list.data !== undefined && all.length === 0 && <p className="text-13 text-fg2">{t('signals.logEmpty')}</p>}
      {all.length > 0 && (
        <ul className="flex flex-col gap-2">
          {all.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="soft" size="medium" isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('signals.more')}
        </Button>
      )}
    </section>
  )
}

function Call({ call: { at, ip, text, end, symbol, order } }: { readonly call: WireSignalCall }) {
  const { t } = useTranslation()
  const format = useFormats()
  const refusal = useRefusal()
  const names = { sent: t('signals.sent'), placed: t('signals.placed'), repeat: t('signals.repeat'), flat: t('signals.flat') }
  const isRefused = !isEnd(end)
  const tone = isRefused ? 'bg-dangertint text-danger' : end === 'placed' ? 'bg-brandtint text-brand' : 'bg-warntint text-fg'
  return (
    <li>
      <details className="rounded-control bg-s2">
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-0 flex-1">
            <span className="block text-13 font-medium">{symbol ?? t('signals.alert')}</span>
            <span className="tn block text-12 text-fg2">{format.dateTime(at)}</span>
          </span>
          <span className={`rounded-chip px-2 py-0.5 text-12 font-medium ${tone}`}>{isRefused ? t('signals.refused') : names[end]}</span>
        </summary>
        <div className="flex flex-col gap-2 px-3 pb-3 text-12 text-fg2">
          {isRefused && <p>{refusal(end)}</p>}
          {order !== undefined && <p>{t('signals.order', { number: order })}</p>}
          <p>{t('signals.from', { ip })}</p>
          <code className="block break-all whitespace-pre-wrap select-all">{text}</code>
        </div>
      </details>
    </li>
  )
}

const isEnd = (end: SignalEnd): end is (typeof signalEnds)[number] => signalEnds.some((one) => one === end)

/** The sentence of a refusal. */
export function useRefusal(): (refusal: Refusal) => string {
  const { t } = useTranslation()
  return (refusal) => t(`refusals.${refusal}`, { defaultValue: refusal })
}
