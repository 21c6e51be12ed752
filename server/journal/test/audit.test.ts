import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { audit, type AuditOptions } from '../audit.ts'

let server: ScratchServer
let store: Store
let written: WrittenJournal

before(async () => {
  server = await startScratchServer()
  await restore()
})
after(() => server[Symbol.asyncDispose]())

async function project(snapshotEvery: number, tapeKeptMs?: number): Promise<void> {
  await using projector = await startProjector({ store, snapshotEvery, ...(tapeKeptMs === undefined ? {} : { tapeKeptMs }) })
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

test('JOURNAL-AUDIT-002: an audit from a later position begins at a snapshot, and comes to the same result', async () => {
  const whole = await audit({ pool: store.pool })
  const { from, ...rest } = await audit({ pool: store.pool, from: written.seq })
  assert.ok(from > 0)
  assert.deepEqual({ ...rest, from: 0 }, whole)
})

/** Changes that somebody with access to the database could make, and the audit's sentence about each. */
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
    /Journal damaged at \d+: its content does not match its hash/,
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
  test(`JOURNAL-AUDIT-003: the audit reports when ${name}`, () => isFound(sql, expected))
}

/** A row of each table, as SQL, and one of its columns with another value. */
const rows: readonly (readonly [string, string, string])[] = [
  ['options', 'id = (select min(id) from options where result is not null)', 'payout = payout + 1'],
  ['options', 'id = (select max(id) from options where result is not null)', "result = case result when 'win' then 'lose' else 'win' end"],
  ['options', 'id = (select max(id) from options)', 'reference = reference + 0.00000001'],
  ['index_tape', 'tick = 20', 'at_ms = at_ms + 1'],
  ['index_tape', 'tick = (select max(tick) from index_tape)', 'payload = set_byte(payload, 1, get_byte(payload, 1) # 1)'],
  ['positions', 'position = (select min(position) from positions)', 'quantity = quantity * 2'],
  ['positions', 'position = (select max(position) from positions)', 'liquidation_price = null'],
  ['closed_positions', 'position = (select min(position) from closed_positions)', 'realised = realised + 1'],
  ['funding_payments', '(seq, line) = (select seq, line from funding_payments order by seq, line limit 1)', 'amount = -amount'],
  ['funding_rates', '(market, at_ms) = (select market, at_ms from funding_rates order by at_ms limit 1)', 'rate = rate + 0.0000001'],
  ['liquidations', '(seq, line) = (select seq, line from liquidations order by seq, line limit 1)', 'mark = mark + 0.1'],
  ['deleverages', '(seq, line) = (select seq, line from deleverages order by seq, line limit 1)', 'user_id = user_id + 1'],
  ['perp_marks', "market = 'BTCUSDTPERP'", 'mark = mark + 0.1'],
  ['perp_days', '(user_id, day_ms) = (select user_id, day_ms from perp_days limit 1)', 'unrealised = unrealised + 1'],
  ['loan_changes', '(seq, line) = (select seq, line from loan_changes order by seq, line limit 1)', "cause = 'interest'"],
  ['debt_days', '(user_id, market, asset, day_ms) = (select user_id, market, asset, day_ms from debt_days limit 1)', 'owed = owed + 1'],
  ['lend_claims', "user_id = 1 and asset = 'BTC'", 'earned = earned + 1'],
  ['lend_rates', '(asset, hour_ms) = (select asset, hour_ms from lend_rates limit 1)', 'rate = rate + 1'],
  ['fund_inventory', '(market, at_ms) = (select market, at_ms from fund_inventory limit 1)', 'cost = cost + 1'],
  ['insurance_days', '(asset, day_ms) = (select asset, day_ms from insurance_days limit 1)', 'balance = balance + 1'],
  [
    'balance_days',
    "user_id = 3 and kind = 'spot' and asset = 'USDT' and day_ms = (select min(day_ms) from balance_days)",
    'total = total - 1',
  ],
  ['core_credits', 'network = 2 and credit = 3', 'taken = taken - 1'],
  ['core_withdrawals', "state = 'paid'", 'fee = fee + 1'],
  ['core_withdrawals', "state = 'approved'", 'first_staff = 9'],
  ['core_users', 'user_id = 7', 'is_certified = false'],
  ['markets', 'id = 1', "definition = jsonb_set(definition, '{terms,takerFeePpm}', '1')"],
  ['orders', "id = (select min(id) from orders where status = 'filled')", "client_id = 'another'"],
  ['ledger_entries', '(seq, line) = (select seq, line from ledger_entries order by seq, line limit 1 offset 100)', "reason = 'transfer'"],
  ['candles_1m', '(market, open_time) = (select market, open_time from candles_1m order by 1, 2 limit 1)', 'high = high + 1'],
  ['mark_candles_1m', '(market, open_time) = (select market, open_time from mark_candles_1m order by 1, 2 limit 1)', 'high = high + 1'],
  ['volume_hours', 'hour = (select min(hour) from volume_hours)', 'usdt = usdt + 1'],
  ['figure_hours', 'hour = (select min(hour) from figure_hours)', 'fees = fees + 1'],
  ['trader_days', '(day_ms, user_id) = (select day_ms, user_id from trader_days limit 1)', 'hour = hour + 1'],
  ['fund_days', '(fund, asset, day_ms) = (select fund, asset, day_ms from fund_days limit 1)', 'balance = balance + 1'],
]

