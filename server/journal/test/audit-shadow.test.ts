import { Exchange } from '@candor/core/exchange/exchange.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { ShadowTables } from '../audit-shadow.ts'
import { readHead, readJournal } from '../read.ts'
import { replayRow } from '../replay.ts'
import { emptyHead, type Head } from '../row.ts'
import { secret } from '../secret.ts'

/** Shorter than the journal takes. It begins just before midnight, and at the full hour older ticks are deleted. */
const tapeKeptMs = 2000
let server: ScratchServer
let store: Store
/** The state in the middle of the journal, before midnight, with an order that was triggered before and changes after. */
let middle: { readonly dump: Uint8Array; readonly place: Head }
before(async () => {
  server = await startScratchServer()
  store = await server.store()
  const written = new WrittenJournal(store.pool, 1, Date.UTC(2026, 0, 15, 23, 59, 55))
  await written.open()
  await written.trade(15)
  middle = { dump: written.exchange.dump(), place: await readHead(store.pool) }
  await written.trade(45)
  await using projector = await startProjector({ store, tapeKeptMs })
  await projector.reached(written.seq)
})
after(() => server[Symbol.asyncDispose]())

type Opened = { readonly client: pg.PoolClient; readonly shadow: ShadowTables; readonly replay: () => Promise<readonly string[]> }

type From = { readonly isFromMiddle?: boolean; readonly keepsAllTicks?: boolean }

/** Shadow tables for a replay from the first command, or from the middle, in a transaction that is rolled back. */
async function withShadow(use: (opened: Opened) => Promise<void>, { isFromMiddle, keepsAllTicks }: From = {}): Promise<void> {
  const client = await store.pool.connect()
  const exchange = isFromMiddle ? Exchange.restore(middle.dump, secret) : Exchange.create(secret)
  const place = isFromMiddle ? middle.place : emptyHead
  try {
    await client.query('begin')
    const shadow = await ShadowTables.open(client, { exchange, place, tapeKeptMs: keepsAllTicks ? undefined : tapeKeptMs })
    const replay = async () => {
      const events = new Records()
      for await (const row of readJournal(store.pool, place)) {
        await shadow.add(events, replayRow(exchange, row, events))
      }
      return await shadow.differences()
    }
    await use({ client, shadow, replay })
  } finally {
    client.release(true)
  }
}
/** The differences after a change to the real tables, which is then taken back. */
async function differencesAfter({ client, shadow }: Opened, sql: string): Promise<readonly string[]> {
  await client.query(`savepoint untouched; ${sql}`)
  const found = await shadow.differences()
  await client.query('rollback to untouched')
  return found
}

test('JOURNAL-AUDIT-004: a changed, a removed and a made up row are named, in the order of their keys, at most ten of a table', async () => {
  await withShadow(async (opened) => {
    assert.deepEqual(await opened.replay(), [], 'untouched, and without the ticks that the hour deleted')
    assert.deepEqual(await differencesAfter(opened, 'update public.core_users set tier = tier + 3 where user_id = 7'), [
      'The table core_users differs from the journal at 7: tier is 3 instead of 0',
    ])
    assert.deepEqual(await differencesAfter(opened, 'update public.core_users set tier = 1, referrer = 2 where user_id in (7, 6)'), [
      'The table core_users differs from the journal at 6: tier is 1 instead of 0, referrer is 2 instead of 0',
      'The table core_users differs from the journal at 7: tier is 1 instead of 0, referrer is 2 instead of 0',
    ])
    assert.deepEqual(await differencesAfter(opened, "delete from public.balances where user_id = 3 and kind = 'spot' and asset = 'USDT'"), [
      'The table balances lacks 3 spot  USDT, which the journal gives',
    ])
    const more = "insert into public.balances values (99, 'spot', '', 'USDT', 1, 0, 1)"
    assert.deepEqual(await differencesAfter(opened, more), ['The table balances has 99 spot  USDT, which no journal gives'])
    const placed = await differencesAfter(
      opened,
      'update public.orders set price = null where id = (select min(id) from public.orders where price > 0)',
    )
    assert.match(placed.join(), /^The table orders differs from the journal at \d+: price is nothing instead of [\d.]+$/)
    const all = await differencesAfter(opened, 'update public.core_users set tier = 5; delete from public.assets')
    assert.equal(all.length, 10 + 3)
    assert.deepEqual(
      all.filter((problem) => problem.includes('assets')),
      [1, 2, 3].map((id) => `The table assets lacks ${id}, which the journal gives`),
    )
  })
})

