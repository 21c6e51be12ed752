import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { readHeadText } from '@candor/core/proof/head.ts'
import { checkLiabilities, type OwnAmount, readLiabilityText } from '@candor/core/proof/liabilities.ts'
import { type SlowNode, slowLeaf, slowRoot } from '@candor/core/proof/test/sum-trees.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Store } from '../../../store/open.ts'
import { headsFrom } from '../../../store/query/proof/heads.ts'
import { lastStatement, nodeRows, statementSecret } from '../../../store/query/proof/statements.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { chain, emptyHead } from '../../../journal/row.ts'
import { headKeyFile } from '../../head-key.ts'
import { HeadMaker } from '../../head-maker.ts'
import { leafBytes, noncesOf, paddingOf, readLeaf, rowNodes } from '../layout.ts'
import { LiabilityMaker, statementMs } from '../maker.ts'
import { ownProof } from '../own-proof.ts'
import { fill, give, uidOf } from './world.ts'

let scratch: ScratchServer
let store: Store
let folder: string
let now = 0
before(async () => {
  scratch = await startScratchServer()
})
after(() => scratch[Symbol.asyncDispose]())
beforeEach(async () => {
  store = await scratch.store()
  folder = mkdtempSync(join(tmpdir(), 'candor-liabilities-'))
  now = 1_790_000_000_000
})
afterEach(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const maker = (): LiabilityMaker => new LiabilityMaker(store.pool, () => now)

/** Makes the next statement and a head that names it. */
async function make(seq: number): Promise<void> {
  now += statementMs
  await store.pool.query('update projection set seq = $1', [seq])
  const [row] = [
    chain(emptyHead, 1, { seq, n: seq, firstAt: now, coreVersion: 1, eventsDigest: Buffer.alloc(32), payload: Buffer.alloc(1) }),
  ]
  await store.pool.query('delete from journal')
  await store.pool.query(
    `insert into journal (seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest, payload) values ($1, 1, $1::bigint, $2, 1, $3, $4, $5, $6)`,
    [row.seq, now, row.prevHash, row.hash, row.eventsDigest, row.payload],
  )
  assert.notEqual(await maker().turn(), undefined)
  assert.notEqual(await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => now + 1_000 }).turn(), undefined)
}

async function check(publicKey: string, text: string, signature: string): Promise<boolean> {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  return verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    Buffer.from(signature, 'hex'),
  )
}

/** What a customer's phone finds out. */
async function proved(user: number): Promise<readonly OwnAmount[]> {
  const proof = JSON.parse(JSON.stringify(await ownProof(store.pool, user as UserId))) as unknown
  const found = await checkLiabilities(proof, { uid: uidOf(user) }, check)
  assert.ok(!('wrong' in found), 'wrong' in found ? found.wrong : '')
  return found.own
}

const own = (asset: string, amount: number, kind: 'claims' | 'debts' = 'claims'): OwnAmount => ({ asset, kind, amount })

test('PROOF-LIABILITY-011: claims are available and held sums of all accounts and what waits in presales; debts are loans with their interest', async () => {
  await fill(store, 6)
  await give(store, [
    { user: 1, asset: 'USDT', available: '10.000001', held: '5' },
    { user: 1, asset: 'USDT', kind: 'margin-cross', available: '0.5' },
    { user: 1, asset: 'USDT', kind: 'margin-isolated', market: 'BTCUSDT', available: '0.25' },
    { user: 1, asset: 'USDT', kind: 'option', available: '0', held: '2' },
    { user: 1, asset: 'BTC', kind: 'lend', available: '1', held: '0.00000001' },
    { user: 2, asset: 'DOGE', available: '0.0000' },
    { user: 3, asset: 'DOGE', available: '7.0001' },
    { user: 4, asset: 'USDT', available: '900' },
  ])
  await store.pool.query(
    "insert into balances (user_id, kind, market, asset, available, held, seq) values (0, 'fees', '', 'USDT', 77, 0, 1), (9, 'spot', '', 'USDT', 88, 0, 1)",
  )
  // Nobody of the house, and nobody without an account, is a customer.
  await store.pool.query('update core_users set is_house = true where user_id = 4')
  await store.pool.query(
    `insert into presales (number, terms, subscribed, subscribers, outcome) values (1, '{"pay":1,"token":3}', 0, 0, null), (2, '{"pay":1,"token":3}', 0, 0, 'missed')`,
  )
  await store.pool.query(
    'insert into presale_subscriptions (presale, user_id, amount, first_at_ms, last_at_ms) values (1, 3, 2500001, 0, 0), (2, 3, 1000000, 0, 0)',
  )
  await store.pool.query(
    `insert into debt_days (user_id, market, asset, day_ms, owed) values (1, '', 'USDT', 0, 4), (1, '', 'USDT', 1, 3.5), (1, 'BTCUSDT', 'USDT', 0, 1),
     (5, '', 'BTC', 0, 2), (5, '', 'BTC', 9, 0), (4, '', 'BTC', 0, 5)`,
  )
  await make(40)
  assert.deepEqual(await proved(1), [own('BTC', 100_000_001), own('USDT', 17_750_001), own('USDT', 4_500_000, 'debts')])
  assert.deepEqual([await proved(2), await proved(5), await proved(6)], [[], [], []])
  assert.deepEqual(await proved(3), [own('DOGE', 70_001), own('USDT', 2_500_001)])
  assert.deepEqual(await proved(4), [])
  const statement = readLiabilityText((await lastStatement(store.pool))!.text)!
  assert.deepEqual(
    statement.trees.map(({ asset, kind, scale, sum }) => [asset, kind, scale, sum]),
    [
      ['BTC', 'claims', 8, 100_000_001],
      ['DOGE', 'claims', 4, 70_001],
      ['USDT', 'claims', 6, 20_250_002],
      ['USDT', 'debts', 6, 4_500_000],
    ],
  )
  assert.deepEqual([statement.n, statement.seq, statement.at], [1, 40, now])
})

