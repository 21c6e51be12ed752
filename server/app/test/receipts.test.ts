import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readHeadText } from '@candor/core/proof/head.ts'
import { readReceiptText } from '@candor/core/proof/receipt.ts'
import { indexOf, request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { audit } from '../../journal/audit.ts'
import { verify } from '../../main/commands/verify.ts'
import { root, type Settings } from '../../main/settings.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { rotateHeadKey } from '../../proof/rotate-key.ts'

let exchange: TestExchange
let [alice, bob] = [] as unknown as [TestUser, TestUser]
let now = 0
/** Numbers of alice's and bob's orders, which traded with each other. */
let orders: readonly [string, string]

type Listed = { readonly seq: number; readonly kind: string; readonly text: string; readonly isPublished: boolean }

before(async () => {
  exchange = await startExchange({ seed: 'receipts' })
  alice = await exchange.user({ funds: { USDT: '100000' } })
  bob = await exchange.user({ funds: { BTC: '1' } })
  // The follower signs the first one by itself. What follows is in later ones.
  while ((await heads()).length === 0) await sleep(50)
  now = Date.now()
  await makeHead()
  await rotateHeadKey(exchange.store.pool, headKeyFile(exchange.dataFolder))
  const price = String(Math.floor(await indexOf(exchange.url)))
  const common = { symbol: 'BTCUSDT', type: 'limit', price, quantity: '0.01' }
  const bought = await alice.call('POST', '/spot/orders', { ...common, clientId: 'alice-1', side: 'buy' })
  const sold = await bob.call('POST', '/spot/orders', { ...common, clientId: 'bob-1', side: 'sell' })
  orders = [bought.body.order.id, sold.body.order.id]
  assert.equal((await alice.call('POST', '/spot/orders', { ...common, clientId: 'alice-2', side: 'buy', quantity: '1000' })).status, 400)
  const moved = { clientId: 'alice-3', asset: 'USDT', from: 'spot', to: 'perp', amount: '10' }
  assert.equal((await alice.call('POST', '/transfer', moved)).status, 200)
})
after(() => exchange[Symbol.asyncDispose]())

const maker = (): HeadMaker => new HeadMaker({ pool: exchange.store.pool, keyFile: headKeyFile(exchange.dataFolder), clock: () => now })

/** A head that covers everything so far: the tables may be behind the journal for a moment. */
async function makeHead(): Promise<void> {
  const { rows } = await exchange.store.pool.query<{ seq: number }>('select max(seq) as seq from journal')
  for (let seq = 0; seq < rows[0]!.seq; await sleep(20))
    seq = (await exchange.store.pool.query<{ seq: number }>('select seq from projection')).rows[0]!.seq
  now += 60_000
  assert.notEqual(await maker().turn(), undefined)
}

async function heads(): Promise<readonly { readonly n: number; readonly text: string }[]> {
  return (await request(exchange.url, 'GET', '/proof/heads')).body.heads
}

async function list(who: TestUser, query = 'limit=100'): Promise<readonly Listed[]> {
  return (await who.call('GET', `/proof/receipts?${query}`)).body.receipts
}

/** Downloads weigh much: this waits until another one is allowed. */
async function download(who: TestUser, query = ''): Promise<string> {
  const ask = () => fetch(`${exchange.url}/app/v1/proof/receipts.ndjson${query}`, { headers: { cookie: who.cookie } })
  let answer = await ask()
  for (; answer.status === 429; answer = await ask()) await sleep(200)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/x-ndjson/)
  return answer.text()
}