test('JOURNAL-AUDIT-004: reference candles are not from the journal, and other candles are', async () => {
  await withShadow(async (opened) => {
    await opened.replay()
    const reference = `insert into public.candles_1m
      select (jsonb_populate_record(c, '{"open_time": 60000, "is_reference": true}')).* from public.candles_1m c limit 1`
    assert.deepEqual(await differencesAfter(opened, reference), [])
    const [made] = await differencesAfter(opened, reference.replace('true', 'false'))
    assert.match(made!, /^The table candles_1m has \S+ 60000, which no journal gives$/)
  })
})

/** Tables whose sums began before a later position: changes of them are not found from there. */
const whole = [
  ['lend_claims', 'earned = earned + 1'],
  ['volume_hours', 'usdt = usdt + 1'],
  ['figure_hours', 'fees = fees + 1'],
  ['trader_days', 'hour = hour + 1'],
  ['perp_marks', 'mark = mark + 1'],
  ['perp_days', 'unrealised = unrealised + 1'],
  ['liquidations', 'mark = mark + 1'],
  ['candles_1m', 'high = high + 1'],
  ['mark_candles_1m', 'high = high + 1'],
] as const

test('JOURNAL-AUDIT-004: a replay from a later position compares what it writes, but no sums that began before it', async () => {
  await withShadow(
    async (opened) => {
      assert.deepEqual(await opened.replay(), [])
      for (const [table, change] of whole)
        assert.deepEqual(await differencesAfter(opened, `update public.${table} set ${change}`), [], table)
      const order = 'update public.orders set executed = executed + 1 where id = (select max(id) from public.orders)'
      assert.match((await differencesAfter(opened, order)).join(), /^The table orders differs .+: executed is/)
      const gone = 'delete from public.orders where id = (select max(id) from public.orders)'
      assert.match((await differencesAfter(opened, gone)).join(), /^The table orders lacks \d+, /)
    },
    { isFromMiddle: true },
  )
  await withShadow(async (opened) => {
    await opened.replay()
    for (const [table, change] of whole) {
      const found = await differencesAfter(opened, `update public.${table} set ${change}`)
      const { rowCount } = await opened.client.query(`select from public.${table}`)
      assert.equal(found.length, Math.min(rowCount!, 10), table)
    }
  })
})

test('JOURNAL-AUDIT-005: a replay that keeps all ticks finds that those of before the hour are missing', async () => {
  await withShadow(
    async ({ replay }) => {
      const found = await replay()
      assert.ok(found.length > 0)
      for (const problem of found) assert.match(problem, /^The table index_tape lacks \d+, which the journal gives$/)
    },
    { keepsAllTicks: true },
  )
})

test('JOURNAL-AUDIT-004: tables that contradict the journal about its users are reported once, with the first contradiction', async () => {
  const client = await store.pool.connect()
  try {
    await client.query('begin; delete from core_users')
    const exchange = Exchange.restore(middle.dump, secret)
    const shadow = await ShadowTables.open(client, { exchange, place: middle.place, tapeKeptMs })
    const events = new Records()
    const said = new Set<string>()
    for await (const row of readJournal(store.pool, middle.place)) {
      await shadow.add(events, replayRow(exchange, row, events))
      const found = await shadow.differences()
      if (found[0]?.startsWith("The tables can't") === true) said.add(found.join())
    }
    assert.equal(said.size, 1)
    assert.match([...said][0]!, /^The tables can't be written again from here: .+/)
  } finally {
    client.release(true)
  }
})

test('JOURNAL-AUDIT-004: the connection of the audit can change no table of the exchange', async () => {
  const client = await store.pool.connect()
  try {
    await ShadowTables.open(client, { exchange: Exchange.create(secret), place: emptyHead, tapeKeptMs: undefined })
    await client.query("insert into core_users values (1, 'retail', 0, false, 0, false, false)")
    await assert.rejects(client.query('update public.core_users set tier = 1'), { code: '25006' })
  } finally {
    client.release(true)
  }
})
