import { formatLots, parseLots } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import { postingAccounts } from '@candor/core/protocol/command/funds.ts'
import { releaseKinds } from '@candor/core/protocol/wire/presale.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import {
  type TermField,
  termFields,
  type TermKind,
  type TermRow,
  type Terms,
  type TermUnit,
  type TermValue,
} from '@candor/core/protocol/wire/changes.ts'
import { z } from 'zod'
import { Refused } from '../refused.ts'

/**
 * Scales by which values are read and printed. `quote`, `lot`: of the market that the terms belong to; `sum`: of the asset that they
 * are about; undefined for others.
 */
export type Scales = {
  readonly assets: readonly Asset[]
  readonly markets: readonly Market[]
  readonly usdt: number
  readonly quote?: number | undefined
  readonly lot?: Decimal | undefined
  readonly sum?: number | undefined
}
/** `own`: scale of the asset of a row. */
type RowScales = Scales & { readonly own?: number | undefined }

/** Numbers of the core: sums in units, quantities in lots, assets and markets by number. */
type CoreTerms = Readonly<Record<string, unknown>>

const rowsMax = 64
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,15})(\.[0-9]{1,18})?$/)
const symbol = z.string().regex(/^[A-Z0-9]{2,20}$/)
const whole = z.int().nonnegative()
const account = z.union([z.string().regex(/^[1-9][0-9]{8}$/), z.enum(postingAccounts)])
const region = z.string().regex(/^[A-Z]{2}$/)
const uid = z.string().regex(/^([1-9][0-9]{8})?$/)

function valueOf(unit: TermUnit): z.ZodType<TermValue> {
  if (unit === 'flag') return z.boolean()
  if (unit === 'account') return account
  if (unit === 'uid') return uid
  if (unit === 'region') return region
  if (unit === 'hash') return z.string().regex(/^([0-9a-f]{64})?$/)
  if (unit === 'release') return z.enum(releaseKinds)
  if (unit === 'usdt' || unit === 'quote' || unit === 'lots' || unit === 'sum' || unit === 'own' || unit === 'decimal') return decimal
  return unit === 'market' || unit === 'asset' || unit === 'name' ? symbol : whole
}

const fieldOf = (field: TermField): z.ZodType =>
  typeof field === 'string'
    ? valueOf(field)
    : z
        .array(z.strictObject(Object.fromEntries(Object.entries(field).map(([column, unit]) => [column, valueOf(unit)]))))
        .max(rowsMax)
        .readonly()

/** The complete terms of a kind, as people write them: decimal text for money, and no field more or less. */
export const termsSchema: { readonly [Kind in TermKind]: z.ZodType<Terms> } = Object.fromEntries(
  Object.entries(termFields).map(([kind, fields]) => [
    kind,
    z.strictObject(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]))),
  ]),
) as unknown as { readonly [Kind in TermKind]: z.ZodType<Terms> }

/** Terms of the core as people read them. */
export function toText(kind: TermKind, core: CoreTerms, scales: Scales): Terms {
  return each(kind, core, (unit, value, _name, row) => {
    const own = unit === 'own' ? scales.assets.find(({ id }) => id === row?.['asset'])?.scale : undefined
    return textOf(unit, value as number | boolean | string, { ...scales, own })
  })
}

/** The opposite. throws  Refused FIELD_INVALID with the field */
export function fromText(kind: TermKind, terms: Terms, scales: Scales): CoreTerms {
  return each(kind, terms, (unit, value, name, row) => {
    const own = unit === 'own' ? scales.assets.find(({ symbol: one }) => one === row?.['asset'])?.scale : undefined
    const number = unit === 'own' && own === undefined ? undefined : numberOf(unit, value as TermValue, { ...scales, own })
    if (number === undefined) throw new Refused('FIELD_INVALID', { field: `terms.${name}` })
    return number
  })
}

type Turn<V> = (unit: TermUnit, value: unknown, name: string, row?: TermRow) => V

function each<V>(kind: TermKind, terms: CoreTerms, turn: Turn<V>) {
  const fields: readonly (readonly [string, TermField])[] = Object.entries(termFields[kind])
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const value = terms[name]
      if (typeof field === 'string') return [name, turn(field, value, name)]
      // A decision of an earlier build may lack a list that its kind has now.
      const rows = ((value ?? []) as readonly TermRow[]).map((row) =>
        Object.fromEntries(Object.entries(field).map(([column, unit]) => [column, turn(unit, row[column], name, row)])),
      )
      return [name, rows]
    }),
  ) as Readonly<Record<string, V | Record<string, V>[]>>
}

function textOf(unit: TermUnit, value: number | boolean | string, { assets, markets, usdt, quote, lot, sum, own }: RowScales): TermValue {
  if (typeof value !== 'number') return value
  switch (unit) {
    case 'usdt':
      return formatUnits(value, usdt)
    case 'quote':
      return formatUnits(value, required(quote))
    case 'sum':
      return formatUnits(value, required(sum))
    case 'own':
      return shortest(formatUnits(value, required(own)))
    case 'lots':
      return shortest(formatLots(value, required(lot)))
    case 'market':
      return required(markets.find(({ id }) => id === value)).symbol
    case 'asset':
      return required(assets.find(({ id }) => id === value)).symbol
    default:
      return value
  }
}

function numberOf(unit: TermUnit, value: TermValue, { assets, markets, usdt, quote, lot, sum, own }: RowScales): TermValue | undefined {
  if (typeof value !== 'string') return value
  switch (unit) {
    case 'usdt':
      return parseUnits(value, usdt)
    case 'quote':
      return parseUnits(value, required(quote))
    case 'sum':
      return parseUnits(value, required(sum))
    case 'own':
      return parseUnits(value, required(own))
    case 'lots':
      return parseLots(value, required(lot))
    case 'market':
      return markets.find((one) => one.symbol === value)?.id
    case 'asset':
      return assets.find((one) => one.symbol === value)?.id
    default:
      return value
  }
}

/** Without zeros that say nothing. */
const shortest = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a unit of the terms refers to nothing')
  return value
}
