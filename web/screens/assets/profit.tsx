import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useSettings } from '../../app/settings.ts'
import { useLang } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import { type ProfitDay, running, sinceFirst, stretches, sumOfDays, weeksOf } from './worth.ts'

const ranges = ['7', '30', '90'] as const
const size = { width: 340, height: 96 } as const

/** Profit or loss of the last days, as a curve or a calendar. */
export function Profit() {
  const { t } = useTranslation()
  const [range, setRange] = useState<(typeof ranges)[number]>('30')
  const [view, setView] = useState<'curve' | 'calendar'>('curve')
  const query = useQuery({
    queryKey: ['own', 'balances', 'profit', range],
    queryFn: () => client.funds.profit({ days: Number(range) }),
    staleTime: 60_000,
  })
  const days = sinceFirst(query.data?.days ?? [])
  return (
    <section className="flex flex-col gap-3 px-4 pt-6">
      <h2 className="text-17 font-semibold">{t('accounts.profit.title')}</h2>
      <div className="flex flex-col gap-3 rounded-card bg-s1 p-4">
        <Segmented
          size="small"
          label={t('accounts.profit.view')}
          value={view}
          onChange={setView}
          choices={[
            { value: 'curve', label: t('accounts.profit.curve') },
            { value: 'calendar', label: t('accounts.profit.calendar') },
          ]}
        />
        {query.data === undefined ? (
          query.error === null ? (
            <Skeleton className="h-32 w-full" />
          ) : (
            <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
          )
        ) : days.length === 0 ? (
          <p className="py-4 text-13 text-fg2">{t('accounts.profit.none')}</p>
        ) : (
          <>
            <Sum days={days} />
            {view === 'calendar' ? (
              <Calendar days={days} />
            ) : days.length < 2 ? (
              <p className="py-2 text-13 text-fg2">{t('accounts.profit.soon')}</p>
            ) : (
              <Curve days={days} />
            )}
            {days.some(({ profitUsdt }) => profitUsdt === null) && <p className="text-11 text-fg3">{t('accounts.profit.gaps')}</p>}
          </>
        )}
        <Segmented
          size="small"
          label={t('accounts.profit.range')}
          value={range}
          onChange={setRange}
          choices={ranges.map((days) => ({ value: days, label: t('accounts.profit.days', { days }) }))}
        />
        <p className="text-11 text-fg3">{t('accounts.profit.hint')}</p>
        <ButtonLink to="/daily?view=mine" variant="soft" size="medium" isWide>
          {t('accounts.profit.all')}
        </ButtonLink>
      </div>
    </section>
  )
}

function toneOf(value: number): string {
  return value > 0 ? 'text-up' : value < 0 ? 'text-down' : 'text-fg2'
}

function Sum({ days }: { readonly days: readonly ProfitDay[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances)
  const sum = sumOfDays(days)
  if (isHidden) {
    return (
      <p role="img" aria-label={t('common.hidden')} className="text-22 font-semibold">
        ••••••
      </p>
    )
  }
  return (
    <p className={`tn text-22 font-semibold ${toneOf(sum)}`}>
      {sum > 0 ? '+' : ''}
      {format.usdt(sum.toFixed(2))} USDT
    </p>
  )
}

/** The running sum, with a line at zero and gaps where a price is missing. */
function Curve({ days }: { readonly days: readonly ProfitDay[] }) {
  const format = useFormats()
  const values = running(days)
  const known = values.filter((value) => value !== undefined)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const span = high - low || 1
  const y = (value: number): string => (size.height - 3 - ((value - low) / span) * (size.height - 6)).toFixed(1)
  const x = (index: number): string => ((index / (values.length - 1)) * size.width).toFixed(1)
  const parts = stretches(values).map(([from, to]) => {
    // A day between two gaps is a dot: a line of no length with round ends.
    const points = values.slice(from, to + 1).map((value, at) => `${x(from + at)} ${y(value ?? 0)}`)
    const line = `M${points.join('L')}${from === to ? 'h0' : ''}`
    return { line, ground: `${line}L${x(to)} ${y(0)}L${x(from)} ${y(0)}Z` }
  })
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure aria-hidden className={toneOf(known.at(-1) ?? 0)}>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" className="h-24 w-full">
        <path d={parts.map(({ ground }) => ground).join('')} fill="currentColor" opacity={0.12} />
        <path d={`M0 ${y(0)}H${size.width}`} stroke="var(--fg3)" strokeDasharray="3 4" vectorEffect="non-scaling-stroke" />
        <path
          d={parts.map(({ line }) => line).join('')}
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="tn flex justify-between pt-1 text-11 text-fg3">
        <span>{first === undefined ? '' : format.date(Date.parse(first.day))}</span>
        <span>{last === undefined ? '' : format.date(Date.parse(last.day))}</span>
      </figcaption>
    </figure>
  )
}

/** A calendar with weeks from Monday: the day of the month and its profit or loss. */
function Calendar({ days }: { readonly days: readonly ProfitDay[] }) {
  const format = useFormats()
  const { tag } = useLang()
  const isHidden = useSettings((settings) => settings.hideBalances)
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'narrow', timeZone: 'UTC' })
  const longday = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
  // 1 January 2024 was a Monday.
  const names = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day))
  return (
    <table className="w-full table-fixed border-separate border-spacing-0.5">
      <thead>
        <tr>
          {names.map((day) => (
            <th key={day} scope="col" abbr={longday.format(day)} className="pb-1 text-center text-11 font-normal text-fg3">
              {weekday.format(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(days).map((week, index) => (
          <tr key={week.find((day) => day !== undefined)?.day ?? index}>
            {week.map((day, at) => (
              <Day key={day?.day ?? at} day={day} isHidden={isHidden} format={format} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({
  day,
  isHidden,
  format,
}: {
  readonly day: ProfitDay | undefined
  readonly isHidden: boolean
  readonly format: { compact(value: number): string; number(value: number, min?: number, max?: number): string; date(ms: number): string }
}) {
  if (day === undefined) return <td />
  const isKnown = day.profitUsdt !== null
  const profit = Number(day.profitUsdt ?? 0)
  const ground = profit > 0 ? 'bg-uptint' : profit < 0 ? 'bg-downtint' : 'bg-s2'
  const short = Math.abs(profit) >= 1_000 ? format.compact(Math.round(profit)) : format.number(profit, 0, Math.abs(profit) < 10 ? 1 : 0)
  return (
    <td title={format.date(Date.parse(day.day))} className={`h-10 rounded-chip p-0 text-center align-middle ${ground}`}>
      <span className="tn block text-11 text-fg2">{Number(day.day.slice(-2))}</span>
      <span className={`tn block truncate text-11 font-medium ${toneOf(profit)}`}>
        {!isKnown ? '–' : isHidden ? '••' : `${profit > 0 ? '+' : ''}${short}`}
      </span>
    </td>
  )
}