test('PROOF-LIABILITY-012: a Futures account counts with the profit of its positions at the mark, and no part of it for less than nothing', async () => {
  await fill(store, 5)
  await give(
    store,
    [1, 2, 3, 4, 5].map((user) => ({ user, asset: 'USDT', kind: 'perp', available: '100', held: '30' })),
  )
  await store.pool.query("insert into perp_marks (market, at_ms, mark, index_price, sources) values ('BTCUSDT-PERP', 0, 110.5, 1, '[]')")
  const positions = [
    // user, mode, quantity, cost, margin
    [1, 'cross', 2, 200, 10],
    [2, 'cross', -3, 300, 10],
    [2, 'isolated', 2, 200, 20],
    [3, 'isolated', -2, 200, 20],
    [4, 'cross', -20, 2000, 10],
    [4, 'isolated', 1, 100, 20],
  ] as const
  for (const [n, [user, mode, quantity, cost, margin]] of positions.entries())
    await store.pool.query(
      `insert into positions (position, user_id, market, side, mode, leverage, quantity, cost, margin, realised, fees, funding, opened_at_ms, updated_at_ms)
       values ($1, $2, 'BTCUSDT-PERP', 'both', $3, 1, $4, $5, $6, 0, 0, 0, 0, 0)`,
      [n + 1, user, mode, quantity, cost, margin],
    )
  await make(40)
  const amounts = await Promise.all([1, 2, 3, 4, 5].map((user) => proved(user)))
  // 1: 130 + 21. 2: 130 − 20 − 31.5, and 20 + 21. 3: 130 − 20, and 20 − 21. 4: 130 − 20 − 210, and 20 + 10.5.
  assert.deepEqual(amounts, [
    [own('USDT', 151e6)],
    [own('USDT', 119.5e6)],
    [own('USDT', 110e6)],
    [own('USDT', 30.5e6)],
    [own('USDT', 130e6)],
  ])
})

test('PROOF-LIABILITY-013: trees of every size are those of the slow way, with leaves for every customer; each statement has another order', async () => {
  const users = 6_000
  await fill(store, users)
  // A hundred customers of DOGE fill at least two rows, all those of USDT three levels of rows.
  await store.pool.query("insert into balances select n, 'spot', '', 'USDT', n, n % 3, 1 from generate_series(1, $1) n", [users])
  await store.pool.query("insert into balances select n, 'spot', '', 'DOGE', n, 0, 1 from generate_series(1, 100) n")
  await store.pool.query(
    "insert into balances values (5, 'spot', '', 'BTC', 0.00000001, 0, 1), (6, 'spot', '', 'BTC', 45035996.27370495, 0, 1)",
  )
  const orders: string[] = []
  for (const n of [1, 2]) {
    await make(40 + n)
    const statement = readLiabilityText((await lastStatement(store.pool))!.text)!
    assert.deepEqual(
      statement.trees.map(({ asset }) => asset),
      ['BTC', 'DOGE', 'USDT'],
    )
    const { seed } = (await statementSecret(store.pool, n))!
    for (const [tree, { asset, kind, size, sum, root }] of statement.trees.entries()) {
      const leaves = await storedLeaves(n, tree, size, { seed, asset, kind })
      const slow = slowRoot(leaves.map(({ node }) => node))
      assert.deepEqual([slow.hash.toString('hex'), Number(slow.sum)], [root, sum])
      orders.push(leaves.map(({ uid }) => uid).join())
      const counts = Map.groupBy(
        leaves.filter(({ uid }) => uid > 0),
        ({ uid }) => uid,
      )
      assert.equal(counts.size, { BTC: 2, DOGE: 100, USDT: users }[asset])
      assert.ok([...counts.values()].every(({ length }) => length >= 2 && length <= 5))
    }
    for (const user of [1, 5, 6, 99, 100, 101, users]) {
      const usdt = own('USDT', (user + (user % 3)) * 1e6)
      const others = [
        ...(user === 5 ? [own('BTC', 1)] : user === 6 ? [own('BTC', 2 ** 52 - 1)] : []),
        ...(user <= 100 ? [own('DOGE', user * 1e4)] : []),
      ]
      assert.deepEqual(await proved(user), [...others, usdt])
    }
  }
  assert.equal(new Set(orders).size, 6)
})

