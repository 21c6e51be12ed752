import type { UserId } from '@candor/core/protocol/ids.ts'
import type { ExplanationFault, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type pg from 'pg'
import { type Look, type LookFault, takeLooks } from '../journal/looks.ts'
import { standBack } from '../store/priority.ts'
import { type Explained, placeOf, type SubjectLooks, subjectNamed } from './subjects.ts'

/** Advisory lock: one process at a time explains. */
const lockKey = 0x6578706d
/** Explanations that share one pass over the journal. */
const passMax = 200
/** A request whose process failed this often is given up. The last try is made alone: what shared a pass with it may be at fault. */
const triesMax = 3
/** How long a pass may search for the places of its requests: its process is ended after ten minutes. */
const searchMs = 60_000
/** Commands between a kept state and a result that is explained: half a minute of replay. */
const reachMaxDefault = 10_000_000
const storeMs = 500

type Row = {
  readonly id: number
  readonly user: UserId
  readonly kind: WireExplanationSubject['kind']
  readonly subject: string
  readonly seq: number
}
type Work = { readonly row: Row; readonly looks: SubjectLooks }

export type ExplainerOptions = {
  readonly reachMax?: number
  /** What a person has to look at: a replay that contradicts the journal, or an explanation that contradicts a record. */
  readonly onFault?: (cause: unknown) => void
}

/** Works out the explanations that customers wait for: see `docs/spec/explain.md`. */
export class Explainer {
  readonly #pool: pg.Pool
  readonly #options: ExplainerOptions

  constructor(pool: pg.Pool, options: ExplainerOptions = {}) {
    this.#pool = pool
    this.#options = options
  }

  /** Whether any explanation waits. */
  async isDue(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ has: boolean }>(`select exists (select from explanations where state = 'waiting') as has`)
    return rows[0]!.has
  }

  /** Takes the waiting requests in the order of the journal through one pass. Does nothing while another process does it. */
  async turn(): Promise<void> {
    const client = await this.#pool.connect()
    try {
      const { rows } = await client.query<{ has: boolean }>('select pg_try_advisory_lock($1) as has', [lockKey])
      if (rows[0]?.has !== true) return
      await standBack(client)
      await this.#pass(client)
    } finally {
      await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
      client.release(true)
    }
  }

  async #pass(client: pg.PoolClient): Promise<void> {
    const works: Work[] = []
    const until = performance.now() + searchMs
    for (const row of await take(client)) {
      if (works.length > 0 && performance.now() > until) break
      await client.query('update explanations set tries = tries + 1 where id = $1', [row.id])
      const place = await placeOf(client, row.user, subjectNamed(row.kind, row.subject))
      if (place === undefined) await store(client, row, 'gone')
      else works.push({ row, looks: place.looks((cause) => this.#options.onFault?.(cause)) })
    }
    let waiting: readonly Work[] = works
    const storeUpTo = async (seq: number, missed: ReadonlyMap<Look, LookFault>): Promise<void> => {
      const done = waiting.filter(({ row }) => row.seq <= seq)
      waiting = waiting.filter(({ row }) => row.seq > seq)
      for (const { row, looks } of done) await store(client, row, looks.result(missed))
    }
    let [start, stored] = [-1, performance.now()]
    const missed = await takeLooks(
      this.#pool,
      works.flatMap(({ looks }) => looks.looks),
      {
        reachMax: this.#options.reachMax ?? reachMaxDefault,
        onDamage: (damage) => this.#options.onFault?.(damage),
        onProgress: async (seq, missedSoFar) => {
          if (start < 0) start = seq
          if (performance.now() - stored < storeMs) return
          await storeUpTo(seq, missedSoFar)
          await tell(client, waiting, start, seq)
          stored = performance.now()
        },
      },
    )
    await storeUpTo(Infinity, missed)
  }
}

/**
 * The requests of one pass, in the order in which they came: taken in the order of the journal, old commands could keep new ones waiting for
 * ever. Those that failed come after the others, those that failed too often are given up.
 */
async function take(client: pg.PoolClient): Promise<readonly Row[]> {
  await client.query(`update explanations set state = 'refused', fault = 'failed' where state = 'waiting' and tries >= ${triesMax}`)
  const { rows } = await client.query<Row>(
    `with fewest as (select min(tries) as tries from explanations where state = 'waiting')
     select id, user_id as user, kind, subject, seq from explanations join fewest using (tries) where state = 'waiting'
     order by asked_at_ms, id limit (select case when tries < ${triesMax - 1} then ${passMax} else 1 end from fewest)`,
  )
  return rows
}

async function store(client: pg.PoolClient, { id }: Row, result: Explained | ExplanationFault): Promise<void> {
  if (typeof result === 'string') await client.query(`update explanations set state = 'refused', fault = $2 where id = $1`, [id, result])
  else await client.query(`update explanations set state = 'ready', percent = 100, body = $2 where id = $1`, [id, JSON.stringify(result)])
}

/** Tells those who wait how far the pass is, of the way to their command. */
async function tell(client: pg.PoolClient, waiting: readonly Work[], start: number, seq: number): Promise<void> {
  await client.query(
    `update explanations set percent = greatest(percent, least(99, 100 * ($1::bigint - $2::bigint) / greatest(1, seq - $2::bigint)))
     where id = any($3::bigint[])`,
    [seq, start, waiting.map(({ row }) => row.id)],
  )
}
