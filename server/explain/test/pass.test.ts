import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Seq, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { listSnapshots } from '../../journal/snapshots.ts'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Explainer } from '../explainer.ts'

type Fill = { readonly user: UserId; readonly symbol: string; readonly trade: TradeId; readonly seq: Seq }
type Asked = { readonly fill: Fill; readonly tries?: number }
type Waiting = { readonly state: string; readonly tries: number; readonly fault: string | null }

let server: ScratchServer
let store: Store
/** Fills of takers, grouped by the snapshot from which they are reached, oldest first. Each needs one look. */
let stretches: readonly (readonly Fill[])[]

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  const written = new WrittenJournal(store.pool, 3)
  await written.open()
  await written.trade(200)
  await using projector = await startProjector({ store, snapshotEvery: 500 })
  await projector.reached(written.seq)
  const { rows } = await store.pool.query<Fill>(
    `select distinct on (seq) taker_user as user, market as symbol, trade_id as trade, seq from trades where taker_user > 0 order by seq, trade_id`,
  )
  const starts = [0, ...(await listSnapshots(store.pool)).toReversed()]
  stretches = starts
    .map((start, n) => rows.filter(({ seq }) => seq > start && seq <= (starts[n + 1] ?? Infinity)))
    .filter((fills) => fills.length > 3)
  assert.ok(stretches.length > 2, String(stretches.length))
})
after(() => server[Symbol.asyncDispose]())
beforeEach(() => store.pool.query('delete from explanations'))

/** The requests in the order of asking. */
async function ask(...asked: readonly Asked[]): Promise<readonly number[]> {
  const ids: number[] = []
  for (const [at, { fill, tries = 0 }] of asked.entries()) {
    const { rows } = await store.pool.query<{ id: number }>(
      `insert into explanations (user_id, kind, subject, seq, asked_at_ms, tries) values ($1, 'fill', $2, $3, $4, $5) returning id`,
      [fill.user, `${fill.symbol} ${fill.trade} taker`, fill.seq, at, tries],
    )
    ids.push(rows[0]!.id)
  }
  return ids
}

async function found(ids: readonly number[]): Promise<readonly Waiting[]> {
  const { rows } = await store.pool.query<Waiting & { id: number }>('select id, state, tries, fault from explanations')
  return ids.map((id) => {
    const { state, tries, fault } = rows.find((row) => row.id === id)!
    return { state, tries, fault }
  })
}

const waits = (tries: number): Waiting => ({ state: 'waiting', tries, fault: null })
const stateOf = ({ state }: Waiting): string => state

/** A pool that tells of each answer before it is stored. */
function watched(onAnswer: (id: number) => void): pg.Pool {
  const watch = <T extends object>(target: T, methods: Readonly<Record<string, (...args: any[]) => unknown>>): T =>
    new Proxy(target, {
      get(from, key) {
        const value = Reflect.get(from, key)
        return methods[String(key)] ?? (typeof value === 'function' ? value.bind(from) : value)
      },
    })
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await store.pool.connect()
    const query = async (sql: unknown, values?: unknown[]): Promise<unknown> => {
      if (String(sql).includes(`set state = `) && values !== undefined) onAnswer(values[0] as number)
      return client.query(sql as string, values)
    }
    return watch(client, { query })
  }
  return watch(store.pool, { connect })
}

/** A pass whose time is up once this many answers are stored. */
async function passOf(answers: number): Promise<void> {
  let [stored, now] = [0, 0]
  // Each look at the clock is far enough from the one before that answers are stored row by row.
  const clock = (): number => (stored >= answers ? Infinity : (now += 1_000))
  await new Explainer(
    watched(() => void stored++),
    { clock, passMs: Number.MAX_SAFE_INTEGER },
  ).turn()
}

