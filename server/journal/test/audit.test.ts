import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { audit } from '../audit.ts'

let server: ScratchServer
let store: Store
let written: WrittenJournal

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  written = new WrittenJournal(store.pool)
  await written.open()
  await written.trade(45)
  await project(250)
  await written.trade(5)
})
after(() => server[Symbol.asyncDispose]())

async function project(snapshotEvery: number): Promise<void> {
  await using projector = await startProjector({ store, snapshotEvery })
  await projector.reached(written.seq)
}

test("JOURNAL-AUDIT-001: an untouched exchange passes, with the core's own hash and totals that sum to zero", async () => {
  const report = await audit({ pool: store.pool })
  assert.deepEqual(report.problems, [])
  assert.equal(report.ok, true)
  assert.equal(report.from, 0)
  assert.equal(report.seq, written.seq)
  assert.ok(report.projected < written.seq, 'the tables are behind, and compared where they stand')
  assert.equal(report.hash, written.exchange.hash())
  for (const { customers, exchange, outside } of Object.values(report.totals)) {
    assert.ok(Math.abs(Number(customers) + Number(exchange) + Number(outside)) < 1e-4)
    assert.ok(Number(customers) > 0 && Number(exchange) > 0 && Number(outside) < 0)
  }
})

test('JOURNAL-AUDIT-002: from a later place it begins at a snapshot, and comes to the same', async () => {
  const whole = await audit({ pool: store.pool })
  const { from, ...rest } = await audit({ pool: store.pool, from: written.seq })
  assert.ok(from > 0)
  assert.deepEqual({ ...rest, from: 0 }, whole)
})

/** What somebody with access to the database could do, and what the audit says of it. */
const tamperings: readonly (readonly [string, string, RegExp])[] = [
  [
    'a balance is raised',
    "update balances set available = available + 1 where user_id = 3 and asset = 'USDT' and kind = 'spot'",
    /3\/spot\/\/USDT/,
  ],
  [
    'a balance is made up',
    'insert into balances select 999, kind, market, asset, 5, 0, 1 from balances where user_id = 3 limit 1',
    /999\/.*the ledger nothing/,
  ],
  ['a balance is gone', "delete from balances where user_id = 5 and asset = 'BTC'", /5\/spot\/\/BTC/],
  [
    'a balance and its entries are raised together',
    `with raised as (update balances set available = available + 1 where user_id = 3 and asset = 'USDT' and kind = 'spot')
    update ledger_entries set delta = delta + 1, available = available + 1 where user_id = 3 and asset = 'USDT' and reason = 'faucet' and line = 2`,
    /of 3\/spot\/\/USDT/,
  ],
  [
    'an entry is changed',
    'update ledger_entries set delta = delta + 0.5 where (seq, line) = (select seq, line from ledger_entries order by seq limit 1 offset 100)',
    /ledger entry/,
  ],
  [
    'an entry is gone',
    "delete from ledger_entries where (seq, line) = (select seq, line from ledger_entries where reason = 'trade' limit 1)",
    /ledger entr/,
  ],
  [
    'a trade is changed',
    'update trades set quantity = quantity * 2, quote = quote * 2 where trade_id = 7',
    /other trades than the journal/,
  ],
  ['a trade is given to another', 'update trades set taker_user = taker_user + 1 where trade_id = 7', /other trades than the journal/],
  ['a trade is gone', "delete from trades where trade_id = 9 and market = 'BTCUSDT'", /other trades than the journal: BTCUSDT/],
  [
    'an order is changed',
    "update orders set executed = executed + 1 where id = (select min(id) from orders where status = 'filled')",
    /Orders and trades differ/,
  ],
  [
    'a journal row is changed',
    'update journal set payload = set_byte(payload, 40, get_byte(payload, 40) # 1) where seq = (select seq from journal order by seq offset 20 limit 1)',
    /Journal damaged at \d+: its content does not give its hash/,
  ],
  [
    'a journal hash is changed',
    'update journal set hash = set_byte(hash, 3, get_byte(hash, 3) # 1) where seq = (select seq from journal order by seq offset 20 limit 1)',
    /Journal damaged/,
  ],
  ['a journal row is gone', 'delete from journal where seq = (select seq from journal order by seq offset 20 limit 1)', /Journal damaged/],
  ['the end of the journal is gone', 'delete from journal where seq > (select seq from projection) - 100', /the journal ends at/],
]

for (const [name, sql, expected] of tamperings) {
  test(`JOURNAL-AUDIT-003: it is found when ${name}`, async () => {
    const client = await store.pool.connect()
    try {
      await client.query('begin')
      const { rowCount } = await client.query(sql)
      assert.ok((rowCount ?? 0) > 0, 'nothing was changed')
      await client.query('commit')
      const report = await audit({ pool: store.pool })
      assert.equal(report.ok, false)
      assert.ok(
        report.problems.some((problem) => expected.test(problem)),
        JSON.stringify(report.problems, null, 1),
      )
    } finally {
      client.release()
      await restore()
    }
  })
}

/** A new database with the same journal, whatever was done to the one before. */
async function restore(): Promise<void> {
  store = await server.store()
  written = new WrittenJournal(store.pool)
  await written.open()
  await written.trade(45)
  await project(250)
  await written.trade(5)
}
