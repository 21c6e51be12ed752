import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireExplanation, WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import type { LiquidationExplanation, MarginLiquidationExplanation } from '@candor/core/protocol/wire/explain/liquidation.ts'
import { explain } from '../../main/commands/explain.ts'
import type { Settings } from '../../main/settings.ts'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { Explainer } from '../explainer.ts'
import { Explanations, requestLimits } from '../requests.ts'
import { run } from './liquidations.ts'

/** A run with many liquidations of both desks. */
const seed = 1
const steps = 2_000

let server: ScratchServer
let store: Store
let explanations: Explanations

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  const written = new WrittenJournal(store.pool)
  // Commands of one moment are one row of the journal. The rows are chained when they are handed over, whenever they are written.
  const rows: Promise<void>[] = []
  for (const moment of Map.groupBy(run(seed, steps).ran, ({ stamp }) => stamp.at).values()) {
    written.at = moment[0]!.stamp.at
    rows.push(written.append(moment.map(({ command }) => command)))
  }
  await Promise.all(rows)
  await using projector = await startProjector({ store, snapshotEvery: 1_000 })
  await projector.reached(written.seq)
  explanations = new Explanations(store.pool, Date.now, { ...requestLimits, waiting: 500, daily: 5_000 })
})
after(() => server[Symbol.asyncDispose]())

type Asked = { readonly user: UserId; readonly subject: WireExplanationSubject; readonly count: number }

async function explained(asked: readonly Asked[]): Promise<readonly WireExplanation[]> {
  for (const { user, subject } of asked) await explanations.ask(user, subject)
  const faults: unknown[] = []
  const explainer = new Explainer(store.pool, { onFault: (cause) => void faults.push(cause) })
  while (await explainer.isDue()) await explainer.turn()
  assert.deepEqual(faults, [])
  return Promise.all(asked.map(({ user, subject }) => explanations.ask(user, subject)))
}

const stepsOf = ({ stages }: LiquidationExplanation | MarginLiquidationExplanation): number =>
  stages.reduce((sum, stage) => sum + stage.steps.length, 0)

test('EXPLAIN-LIQUIDATION-005: a liquidation of Futures is explained up to a step, with all steps of the position or of the cross account before it that are no more than ten minutes apart', async () => {
  const { rows } = await store.pool.query<{ user: UserId; position: number; mode: string; seq: number; at: number }>(
    `select user_id as user, position, mode, seq, at_ms as at from liquidations join (
       select position, mode from positions union all select position, mode from closed_positions
     ) modes using (position) order by seq desc, line desc`,
  )
  const lasts = rows.filter(({ position }, n) => rows.findIndex((one) => one.position === position) === n)
  const asked = lasts.map(({ user, position, mode, seq }) => {
    const isSame = (one: (typeof rows)[number]): boolean =>
      one.position === position || (mode === 'cross' && one.mode === mode && one.user === user)
    const before = rows.filter((one) => one.seq <= seq && isSame(one))
    const end = before.findIndex(({ at }, n) => n > 0 && before[n - 1]!.at - at > 600_000)
    return { user, subject: { kind: 'liquidation', positionId: String(position), seq } as const, count: end < 0 ? before.length : end }
  })
  const found = await explained(asked)
  for (const [n, { state, liquidation }] of found.entries()) {
    assert.equal(state, 'ready')
    assert.deepEqual(
      [liquidation!.positionId, liquidation!.mode, stepsOf(liquidation!), liquidation!.stages.at(-1)!.seq],
      [asked[n]!.subject.positionId, lasts[n]!.mode, asked[n]!.count, asked[n]!.subject.seq],
    )
  }
  assert.ok(
    rows.some(({ mode }) => mode === 'cross') && rows.some(({ mode }) => mode === 'isolated') && asked.some(({ count }) => count > 5),
  )
})

test('EXPLAIN-MARGIN-004: a liquidation of a Margin account is explained up to a step, from the command in which its level fell to the limit', async () => {
  const { rows } = await store.pool.query<{ user: UserId; market: string; seq: number }>(
    'select distinct on (user_id, market) user_id as user, market, seq from margin_liquidations order by user_id, market, seq desc',
  )
  const asked = rows.map(({ user, market, seq }) => {
    return { user, subject: { kind: 'marginLiquidation', ...(market === '' ? {} : { symbol: market }), seq } as const, count: 0 }
  })
  const found = await explained(asked)
  for (const [n, { state, marginLiquidation: one }] of found.entries()) {
    assert.deepEqual([state, one?.symbol], ['ready', asked[n]!.subject.symbol])
    const [first] = one!.stages
    assert.ok(first!.trigger !== undefined && stepsOf(one!) > 0)
    assert.equal(one!.stages.at(-1)!.seq, asked[n]!.subject.seq)
  }
  assert.ok(rows.some(({ market }) => market === '') && rows.some(({ market }) => market !== ''))
})

test('EXPLAIN-LIQUIDATION-006: another customer’s liquidation is not found, and neither is one without a step at the place that was asked for', async () => {
  const notFound = { refusal: 'NOT_FOUND' }
  for (const { kind, table } of [
    { kind: 'liquidation', table: 'select user_id as user, position::text as name, seq from liquidations limit 1' },
    { kind: 'marginLiquidation', table: 'select user_id as user, market as name, seq from margin_liquidations limit 1' },
  ] as const) {
    const { user, name, seq } = (await store.pool.query<{ user: UserId; name: string; seq: number }>(table)).rows[0]!
    const subjectAt = (at: number): WireExplanationSubject =>
      kind === 'liquidation' ? { kind, positionId: name, seq: at } : { kind, ...(name === '' ? {} : { symbol: name }), seq: at }
    assert.equal((await explanations.ask(user, subjectAt(seq))).fault, undefined)
    await assert.rejects(explanations.ask((user === 1 ? 2 : 1) as UserId, subjectAt(seq)), notFound)
    await assert.rejects(explanations.ask(user, subjectAt(1)), notFound)
  }
  const { rows } = await store.pool.query<{ user: UserId }>(`select user_id as user from margin_liquidations where market <> '' limit 1`)
  await assert.rejects(explanations.ask(rows[0]!.user, { kind: 'marginLiquidation', symbol: 'NOCOIN', seq: 1 }), notFound)
})

test('EXPLAIN-COMMAND-003: the command line shows what a command did to each account in liquidation', async () => {
  const settings = { databaseUrl: store.url, dataFolder: server.folder } as unknown as Settings
  for (const table of ['liquidations', 'margin_liquidations']) {
    const { rows } = await store.pool.query<{ seq: number; users: number; steps: number }>(
      `select seq, count(distinct user_id)::integer as users, count(*)::integer as steps from ${table} group by seq order by users desc, seq limit 1`,
    )
    const { seq, users, steps: count } = rows[0]!
    const { lines } = await explain.run({ settings, operands: [String(seq)], options: {} })
    const heads = lines.filter(
      (line) => line.startsWith(`Liquidation of user `) && line.includes(table === 'liquidations' ? 'Futures' : 'Margin'),
    )
    assert.equal(new Set(heads.map((line) => line.split(' ')[3])).size, users)
    assert.ok(lines.filter((line) => line.startsWith('  step {')).length >= count)
    assert.ok(lines.some((line) => line.startsWith('  after {')))
  }
})
