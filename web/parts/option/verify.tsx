import { AskSupport } from '../ui/ask-support.tsx'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Download } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Terms } from '../help/terms-line.tsx'
import { useGuide } from '../tour/guide.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { check, type Claim, spansOf, type Verdict as Checked } from './check.ts'
import { option } from './data.ts'
import { sentenceOf, signed, stamp } from './words.ts'

/** Checks a settled order on this device and shows each step, and whether the booked result follows from the public tape. */
export function Verify({ order }: { readonly order: WireOption }) {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: ['own', 'orders', 'option', 'check', order.id],
    queryFn: () => check(order, option.tape),
    staleTime: Number.POSITIVE_INFINITY,
    // The tables of the tape lag behind the exchange by a moment.
    refetchInterval: ({ state }) => (state.data?.outcome === undefined && state.dataUpdateCount < 5 ? 3_000 : false),
  })
  const { checked } = useGuide()
  const isChecked = query.data?.outcome !== undefined
  useEffect(() => {
    if (isChecked) checked()
  }, [isChecked, checked])
  return (
    <div className="flex flex-col gap-3 pb-2">
      <p className="text-13 text-fg2">{t('settled.verifyHint')}</p>
      {query.data === undefined ? (
        query.error === null ? (
          <div role="status">
            <span className="sr-only">{t('settled.verifying')}</span>
            {Array.from({ length: 5 }, (_, row) => (
              <Skeleton key={row} className="mt-2 h-12 w-full rounded-control" />
            ))}
          </div>
        ) : (
          <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
        )
      ) : (
        <Steps order={order} verdict={query.data} />
      )}
    </div>
  )
}

function Steps({ order, verdict }: { readonly order: WireOption; readonly verdict: Checked }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const outcome = verdict.outcome === undefined ? 'short' : verdict.isEqual ? 'equal' : 'different'
  const fault = verdict.pieces.find((piece) => piece.fault !== undefined)?.fault
  const unexplained = verdict.pieces.find((piece) => piece.unexplained !== undefined)?.unexplained
  const price = (value: string): string =>
    value === '' ? '–' : `${format.number(value, market?.priceDigits ?? 0, 8)} ${market?.quote ?? ''}`
  const claim = (name: Claim['name']): Claim | undefined => verdict.claims.find((one) => one.name === name)
  const median = verdict.window.find((one) => one.isMedian)
  const reference = spansOf(order, 4_000)
  return (
    <>
      <Verdict outcome={outcome} />
      {outcome === 'different' && <AskSupport kind="order" id={order.id} />}
      <ol className="flex flex-col gap-2">
        <Step title={t('settled.step.tape')}>
          {verdict.pieces.map((piece) => (
            <span key={piece.from} className="tn block">
              {t('settled.pieceOf', { from: piece.from, to: piece.to })}
            </span>
          ))}
        </Step>
        <Step title={t('settled.step.chain')} isRight={fault === undefined && unexplained === undefined}>
          {fault !== undefined
            ? t('settled.chainBroken', { tick: fault })
            : unexplained !== undefined
              ? t('settled.priceUnexplained', { tick: unexplained })
              : t('settled.chainWhole')}
        </Step>
        <Step title={t('settled.step.strike')} claim={claim('strike')} say={price}>
          {verdict.strike !== undefined &&
            t('settled.strikeAt', { price: price(verdict.strike.price), tick: verdict.strike.tick, at: stamp(order.strikeFrom) })}
        </Step>
        {verdict.window.length > 0 && (
          <Step title={t('settled.step.window')}>
            <span className="tn block">{`${stamp(order.expiresAt - order.windowMs)} – ${stamp(order.expiresAt)}`}</span>
            <details className="mt-1">
              <summary className="min-h-6 text-brand">{t('settled.prices', { count: verdict.window.length })}</summary>
              {verdict.window.map((one) => (
                <span key={one.price} className={`tn block ${one.isMedian ? 'font-semibold text-fg' : ''}`}>
                  {t('settled.stood', { price: price(one.price), seconds: format.number(one.ms / 1_000, 3, 3) })}
                </span>
              ))}
            </details>
          </Step>
        )}
        {claim('settle') !== undefined && (
          <Step title={t('settled.step.settle')} claim={claim('settle')} say={price}>
            {median !== undefined && t('settled.median', { price: price(median.price) })}
          </Step>
        )}
        <Step title={t('settled.step.result')} claim={claim('result')} say={(value) => wordOf(value, t)}>
          {outcome === 'equal' && sentenceOf(order, t)}
        </Step>
        <Step title={t('settled.step.profit')} claim={claim('profit')} say={(value) => `${signed(value, format)} ${market?.quote ?? ''}`} />
      </ol>
      <Terms ids={['tape', 'strike', 'median', 'proof']} />
      <a
        href={`/app/v1/proof/tape.ndjson?at=${reference[0]?.at}&until=${reference.at(-1)?.until}&limit=4000`}
        download={`candor-tape-${order.id}.ndjson`}
        className="flex min-h-11 items-center justify-center gap-2 text-13 font-medium text-brand"
      >
        <Download size={16} strokeWidth={1.75} aria-hidden />
        {t('settled.download')}
      </a>
    </>
  )
}

