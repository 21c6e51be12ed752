import { ArrayBytes, type ColumnType, type Value } from './array-bytes.ts'

export type { ColumnType, Value }

/** One statement text, and the values of each execution: arrays as text or in PostgreSQL's binary form. */
export type Statement = {
  readonly text: string
  /** A name under which a connection keeps the statement prepared; a name belongs to one text. */
  readonly name?: string
  readonly batches: readonly (readonly (string | Buffer)[])[]
}

/** Rows inserted at once: a statement that runs for more than a few milliseconds delays the commits of orders. */
const batchRowsUsual = 256

/**
 * Collects rows for one table column by column and sends them as statements with `unnest` arrays, which is many times cheaper per
 * row than single inserts. Every value is encoded at once as the bytes that PostgreSQL reads, because the garbage collector would
 * have to copy thousands of waiting row objects again and again. `onConflict` is the text after `on conflict`, empty for plain
 * inserts. `batchRows`: fewer where rows are large.
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
    // In the select list the arrays give their values row by row; in `from` PostgreSQL first copies each of them into a store of
    // its own.
    const arrays = types.map((type, index) => `unnest($${index + 1}::${type}[])`).join(', ')
    const conflict = onConflict === '' ? '' : ` on conflict ${onConflict}`
    this.#text = `insert into ${table} (${names.join(', ')}) select ${arrays}${conflict}`
    this.#columns = types.map((type) => new ArrayBytes(type, batchRows))
  }

  get length(): number {
    return this.#length
  }

  /** Adds a row: one value per column, in the order of the declaration. */
  push(...row: readonly Value[]): void {
    for (let index = 0; index < row.length; index++) this.add(row[index] as Value)
  }

  /** Adds the next column's value of the current row; the last column's value ends the row. */
  add(value: Value): this {
    this.#next().add(value)
    return this
  }

  /** Adds the next column's value, given as bytes. */
  addBytes(value: Buffer): this {
    this.#next().addBytes(value)
    return this
  }

  /** Adds the next column's value, given as units of 10^−`scale`, without formatting it as text. */
  addFixed(units: number | bigint, scale: number): this {
    this.#next().addFixed(units, scale)
    return this
  }

  /** Returns the collected rows and clears them; undefined when there are none. The values are valid until the next call. */
  take(): Statement | undefined {
    if (this.#column !== 0) throw new Error(`A row of ${this.table} has ${this.#column} values`)
    if (this.#length === 0) return undefined
    const columns = this.#columns.map((column) => column.take())
    this.#length = 0
    return {
      text: this.#text,
      name: `rows of ${this.table}`,
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
