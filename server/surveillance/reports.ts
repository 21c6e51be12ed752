import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import pg from 'pg'
import type { Clock } from '../ports.ts'
import { types, type Store } from '../store/open.ts'
import { standBack } from '../store/priority.ts'
import { type Day, dayOf, shifted, spanOf } from './days.ts'
import { type Found, idOf } from './found.ts'
import { limits } from './read/reads.ts'
import { look, type Measures, namesOf, type Seen } from './report.ts'
import { thresholds } from './thresholds.ts'

/** One gateway makes reports at a time. */
const lockKey = 0x73757276
/** A read of one day may take long: it stands back behind everything else. */
const statementMax = '30min'
/** After midnight, until commands of the day before have reached the journal. */
const graceMs = 5 * 60_000
/** Missing reports of so many days are made without being asked. */
const backDays = 7

/** `waits`: the day is not over in the tables yet. `busy`: another process makes a report right now. */
export type Made = 'made' | 'known' | 'waits' | 'busy'

export type ReportsOptions = {
  readonly store: Pick<Store, 'url' | 'pool'>
  readonly clock: Clock
  /** Default: `limits` */
  readonly limits?: Measures['limits']
}

/** Makes the report of a day, once. */
export class Reports {
  readonly #store: Pick<Store, 'url' | 'pool'>
  readonly #clock: Clock
  readonly #measures: Measures

  constructor({ store, clock, limits: given = limits }: ReportsOptions) {
    this.#store = store
    this.#clock = clock
    this.#measures = { thresholds, limits: given }
  }

  /** Past days of the last week without a report, oldest first. */
  async due(): Promise<readonly Day[]> {
    const now = this.#clock() - graceMs
    const last = shifted(dayOf(now as Millis), -1)
    const days = Array.from({ length: backDays }, (_, place) => shifted(last, place + 1 - backDays))
    const { rows } = await this.#store.pool.query<{ day: Day; begun: number | null }>(
      `select day, (select min(created_at) from accounts) as begun from unnest($1::text[]) as day
       where not exists (select from surveillance_reports r where r.day = day.day) order by 1`,
      [days],
    )
    // Before the first account nothing can be seen.
    return rows.filter(({ day, begun }) => begun !== null && spanOf(day).to > begun).map(({ day }) => day)
  }

  /** Makes the report of a past day unless it exists; `known` then. */
  async make(day: Day): Promise<Made> {
    await using connection = await lowConnection(this.#store.url)
    const { client } = connection
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [lockKey])
    if (!rows[0]!.isOurs) return 'busy'
    // Looked up under the lock, so that two processes never make one report.
    const known = await client.query('select from surveillance_reports where day = $1', [day])
    if (known.rowCount! > 0) return 'known'
    const seq = await this.#seqAfter(client, day)
    if (seq === undefined) return 'waits'
    const begun = performance.now()
    const seen = await look(client, day, this.#measures)
    await write(client, seen, { day, seq, madeAt: this.#clock(), ...this.#measures, tookMs: Math.round(performance.now() - begun) })
    return 'made'
  }

  /** The last command in the tables if these have the whole day, else undefined. */
  async #seqAfter(client: pg.Client, day: Day): Promise<number | undefined> {
    const { to } = spanOf(day)
    if (this.#clock() < to + graceMs) return undefined
    const { rows } = await client.query<{ seq: number; at: number; head: number }>(
      'select seq, at_ms as at, (select coalesce(max(seq), 0) from journal) as head from projection',
    )
    const [row] = rows
    return row !== undefined && (row.at >= to || row.seq >= row.head) ? row.seq : undefined
  }
}

/** A connection of its own, whose process in the database gives way to those that take orders. */
async function lowConnection(url: string): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client({ connectionString: url, types })
  client.on('error', () => undefined)
  await client.connect()
  await standBack(client)
  await client.query(`select set_config('statement_timeout', $1, false)`, [statementMax])
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

type About = Measures & { readonly day: Day; readonly seq: number; readonly madeAt: number; readonly tookMs: number }

/** Report and findings together, or neither. */
async function write(
  client: pg.Client,
  { found, people, examined }: Seen,
  { day, seq, madeAt, tookMs, thresholds, limits }: About,
): Promise<void> {
  const counts = Object.fromEntries([...Map.groupBy(found, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]))
  await client.query('begin')
  try {
    await client.query(
      `insert into surveillance_reports (day, made_at, took_ms, seq, examined, counts, thresholds) values ($1, $2, $3, $4, $5, $6, $7)`,
      [day, madeAt, tookMs, seq, JSON.stringify(examined), JSON.stringify(counts), JSON.stringify({ ...thresholds, limits })],
    )
    // The last one gets the highest number and stands first.
    for (const one of inOrder(found)) await writeFinding(client, one, day, people)
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => undefined)
    throw cause
  }
}

const order = ['cancels', 'linked', 'round-trips', 'second-wins', 'spoofing', 'layering', 'self-trades'] as const

const inOrder = (found: readonly Found[]): readonly Found[] =>
  found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.weight - b.weight)

async function writeFinding(client: pg.Client, found: Found, day: Day, people: Seen['people']): Promise<void> {
  const { who, roleOf } = namesOf(people)
  const uids = found.users.map((user: UserId) => who(user))
  await client.query(
    `insert into surveillance_findings
       (id, day, kind, market, accounts, roles, weight, text, measures, orders, from_at, to_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (id) do nothing`,
    [
      ...[idOf(found, uids, day), day, found.kind, found.market, uids, found.users.map(roleOf), found.weight, found.text],
      ...[JSON.stringify(found.measures), found.orders.map(String), found.from, found.to],
    ],
  )
}
