export type ColumnType = 'bigint' | 'integer' | 'numeric' | 'text' | 'boolean' | 'jsonb' | 'bytea'
export type Value = number | string | boolean | null
/** One text, and the values of each time that it is executed. */
export type Statement = { readonly text: string; readonly batches: readonly (readonly string[])[] }

/** Rows that go in at once: a statement that works for longer than some milliseconds keeps orders from their commit. */
const batchRows = 256

/**
 * Rows on their way into one table, kept column by column and sent as a statement of `unnest` arrays: per row that
 * is many times cheaper than an insert each. `onConflict` is what follows `on conflict`, empty for plain inserts.
 */
export class Columns {
  readonly table: string
  readonly #types: readonly ColumnType[]
  readonly #text: string
  #values: Value[][]
  #length = 0

  constructor(table: string, columns: Readonly<Record<string, ColumnType>>, onConflict = '') {
    const names = Object.keys(columns)
    this.table = table
    this.#types = Object.values(columns)
    const arrays = this.#types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')
    const conflict = onConflict === '' ? '' : ` on conflict ${onConflict}`
    this.#text = `insert into ${table} (${names.join(', ')}) select * from unnest(${arrays})${conflict}`
    this.#values = names.map(() => [])
  }

  get length(): number {
    return this.#length
  }

  /** One value per column, in the order of the declaration. */
  push(...row: readonly Value[]): void {
    const values = this.#values
    for (let index = 0; index < values.length; index++) (values[index] as Value[]).push(row[index] as Value)
    this.#length++
  }

  /** What has been collected, and empties this. Nothing collected: nothing to say. */
  take(): Statement | undefined {
    if (this.#length === 0) return undefined
    const batches: (readonly string[])[] = []
    for (let from = 0; from < this.#length; from += batchRows) {
      const to = Math.min(from + batchRows, this.#length)
      batches.push(this.#values.map((column, index) => arrayLiteral(column, this.#types[index] as ColumnType, from, to)))
    }
    this.#values = this.#values.map(() => [])
    this.#length = 0
    return { text: this.#text, batches }
  }
}

/** `excluded` for each of these columns: the usual tail of an upsert. */
export function overwrite(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ')
}

/** PostgreSQL's text form of an array. Numbers and decimals need no quotes; text is quoted so that `null` stays a word. */
export function arrayLiteral(column: readonly Value[], type: ColumnType, from = 0, to = column.length): string {
  const isPlain = type !== 'text' && type !== 'jsonb' && type !== 'bytea'
  let literal = '{'
  for (let index = from; index < to; index++) {
    const value = column[index] as Value
    if (index > from) literal += ','
    if (value === null) literal += 'NULL'
    else if (isPlain) literal += value
    else literal += `"${escape(value as string)}"`
  }
  return `${literal}}`
}

function escape(text: string): string {
  return text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text
}
