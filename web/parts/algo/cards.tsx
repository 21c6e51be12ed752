import type { WireAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { clockOf, useCountdown } from '../ui/countdown.ts'
import { ConfirmSheet, Sheet } from '../ui/sheet.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { toast, toastProblem } from '../ui/toast.tsx'
import { ticketRows } from '../desk/ticket-rows.ts'
import { algos, useAlgos } from './api.ts'
import type { RunningProps } from './running.tsx'

/** Running TWAP and scaled orders of a product, and the way to those that have ended: without running ones, only if `isAlways`. */
export function AlgoCards({ product, symbol, isAlways = false }: RunningProps) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const kindOf = useKinds()
  const running = (useAlgos().data ?? []).filter((one) => kindOf(one.symbol) === product && (symbol === undefined || one.symbol === symbol))
  if (running.length === 0 && !isAlways) return null
  return (
    <section aria-label={t('algo.running')} className="flex flex-col">
      <div className="flex min-h-9 items-center justify-between px-4">
        <h2 className="text-12 font-medium text-fg2">{t('algo.running')}</h2>
        <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)} className="min-h-8 text-12 font-medium text-brand">
          {t('algo.ended')}
        </button>
      </div>
      {running.map((algo) => (
        <Card key={algo.id} algo={algo} />
      ))}
      {isOpen && <EndedSheet product={product} onClose={() => setIsOpen(false)} />}
    </section>
  )
}

function useKinds(): (symbol: string) => 'spot' | 'perp' | undefined {
  const markets = useConfig().data?.markets
  return (symbol) => markets?.find((one) => one.symbol === symbol)?.kind
}

/** Part of the whole that is executed, from 0 to 100. */
function percentOf({ executed, quantity }: WireAlgo): number {
  return Math.min(100, (Number(executed) / Number(quantity)) * 100)
}

function Headline({ algo }: { readonly algo: WireAlgo }) {
  const { t } = useTranslation()
  const market = useConfig().data?.markets.find((one) => one.symbol === algo.symbol)
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-15 font-medium">{market === undefined ? algo.symbol : `${market.base}/${market.quote}`}</span>
      <span className={`text-12 font-medium ${algo.side === 'buy' ? 'text-up' : 'text-down'}`}>{t(`trade.${algo.side}`)}</span>
      <span className="text-12 text-fg2">{t(`algo.title.${algo.kind}`)}</span>
    </span>
  )
}

function Figures({ algo }: { readonly algo: WireAlgo }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useConfig().data?.markets.find((one) => one.symbol === algo.symbol)
  return (
    <dl className={`tn ${ticketRows}`}>
      <div>
        <dt>{t('orders.filledOf')}</dt>
        <dd>{`${format.exact(algo.executed)} / ${format.exact(algo.quantity)} ${market?.base ?? ''}`}</dd>
      </div>
      <div>
        <dt>{t('algo.average')}</dt>
        <dd>{algo.average === undefined ? '–' : `${format.price(algo.average, market?.priceDigits)} ${market?.quote ?? ''}`}</dd>
      </div>
    </dl>
  )
}

function Card({ algo }: { readonly algo: WireAlgo }) {
  const { t } = useTranslation()
  const left = useCountdown(algo.nextAt)
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => algos.cancel(algo.id),
    onSuccess: () => toast({ text: t('algo.end.cancelled'), tone: 'good' }),
    onError: (fault) => toastProblem(fault, t),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['own'] }),
  })
  return (
    <article className="flex flex-col gap-2 border-b border-line px-4 py-3">
      <Headline algo={algo} />
      <div
        role="progressbar"
        aria-label={t('orders.filledOf')}
        aria-valuenow={Math.round(percentOf(algo))}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 overflow-hidden rounded-full bg-s3"
      >
        <div className="h-full bg-brand" style={{ width: `${percentOf(algo)}%` }} />
      </div>
      <Figures algo={algo} />
      <div className="flex items-end justify-between gap-3">
        <p className="tn text-12 text-fg3">
          {algo.kind === 'twap' && t('algo.next', { time: clockOf(left), n: algo.partsLeft })}
          {algo.lastRefusal !== undefined && (
            <span className="block">{t('algo.missed', { n: algo.missed, why: t(`refusals.${algo.lastRefusal}`) })}</span>
          )}
        </p>
        <Button variant="soft" size="small" isBusy={cancel.isPending} onClick={() => setIsAsking(true)}>
          {t('algo.stop')}
        </Button>
      </div>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          cancel.mutate()
        }}
        title={t('algo.stopTitle')}
        confirm={t('algo.stop')}
        tone="danger"
        note={t(`algo.stopNote.${algo.kind}`)}
      />
    </article>
  )
}

/** TWAP and scaled orders that have ended: what they executed, and why they ended. */
function EndedSheet({ product, onClose }: { readonly product: 'spot' | 'perp'; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const kindOf = useKinds()
  const { data, error } = useQuery({ queryKey: ['own', 'algo', 'ended'], queryFn: () => algos.history({ limit: 100 }) })
  const ended = data?.items.filter((one) => kindOf(one.symbol) === product)
  return (
    <Sheet isOpen onClose={onClose} title={t('algo.ended')}>
      {ended === undefined ? (
        error === null ? (
          <RowsSkeleton rows={3} />
        ) : (
          <Failure error={error} isSmall />
        )
      ) : ended.length === 0 ? (
        <Empty text={t('algo.noneEnded')} />
      ) : (
        <ul className="flex flex-col">
          {ended.map((algo) => (
            <li key={algo.id} className="flex flex-col gap-1.5 border-b border-line py-3 last:border-0">
              <Headline algo={algo} />
              <Figures algo={algo} />
              <p className="text-12 text-fg3">
                {algo.end !== undefined && t(`algo.end.${algo.end}`)} {algo.endedAt !== undefined && format.dateTime(algo.endedAt)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}
