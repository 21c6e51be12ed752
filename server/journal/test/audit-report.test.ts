import { Exchange } from '@candor/core/exchange/exchange.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { constants, getPriority } from 'node:os'
import { after, before, mock, test } from 'node:test'
import type pg from 'pg'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { audit } from '../audit.ts'
import { readHead, readJournal } from '../read.ts'
import { chain, coreVersion, coreVersionsBefore, emptyHead, type Row } from '../row.ts'
import { saveSnapshot } from '../snapshots.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const terms = { makerFeePpm: 800, takerFeePpm: 1000, notionalMin: 1, lotsMin: 1, lotsMax: 1e7, bandPpm: 900_000, slippagePpm: 50_000 }
const market = {
  symbol: 'BTCUSDT',
  base: 2,
  quote: 1,
  tick: '0.1',
  lot: '0.00001',
  terms: { ...terms, openOrdersMax: 200, isTrading: true },
}
const order = { type: 'spot.place', user: 1, market: 1, clientId: 'a', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false } as const
/** Six rows: two assets and a market; a user; money; the exchange's own money; an order that waits; a tick. */
const batches = [
  [
    commandOf({ type: 'asset.list', symbol: 'USDT', scale: 6 }),
    commandOf({ type: 'asset.list', symbol: 'BTC', scale: 8 }),
    commandOf({ type: 'market.list', ...market }),
  ],
  [commandOf({ type: 'user.open', requestId: 'open', class: 'retail', referrer: 0 })],
  [commandOf({ type: 'funds.faucet', user: 1, clientId: 'start', asset: 1, amount: 10_000_000 })],
  [commandOf({ type: 'funds.system', account: 'option-house', asset: 1, amount: 2_500_000 })],
  [commandOf({ ...order, side: 'buy', price: 600_000, lots: 10, selfTrade: 'expire-taker' })],
  [commandOf({ type: 'clock.tick' })],
] as const
const last = 8
/** Position after the row of the user, of the money, of the exchange's money and of the order. */
const [userAt, moneyAt, ownAt, orderAt] = [4, 5, 6, 7]

type Made = { readonly snapshots?: readonly number[]; readonly projectedTo?: number; readonly madeBy?: number }

/** The journal with snapshots at these positions, and tables up to `projectedTo`. */
async function written(store: Store, { snapshots = [], projectedTo = last, madeBy = coreVersion }: Made = {}): Promise<WrittenJournal> {
  const journal = new WrittenJournal(store.pool)
  for (const batch of batches) {
    await journal.append(batch)
    const { seq } = journal
    if (snapshots.includes(seq)) {
      await saveSnapshot(store.pool, { ...(await readHead(store.pool)), coreVersion: madeBy, dump: journal.exchange.dump() })
    }
    if (seq !== projectedTo) continue
    await using projector = await startProjector({ store })
    await projector.reached(seq)
  }
  return journal
}

/** A pool whose connections make a change just before they first send a text that begins so. */
function changing({ pool }: Store, begin: string, change: string | (() => Promise<unknown>)): pg.Pool {
  let isMade = false
  const make = (): Promise<unknown> => {
    isMade = true
    return typeof change === 'string' ? pool.query(change) : change()
  }
  const connect = async () => {
    const client = await pool.connect()
    const query: (...of: readonly unknown[]) => unknown = client.query.bind(client)
    const changed = (...of: readonly unknown[]): unknown =>
      !isMade && String(of[0]).startsWith(begin) ? make().then(() => query(...of)) : query(...of)
    return Object.assign(client, { query: changed })
  }
  return Object.assign(Object.create(pool), { connect, query: pool.query.bind(pool) })
}

test('JOURNAL-AUDIT-001: the report has the positions, the hashes, and totals to the unit', async () => {
  await using store = await server.store()
  const journal = await written(store, { snapshots: [moneyAt], projectedTo: orderAt })
  const told: number[] = []
  const report = await audit({ pool: store.pool, onProgress: (seq) => told.push(seq) })
  assert.deepEqual(report, {
    ...{ ok: true, problems: [], from: 0, upgradedAt: 0, seq: last, projected: orderAt },
    hash: journal.exchange.hash(),
    journalHash: Buffer.from((await readHead(store.pool)).hash).toString('hex'),
    // The order holds 10 lots at 60000: 6 USDT. It is the customer's like the rest.
    totals: { USDT: { customers: '10', exchange: '2.5', outside: '-12.5' }, BTC: { customers: '0', exchange: '0', outside: '0' } },
  })
  assert.deepEqual(told, [3, userAt, moneyAt, ownAt, orderAt, last])
  const again = await audit({ pool: store.pool })
  assert.deepEqual(again, report, 'a second audit finds nothing of the first')
})

