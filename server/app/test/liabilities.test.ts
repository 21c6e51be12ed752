import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readHeadText } from '@candor/core/proof/head.ts'
import { checkLiabilities, liabilityHash, readLiabilityText } from '@candor/core/proof/liabilities.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { audit } from '../../journal/audit.ts'
import type { Result } from '../../main/command.ts'
import { verify } from '../../main/commands/verify.ts'
import { root, type Settings } from '../../main/settings.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { rotateHeadKey } from '../../proof/rotate-key.ts'
import { liabilityVisit } from '../../proof/liabilities/audit.ts'
import { leafBytes, LOW, readLeaf } from '../../proof/liabilities/layout.ts'
import { recoverStanding } from '../../store/projector/standing.ts'
import { LiabilityMaker, statementMs } from '../../proof/liabilities/maker.ts'

async function check(publicKey: string, text: string, signature: string): Promise<boolean> {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  return verifySignature(
    null,
    Buffer.from(text),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    Buffer.from(signature, 'hex'),
  )
}

/** Makes a statement of what the tables have, `count` times, and the head that names it. */
async function make({ store, dataFolder, link }: TestExchange, count = 1): Promise<void> {
  const { seq } = await link.ask.head()
  while (((await store.pool.query<{ seq: number }>('select seq from projection')).rows[0]?.seq ?? 0) < seq) await sleep(20)
  const { rows } = await store.pool.query<{ at: number | null }>('select max(at_ms) as at from proof_heads')
  let now = Math.max(Date.now(), rows[0]?.at ?? 0)
  for (let n = 0; n < count; n++) {
    now += statementMs
    assert.notEqual(await new LiabilityMaker(store.pool, () => now).turn(), undefined)
    assert.notEqual(await new HeadMaker({ pool: store.pool, keyFile: headKeyFile(dataFolder), clock: () => now }).turn(), undefined)
  }
}

test('PROOF-LIABILITY-017: each customer reads the own leaves, which prove every balance; statements and the heads that name them are public', async () => {
  await using exchange = await startExchange({ seed: 'liabilities' })
  const alice = await exchange.user({ funds: { USDT: '1000', BTC: '0.5' }, isCertified: true })
  const bob = await exchange.user({ funds: { DOGE: '12' } })
  const nobody = await exchange.user()
  const keeper = await exchange.user({ funds: { USDT: '77' } })
  await exchange.link.submit({ type: 'user.house', user: keeper.id, isHouse: true })
  assert.equal((await alice.call('GET', '/proof/liabilities')).status, 404)
  assert.deepEqual((await alice.call('GET', '/proof/statements')).body, { statements: [] })
  await make(exchange, 2)
  const proofOf = async (user: typeof alice) => {
    const { status, body } = await user.call('GET', '/proof/liabilities')
    assert.equal(status, 200)
    return body as unknown
  }
  const proved = async (user: typeof alice) => {
    const found = await checkLiabilities(await proofOf(user), { uid: user.uid }, check)
    assert.ok(!('wrong' in found), 'wrong' in found ? found.wrong : '')
    return found
  }
  assert.deepEqual((await proved(alice)).own, [
    { asset: 'BTC', kind: 'claims', amount: 50_000_000 },
    { asset: 'USDT', kind: 'claims', amount: 1_000_000_000 },
  ])
  assert.deepEqual((await proved(bob)).own, [{ asset: 'DOGE', kind: 'claims', amount: 120_000 }])
  const { own, statement, head } = await proved(nobody)
  assert.deepEqual([own, statement.n, head.liabilities.n], [[], 2, 2])
  assert.ok('wrong' in (await checkLiabilities(await proofOf(bob), { uid: alice.uid }, check)))
  // The money of the house is no liability, whether it lends or not.
  assert.deepEqual((await proved(keeper)).own, [])
  assert.deepEqual(
    statement.trees.map(({ asset, kind, sum }) => [asset, kind, sum]),
    [
      ['BTC', 'claims', 50_000_000],
      ['DOGE', 'claims', 120_000],
      ['USDT', 'claims', 1_000_000_000],
    ],
  )

  const { pool } = exchange.store
  const isHouse = async () =>
    (await pool.query<{ is: boolean }>('select is_house as is from core_users where user_id = $1', [keeper.id])).rows[0]?.is
  // As in tables that an earlier build wrote: the next start of the follower learns it from the core.
  await pool.query('update core_users set is_house = not is_house where user_id = any($1)', [[keeper.id, alice.id]])
  assert.equal(await isHouse(), false)
  await recoverStanding(pool, () => undefined)
  assert.equal(await isHouse(), true)
  assert.equal((await pool.query('select from core_users where is_house')).rowCount, 1)

  const get = async (path: string, status = 200) => {
    const answer = await fetch(`${exchange.url}/app/v1/proof/${path}`)
    assert.equal(answer.status, status, path)
    return (await answer.json()) as any
  }
  const { statements } = (await get('statements')) as { statements: { n: number; text: string }[] }
  assert.deepEqual(
    statements.map(({ n, text }) => [n, readLiabilityText(text)?.n]),
    [
      [2, 2],
      [1, 1],
    ],
  )
  assert.deepEqual((await get('statements?before=2&limit=5')).statements, [statements[1]])
  for (const { n, text } of statements) {
    const one = await get(`statements/${n}`)
    assert.equal(one.text, text)
    assert.deepEqual(readHeadText(one.head.text)?.liabilities, { n, hash: liabilityHash(text) })
  }
  await get('liabilities', 401)
  await get('statements/3', 404)
  for (const path of ['statements/0', 'statements?limit=101', 'statements?x=1']) await get(path, 400)
})

