import type { WireReferral } from '@candor/core/protocol/wire/referral/referral.ts'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { useEarnings } from './data.ts'
import { barsOf } from './summary.ts'

const noonMs = 43_200_000

/** Commission: all of it, today's, by day as bars and by coin. */
export function Earnings({ today }: Pick<WireReferral, 'today'>) {
  const { t } = useTranslation()
  const earnings = useEarnings()
  return (
    <section className="flex flex-col gap-3 px-4">
      <h2 className="text-17 font-semibold">{t('referral.earnings')}</h2>
      {earnings.data === undefined ? (
        earnings.error === null ? (
          <Skeleton className="h-40 rounded-card" />
        ) : (
          <Failure error={earnings.error} isSmall onRetry={() => void earnings.refetch()} />
        )
      ) : (
        <>
          <div className="flex flex-col gap-4 rounded-card bg-s1 p-4">
            <div className="flex flex-wrap justify-between gap-x-6 gap-y-2">
              <Sum label={t('referral.total')} value={earnings.data.total} />
              <Sum label={t('referral.today')} value={today.used} />
            </div>
            {Number(earnings.data.total) === 0 ? (
              <p className="text-13 text-fg2">{t('referral.nothingYet')}</p>
            ) : (
              <Bars days={earnings.data.days} />
            )}
          </div>
          {earnings.data.assets.length > 0 && (
            <ul className="flex flex-col rounded-card bg-s1">
              {earnings.data.assets.map(({ asset, amount, value }) => (
                <li key={asset} className="flex min-h-13 items-center gap-3 px-4 py-2 [&+&]:border-t [&+&]:border-line">
                  <Coin asset={asset} size={24} />
                  <span className="flex-1 text-15">{asset}</span>
                  <span className="flex flex-col items-end">
                    <Amount value={amount} asset={asset} isBare className="text-15" />
                    <Amount value={value} asset="USDT" className="text-12 text-fg3" />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  )
}

function Sum({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="flex flex-col gap-0.5">
      <span className="text-12 text-fg2">{label}</span>
      <Amount value={value} asset="USDT" className="text-17 font-semibold" />
    </div>
  )
}

/** One bar a day. A finger on the bars, or the arrow keys, choose the day that is named above them. */
function Bars({ days }: { readonly days: Parameters<typeof barsOf>[0]['days'] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const bars = barsOf({ days })
  const [shown, setShown] = useState(bars.length - 1)
  const bar = bars[shown]!
  const [first, last] = [bars[0]!, bars.at(-1)!]
  // Noon has the same date in nearly every zone as in UTC.
  const dayText = (day: number): string => format.date(day + noonMs)
  const choose = (place: number): void => setShown(Math.max(0, Math.min(bars.length - 1, place)))
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(Math.floor(((clientX - left) / width) * bars.length))
  }
  const step = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowLeft' || key === 'ArrowDown') choose(shown - 1)
    if (key === 'ArrowRight' || key === 'ArrowUp') choose(shown + 1)
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="flex justify-between gap-3 text-12 text-fg2">
        <time dateTime={new Date(bar.day).toISOString().slice(0, 10)}>{dayText(bar.day)}</time>
        <Amount value={bar.total.toFixed(6)} asset="USDT" />
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('referral.byDay')}
        aria-valuemin={0}
        aria-valuemax={bars.length - 1}
        aria-valuenow={shown}
        aria-valuetext={`${dayText(bar.day)}: ${format.usdt(bar.total.toFixed(6))} USDT`}
        onPointerDown={point}
        onPointerMove={(event) => event.buttons > 0 && point(event)}
        onKeyDown={step}
        className="flex h-24 touch-pan-y items-stretch gap-px"
      >
        {bars.map(({ day, first: own, second }, n) => (
          <span key={day} className={`flex min-w-0 flex-1 flex-col justify-end ${n === shown ? '' : 'opacity-60'}`}>
            <span className="block w-full rounded-t-sm bg-fg3" style={{ height: `${second}%` }} />
            <span className="block w-full bg-brand" style={{ height: `${own}%` }} />
            <span className={`block h-0.5 w-full shrink-0 ${n === shown ? 'bg-fg' : 'bg-line'}`} />
          </span>
        ))}
      </div>
      <p className="flex justify-between text-11 text-fg3">
        <span>{dayText(first.day)}</span>
        <span>{dayText(last.day)}</span>
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-fg2">
        <Legend tone="bg-brand" text={t('referral.firstLevel')} />
        <Legend tone="bg-fg3" text={t('referral.secondLevel')} />
      </p>
    </div>
  )
}

function Legend({ tone, text }: { readonly tone: string; readonly text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2 rounded-full ${tone}`} />
      {text}
    </span>
  )
}