test('PROOF-RECEIPT-010: a customer lists their receipts, and gets one with its proof once a head covers it; nobody else gets it', async () => {
  while ((await list(alice))[0]?.kind !== 'funds.transfer') await sleep(50)
  const unsigned = (await list(alice))[0]!
  assert.equal(unsigned.isPublished, false)
  const early = await alice.call('GET', `/proof/receipts/${unsigned.seq}`)
  assert.deepEqual([early.status, early.body.code], [409, 'RECEIPT_LATER'])
  await makeHead()

  const receipts = await list(alice)
  assert.ok(receipts.every(({ isPublished }) => isPublished))
  assert.deepEqual(
    receipts.slice(0, 4).map(({ kind }) => kind),
    ['funds.transfer', 'spot.place', 'order.closed', 'spot.place'].map((kind, n) => (n === 2 ? receipts[2]!.kind : kind)),
  )
  const [transfer, refused, filled, placed] = receipts.map(({ text }) => readReceiptText(text)!)
  assert.deepEqual(
    [transfer!.user, transfer!.command?.facts],
    [alice.uid, { amount: '10.000000', asset: 'USDT', clientId: 'alice-3', from: 'spot', to: 'perp' }],
  )
  assert.equal(refused!.events.at(-1)!.facts['refusal'], 'INSUFFICIENT_BALANCE')
  assert.equal(filled!.command, undefined)
  assert.equal(filled!.events.find(({ name }) => name === 'traded')?.facts['order'], Number(orders[0]))
  assert.deepEqual(placed!.events.at(-1), { name: 'outcome', facts: { order: Number(orders[0]) } })
  // Of the trade, each side sees its own order, and nothing of the other.
  const other = (await list(bob)).find(({ seq }) => seq === filled!.seq)!
  const names = (text: string, order: string): boolean => new RegExp(`"order":${order}[,}]`).test(text)
  assert.deepEqual(
    [receipts[2]!.text, other.text].map((text) => orders.map((order) => names(text, order))),
    [
      [true, false],
      [false, true],
    ],
  )
  assert.ok(!receipts[2]!.text.includes(bob.uid) && !receipts[2]!.text.includes('bob'))

  const { seq } = receipts[3]!
  const { status, body } = await alice.call('GET', `/proof/receipts/${seq}`)
  assert.deepEqual([status, body.text, readHeadText(body.head.text)?.n], [200, receipts[3]!.text, body.head.n])
  assert.deepEqual(await list(alice, `before=${receipts[1]!.seq}&limit=2`), receipts.slice(2, 4))
  for (const path of [`/proof/receipts/${seq}`, '/proof/receipts', '/proof/receipts.ndjson'])
    assert.equal((await request(exchange.url, 'GET', path)).status, 401, path)
  assert.deepEqual((await bob.call('GET', `/proof/receipts/${seq}`)).body.code, 'NOT_FOUND')
  assert.equal((await alice.call('GET', `/proof/receipts/${10 ** 12}`)).status, 404)
  for (const path of ['0', 'x', '?limit=101', '?before=0', '?x=1', '.ndjson?from=0', '.ndjson?to=1.5'])
    assert.equal((await alice.call('GET', `/proof/receipts${/^[0x]/.test(path) ? '/' : ''}${path}`)).status, 400, path)

  // By the time of an order, a fill or a record. Two commands may come in one millisecond.
  const [{ time }] = (await alice.call('GET', '/spot/fills')).body.items
  const { placedAt } = (await alice.call('GET', `/spot/orders/${orders[0]}`)).body.order
  const moved = (await alice.call('GET', '/records?type=transfer')).body.items[0].time
  for (const [n, at] of [moved, undefined, time, placedAt].entries())
    if (at !== undefined)
      assert.ok(
        (await list(alice, `at=${at}`)).some((one) => one.seq === receipts[n]!.seq && at === Number(/^at (\d+)$/m.exec(one.text)![1])),
      )
  assert.ok((await list(alice, `at=${time}&before=${receipts[2]!.seq}`)).every((one) => one.seq < receipts[2]!.seq))
  assert.deepEqual(await list(alice, 'at=1'), [])

  const lines = (await download(alice)).trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).text),
    receipts.map(({ text }) => text).toReversed(),
  )
  assert.equal(lines.at(-4), JSON.stringify(body))
  assert.equal(await download(alice, `?from=${seq}&to=${seq}`), `${lines.at(-4)}\n`)
  assert.equal(await download(alice, `?from=${10 ** 12}`), '')
})

