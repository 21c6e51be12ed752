import { formatUnits } from '@candor/core/money/units.ts'
import type { Figure, FigureName, FigurePeriod, Figures } from '@candor/core/protocol/wire/console/overview.ts'
import type pg from 'pg'
import { customerHours, figureHours, traderCount, traderHours } from '../../store/query/console/figures.ts'
import { tablesAt } from '../../store/query/console/funds.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const days: Readonly<Record<FigurePeriod, number>> = { day: 1, week: 7, month: 30 }
/** Sums are in millionths of a USDT. */
const digits = 6

/**
 * A span of time and the one that it is compared with, `shift` earlier. `until`: the begin of the running hour, up to which both are
 * compared.
 */
export type Span = {
  readonly from: number
  readonly shift: number
  readonly steps: number
  readonly stepMs: number
  readonly until: number
  readonly now: number
}

/** The UTC day against the same weekday a week before, or 7 or 30 days against those before them. */
export function spanOf(period: FigurePeriod, now: number): Span {
  const count = days[period]
  const from = now - (now % dayMs) - (count - 1) * dayMs
  const stepMs = period === 'day' ? hourMs : dayMs
  const shift = Math.max(7, count) * dayMs
  return { from, shift, steps: (count * dayMs) / stepMs, stepMs, until: now - (now % hourMs), now }
}

/** A value of each hour that has one. */
type Hours = ReadonlyMap<number, bigint>
type Sums = Pick<Figure, 'points' | 'before'> & { readonly value: bigint; readonly present: bigint; readonly compared: bigint }

/** All figures of a span. */
export async function figuresOf(pool: pg.Pool, period: FigurePeriod, now: number): Promise<Figures> {
  const span = spanOf(period, now)
  const { from, shift, steps, stepMs, until } = span
  const [begin, end] = [from - shift, from + steps * stepMs]
  const [tables, rows, customers, traders] = await Promise.all([
    ...([tablesAt(pool), figureHours(pool, begin, end), customerHours(pool, begin, end), traderSums(pool, period, span)] as const),
  ])
  const money = (['traded', 'fees', 'liquidated', 'stakes', 'house'] as const).map((name) => {
    const hours = new Map(rows.map((row) => [row.hour, BigInt(row[name])]))
    return figure(
      name,
      sumsOf(hours, span, (sum) => formatUnits(sum, digits)),
    )
  })
  const registered = sumsOf(new Map(customers.map(({ hour, count }) => [hour, BigInt(count)])), span)
  const people = [figure('traders', traders), figure('customers', registered)]
  const figures = [...money.slice(0, 2), ...people, ...money.slice(2)]
  return { tables, period, from, comparedFrom: begin, until, stepMs, figures }
}

/** Customers are counted once in a span, so that a sum of days is more than their number. */
async function traderSums(pool: pg.Pool, period: FigurePeriod, span: Span): Promise<Sums> {
  const { from, shift, steps, stepMs, until, now } = span
  const rows = await traderHours(pool, from - shift, from + steps * stepMs)
  const sums = sumsOf(new Map(rows.map(({ hour, count }) => [hour, BigInt(count)])), span)
  if (period === 'day') return { ...sums, points: adding(sums.points), before: adding(sums.before) }
  const [value, present, compared] = await Promise.all([
    ...([traderCount(pool, from, now), traderCount(pool, from, until), traderCount(pool, from - shift, until - shift)] as const),
  ])
  return { ...sums, value: BigInt(value), present: BigInt(present), compared: BigInt(compared) }
}

/** Sums of whole hours. `text`: how a sum is written. */
export function sumsOf(hours: Hours, { from, shift, steps, stepMs, until, now }: Span, text: (sum: bigint) => string = String): Sums {
  const bucket = (start: number): readonly bigint[] => {
    const sums = Array.from({ length: steps }, () => 0n)
    for (const [hour, sum] of hours) {
      const step = Math.floor((hour - start) / stepMs)
      if (hour >= start && step < steps) sums[step]! += sum
    }
    return sums
  }
  const between = (start: number, end: number): bigint => {
    let sum = 0n
    for (const [hour, value] of hours) if (hour >= start && hour < end) sum += value
    return sum
  }
  return {
    ...{ value: between(from, now), present: between(from, until), compared: between(from - shift, until - shift) },
    points: bucket(from)
      .slice(0, Math.floor((now - from) / stepMs) + 1)
      .map(text),
    before: bucket(from - shift).map(text),
  }
}

/** What the house fund won may be below zero, so that a share of it says nothing. */
function figure(name: FigureName, { value, present, compared, points, before }: Sums): Figure {
  const isCount = name === 'traders' || name === 'customers'
  const text = (sum: bigint): string => (isCount ? String(sum) : formatUnits(sum, digits))
  const change = name === 'house' || compared <= 0n ? null : percent(present, compared)
  return { name, value: text(value), compared: text(compared), change, points, before }
}

/** In percent with one digit, rounded towards zero. */
function percent(present: bigint, compared: bigint): string {
  return formatUnits(((present - compared) * 1_000n) / compared, 1)
}

function adding(points: readonly string[]): readonly string[] {
  let sum = 0
  return points.map((point) => String((sum += Number(point))))
}
