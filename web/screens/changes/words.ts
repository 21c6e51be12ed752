/** Values of terms in the reader's language. */
import {
  type TermField,
  termFields,
  type TermKind,
  type TermRow,
  type TermUnit,
  type TermValue,
} from '@candor/core/protocol/wire/changes.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Formats } from '../../app/format.ts'
import { placesOf } from '../../app/formats.ts'
import type { Key, Translate } from '../../app/translate.ts'

type Value = TermValue | readonly TermRow[]
type Words = { readonly t: Translate; readonly format: Formats; readonly assets: readonly string[] }

/** One line, or one for each row of a list. `name`: of a value of the kind. */
export function linesOf(kind: TermKind, name: string, value: Value, words: Words): readonly string[] {
  const field = (termFields[kind] as Readonly<Record<string, TermField>>)[name] ?? 'name'
  if (typeof value !== 'object') return [valueText(field as TermUnit, value, words)]
  const columns = Object.entries(field as Readonly<Record<string, TermUnit>>)
  return value.map((row) =>
    columns
      .map(([column, unit]) => `${words.t(`about.news.columns.${column}` as Key)} ${valueText(unit, row[column]!, words)}`)
      .join(' · '),
  )
}

/** Parts of one, as percent with at most ten places. */
const parts: Readonly<Partial<Record<TermUnit, number>>> = { ppm: 10_000, nano: 10_000_000, pico: 10_000_000_000 }
const longest = 10
const minute = 60_000

export function valueText(unit: TermUnit, value: TermValue, { t, format, assets }: Words): string {
  if (typeof value === 'boolean') return value ? t('about.news.on') : t('about.news.off')
  const share = parts[unit]
  if (share !== undefined) {
    const text = (Number(value) / share).toFixed(longest).replace(/\.?0+$/, '')
    const percent = format.percent(text, placesOf(text as Decimal))
    return unit === 'pico' ? t('about.news.anHour', { percent }) : percent
  }
  switch (unit) {
    case 'usdt':
      return `${format.number(String(value) as Decimal)} USDT`
    case 'quote':
      return `${format.number(String(value) as Decimal)} ${assets[1] ?? ''}`
    case 'lots':
    case 'sum':
      return `${format.number(String(value) as Decimal)} ${assets[0] ?? ''}`
    case 'own':
      return format.number(String(value) as Decimal)
    case 'times':
      return `${format.number(Number(value))}×`
    case 'ms':
      return Number(value) < minute ? `${format.number(Number(value) / 1_000)} s` : format.span(Number(value))
    case 'seconds':
      return format.span(Number(value) * 1_000)
    case 'hours':
      return `${format.number(Number(value))} h`
    case 'count':
      return format.number(Number(value))
    default:
      return String(value)
  }
}