test('PROOF-RECEIPT-011: the command line and the foreign verifier accept a file of receipts, and refuse it with any byte changed', async (t) => {
  await makeHead()
  const whole = await download(alice)
  const lines = whole.trimEnd().split('\n')
  const folder = mkdtempSync(join(tmpdir(), 'candor-receipts-'))
  try {
    const fileOf = (name: string, text: string): string => {
      const path = join(folder, name)
      writeFileSync(path, text, 'latin1')
      return path
    }
    const ours = async (path: string): Promise<boolean> => {
      const result = await verify.run({ settings: {} as Settings, operands: [path], options: {} }).catch(() => ({ isFailure: true }))
      return result.isFailure !== true
    }
    // Two lines with different keys and heads, of which every byte is changed. Python's arithmetic is slow: it gets every fiftieth of these files.
    const [first, last] = [lines[0]!, lines.at(-1)!]
    assert.notEqual(first, last)
    const pair = `${first}\n${last}\n`
    const rights = [whole, pair, `${first}\n`, first, whole + (await download(bob))].map((text, n) => fileOf(`right${n}`, text))
    const wrong: string[] = []
    const change = (text: string): void => void wrong.push(fileOf(`wrong${wrong.length}`, text))
    for (let at = 0; at < pair.length; at++)
      change(pair.slice(0, at) + String.fromCharCode(pair.charCodeAt(at) ^ (pair[at] === '\n' ? 7 : 1)) + pair.slice(at + 1))
    const slow = wrong.filter((_, n) => n % 50 === 0)
    const bytes = wrong.length
    change(`${last}\n${first}\n`)
    change(`${first}\n${first}\n`)
    change(`${first}\n\n${last}\n`)
    const { keys } = JSON.parse(first) as { readonly keys: unknown }
    change(`${JSON.stringify({ keys })}\n${first}\n`)
    change(pair.replace('{"text"', '{ "text"'))
    change(`${await (await fetch(`${exchange.url}/app/v1/proof/heads.ndjson`)).text()}${first}\n`)
    change(`${first}\n${await (await fetch(`${exchange.url}/app/v1/proof/heads.ndjson`)).text()}`)
    for (const path of rights) assert.ok(await ours(path), path)
    for (const path of wrong) assert.ok(!(await ours(path)), path)
    const said = await verify.run({ settings: {} as Settings, operands: [rights[0]!], options: {} })
    assert.match(
      said.lines[0]!,
      new RegExp(`: ${lines.length} receipts up to command \\d+ of user ${alice.uid}, each in the tree of a signed head$`),
    )

    slow.push(...wrong.slice(bytes))
    const python = await new Promise<string | undefined>((resolve) =>
      execFile('python3', ['--version'], (error, out) => resolve(error === null ? out : undefined)),
    )
    if (python === undefined) return t.diagnostic('docs/proof/verify.py was not run: this machine has no python3')
    const script = join(root, 'docs/proof/verify.py')
    const told = await new Promise<string>((resolve) =>
      execFile('python3', [script, ...rights, ...slow], { maxBuffer: 2 ** 24 }, (_, out) => resolve(out)),
    )
    assert.deepEqual(
      told
        .trimEnd()
        .split('\n')
        .map((line) => line.includes(': wrong: ')),
      [...rights.map(() => false), ...slow.map(() => true)],
      told.slice(-500),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('PROOF-RECEIPT-012: the audit finds a receipt that was changed, lost or made up, and a tree that its head does not name', async () => {
  await makeHead()
  const { pool } = exchange.store
  const problems = async (): Promise<readonly string[]> => (await audit({ pool })).problems
  assert.deepEqual(await problems(), [])
  const { rows } = await pool.query<{ seq: number }>('select max(seq) as seq from receipts where user_id = $1', [alice.id])
  const { seq } = rows[0]!
  const otherReceipts = /^Head \d+ has other receipts than the tables$/
  for (const [wanted, undo, ...changes] of [
    [
      otherReceipts,
      `update receipts set lines = replace(lines, '"11.000000"', '"10.000000"')`,
      `update receipts set lines = replace(lines, '"10.000000"', '"11.000000"') where seq = ${seq}`,
    ],
    [
      otherReceipts,
      `insert into receipts select * from kept_receipts where seq = ${seq}`,
      'create table kept_receipts as table receipts',
      `delete from receipts where seq = ${seq}`,
    ],
    [
      otherReceipts,
      `delete from receipts where seq = ${seq} and user_id = ${bob.id}`,
      `insert into receipts select seq, ${bob.id}, at_ms, lines from receipts where seq = ${seq}`,
    ],
    [
      otherReceipts,
      `update receipt_users set secret = substring(secret from 2) || substring(secret for 1)`,
      `update receipt_users set secret = substring(secret from 32) || substring(secret for 31)`,
    ],
    [
      /^The stored tree of the receipts of head \d+ is not that of its receipts$/,
      `update receipt_trees set seq = seq + 1`,
      `update receipt_trees set seq = seq - 1`,
    ],
  ] as const) {
    for (const change of changes) await pool.query(change)
    const found = await problems()
    assert.ok(
      found.some((one) => wanted.test(one)),
      `${changes.join()}: ${found.join()}`,
    )
    await pool.query(undo)
    assert.deepEqual(await problems(), [], undo)
  }
})