test('JOURNAL-AUDIT-004: the audit names each changed row of every table, and the difference', async () => {
  await restore({ isLong: true })
  await areFound(
    rows.map(([table, row, change]) => [
      `update ${table} set ${change} where ${row}`,
      new RegExp(`^The table ${table} differs from the journal at .+: .*\\b${change.slice(0, change.indexOf(' '))} is .+ instead of`),
    ]),
  )
})

test('JOURNAL-AUDIT-004: the audit names each removed row of every table', async () => {
  await restore({ isLong: true })
  const one = new Map(rows.map(([table, row]) => [table, row]))
  await areFound(
    [...one].map(([table, row]) => [
      `delete from ${table} where ${row}`,
      new RegExp(`^The table ${table} lacks .+, which the journal gives`),
    ]),
  )
})

const madeUp: readonly (readonly [string, string])[] = [
  ['options', 'insert into options select (jsonb_populate_record(o, \'{"id": 900000}\')).* from options o limit 1'],
  ['index_tape', 'insert into index_tape select 900000, at_ms, hash, payload from index_tape where tick = 3'],
  ['positions', 'insert into positions select (jsonb_populate_record(p, \'{"position": 900000}\')).* from positions p limit 1'],
  ['loan_changes', 'insert into loan_changes select (jsonb_populate_record(l, \'{"seq": 900000}\')).* from loan_changes l limit 1'],
  ['lend_claims', "insert into lend_claims values (17, 'USDT', 900000, 0)"],
]

test('JOURNAL-AUDIT-004: the audit names each row that was made up', async () => {
  await restore({ isLong: true })
  await areFound(madeUp.map(([table, sql]) => [sql, new RegExp(`^The table ${table} has .+, which no journal gives`)]))
})

test('JOURNAL-AUDIT-004: an audit from a later position names changed rows written after it', async () => {
  const sql = 'update options set stake = stake + 1 where id = (select max(id) from options)'
  await isFound(sql, /^The table options differs .+ stake is/, { from: written.seq })
})

test('JOURNAL-AUDIT-004: an audit from a later position also names a missing user', async () => {
  await isFound('delete from core_users', /^The tables can't be written again from here: /, { from: written.seq })
})

test('JOURNAL-AUDIT-002: a snapshot of another version of the core is named, and skipped', async () => {
  await isFound('update snapshots set core_version = 99', /the snapshot was made by version 99 of the core/, { from: written.seq })
})

test('JOURNAL-AUDIT-005: a tape whose old ticks were deleted by its rule passes, and one that lacks others does not', async () => {
  const tapeKeptMs = 3_600_000
  await restore({ isLong: true, tapeKeptMs })
  const { rows: kept } = await store.pool.query('select min(tick) as first, count(*) as count from index_tape')
  assert.ok(kept[0].first > 1 && kept[0].count > 5, JSON.stringify(kept))
  assert.deepEqual((await audit({ pool: store.pool, tapeKeptMs })).problems, [])
  const { problems } = await audit({ pool: store.pool })
  assert.match(problems.join(), /The table index_tape lacks 1, /)
  await isFound(`delete from index_tape where tick = ${kept[0].first}`, new RegExp(`lacks ${kept[0].first}, `), { tapeKeptMs })
})

const isFound = (sql: string, expected: RegExp, more: Partial<AuditOptions> = {}): Promise<void> => areFound([[sql, expected]], more)

/** Makes all these changes to one exchange and checks that the audit reports each. Restores the exchange afterwards. */
async function areFound(done: readonly (readonly [sql: string, expected: RegExp])[], more: Partial<AuditOptions> = {}): Promise<void> {
  try {
    for (const [sql] of done) assert.ok(((await store.pool.query(sql)).rowCount ?? 0) > 0, `${sql} changed nothing`)
    const { ok, problems } = await audit({ pool: store.pool, ...more })
    assert.equal(ok, false)
    for (const [sql, expected] of done)
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        `${sql}\n${problems.join('\n')}`,
      )
  } finally {
    await restore()
  }
}

/** A new database with the same journal, without the changes. */
async function restore({ isLong = false, tapeKeptMs }: { readonly isLong?: boolean; readonly tapeKeptMs?: number } = {}): Promise<void> {
  store = await server.store()
  written = new WrittenJournal(store.pool)
  await written.open()
  await written.trade(45)
  // Hours and a midnight pass, so that every table has a row.
  if (isLong) await written.trade(120, 20, 90_000)
  await project(250, tapeKeptMs)
  await written.trade(5)
}
