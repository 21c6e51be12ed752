/** Values of terms as text, and text as values: shares in percent, money as decimal text. */
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import {
  type TermDifference,
  type TermField,
  termFields,
  type TermKind,
  type TermRow,
  type Terms,
  type TermUnit,
  type TermValue,
} from '@candor/core/protocol/wire/changes.ts'
import type { PostingAccount } from '@candor/core/protocol/command/funds.ts'
import type { ReleaseKind } from '@candor/core/protocol/wire/presale.ts'
import { momentOf, momentText } from '../../app/moment.ts'
import { t } from '../../app/texts.ts'

export type Value = TermValue | readonly TermRow[] | null
/** Contents of the inputs: text for each value, and rows of text. */
export type Draft = { readonly [Name in string]: string | readonly DraftRow[] }
export type DraftRow = { readonly [Column in string]: string }

export const fieldsOf = (kind: TermKind): readonly (readonly [string, TermField])[] => Object.entries(termFields[kind])

/** Cells of a file by the names of the values; lists as JSON. */
export function cellsOfTerms(terms: Terms | TermRow): Readonly<Record<string, string>> {
  const cell = (value: unknown): string => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))
  return Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, cell(value)]))
}

/** Decimals of a percentage whose last digit is one part of the unit. */
const percentDigits: Readonly<Partial<Record<TermUnit, number>>> = { ppm: 4, nano: 7, pico: 10 }
const wordUnits: ReadonlySet<TermUnit> = new Set(['market', 'asset', 'name', 'region', 'account'])
const amountUnits: ReadonlySet<TermUnit> = new Set(['usdt', 'quote', 'lots', 'sum', 'own', 'decimal'])
const wholeMax = 9_007_199_254_740_991

/** Written behind a value. `assets`: symbols of base and quote asset, or of the one that the terms are about. */
export function unitOf(unit: TermUnit, assets: readonly string[]): string {
  if (percentDigits[unit] !== undefined) return unit === 'pico' ? t.terms.percentAnHour : '%'
  if (unit === 'usdt') return 'USDT'
  if (unit === 'time') return 'UTC'
  if (unit === 'quote') return assets[1] ?? ''
  if (unit === 'lots' || unit === 'sum') return assets[0] ?? ''
  return { times: '×', ms: 'ms', seconds: 's', hours: 'h' }[unit as string] ?? ''
}

export function textOf(unit: TermUnit, value: TermValue, assets: readonly string[]): string {
  if (typeof value === 'boolean') return value ? t.terms.on : t.terms.off
  if (unit === 'account') return accountName(value as string)
  if (unit === 'uid') return value === '' ? t.terms.nothing : (value as string)
  if (unit === 'hash') return value === '' ? t.terms.nothing : shortHash(value as string)
  if (unit === 'release') return t.terms.releases[value as ReleaseKind] ?? value
  const suffix = unitOf(unit, assets)
  const space = unit === 'times' ? '' : ' '
  const text = grouped(draftOf(unit, value))
  return suffix === '' ? text : `${text}${space}${suffix}`
}

/** Each value of a difference as lines of text: one, or one for each row. */
export function linesOf(field: TermField, value: Value, assets: readonly string[]): readonly string[] {
  if (value === null) return [t.terms.nothing]
  if (typeof value !== 'object') return [textOf(field as TermUnit, value, assets)]
  const columns = Object.entries(field as Readonly<Record<string, TermUnit>>)
  return value.map((row) => columns.map(([column, unit]) => textOf(unit, row[column]!, assets)).join(' · '))
}

export const nameOf = (name: string): string => (t.terms.names as Readonly<Record<string, string>>)[name] ?? name
export const columnName = (name: string): string => (t.terms.columns as Readonly<Record<string, string>>)[name] ?? nameOf(name)

/** A customer's UID, or the name of an account of the exchange. */
export const accountName = (place: string): string => t.terms.funds[place as PostingAccount] ?? place

/** The beginning of a hash, which is enough to compare two by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 10)}…`

/** Thousands apart, so that a zero too many is seen. Text stays as it is. */
export function grouped(text: string): string {
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text)) return text
  const [whole = '', rest] = text.split('.')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (rest === undefined ? '' : `.${rest}`)
}

function draftOf(unit: TermUnit, value: TermValue): string {
  const digits = percentDigits[unit]
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (unit === 'time') return momentText(value as number)
  return digits === undefined ? String(value) : formatUnits(value as number, digits)
}

/** The text of a value in its input. */
export function draftOfTerms(kind: TermKind, terms: Terms): Draft {
  return Object.fromEntries(
    fieldsOf(kind).map(([name, field]) => {
      const value = terms[name]!
      if (typeof field === 'string') return [name, draftOf(field, value as TermValue)]
      const rows = value as readonly TermRow[]
      return [
        name,
        rows.map((row) => Object.fromEntries(Object.entries(field).map(([column, unit]) => [column, draftOf(unit, row[column]!)]))),
      ]
    }),
  )
}

/** The same for some of the values. */
export const draftOfGiven = (kind: TermKind, given: Terms): Draft =>
  Object.fromEntries(
    fieldsOf(kind).flatMap(([name, unit]) =>
      given[name] === undefined ? [] : [[name, draftOf(unit as TermUnit, given[name] as TermValue)]],
    ),
  )

export const emptyRow = (field: TermField): DraftRow => Object.fromEntries(Object.keys(field as object).map((column) => [column, '']))

/** Undefined when the text is no value of the unit. */
export function valueOfText(unit: TermUnit, given: string): TermValue | undefined {
  const text = given.trim().replaceAll(',', '')
  if (unit === 'flag') return text === 'on'
  if (unit === 'time') return momentOf(text)
  if (unit === 'hash') return /^([0-9a-f]{64})?$/.test(text) ? text : undefined
  if (unit === 'release') return Object.hasOwn(t.terms.releases, text) ? text : undefined
  if (unit === 'uid') return /^([1-9][0-9]{8})?$/.test(text) ? text : undefined
  if (wordUnits.has(unit)) return /^[A-Z0-9]{2,20}$/.test(text) ? text : undefined
  if (amountUnits.has(unit)) return /^(0|[1-9][0-9]{0,15})(\.[0-9]{1,18})?$/.test(text) ? text : undefined
  const digits = percentDigits[unit]
  if (digits !== undefined) return parseUnits(text, digits)
  return /^[0-9]{1,16}$/.test(text) && Number(text) <= wholeMax ? Number(text) : undefined
}

export type Read = { readonly terms: Terms; readonly wrong: ReadonlySet<string> }

/** The terms that a draft says. `wrong`: names of fields that say nothing, `tiers.0.valueMax` for a cell. */
export function readDraft(kind: TermKind, draft: Draft): Read {
  const wrong = new Set<string>()
  const read = (unit: TermUnit, text: string, path: string): TermValue => {
    const value = valueOfText(unit, text)
    if (value === undefined) wrong.add(path)
    return value ?? ''
  }
  const terms = Object.fromEntries(
    fieldsOf(kind).map(([name, field]) => {
      const given = draft[name]!
      if (typeof field === 'string') return [name, read(field, given as string, name)]
      const rows = (given as readonly DraftRow[]).map((row, at) =>
        Object.fromEntries(Object.entries(field).map(([column, unit]) => [column, read(unit, row[column]!, `${name}.${at}.${column}`)])),
      )
      return [name, rows]
    }),
  )
  return { terms, wrong }
}

export const fieldOf = (kind: TermKind, { name }: Pick<TermDifference, 'name'>): TermField =>
  (termFields[kind] as Readonly<Record<string, TermField>>)[name] ?? 'name'