test('EXPLAIN-PASS-006: a pass ends when its time is up, stores what it has, and what it did not reach has its try back', async () => {
  const [first, second] = stretches as [readonly Fill[], readonly Fill[]]
  const ids = await ask({ fill: first[0]! }, { fill: first.at(-1)!, tries: 1 }, { fill: second[0]! })
  await passOf(1)
  const [done, ...left] = await found(ids)
  assert.equal(done!.state, 'ready')
  assert.deepEqual(left, [waits(1), waits(0)])
  await new Explainer(store.pool).turn()
  assert.deepEqual((await found(ids)).map(stateOf), ['ready', 'ready', 'ready'])
})

test('EXPLAIN-PASS-006: the oldest request that a whole pass did not reach counts a try, and nothing else does', async () => {
  const [fills] = stretches as [readonly Fill[]]
  const ids = await ask({ fill: fills.at(-1)! }, { fill: fills.at(-2)! }, { fill: stretches[1]![0]! })
  let now = 0
  // The search and the first rows take the time.
  const pass = () => new Explainer(store.pool, { clock: () => (now += 1), passMs: 12 }).turn()
  for (const tries of [1, 2, 3]) {
    await pass()
    assert.deepEqual(await found(ids), [waits(tries), waits(0), waits(0)])
  }
  await new Explainer(store.pool).turn()
  const [given, ...others] = await found(ids)
  assert.equal(given!.fault, 'failed')
  assert.deepEqual(others.map(stateOf), ['ready', 'ready'])
})

test('EXPLAIN-PASS-007: the oldest request is reached first, also where it failed before and newer ones are earlier in the journal', async () => {
  const oldest = stretches[2]!.at(-1)!
  const newer = [stretches[0]![0]!, stretches[1]![0]!]
  for (const tries of [0, 1, 2]) {
    await store.pool.query('delete from explanations')
    const ids = await ask({ fill: oldest, tries }, ...newer.map((fill) => ({ fill })))
    await passOf(1)
    const [first, ...left] = await found(ids)
    assert.deepEqual([first!.state, ...left], ['ready', waits(0), waits(0)])
  }
})

test('EXPLAIN-PASS-007: those that need the same snapshots share the way of the oldest one, others come after it', async () => {
  const [first, second, third] = stretches as [readonly Fill[], readonly Fill[], readonly Fill[]]
  const ids = await ask({ fill: third[1]! }, { fill: first[0]! }, { fill: third[0]! }, { fill: second[0]! }, { fill: third[2]! })
  const order: number[] = []
  await new Explainer(watched((id) => void order.push(id))).turn()
  assert.deepEqual(
    [...order.slice(0, 3).sort((a, b) => a - b), ...order.slice(3)],
    [0, 2, 4, 1, 3].map((n) => ids[n]),
  )
})

test('EXPLAIN-PASS-004: one that ends its whole process keeps none of those that shared a pass with it from their answers', async () => {
  const [fills] = stretches as [readonly Fill[]]
  const ids = await ask(...fills.slice(0, 3).map((fill) => ({ fill })))
  const dying = watched((id) => {
    if (id === ids[0]) throw new Error('killed')
  })
  const explainer = new Explainer(dying)
  let failures = 0
  while (await explainer.isDue()) await explainer.turn().catch(() => ++failures)
  assert.equal(failures, 3)
  assert.deepEqual(await found(ids), [
    { state: 'refused', tries: 3, fault: 'failed' },
    { state: 'ready', tries: 3, fault: null },
    { state: 'ready', tries: 3, fault: null },
  ])
})

test('EXPLAIN-PASS-003: one whose place can’t be searched counts a try, and the others of its pass get their answers', async () => {
  const [fill] = stretches[0] as [Fill]
  const ids = await ask({ fill: { ...fill, trade: '9'.repeat(20) as unknown as TradeId } }, { fill })
  const faults: unknown[] = []
  const explainer = new Explainer(store.pool, { onFault: (cause) => void faults.push(cause) })
  await explainer.turn()
  assert.deepEqual([(await found(ids))[0], (await found(ids))[1]!.state], [waits(1), 'ready'])
  while (await explainer.isDue()) await explainer.turn()
  assert.deepEqual([(await found(ids))[0]!.fault, faults.length], ['failed', 3])
})
