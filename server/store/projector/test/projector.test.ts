import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { listSnapshots } from '../../../journal/snapshots.ts'
import { openStore, type Store } from '../../open.ts'
import { CuttingProxy } from '../../test/cutting-proxy.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { type Projector, type ProjectorOptions, startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { differences, keep } from './tables.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

async function journal(batches: number, seed = 1): Promise<{ store: Store; written: WrittenJournal }> {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, seed)
  await written.open()
  await written.trade(batches)
  return { store, written }
}

async function projectTo(seq: number, options: ProjectorOptions): Promise<void> {
  await using projector = await startProjector(options)
  await projector.reached(seq)
}

test('JOURNAL-PROJECTION-001: the tables are the same whether written in one part, in many, or with restarts between', async () => {
  const { store, written } = await journal(0)
  for (let round = 0; round < 4; round++) {
    await written.trade(60, 20, 20_000)
    await projectTo(written.seq, { store, rowsMax: [1, 50, 400, 1e9][round] as number })
  }
  // After a long stop, the clock goes on before any price comes.
  written.at += 2 * 86_400_000
  await written.append([{ type: 'clock.tick' } as Command])
  await projectTo(written.seq, { store })
  await keep(store.pool)
  const { rows } = await store.pool.query(
    `select (select count(*) from trades) as trades, (select count(*) from orders) as orders, (select count(*) from candles_1s) as bars,
       (select count(*) from loan_changes) as loans, (select count(*) from lend_rates) as rates`,
  )
  const [{ trades, orders, bars, loans, rates }] = rows
  assert.ok(trades > 500 && orders > 500 && bars > 50 && loans > 20 && rates > 2, JSON.stringify(rows[0]))

  for (const table of ['closed_positions', 'liquidations', 'deleverages', 'funding_payments', 'perp_days', 'debt_days']) {
    const { rows: some } = await store.pool.query(`select count(*) > 0 as has from ${table}`)
    assert.ok(some[0].has, `nothing is in ${table}`)
  }

  await emptyProjection(store.pool)
  assert.ok(Object.keys(await differences(store.pool)).length > 8, 'emptied tables must differ')
  await projectTo(written.seq, { store })
  assert.deepEqual(await differences(store.pool), {})
})

test('JOURNAL-PROJECTION-002: balances, orders and trades in the tables are those of the core', async () => {
  const { store, written } = await journal(120, 2)
  await projectTo(written.seq, { store })
  const { exchange } = written
  for (let user = 1; user <= exchange.userCount; user++) {
    const open = exchange
      .openOrders(user as UserId)
      .map(({ order, executedLots, status }) => ({ id: order, executed: executedLots > 0, status }))
    const { rows } = await store.pool.query(
      `select id, executed > 0 as executed, case status when 'pending' then 'pending' else 'open' end as status
       from orders where user_id = $1 and status in ('open', 'pending', 'partially-filled') order by id`,
      [user],
    )
    const isMaker = user % 4 === 0
    assert.deepEqual(
      rows,
      open.filter(({ executed }) => executed || !isMaker).sort((a, b) => a.id - b.id),
    )
  }
  const wrong = await store.pool.query(
    `select asset, sum(available + held) from balances group by asset having sum(available + held) <> 0
     union all select asset, sum(delta + held_delta) from ledger_entries group by asset having sum(delta + held_delta) <> 0
     union all select asset, available from balances where kind not like 'outside:%' and (available < 0 or held < 0)`,
  )
  assert.deepEqual(wrong.rows, [])
  const trigger = await store.pool.query(
    "select trigger ->> 'kind' as kind, count(*) from orders where trigger is not null group by 1 order by 1",
  )
  assert.deepEqual(
    trigger.rows.map(({ kind }) => kind),
    ['stop', 'trailing'],
  )
})

