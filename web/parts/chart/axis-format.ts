/** Prices and times of the chart's axes and crosshair in the language of the page. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { DecimalFold, Formatter, ThousandsSeparator } from 'klinecharts'
import { decimalFormats } from '../../app/formats.ts'

/** What the library asks for, by its own templates. */
const shapes: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  'HH:mm:ss': { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  'HH:mm': { hour: '2-digit', minute: '2-digit' },
  'MM-DD HH:mm': { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  'YYYY-MM-DD HH:mm': { dateStyle: 'medium', timeStyle: 'short' },
  'YYYY-MM-DD': { dateStyle: 'medium' },
  'YYYY-MM': { month: 'short', year: 'numeric' },
  YYYY: { year: 'numeric' },
}
/** Invisible. The library asks for separators in short figures too, which have theirs already. */
const isDone = '\u200b'

export type AxisFormats = {
  readonly thousandsSeparator: ThousandsSeparator
  readonly decimalFold: DecimalFold
  readonly formatter: Pick<Formatter, 'formatDate' | 'formatBigNumber'>
}

/** `tag`: a BCP 47 language, whose usage also decides between 12 and 24 hours. */
export function axisFormats(tag: string, zone: 'local' | 'utc'): AxisFormats {
  const format = decimalFormats(tag, zone)
  const times = new Map<string, Intl.DateTimeFormat>()
  const timeOf = (template: string): Intl.DateTimeFormat => {
    const known = times.get(template)
    if (known !== undefined) return known
    const made = new Intl.DateTimeFormat(tag, {
      ...(shapes[template] ?? shapes['YYYY-MM-DD HH:mm']),
      ...(zone === 'utc' && { timeZone: 'UTC' }),
    })
    times.set(template, made)
    return made
  }
  const number = (value: string | number): string => {
    const [, figure, percent] = /^(-?\d+(?:\.\d+)?)(%?)$/.exec(String(value)) ?? []
    if (figure === undefined) return String(value)
    return percent === '%' ? format.percent(figure as Decimal) : format.exact(figure as Decimal)
  }
  return {
    thousandsSeparator: { sign: format.marks.group, format: number },
    // Prices of many zeros are written in full, as everywhere else.
    decimalFold: { threshold: 100, format: String },
    formatter: {
      formatDate: ({ timestamp, template }) => timeOf(template).format(timestamp),
      formatBigNumber: (value) => (Number.isFinite(Number(value)) ? `${format.compact(Number(value))}${isDone}` : String(value)),
    },
  }
}