test('JOURNAL-AUDIT-001: totals count what is available and what is held; an asset that does not sum to zero is named with its sum', async () => {
  await using store = await server.store()
  await written(store)
  const accounts = [
    { account: { user: 1, kind: 'spot', asset: 1 }, available: 5_000_000, held: 2_000_000 },
    { account: { system: 'fees', asset: 1 }, available: 300_000, held: 20_000 },
    { account: { system: 'outside:sandbox', asset: 1 }, available: -7_000_000, held: -100_000 },
  ]
  const mocked = [
    mock.method(Exchange.prototype, 'accounts', () => accounts),
    mock.method(Exchange.prototype, 'trialBalance', () => ({ sums: [], violations: ['owner 7 asset 1 below zero'] })),
  ]
  const { ok, totals, problems } = await audit({ pool: store.pool }).finally(() => {
    for (const one of mocked) one.mock.restore()
  })
  assert.deepEqual(totals['USDT'], { customers: '7', exchange: '0.32', outside: '-7.1' })
  assert.deepEqual([ok, problems.slice(-2)], [false, ['USDT sums to 0.22 instead of zero', 'owner 7 asset 1 below zero']])
})

test('JOURNAL-AUDIT-001: an exchange without commands passes', async () => {
  await using store = await server.store()
  const { ok, from, seq, projected, totals } = await audit({ pool: store.pool })
  assert.deepEqual({ ok, from, seq, projected, totals }, { ok: true, from: 0, seq: 0, projected: 0, totals: {} })
})

test('JOURNAL-AUDIT-002: an audit begins at the newest snapshot up to the wanted position and to that of the tables', async () => {
  await using store = await server.store()
  await written(store, { snapshots: [userAt, ownAt, orderAt], projectedTo: ownAt })
  const begun = async (from?: number) => {
    const { ok, from: place, seq, totals } = await audit({ pool: store.pool, from })
    assert.deepEqual([ok, seq, totals['USDT']?.customers], [true, last, '10'])
    return place
  }
  assert.equal(await begun(), 0)
  assert.equal(await begun(3), 0)
  assert.equal(await begun(userAt), userAt)
  assert.equal(await begun(moneyAt), userAt)
  assert.equal(await begun(last), ownAt, 'the tables end before the newest snapshot')
})

test('JOURNAL-AUDIT-002: a snapshot that belongs to another journal is named, and an older one is used', async () => {
  await using store = await server.store()
  await written(store, { snapshots: [userAt, ownAt] })
  await store.pool.query(
    `update snapshots set journal_hash = set_byte(journal_hash, 0, 255 - get_byte(journal_hash, 0)) where seq = ${ownAt}`,
  )
  const { ok, from, problems } = await audit({ pool: store.pool, from: last })
  assert.deepEqual([ok, from, problems], [false, userAt, [`Journal damaged at ${ownAt}: the snapshot was not made from this journal`]])
})

test('JOURNAL-AUDIT-002: a journal whose first rows were removed is audited from a snapshot of that place only', async () => {
  await using store = await server.store()
  await written(store, { snapshots: [userAt, moneyAt, orderAt] })
  await store.pool.query(`delete from journal where seq <= ${moneyAt}`)
  const begun = async (from?: number) => {
    const { ok, from: place } = await audit({ pool: store.pool, from })
    return [ok, place]
  }
  assert.deepEqual(await begun(), [true, moneyAt])
  assert.deepEqual(await begun(userAt), [true, moneyAt])
  assert.deepEqual(await begun(last), [true, orderAt])
  await store.pool.query(`delete from snapshots where seq = ${moneyAt}`)
  const { ok, from, problems } = await audit({ pool: store.pool })
  assert.deepEqual([ok, from], [false, 0], 'neither the older nor the newer snapshot')
  assert.equal(problems[0], `The journal begins after ${moneyAt}, and there is no usable snapshot of that place`)
  assert.match(problems[1]!, /^Journal damaged at \d+: /)
})

