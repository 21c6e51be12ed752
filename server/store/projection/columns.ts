import { ArrayBytes, type ColumnType, type Value } from './array-bytes.ts'

export type { ColumnType, Value }

/** One text, and the values of each time that it is executed: arrays, as text or as PostgreSQL's binary form. */
export type Statement = { readonly text: string; readonly batches: readonly (readonly (string | Buffer)[])[] }

/** Rows that go in at once: a statement that works for longer than some milliseconds keeps orders from their commit. */
const batchRowsUsual = 256

/**
 * Rows on their way into one table, kept column by column and sent as a statement of `unnest` arrays: per row that
 * is many times cheaper than an insert each. Every value is written down as the bytes that PostgreSQL reads, at once:
 * thousands of rows that wait as objects would be carried from collection to collection. `onConflict` is what follows
 * `on conflict`, empty for plain inserts. `batchRows`: fewer where rows are large.
 */
export class Columns {
  readonly table: string
  readonly #text: string
  readonly #columns: readonly ArrayBytes[]
  #length = 0
  #column = 0

  constructor(table: string, columns: Readonly<Record<string, ColumnType>>, onConflict = '', batchRows = batchRowsUsual) {
    const names = Object.keys(columns)
    const types = Object.values(columns)
    this.table = table
    const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
    const conflict = onConflict === '' ? '' : ` on conflict ${onConflict}`
    this.#text = `insert into ${table} (${names.join(', ')}) select * from unnest(${arrays})${conflict}`
    this.#columns = types.map((type) => new ArrayBytes(type, batchRows))
  }

  get length(): number {
    return this.#length
  }

  /** One value per column, in the order of the declaration. */
  push(...row: readonly Value[]): void {
    for (let index = 0; index < row.length; index++) this.add(row[index] as Value)
  }

  /** The next column's value of the row that is being written; the last column's ends the row. */
  add(value: Value): this {
    this.#next().add(value)
    return this
  }

  /** The same for bytes. */
  addBytes(value: Buffer): this {
    this.#next().addBytes(value)
    return this
  }

  /** The same for a sum of so many units of 10^−`scale`, without the detour over its text. */
  addFixed(units: number | bigint, scale: number): this {
    this.#next().addFixed(units, scale)
    return this
  }

  /** What has been collected, and empties this. The values are good until the next call. Nothing collected: nothing to say. */
  take(): Statement | undefined {
    if (this.#column !== 0) throw new Error(`A row of ${this.table} has ${this.#column} values`)
    if (this.#length === 0) return undefined
    const columns = this.#columns.map((column) => column.take())
    this.#length = 0
    return {
      text: this.#text,
      batches: (columns[0] as readonly Buffer[]).map((_, batch) => columns.map((column) => column[batch] as Buffer)),
    }
  }

  #next(): ArrayBytes {
    const column = this.#columns[this.#column++] as ArrayBytes
    if (this.#column === this.#columns.length) {
      this.#column = 0
      this.#length++
    }
    return column
  }
}

/** `excluded` for each of these columns: the usual tail of an upsert. */
export function overwrite(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ')
}

/** PostgreSQL's text form of an array. Numbers and decimals need no quotes; text is quoted so that `null` stays a word. */
export function arrayLiteral(column: readonly Value[], type: ColumnType): string {
  const isPlain = type !== 'text' && type !== 'jsonb' && type !== 'bytea'
  const texts = column.map((value) => {
    if (value === null) return 'NULL'
    return isPlain ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${texts.join(',')}}`
}
