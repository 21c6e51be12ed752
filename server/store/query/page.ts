import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { Refused } from '../../refused.ts'

/** Greater than every time and number in a row. */
export const endOfTime = Number.MAX_SAFE_INTEGER

const pageDefault = 50
const pageMax = 500

/** Checks and returns the number of items of a page. Refuses anything but an integer from 1 to 500. */
export function pageLimit(limit: number | undefined, max = pageMax, otherwise = pageDefault): number {
  if (limit === undefined) return otherwise
  if (!Number.isInteger(limit) || limit < 1 || limit > max) throw new Refused('FIELD_INVALID', { field: 'limit' })
  return limit
}

/** A row's position in its list: numbers that order the list strictly. Opaque to clients, so that it can change. */
export function encodeCursor(...place: readonly number[]): string {
  return Buffer.from(place.join('.')).toString('base64url')
}

/** The position that a cursor names; without a cursor, one before all rows. Refuses text that `encodeCursor` can't have written. */
export function decodeCursor(before: string | undefined, length: number): readonly number[] {
  if (before === undefined) return Array.from({ length }, () => endOfTime)
  const text = Buffer.from(before, 'base64url').toString('latin1')
  const place = text.split('.').map(Number)
  const isOurs = /^[0-9]{1,16}(\.[0-9]{1,16})*$/.test(text) && place.length === length && place.every(Number.isSafeInteger)
  if (!isOurs || encodeCursor(...place) !== before) throw new Refused('FIELD_INVALID', { field: 'before' })
  return place
}

/** The query asks for one row more than fits: if it is there, there is a next page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  placeOf: (row: Row) => readonly number[],
): WirePage<Item> {
  const shown = rows.slice(0, limit)
  const items = shown.map(toItem)
  return rows.length > limit ? { items, next: encodeCursor(...placeOf(shown.at(-1) as Row)) } : { items }
}