/** Writes the rows again as they would be if an earlier build had decided those up to a place. */
async function decidedBy({ pool }: Store, version: number, to: number): Promise<void> {
  let head = emptyHead
  const rows: Row[] = []
  for await (const row of readJournal(pool)) rows.push(row)
  for (const { epoch, ...batch } of rows) {
    const {
      seq,
      prevHash,
      hash,
      coreVersion: by,
    } = (head = chain(head, epoch, { ...batch, coreVersion: batch.seq <= to ? version : coreVersion }))
    await pool.query('update journal set core_version = $2, prev_hash = $3, hash = $4 where seq = $1', [
      ...[seq, by, Buffer.from(prevHash), Buffer.from(hash)],
    ])
    await pool.query('update snapshots set journal_hash = $2 where seq = $1', [seq, Buffer.from(hash)])
  }
}

for (const before of coreVersionsBefore) {
  test(`ENGINE-UPGRADE-001: commands that version ${before} decided are left to that build, and named by their position`, async () => {
    await using store = await server.store()
    await written(store, { snapshots: [moneyAt], madeBy: before })
    await decidedBy(store, before, moneyAt)
    const { ok, problems, from, upgradedAt, seq, totals } = await audit({ pool: store.pool })
    assert.deepEqual({ ok, problems, from, upgradedAt, seq }, { ok: true, problems: [], from: moneyAt, upgradedAt: moneyAt, seq: last })
    assert.deepEqual(totals['USDT'], { customers: '10', exchange: '2.5', outside: '-12.5' })
  })
}