test('PROOF-LIABILITY-018: the follower makes a statement by itself, in a process of its own, and the next head names it', async () => {
  await using exchange = await startExchange({ seed: 'liabilities', hasStatements: true })
  const { pool } = exchange.store
  const statements = async () => (await pool.query('select from liability_statements')).rowCount
  while ((await statements()) === 0) await sleep(50)
  const now = Date.now() + 60_000
  await new HeadMaker({ pool, keyFile: headKeyFile(exchange.dataFolder), clock: () => now }).turn()
  const alice = await exchange.user()
  const found = await checkLiabilities((await alice.call('GET', '/proof/liabilities')).body, { uid: alice.uid }, check)
  assert.ok(!('wrong' in found))
})

test('PROOF-LIABILITY-019: the command line and the foreign verifier accept a proof, and refuse it with any change', async (t) => {
  await using exchange = await startExchange({ seed: 'liabilities' })
  const alice = await exchange.user({ funds: { USDT: '1000', BTC: '0.5' } })
  await make(exchange)
  await rotateHeadKey(exchange.store.pool, headKeyFile(exchange.dataFolder))
  await make(exchange)
  const answer = await fetch(`${exchange.url}/app/v1/proof/liabilities`, { headers: { cookie: alice.cookie } })
  const whole = await answer.text()
  const folder = mkdtempSync(join(tmpdir(), 'candor-verify-'))
  try {
    const fileOf = (name: string, text: string): string => {
      const path = join(folder, name)
      writeFileSync(path, text, 'latin1')
      return path
    }
    const run = async (path: string, options: Record<string, string> = {}) =>
      verify.run({ settings: {} as Settings, operands: [path], options }).catch((): Result => ({ isFailure: true, json: {}, lines: [] }))
    const right = fileOf('right', whole)
    const ended = fileOf('ended', `${whole}\n`)
    const { json, lines } = await run(right)
    assert.deepEqual([json['ok'], json['uid']], [true, alice.uid])
    assert.ok(
      lines.some((line) => line.endsWith('BTC claims: 0.5 of 0.5')),
      lines.join('\n'),
    )
    assert.equal((await run(ended)).isFailure, undefined)
    assert.equal((await run(right, { key: 'ab'.repeat(32) })).isFailure, true)
    const wrong: string[] = []
    const change = (text: string): void => void wrong.push(fileOf(`wrong${wrong.length}`, text))
    for (let at = 0; at < whole.length; at++)
      change(whole.slice(0, at) + String.fromCharCode(whole.charCodeAt(at) ^ 1) + whole.slice(at + 1))
    // Signatures are slow in Python: their files come last, and it gets some of them.
    const { trees } = JSON.parse(whole) as { trees: unknown[] }
    change(whole.replace(JSON.stringify(trees), JSON.stringify([...trees].reverse())))
    change(whole.replace('"amount":', '"amount":-'))
    change(whole.replace('"split":0', '"split":0.0'))
    change(whole.replace('"split":0', '"split":false'))
    change(` ${whole}`)
    change(`${whole}\n\n`)
    change(`${whole}}`)
    change(whole.slice(0, -1))
    for (const path of wrong) assert.equal((await run(path)).isFailure, true, path)

    const python = await new Promise<string | undefined>((resolve) =>
      execFile('python3', ['--version'], (error, out) => resolve(error === null ? out : undefined)),
    )
    if (python === undefined) return t.diagnostic('docs/proof/liabilities.py was not run: this machine has no python3')
    const [from, to] = [whole.indexOf('"head":'), whole.indexOf('"trees":')]
    const some = wrong.filter((_, at) => at < from || at > to || at % 20 === 0)
    const script = join(root, 'docs/proof/liabilities.py')
    const said = await new Promise<string>((resolve) =>
      execFile('python3', [script, right, ended, ...some], { maxBuffer: 2 ** 24 }, (_, out) => resolve(out)),
    )
    const verdicts = said.trimEnd().split('\n')
    assert.equal(verdicts.length, some.length + 2, said.slice(-500))
    for (const [n, line] of verdicts.entries()) assert.equal(line.includes(': wrong: '), n >= 2, line)
    assert.match(verdicts[0]!, new RegExp(`customer ${alice.uid} has 0.50000000 BTC claims, 1000.000000 USDT claims in statement 2`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Loans, open positions of both kinds with profit and loss, orders, a subscription and a claim on a pool. */
async function trade(exchange: TestExchange): Promise<void> {
  const tick = async (btc: number, eth: number): Promise<void> => {
    const prices = [btc, eth].map((price, n) => ({ market: n + 1, price, sources: 4, isGood: true }))
    await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  }
  await tick(6e12, 3e11)
  const [alice, bob, carol] = await Promise.all(
    [1, 2, 3].map(() => exchange.user({ funds: { USDT: '20000', ETH: '3' }, isCertified: true, class: 'bench' })),
  )
  let request = 0
  const ok = async (user: TestUser | undefined, path: string, body: object): Promise<void> => {
    const answer = await user!.call('POST', path, { clientId: `c${++request}`, ...body })
    assert.ok([200, 201].includes(answer.status), `${path}: ${JSON.stringify(answer.body)}`)
  }
  const symbol = 'ETHUSDTPERP'
  // Positions are isolated unless their owner wants them cross.
  assert.equal((await alice!.call('POST', '/perp/margin-mode', { symbol, mode: 'cross' })).status, 200)
  for (const user of [alice, bob, carol]) {
    await ok(user, '/transfer', { asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
    assert.equal((await user!.call('POST', '/perp/leverage', { symbol, leverage: 5 })).status, 200)
  }
  const order = (side: string, quantity: string) => ({ symbol, type: 'limit', price: '3000', side, quantity })
  await ok(alice, '/perp/orders', order('sell', '3'))
  await ok(bob, '/perp/orders', order('buy', '1'))
  await ok(carol, '/perp/orders', order('buy', '2'))
  await ok(carol, '/spot/orders', { symbol: 'ETHUSDT', type: 'limit', price: '2900', side: 'buy', quantity: '1' })
  await ok(bob, '/transfer', { asset: 'USDT', from: 'spot', to: 'margin-cross', amount: '10000' })
  await ok(bob, '/margin/borrow', { asset: 'ETH', amount: '0.5' })
  await ok(alice, '/lend/supply', { asset: 'ETH', amount: '1.25' })
  const dora = await exchange.user({ funds: { USDT: '200' }, isCertified: true })
  // A sandbox opens its practice presales a moment after it started.
  while (((await dora.call('GET', '/presales?lang=en')).body as { presales: unknown[] }).presales.length === 0) await sleep(50)
  await ok(dora, '/presales/1/subscriptions', { amount: '100' })
  await tick(6e12, 3.1e11)
}

test('PROOF-LIABILITY-020: the audit computes the newest statement again from the journal, and finds leaves, nodes and texts that were changed', async () => {
  await using exchange = await startExchange({ seed: 'liabilities', hasFeeds: false })
  const { pool } = exchange.store
  const problems = async () => (await audit({ pool, visit: await liabilityVisit(pool) })).problems
  assert.equal(await liabilityVisit(pool), undefined)
  await trade(exchange)
  await make(exchange)
  assert.deepEqual(await problems(), [])
  const { trees } = readLiabilityText((await pool.query<{ body: string }>('select body from liability_statements')).rows[0]!.body)!
  assert.deepEqual(
    trees.map(({ asset, kind }) => `${asset} ${kind}`),
    ['ETH claims', 'ETH debts', 'USDT claims'],
  )
  /** Makes one change, audits, and takes it back. */
  const finds = async (table: string, change: string, wanted: RegExp): Promise<void> => {
    await pool.query(`create table kept as table ${table}; ${change}`)
    const found = await problems()
    assert.ok(wanted.test(found.join()), `${change}: ${found.join()}`)
    await pool.query(`delete from ${table}; insert into ${table} table kept; drop table kept`)
  }
  const row = 'where tree = 0 and level = 0 and place = 0'
  const { rows } = await pool.query<{ body: Buffer }>(`select body from liability_nodes ${row}`)
  const owned = Array.from({ length: rows[0]!.body.length / leafBytes }, (_, n) => n * leafBytes).find(
    (at) => readLeaf(rows[0]!.body, at).uid > 0,
  )!
  await finds(
    'liability_nodes',
    `update liability_nodes set body = set_byte(body, ${owned + LOW}, get_byte(body, ${owned + LOW}) # 1) ${row}`,
    /another root of ETH claims than its leaves.*units of [0-9]+ ETH claims, the core/,
  )
  await finds('liability_secrets', `update liability_secrets set seed = sha256(seed)`, /another root of USDT claims than its leaves/)
  await finds('liability_secrets', `delete from liability_secrets`, /Statement 1 of liabilities has no leaves/)
  await finds(
    'liability_statements',
    `update liability_statements set body = replace(body, 'n 1', 'n 2')`,
    /names a statement of liabilities that is not stored/,
  )
  await finds('liability_statements', `update liability_statements set body = body || 'x'`, /has another text than it was made with/)
  await finds('liability_statements', `update liability_statements set seq = seq + 1000000`, /No row of the journal ends at/)
  assert.deepEqual(await problems(), [])
})
