import type { Seq } from '@candor/core/protocol/ids.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Records } from '@candor/core/protocol/codec/records.ts'
import type pg from 'pg'
import { Projection } from '../store/projection/projection.ts'
import { forgetOwnTape, forgetTape } from '../store/projection/tape.ts'
import { candleTables, projectedTables } from '../store/projector/rebuild.ts'
import { standingAt } from '../store/projector/standing.ts'
import type { Head } from './row.ts'

/**
 * Tables that a replay from a later place can't reproduce completely, because their sums and values began before it. All other
 * tables are complete.
 */
const wholeOnly = new Set<string>([
  ...['lend_claims', 'volume_hours', 'figure_hours', 'trader_days', 'perp_marks', 'perp_days', 'liquidations'],
  ...['core_credits', 'core_withdrawals', 'conversions', 'referral_invitees', 'referral_days'],
  ...['presales', 'presale_subscriptions', 'holding_costs'],
  ...candleTables,
])
const isCandles = (table: string): boolean => (candleTables as readonly string[]).includes(table)

/** Only events have the times of a trigger and of an entry, so a replay from a later place takes them from the real table. */
const earlierTriggers = `update pg_temp.orders given set triggered_at_ms = coalesce(given.triggered_at_ms, said.triggered_at_ms),
  entered_at_ms = coalesce(given.entered_at_ms, said.entered_at_ms) from public.orders said
  where said.id = given.id and given.id <= $1 and (given.triggered_at_ms is null or given.entered_at_ms is null)`

const shownMax = 10
const rowsMax = 20_000
/** More than `rowsMax` rows and their keys take, with what an exchange beside writes meanwhile. */
const rowsBytes = 256 * 1024 * 1024

export type ShadowOptions = {
  readonly exchange: Exchange
  readonly place: Head
  /** How long ticks of the index tape stay in their table; undefined: for ever. */
  readonly tapeKeptMs: number | undefined
  /** Called again and again while the tables grow, with the bytes that the next rows take at most. It may throw. */
  readonly mayTake?: ((bytes: number) => Promise<void>) | undefined
}

/**
 * How much of the disk an audit takes: its temporary tables as much as the real ones and their primary keys, in proportion to the commands
 * that are replayed, and to sort the entries at most as much as the largest table.
 *
 * share  of the commands, from 0 to 1
 */
export async function shadowBytes(pool: pg.Pool, share: number): Promise<number> {
  const { rows } = await pool.query<{ whole: string; largest: string }>(
    `select sum(size + coalesce((select pg_relation_size(indexrelid) from pg_index where indrelid = name and indisprimary), 0))::text as whole,
       max(size)::text as largest
     from (select to_regclass('public.' || name) as name from unnest($1::text[]) as name) as tables, pg_table_size(name) as size`,
    [[...projectedTables, ...candleTables]],
  )
  return Math.ceil(Number(rows[0]!.whole) * share) + Number(rows[0]!.largest)
}

/**
 * A second copy of the query tables, written from the replay into temporary tables of one connection and compared with the real
 * ones row by row. The connection can change nothing else.
 */
export class ShadowTables {
  readonly #client: pg.PoolClient
  readonly #projection: Projection
  readonly #from: number
  readonly #mayTake: ShadowOptions['mayTake']
  /** By table: the columns of its primary key. */
  readonly #keys: ReadonlyMap<string, readonly string[]>

  /** The error that stopped the projection, or the tables' contradiction about earlier users. */
  #fault: string | undefined

  private constructor(
    client: pg.PoolClient,
    projection: Projection,
    { place, mayTake }: ShadowOptions,
    keys: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#client = client
    this.#projection = projection
    this.#from = place.seq
    this.#mayTake = mayTake
    this.#keys = keys
  }

  /** Creates empty tables for a replay that begins at `place`. The caller must destroy the connection afterwards. */
  static async open(client: pg.PoolClient, options: ShadowOptions): Promise<ShadowTables> {
    const { exchange, place, tapeKeptMs } = options
    // Before the temporary tables hide the real ones of the same name.
    const standing = await standingAt(client, exchange, place.seq as Seq)
    const keys = new Map<string, readonly string[]>()
    for (const table of [...projectedTables, ...candleTables]) {
      const { rows } = await client.query<{ name: string }>(
        `select attname as name from pg_index, unnest(indkey) with ordinality as key (number, place), pg_attribute
         where indrelid = $1::regclass and indisprimary and attrelid = indrelid and attnum = key.number order by key.place`,
        [`public.${table}`],
      )
      const columns = rows.map(({ name }) => name)
      await client.query(`create temp table ${table} (like public.${table}); alter table ${table} add primary key (${columns.join(', ')})`)
      keys.set(table, columns)
    }
    await client.query('set default_transaction_read_only = on')
    return new ShadowTables(client, new Projection({ ...standing, tapeKeptMs }), options, keys)
  }

  /** Adds the events of the next journal row, and its commands. */
  async add(events: Records, commands: Records): Promise<void> {
    if (this.#fault !== undefined) return
    try {
      this.#projection.apply(events, commands)
    } catch (cause) {
      this.#fault = (cause as Error).message
      return
    }
    if (this.#projection.size >= rowsMax) await this.#write()
  }

  /** One sentence for each row that differs in the real tables, at most ten per table. */
  async differences(): Promise<readonly string[]> {
    if (this.#fault !== undefined) return [`The tables can't be written again from here: ${this.#fault}`]
    await this.#write()
    if (this.#from > 0) await this.#client.query(earlierTriggers, [this.#from])
    const problems: string[] = []
    for (const [table, keys] of this.#keys) {
      if (this.#from > 0 && wholeOnly.has(table)) continue
      const { rows } = await this.#client.query<Difference>(this.#comparison(table, keys))
      problems.push(...rows.map((row) => sentence(table, row)))
    }
    return problems
  }

  async #write(): Promise<void> {
    await this.#mayTake?.(rowsBytes)
    for (const { text, batches } of this.#projection.take().statements) {
      const own = text === forgetTape ? forgetOwnTape : text
      for (const values of batches) await this.#client.query(own, values as (string | Buffer)[])
    }
  }

  /** Joins the rows of both tables by key. A replay from a later place ignores rows that it did not write. */
  #comparison(table: string, keys: readonly string[]): string {
    const real = isCandles(table) ? `(select * from public.${table} where not is_reference)` : `public.${table}`
    const join = this.#from > 0 ? 'left' : 'full'
    return `select concat_ws(' ', ${keys.join(', ')}) as place, (given.*) is null as "isMadeUp", (said.*) is null as "isMissing",
        (select string_agg(format('%s is %s instead of %s', b.key, coalesce(left(b.value, 60), 'nothing'), coalesce(left(a.value, 60), 'nothing')), ', ')
          from jsonb_each_text(to_jsonb(given)) a join jsonb_each_text(to_jsonb(said)) b using (key)
          where a.value is distinct from b.value) as wrong
      from pg_temp.${table} given ${join} join ${real} said using (${keys.join(', ')})
      where given is distinct from said order by ${keys.join(', ')} limit ${shownMax}`
  }
}

type Difference = { readonly place: string; readonly isMadeUp: boolean; readonly isMissing: boolean; readonly wrong: string | null }

function sentence(table: string, { place, isMadeUp, isMissing, wrong }: Difference): string {
  if (isMissing) return `The table ${table} lacks ${place}, which the journal gives`
  if (isMadeUp) return `The table ${table} has ${place}, which no journal gives`
  return `The table ${table} differs from the journal at ${place}: ${wrong}`
}