test('JOURNAL-AUDIT-011: what the database does for an audit has the lowest priority', { skip: process.platform !== 'linux' }, async () => {
  await using store = await server.store()
  await written(store)
  let priority: number | undefined
  const pool = changing(store, 'commit', async () => {
    const ofAudit = `select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
    priority = getPriority((await store.pool.query(ofAudit)).rows[0].pid)
  })
  assert.equal((await audit({ pool })).ok, true)
  assert.equal(priority, constants.priority.PRIORITY_LOW)
})

test('JOURNAL-AUDIT-009: of the rows that an earlier build decided, one that was changed or removed is named', async () => {
  for (const [change, problem] of [
    [
      `update journal set payload = set_byte(payload, 0, 255 - get_byte(payload, 0)) where seq = ${userAt}`,
      /damaged at 4: its content does not match its hash/,
    ],
    [`delete from journal where seq = ${userAt}`, /damaged at 5: 1 commands can't follow 3/],
    [
      `update snapshots set journal_hash = set_byte(journal_hash, 0, 255 - get_byte(journal_hash, 0))`,
      /The state at 5, where the replay begins, is not of this journal/,
    ],
  ] as const) {
    await using store = await server.store()
    await written(store, { snapshots: [moneyAt], madeBy: coreVersion - 1 })
    await decidedBy(store, coreVersion - 1, moneyAt)
    assert.deepEqual((await audit({ pool: store.pool })).problems, [])
    await store.pool.query(change)
    const { ok, problems } = await audit({ pool: store.pool })
    assert.equal(ok, false)
    assert.match(problems[0]!, problem)
  }
})

test('JOURNAL-AUDIT-008: before an audit as much of the disk is asked for as it takes, and it may be refused', async () => {
  await using store = await server.store()
  await written(store, { snapshots: [userAt] })
  const asked: number[] = []
  const mayTake = async (bytes: number): Promise<void> => void asked.push(bytes)
  let taken = 0
  const pool = changing(store, 'commit', async () => {
    const ofTemporary = `select sum(pg_total_relation_size(oid))::int as bytes from pg_class where relpersistence = 't' and relkind = 'r'`
    taken = (await store.pool.query(ofTemporary)).rows[0].bytes
  })
  assert.equal((await audit({ pool, mayTake })).ok, true)
  assert.ok(taken > 0 && asked[0]! >= taken, `${asked} bytes asked for, ${taken} taken`)
  const whole = asked[0]!
  asked.length = 0
  await audit({ pool: store.pool, from: userAt, mayTake })
  assert.ok(asked[0]! > whole / 4 && asked[0]! < whole, `a part takes ${asked[0]} of ${whole}`)
  await assert.rejects(audit({ pool: store.pool, mayTake: () => Promise.reject(new Error('no room')) }), /no room/)
})

test('JOURNAL-AUDIT-008: an audit that begins where an earlier build ended asks for room, too, and any audit again before it writes', async () => {
  await using store = await server.store()
  await written(store, { snapshots: [userAt], madeBy: coreVersion - 1 })
  let left = Infinity
  const mayTake = () => (left-- > 0 ? Promise.resolve() : Promise.reject(new Error('no room')))
  const { from } = await audit({ pool: store.pool, mayTake })
  assert.equal(from, userAt)
  for (left of [0, 1]) await assert.rejects(audit({ pool: store.pool, mayTake }), /no room/)
})

test('JOURNAL-AUDIT-003: tables that stand after the end of the journal are named, and not compared', async () => {
  await using store = await server.store()
  await written(store)
  await store.pool.query(`delete from journal where seq > ${ownAt}`)
  const { ok, seq, projected, problems } = await audit({ pool: store.pool })
  assert.deepEqual({ ok, seq, projected }, { ok: false, seq: ownAt, projected: last })
  assert.deepEqual(problems, [`The tables stand at ${last}, but the journal ends at ${ownAt}`])
})

test('JOURNAL-AUDIT-003: tables that go back during the audit are named, and not compared', async () => {
  await using store = await server.store()
  await written(store, { projectedTo: orderAt })
  const pool = changing(store, 'begin', `update projection set seq = ${moneyAt}`)
  const { ok, seq, projected, problems } = await audit({ pool })
  assert.deepEqual({ ok, seq, projected }, { ok: false, seq: last, projected: moneyAt })
  assert.deepEqual(problems, [`The tables went back to ${moneyAt} while they were being compared`])
})

test('JOURNAL-AUDIT-001: tables that move on during the audit are compared as they were at one moment', async () => {
  await using store = await server.store()
  await written(store, { projectedTo: orderAt })
  const change = 'update core_users set tier = tier + 1; update balances set available = available + 1'
  const { problems, projected } = await audit({ pool: changing(store, 'select concat_ws', change) })
  assert.deepEqual([problems, projected], [[], orderAt])
})

test('JOURNAL-AUDIT-003: tables that move on while the journal is replayed are compared where they stand then', async () => {
  await using store = await server.store()
  await written(store, { projectedTo: moneyAt })
  const moveOn = async (): Promise<void> => {
    await using projector = await startProjector({ store })
    await projector.reached(last)
    await store.pool.query('update balances set held = held + 1 where user_id = 1')
  }
  const { seq, projected, problems } = await audit({ pool: changing(store, 'begin', moveOn) })
  assert.deepEqual([seq, projected], [last, last])
  assert.deepEqual(problems, [
    'The ledger entries do not add up to the balance of 1/spot//USDT',
    'The table says 4.000000 and 7.000000 held of 1/spot//USDT, the ledger 4 and 6 held',
    'The table balances differs from the journal at 1 spot  USDT: held is 7.000000 instead of 6.000000',
  ])
})

test('JOURNAL-AUDIT-003: balances, trades and rows that differ are all named', async () => {
  await using store = await server.store()
  const journal = await written(store)
  await store.pool.query(
    `insert into trades values ('BTCUSDT', 1, ${orderAt}, ${journal.at}, 2, 3, 6, 'buy', 1, 2, 1, 1, 0, 0);
     update balances set held = held + 1 where user_id = 1`,
  )
  const { ok, problems } = await audit({ pool: store.pool })
  assert.equal(ok, false)
  assert.deepEqual(problems, [
    'The ledger entries do not add up to the balance of 1/spot//USDT',
    'Orders and trades differ in what was executed in BTCUSDT',
    'The table says 4.000000 and 7.000000 held of 1/spot//USDT, the ledger 4 and 6 held',
    'The table has other trades than the journal: BTCUSDT, taker bought',
    'The table trades has BTCUSDT 1, which no journal gives',
    'The table balances differs from the journal at 1 spot  USDT: held is 7.000000 instead of 6.000000',
  ])
})

test('JOURNAL-AUDIT-003: a damaged row ends the replay, and what was found before it is reported too', async () => {
  await using store = await server.store()
  await written(store, { projectedTo: moneyAt })
  await store.pool.query(
    `update balances set available = available + 1 where user_id = 1;
     update journal set payload = set_byte(payload, 40, 255 - get_byte(payload, 40)) where seq = ${orderAt}`,
  )
  const { ok, seq, problems } = await audit({ pool: store.pool })
  assert.deepEqual([ok, seq], [false, ownAt])
  assert.match(problems[0]!, /^The ledger entries do not add up to the balance of 1\/spot/)
  assert.equal(problems.at(-1), `Journal damaged at ${orderAt}: its content does not match its hash`)
})

test('JOURNAL-AUDIT-001: a database that fails is no finding of the audit', async () => {
  await using store = await server.store()
  await written(store, { snapshots: [moneyAt] })
  await store.pool.query('alter table snapshot_chunks rename to elsewhere')
  await assert.rejects(audit({ pool: store.pool, from: last }), { code: '42P01' })
  await store.pool.query('alter table balances rename column held to kept')
  await assert.rejects(audit({ pool: store.pool }), { code: '42703' })
})