test('JOURNAL-PROJECTION-003: a start from a snapshot continues where the tables end', async () => {
  const { store, written } = await journal(80, 3)
  await projectTo(written.seq, { store, snapshotEvery: 300 })
  const made = await listSnapshots(store.pool)
  assert.ok(made.length > 1, 'snapshots must have been made')
  await written.trade(40)
  await projectTo(written.seq, { store })
  await keep(store.pool)
  await emptyProjection(store.pool)
  await projectTo(written.seq, { store })
  assert.deepEqual(await differences(store.pool), {})
})

test('JOURNAL-PROJECTION-004: a connection that breaks at any moment of the transaction leaves every row once', async () => {
  const { store, written } = await journal(60, 4)
  const { proxy, url } = await CuttingProxy.start(store.url)
  await using _proxy = proxy
  await using through = await openStore({ dataFolder: server.folder, databaseUrl: url })
  const moments = [
    'begin',
    'update projection',
    'rows of core_users',
    'rows of candles_1m',
    'rows of orders',
    'rows of trades',
    'rows of ledger_entries',
    'rows of balances',
    'commit',
  ]
  const troubles: string[] = []
  for (const isAnswerLost of [false, true]) {
    for (const moment of moments) {
      let isDone = false
      proxy.onRequest((bytes) => {
        if (isDone || !bytes.includes(moment)) return
        isDone = true
        proxy.holdAnswers(true)
        // The server gets the request or none of the following bytes; its answer never arrives.
        setTimeout(
          () => {
            proxy.cut()
            proxy.holdAnswers(false)
          },
          isAnswerLost ? 30 : 0,
        )
      })
      const projector = await startProjector({ store: through, rowsMax: 200, log: ({ message }) => troubles.push(message) })
      await written.trade(12)
      await projector.reached(written.seq)
      assert.equal(projector.failed, undefined)
      await projector[Symbol.asyncDispose]()
      assert.ok(isDone || moment === 'rows of core_users', `${moment} was never sent`)
    }
  }
  assert.ok(troubles.length >= 12, `only ${troubles.length} connections broke`)
  await keep(store.pool)
  await emptyProjection(store.pool)
  await projectTo(written.seq, { store })
  assert.deepEqual(await differences(store.pool), {})
})

test('JOURNAL-PROJECTION-005: a batch with another digest stops the projector with an alarm, and the tables keep the correct rows', async () => {
  const { store, written } = await journal(5, 5)
  const right = written.seq
  await written.trade(5)
  await store.pool.query('update journal set events_digest = $1 where seq = (select min(seq) from journal where seq > $2)', [
    Buffer.alloc(32),
    right,
  ])
  await reseal(store)
  const said: string[] = []
  await using projector = await startProjector({ store, log: ({ message }) => said.push(message) })
  await assert.rejects(projector.reached(written.seq), /replay gives different events/)
  assert.match(String(projector.failed), /replay gives different events/)
  assert.equal(said.length, 1)
  const { rows } = await store.pool.query('select seq from projection')
  assert.ok(rows[0].seq <= right)
})

/** Somebody who can rewrite the hashes can hide a change from the chain, but not from the replay. */
async function reseal(store: Store): Promise<void> {
  const { rowHash } = await import('../../../journal/row.ts')
  const { rows } = await store.pool.query('select * from journal order by seq')
  let prevHash: Uint8Array = new Uint8Array(32)
  for (const row of rows) {
    const batch = {
      seq: row.seq,
      n: row.n,
      firstAt: row.first_at,
      coreVersion: row.core_version,
      eventsDigest: row.events_digest,
      payload: row.payload,
    }
    const hash = rowHash(prevHash, row.epoch, batch)
    await store.pool.query('update journal set prev_hash = $2, hash = $3 where seq = $1', [
      row.seq,
      Buffer.from(prevHash),
      Buffer.from(hash),
    ])
    prevHash = hash
  }
}