async function storedLeaves(
  n: number,
  tree: number,
  size: number,
  { seed, asset, kind }: { readonly seed: Buffer; readonly asset: string; readonly kind: string },
) {
  const length = Math.min(size, rowNodes)
  const places = Array.from({ length: size / length }, (_, place) => ({ tree, level: 0, place }))
  const bytes = Buffer.concat([...(await nodeRows(store.pool, n, places))])
  const nonces = noncesOf(seed, tree, 0, length)
  assert.equal(new Set(Array.from({ length }, (_, i) => nonces.toString('hex', i * 16, i * 16 + 16))).size, length)
  return Array.from({ length: size }, (_, index): { readonly uid: number; readonly node: SlowNode } => {
    const { uid, split, amount } = readLeaf(bytes, index * leafBytes)
    const nonce = noncesOf(seed, tree, index, 1)
    if (uid > 0) return { uid, node: slowLeaf(nonce, `${uid} ${asset} ${kind} ${split}`, BigInt(amount)) }
    assert.deepEqual([split, amount], [0, 0])
    const body = Buffer.concat([Buffer.of(2), nonce, paddingOf(seed, tree, index, 1), Buffer.alloc(8)])
    return { uid, node: { sum: 0n, hash: createHash('sha256').update(body).digest() } }
  })
}

test('PROOF-LIABILITY-014: one statement is made in ten minutes, however many processes try; heads name the newest one', async () => {
  await fill(store, 3)
  await give(store, [{ user: 1, asset: 'USDT', available: '1' }])
  await store.pool.query('update projection set seq = 0')
  assert.equal(await maker().turn(), undefined)
  await store.pool.query('update projection set seq = 5')
  const made = await Promise.all(Array.from({ length: 4 }, () => maker().turn()))
  assert.equal(made.filter((one) => one !== undefined).length, 1)
  now += statementMs - (now % statementMs) - 1
  assert.deepEqual([await maker().isDue(), await maker().turn()], [false, undefined])
  now += 1
  assert.deepEqual([await maker().isDue(), (await maker().turn())?.n], [true, 2])
  await make(6)
  const statement = (await lastStatement(store.pool))!
  const [head] = await headsFrom(store.pool, 1, 10)
  assert.deepEqual(readHeadText(head!.text)!.liabilities, { n: 3, hash: createHash('sha256').update(statement.text).digest('hex') })
  now += statementMs
  await store.pool.query('update projection set seq = 4')
  await assert.rejects(maker().turn(), /the tables stand at 4, and statement 3 at 6/)
})

test('PROOF-LIABILITY-015: leaves of the last three statements are kept, the statements for ever; what a crash left does no harm', async () => {
  await fill(store, 3)
  await give(store, [{ user: 1, asset: 'USDT', available: '1' }])
  const { pool } = store
  assert.equal(await ownProof(pool, 1 as UserId), undefined)
  await pool.query(
    "insert into liability_nodes values (1, 0, 0, 0, 'left'), (9, 0, 0, 0, 'left'); insert into liability_owners values (1, 0, 'left')",
  )
  for (let n = 1; n <= 5; n++) await make(40 + n)
  for (const table of ['liability_nodes', 'liability_owners', 'liability_secrets']) {
    const { rows } = await pool.query<{ n: number }>(`select distinct n from ${table} order by n`)
    assert.deepEqual(
      rows.map(({ n }) => n),
      [3, 4, 5],
      table,
    )
  }
  assert.equal((await pool.query('select from liability_statements')).rowCount, 5)
  assert.deepEqual(await proved(1), [own('USDT', 1e6)])
})

test('PROOF-LIABILITY-016: sums that no tree may have make no statement', async () => {
  await fill(store, 3)
  await give(store, [
    { user: 1, asset: 'BTC', available: '45035996.2737' },
    { user: 2, asset: 'BTC', available: '1' },
  ])
  await assert.rejects(maker().turn(), /no sum of a tree/)
  assert.equal(await lastStatement(store.pool), undefined)
})
