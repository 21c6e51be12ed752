/** What the customer writes about the document: reading it, and what is wrong with it. */
import type { PaperKind, WirePapers } from '@candor/core/protocol/wire/papers.ts'

export type Born = { readonly day: string; readonly month: string; readonly year: string }
export type Data = { readonly name: string; readonly born: Born; readonly number: string }
export type DataField = keyof Data
export type DataError = 'nameMissing' | 'nameWrong' | 'bornMissing' | 'bornWrong' | 'bornYoung' | 'numberMissing' | 'numberWrong'

/** Numbers of specimens. */
export const examples: Readonly<Record<PaperKind, string>> = {
  'id-card': 'L01X00T47',
  passport: 'C01X00T47',
  'driving-licence': 'B072RRE2I55',
}

export const longest = { name: 100, number: 40 } as const
const ageMin = 18

/** Letters of any script, with what stands between the parts of a name. */
const namePattern = /^(?=.*\p{L})[\p{L}\p{M}\p{N} .,'’()/·-]{2,100}$/u
/** At least four letters and digits, and what may stand between them. */
const numberPattern = /^(?=(?:[^A-Za-z0-9]*[A-Za-z0-9]){4})[A-Za-z0-9 ./()-]{4,40}$/

export function dataOf({ name, born, number }: Pick<WirePapers, DataField>): Data {
  const [year = '', month = '', day = ''] = (born ?? '').split('-')
  return { name: name ?? '', born: { day, month, year }, number: number ?? '' }
}

/** What is sent, for data without errors. */
export function draftOf({ name, born, number }: Data): { readonly name: string; readonly born: string; readonly number: string } {
  return { name: tidied(name), born: dateOf(born) ?? '', number: tidied(number) }
}

/** The first error of each field. `today` decides about the age. */
export function errorsOf(data: Data, today: number): { readonly [Field in DataField]?: DataError } {
  const { name, born, number } = draftOf(data)
  const isDateEmpty = data.born.day === '' && data.born.month === '' && data.born.year === ''
  return {
    ...(name === '' ? { name: 'nameMissing' } : namePattern.test(name) ? {} : { name: 'nameWrong' }),
    ...(isDateEmpty
      ? { born: 'bornMissing' }
      : born === ''
        ? { born: 'bornWrong' }
        : isOfAge(born, today)
          ? {}
          : { born: born > dayOf(today) ? 'bornWrong' : 'bornYoung' }),
    ...(number === '' ? { number: 'numberMissing' } : numberPattern.test(number) ? {} : { number: 'numberWrong' }),
  }
}

/** YYYY-MM-DD of a day that exists, else undefined. */
export function dateOf({ day, month, year }: Born): string | undefined {
  if (!/^(19|20)\d\d$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return undefined
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayOf(at) !== text ? undefined : text
}

/** The order in which a language writes a date. */
export function dateParts(tag: string): readonly (keyof Born)[] {
  const parts = new Intl.DateTimeFormat(tag, { day: '2-digit', month: '2-digit', year: 'numeric' }).formatToParts(0)
  return parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
}

function isOfAge(born: string, today: number): boolean {
  const [year, month, day] = born.split('-').map(Number) as [number, number, number]
  // Today may already be the birthday in the east.
  return today >= Date.UTC(year + ageMin, month - 1, day) - 14 * 3_600_000
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function tidied(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
