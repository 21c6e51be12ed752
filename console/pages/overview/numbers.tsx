/** Figures of the business with their curves, beside those of the time before. */
import type { Figure, FigurePeriod, Figures } from '@candor/core/protocol/wire/console/overview.ts'
import { TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { compactOf, resultOf, shortOf, weekdayOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Curve } from '../../parts/figures.tsx'

const days = { week: 7, month: 30 } as const
type Shown = Exclude<Figure['name'], 'stakes'>
const shown: readonly Shown[] = ['traded', 'fees', 'traders', 'customers', 'liquidated', 'house']
const counts: ReadonlySet<Shown> = new Set(['traders', 'customers'])

const figurePeriods = Object.keys(t.overview.periods) as readonly FigurePeriod[]

type PeriodsProps = { readonly period: FigurePeriod; readonly onPeriod: (period: FigurePeriod) => void }

export function Periods({ period, onPeriod }: PeriodsProps): ReactNode {
  return (
    <div className="segments" role="group" aria-label={t.overview.periodLabel}>
      {figurePeriods.map((one) => (
        <button key={one} type="button" aria-pressed={one === period} onClick={() => onPeriod(one)}>
          {t.overview.periods[one]}
        </button>
      ))}
    </div>
  )
}

export function Numbers({ data, isOld }: { readonly data: Figures; readonly isOld: boolean }): ReactNode {
  const { period, comparedFrom, until, figures } = data
  const time = shortOf(until)
  const with_ = period === 'day' ? t.overview.comparedDay(weekdayOf(comparedFrom), time) : t.overview.comparedDays(days[period], time)
  const find = (name: Figure['name']): Figure | undefined => figures.find((one) => one.name === name)
  return (
    <section className={isOld ? 'card numbers old' : 'card numbers'} aria-label={t.overview.figuresTitle}>
      <div className="numbers-row">
        {shown.map((name) => {
          const figure = find(name)
          return figure && <Cell key={name} name={name} figure={figure} stakes={find('stakes')?.value ?? '0'} data={data} />
        })}
      </div>
      <p className="numbers-with fg3 tn">{with_}</p>
    </section>
  )
}

type CellProps = { readonly name: Shown; readonly figure: Figure; readonly stakes: string; readonly data: Figures }

function Cell({ name, figure, stakes, data }: CellProps): ReactNode {
  const { value, points, before } = figure
  const isHouse = name === 'house'
  const tone = isHouse && Number(value) !== 0 ? (Number(value) < 0 ? 'down' : 'up') : ''
  return (
    <div className="number">
      <span className="fg2">{t.overview.figures[name]}</span>
      <span className="line">
        <b className={`figure tn ${tone}`}>{isHouse ? signed(value) : compactOf(value)}</b>
        {!counts.has(name) && <small className="fg3">USDT</small>}
      </span>
      <span className="small fg2 tn">{isHouse ? t.overview.ofStakes(compactOf(stakes)) : <Change figure={figure} data={data} />}</span>
      <Curve points={points.map(Number)} before={before.map(Number)} />
    </div>
  )
}

const signed = (value: string): string =>
  Math.abs(Number(value)) < 10_000 ? resultOf(value) : (Number(value) > 0 ? '+' : '') + compactOf(value)

function Change({ figure: { change }, data: { period, comparedFrom } }: { readonly figure: Figure; readonly data: Figures }): ReactNode {
  if (change === null) return <span className="fg3">{t.overview.noneBefore}</span>
  const isDown = change.startsWith('-')
  const percent = `${change.replace('-', '')}%`
  const Icon = isDown ? TrendingDown : TrendingUp
  return (
    <span className="change">
      <Icon size={12} aria-label={isDown ? t.overview.down : t.overview.up} />
      {period === 'day' ? t.overview.onDay(percent, weekdayOf(comparedFrom)) : t.overview.onDays(percent, days[period])}
    </span>
  )
}