test('JOURNAL-PROJECTION-006: of two projectors one continues and the other stops', async () => {
  const { store, written } = await journal(5, 6)
  await projectTo(written.seq, { store })
  await using one = await startProjector({ store })
  await using two = await startProjector({ store })
  await written.trade(30)
  await Promise.all([one, two].map((each) => each.reached(written.seq).catch(() => undefined)))
  const failed = [one, two].filter((each: Projector) => each.failed !== undefined)
  assert.equal(failed.length, 1)
  await keep(store.pool)
  await emptyProjection(store.pool)
  await projectTo(written.seq, { store })
  assert.deepEqual(await differences(store.pool), {})
})

test('JOURNAL-PROJECTION-008: terms that change in the middle of a minute leave its candles complete', async () => {
  const { store, written } = await journal(0, 7)
  for (let round = 0; round < 4; round++) {
    await written.trade(20, 20, 2_000)
    const { markets } = written.exchange.listing()
    await written.append(
      markets.map(({ id: market, terms, perp }) =>
        perp === undefined ? { type: 'market.set', market, terms } : { type: 'perp.set', market, terms, perp },
      ),
    )
  }
  await written.trade(40, 20, 4_000)
  await projectTo(written.seq, { store, rowsMax: 1e9 })
  await keep(store.pool)
  const { rows } = await store.pool.query<{ table: string; bars: number; markets: number }>(
    `select 'candles_1m' as table, count(*) as bars, count(distinct market) as markets from candles_1m
     union all select 'mark_candles_1m', count(*), count(distinct market) from mark_candles_1m`,
  )
  for (const { table, bars, markets } of rows) assert.ok(bars > markets && markets > 0, `${table} has ${bars} bars`)
  const { rows: wrong } = await store.pool.query(
    `select market, open_time from candles_1m minute where trades is distinct from
       (select count(*) from trades where trades.market = minute.market and at_ms - at_ms % 60000 = open_time and maker_user <> taker_user)`,
  )
  assert.deepEqual(wrong, [])
  await emptyProjection(store.pool)
  await projectTo(written.seq, { store, rowsMax: 1 })
  assert.deepEqual(await differences(store.pool), {})
})

test('the watermark and the lag are reported, and a link wakes the projector at once', async () => {
  const { store, written } = await journal(2, 7)
  let tell: (seq: number) => void = () => undefined
  const link = { onHead: (listener: (seq: number) => void) => ((tell = listener), () => undefined) }
  await using projector = await startProjector({ store, link })
  await projector.reached(written.seq)
  assert.deepEqual(projector.lag, { commands: 0, ms: 0 })
  const seen: number[] = []
  projector.onWatermark(({ seq }) => seen.push(seq))
  await new Promise((resolve) => setTimeout(resolve, 60))
  await written.trade(1)
  const started = performance.now()
  tell(written.seq)
  assert.ok(projector.lag.commands > 0)
  await projector.reached(written.seq)
  assert.ok(performance.now() - started < 500, 'it must not have waited for the next look')
  assert.deepEqual(seen.at(-1), written.seq)
  assert.deepEqual(projector.watermark, { seq: written.seq, at: written.at })
})

test('a journal that ends before the tables do, or begins after the first command, is a fault', async () => {
  const { store, written } = await journal(5, 8)
  await projectTo(written.seq, { store })
  await store.pool.query('delete from journal where seq > (select seq from journal order by seq offset 1 limit 1)')
  await assert.rejects(startProjector({ store }), /Journal damaged/)
  await store.pool.query('delete from journal where seq = (select min(seq) from journal)')
  await assert.rejects(emptyProjection(store.pool), /journal begins after/)
})

test('JOURNAL-PROJECTION-007: the pause after many commands ends as soon as a reader waits for later ones', async () => {
  const { store, written } = await journal(60, 7)
  await using projector = await startProjector({ store, busyPaceMs: 600_000 })
  await projector.reached(written.seq)
  await written.trade(1)
  const isThere = projector.reached(written.seq)
  let haste = 0
  const asking = setInterval(() => {
    haste++
    projector.hurry()
  }, 20)
  await isThere
  clearInterval(asking)
  assert.ok(haste > 0)
  assert.equal(projector.watermark.seq, written.seq)
})
