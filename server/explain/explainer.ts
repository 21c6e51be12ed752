import type { UserId } from '@candor/core/protocol/ids.ts'
import type { ExplanationFault, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type pg from 'pg'
import { type Look, type LookFault, takeLooks } from '../journal/looks.ts'
import { listSnapshots } from '../journal/snapshots.ts'
import { standBack } from '../store/priority.ts'
import { type Explained, placeOf, type SubjectLooks, type SubjectPlace, subjectNamed } from './subjects.ts'

/** Advisory lock: one process at a time explains. */
const lockKey = 0x6578706d
/** Requests that a pass takes. */
const passMax = 200
/** A request whose process failed this often is given up. It has its last try alone: what it shared a pass with may be at fault. */
const triesMax = 3
/** A pass ends by itself after eight minutes. Two are left for what it has begun: its process is ended after ten (`limitMs` of the job). */
const passMsDefault = 480_000
/** How long a pass may search for the places of its requests, and one query of the search may take. */
const searchMs = 60_000
/** Commands between a kept state and a result that is explained: about two minutes of processor time. */
const reachMaxDefault = 10_000_000
const storeMs = 500

type Row = {
  readonly id: number
  readonly user: UserId
  readonly kind: WireExplanationSubject['kind']
  readonly subject: string
  readonly seq: number
  readonly tries: number
}
/** `starts`: the snapshots that its looks are reached from; 0 is the beginning of the journal. */
type Work = { readonly row: Row; readonly looks: SubjectLooks; readonly starts: ReadonlySet<number> }

export type ExplainerOptions = {
  readonly reachMax?: number
  readonly passMs?: number
  /** Milliseconds that never go back. */
  readonly clock?: () => number
  /** What a person has to look at: a replay that contradicts the journal, or an explanation that contradicts a record. */
  readonly onFault?: (cause: unknown) => void
}

/** Works out the explanations that customers wait for: see `docs/spec/explain.md`. */
export class Explainer {
  readonly #pool: pg.Pool
  readonly #options: ExplainerOptions
  readonly #clock: () => number

  constructor(pool: pg.Pool, options: ExplainerOptions = {}) {
    this.#pool = pool
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Whether any explanation waits. */
  async isDue(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ has: boolean }>(`select exists (select from explanations where state = 'waiting') as has`)
    return rows[0]!.has
  }

  /** Takes the waiting requests through one pass. Does nothing while another process does it. */
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

  /**
   * Works in the order of asking, group by group. What a pass does not reach has its try back; only the oldest request keeps it, because it
   * had the whole pass. So each pass ends the oldest request or counts a try of it, and a request waits for at most three passes for each
   * one that was asked for before it, whatever is asked for after it.
   */
  async #pass(client: pg.PoolClient): Promise<void> {
    const end = this.#clock() + (this.#options.passMs ?? passMsDefault)
    let works = await this.#search(client)
    const oldest = works[0]
    while (works.length > 0 && this.#clock() < end) {
      const group = groupOf(works)
      works = works.filter((work) => !group.includes(work))
      // Before the work: it may end the process.
      await count(client, group, 1)
      const left = await this.#work(client, group, end)
      await count(
        client,
        left.filter((work) => work !== oldest),
        -1,
      )
    }
  }

  /** Searches the places of waiting requests, the oldest first. A search that fails counts as a try. */
  async #search(client: pg.PoolClient): Promise<readonly Work[]> {
    const works: Work[] = []
    const end = this.#clock() + searchMs
    const snapshots = await listSnapshots(this.#pool)
    await client.query(`set statement_timeout = ${searchMs}`)
    for (const [n, row] of (await take(client)).entries()) {
      if (n > 0 && this.#clock() > end) break
      await count(client, [{ row }], 1)
      try {
        const place = await placeOf(client, row.user, subjectNamed(row.kind, row.subject))
        if (place === undefined) await store(client, row, 'gone')
        else works.push(workOf(row, place, snapshots, (cause) => this.#options.onFault?.(cause)))
      } catch (cause) {
        this.#options.onFault?.(cause)
        continue
      }
      await count(client, [{ row }], -1)
    }
    return works
  }

  /** Takes a group over the journal, in its order, and stores what comes of it. Returns those that it did not reach by the end of the pass. */
  async #work(client: pg.PoolClient, group: readonly Work[], end: number): Promise<readonly Work[]> {
    let waiting = group
    const storeUpTo = async (seq: number, missed: ReadonlyMap<Look, LookFault>): Promise<void> => {
      const done = waiting.filter(({ row }) => row.seq <= seq)
      waiting = waiting.filter(({ row }) => row.seq > seq)
      for (const { row, looks } of done) await store(client, row, looks.result(missed))
    }
    let [start, stored, isEnded] = [-1, this.#clock(), false]
    const missed = await takeLooks(
      this.#pool,
      group.flatMap(({ looks }) => looks.looks),
      {
        reachMax: this.#options.reachMax ?? reachMaxDefault,
        onDamage: (damage) => this.#options.onFault?.(damage),
        onProgress: async (seq, missedSoFar) => {
          if (start < 0) start = seq
          const now = this.#clock()
          isEnded = now >= end
          if (!isEnded && now - stored < storeMs) return true
          await storeUpTo(seq, missedSoFar)
          await tell(client, waiting, start, seq)
          stored = now
          return !isEnded
        },
      },
    )
    if (!isEnded) await storeUpTo(Infinity, missed)
    return waiting
  }
}

/** The oldest requests that wait. Those that failed too often are given up. */
async function take(client: pg.PoolClient): Promise<readonly Row[]> {
  await client.query(`update explanations set state = 'refused', fault = 'failed' where state = 'waiting' and tries >= ${triesMax}`)
  const { rows } = await client.query<Row>(
    `select id, user_id as user, kind, subject, seq, tries from explanations where state = 'waiting' order by asked_at_ms, id limit ${passMax}`,
  )
  return rows
}

/** `snapshots`: the newest come first. */
function workOf(row: Row, place: SubjectPlace, snapshots: readonly number[], onFault: (cause: unknown) => void): Work {
  const looks = place.looks(onFault)
  return { row, looks, starts: new Set(looks.looks.map((look) => snapshots.find((seq) => seq < look.seq) ?? 0)) }
}

/**
 * The oldest request, and all others that need no other snapshots than it does: they lengthen its way by no more than what is left of the
 * same stretches of the journal. One that has its last try is alone.
 */
function groupOf(works: readonly Work[]): readonly Work[] {
  const oldest = works[0]!
  const isLast = ({ row }: Work): boolean => row.tries >= triesMax - 1
  if (isLast(oldest)) return [oldest]
  return works.filter((work) => work === oldest || (!isLast(work) && work.starts.isSubsetOf(oldest.starts)))
}

async function count(client: pg.PoolClient, works: readonly Pick<Work, 'row'>[], tries: 1 | -1): Promise<void> {
  const ids = works.map(({ row }) => row.id)
  if (ids.length > 0) await client.query('update explanations set tries = tries + $2::smallint where id = any($1::bigint[])', [ids, tries])
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