/** Whether the tape gives the booked result. `short`: the tape does not reach far enough. */
function Verdict({ outcome }: { readonly outcome: 'equal' | 'different' | 'short' }) {
  const { t } = useTranslation()
  const tint = { equal: 'bg-brandtint', different: 'bg-dangertint', short: 'bg-warntint' }[outcome]
  return (
    <div role="status" className={`flex items-start gap-3 rounded-card p-3 ${tint}`}>
      {outcome === 'equal' ? (
        <CircleCheck size={24} strokeWidth={1.75} aria-hidden className="shrink-0 text-ok" />
      ) : (
        <CircleAlert size={24} strokeWidth={1.75} aria-hidden className="shrink-0 text-danger" />
      )}
      <div>
        <p className="text-15 font-semibold">{t(`settled.verdict.${outcome}`)}</p>
        {outcome !== 'short' && <p className="text-12 text-fg2">{t(`settled.verdictHint.${outcome}`)}</p>}
      </div>
    </div>
  )
}

/** One step of the check, with the booked value and the value from the tape. */
function Step({
  title,
  isRight,
  claim,
  say = (value) => value,
  children,
}: {
  readonly title: string
  readonly isRight?: boolean
  readonly claim?: Claim | undefined
  readonly say?: (value: string) => string
  readonly children?: ReactNode
}) {
  const { t } = useTranslation()
  const is = claim === undefined ? isRight : claim.said === claim.found
  return (
    <li className="rounded-control bg-s2 px-3 py-2.5 text-12 text-fg2">
      <p className="flex items-center justify-between gap-2 text-13 font-medium text-fg">
        {title}
        {is !== undefined && (
          <span className={`inline-flex items-center gap-1 text-12 ${is ? 'text-ok' : 'text-danger'}`}>
            {is ? <CircleCheck size={14} strokeWidth={2} aria-hidden /> : <CircleAlert size={14} strokeWidth={2} aria-hidden />}
            {is ? t('settled.agrees') : t('settled.differs')}
          </span>
        )}
      </p>
      {children}
      {claim !== undefined && (
        <p className="tn mt-0.5 flex flex-wrap gap-x-4">
          <span>{t('settled.booked', { value: say(claim.said) })}</span>
          <span>{t('settled.found', { value: say(claim.found) })}</span>
        </p>
      )}
    </li>
  )
}

function wordOf(value: string, t: ReturnType<typeof useTranslation>['t']): string {
  const [result = ''] = value.split(' ')
  return result === 'win' || result === 'lose' || result === 'tie' || result === 'void' ? t(`option.result.${result}`) : '–'
}
