import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { environmentOf, readSettings, root } from '../settings.ts'
import { startTree } from '../supervisor.ts'
import { indexOf, logIn, request } from './exchange.ts'

const run = promisify(execFile)

/** Of the TWAP order that runs through all deaths. */
const parts = 360

test('MAIN-RUN-001: the processes start, are operated by the command line, survive the death of any of them, stop, and find all data again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-tree-'))
  const settings = readSettings({ CANDOR_DATA: folder, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_BOTS: 'off' }, folder)
  const candor = async (...words: string[]) => {
    const { stdout } = await run(process.execPath, [join(root, 'server/main/candor.ts'), ...words, '--json'], {
      cwd: folder,
      env: { ...process.env, ...environmentOf(settings) },
    })
    return JSON.parse(stdout)
  }
  try {
    await assert.rejects(
      candor('market', 'list'),
      (error: { code: number; stdout: string }) => error.code === 1 && /npm start/.test(error.stdout),
    )
    await assert.rejects(candor('faucet', '--email', 'x@test.example'), { code: 2 })

    const tree = await startTree(settings, () => undefined)
    let id = ''
    let algo = ''
    try {
      await assert.rejects(
        startTree(settings, () => undefined),
        /already running/,
      )
      const { uid } = await candor('user', 'create', '--email', 'ann@test.example', '--password', 'correct horse battery')
      assert.match(uid, /^[0-9]{9}$/)
      await candor('faucet', '--email', 'ann@test.example', '--asset', 'USDT', '--amount', '6000')
      await assert.rejects(candor('user', 'create', '--email', 'ann@test.example', '--password', 'correct horse battery'), { code: 1 })
      assert.equal((await candor('user', 'show', '--email', 'ann@test.example')).balances[0].available, '6000')
      assert.equal((await candor('market', 'list')).markets.length, 26)
      const { url: backup } = await candor('database', 'url', 'backup')
      await eventually(async () => {
        // A quiet gateway keeps no database connection.
        assert.equal((await fetch(`${tree.url}/healthz`)).status, 200)
        const users = ['candor', 'candor_backup', 'candor_engine', 'candor_follower', 'candor_gateway']
        assert.deepEqual(await databaseUsers(backup), users)
      })
      writeFileSync(
        join(folder, 'market.json'),
        JSON.stringify({ symbol: 'DOGEBTC', base: 'DOGE', quote: 'BTC', tick: '0.00000001', lot: '1' }),
      )
      await candor('market', 'add', 'market.json')
      await assert.rejects(candor('market', 'add', 'market.json'), { code: 1 })
      await eventually(async () => assert.equal((await request(tree.url, 'GET', '/markets/DOGEBTC/depth')).status, 200))
      await candor('market', 'set', 'DOGEUSDT', '--trading', 'off')
      await assert.rejects(candor('option', 'set', '--by', 'ann@test.example'), { code: 2 })
      assert.equal((await candor('user', 'house', 'ann@test.example')).isHouse, true)
      assert.equal((await candor('user', 'house', 'ann@test.example', '--off')).isHouse, false)
      const { terms, fund } = await candor('option', 'show')
      assert.deepEqual([terms.stakeMax, fund], [1_000_000_000, 1_000_000_000_000])

      const cookie = await logIn(tree.url, 'ann@test.example', 'correct horse battery')
      const made = await candor('apikey', 'create', '--email', 'ann@test.example', '--scopes', 'read,trade,withdraw')
      const signed = async () => {
        const query = `timestamp=${Date.now()}&recvWindow=60000`
        const signature = createHmac('sha256', made.secret).update(query).digest('hex')
        const address = `${tree.url}/sapi/v1/account/apiRestrictions?${query}&signature=${signature}`
        return (await fetch(address, { headers: { 'X-MBX-APIKEY': made.key } })).status
      }
      assert.equal(await signed(), 200)
      const { keys } = await candor('apikey', 'list', '--email', 'ann@test.example')
      assert.deepEqual([keys.length, keys[0].key, keys[0].scopes], [1, made.key, ['read', 'trade', 'withdraw']])
      await assert.rejects(candor('apikey', 'create', '--email', 'ann@test.example', '--scopes', 'all'), { code: 2 })
      await assert.rejects(candor('apikey', 'delete', 'nothing', '--email', 'ann@test.example'), { code: 1 })
      await candor('apikey', 'delete', made.key, '--email', 'ann@test.example')
      assert.equal(await signed(), 401)
      const price = Math.floor((await indexOf(tree.url)) * 0.95)
      const order = { clientId: 'first', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: String(price), quantity: '0.001' }
      id = (await request(tree.url, 'POST', '/spot/orders', order, cookie)).body.order.id
      const stop = await movedStop(tree.url, cookie)
      // Its parts find nobody to trade with at this price: each is an order that ends at once, whatever dies meanwhile.
      // An hour is longer than this test takes on any machine; parts are ten seconds apart.
      const plan = { kind: 'twap', seconds: 3_600, worst: String(price) }
      const slow = { clientId: 'slow', symbol: 'BTCUSDT', side: 'buy', quantity: '0.36', parts, plan }
      // Tables that are far behind on a busy machine make it `STATUS_UNKNOWN`; the same client id then has the same order.
      await eventually(async () => {
        const placed = await request(tree.url, 'POST', '/algo/orders', slow, cookie)
        assert.equal(placed.status, 200, JSON.stringify(placed.body))
        algo = placed.body.id
      })
      // The gateway answers questions about open orders itself: they can be read while the engine stands still.
      const readOpen = async () => (await request(tree.url, 'GET', '/spot/orders/open', undefined, cookie)).body.orders
      assert.deepEqual(
        (await readOpen()).map((one: { id: string }) => one.id),
        [id],
      )
      process.kill(tree.pids()['engine']!, 'SIGSTOP')
      try {
        assert.deepEqual(
          (await readOpen()).map((one: { id: string }) => one.id),
          [id],
        )
      } finally {
        process.kill(tree.pids()['engine']!, 'SIGCONT')
      }
      for (const role of ['engine', 'follower', 'gateway']) {
        const pid = tree.pids()[role]!
        process.kill(pid, 'SIGKILL')
        await eventually(async () => {
          assert.notEqual(tree.pids()[role], pid)
          const { body } = await request(tree.url, 'GET', '/spot/orders/open', undefined, cookie)
          const ids = body.orders?.map((one: { id: string }) => one.id)
          assert.deepEqual(ids, [id], `${role}: ${JSON.stringify(body)}`)
          assert.deepEqual(await sleepersOf(tree.url, cookie), [stop])
          assert.equal((await fetch(`${tree.url}/healthz`)).status, 200)
        })
      }
      const database = () => Number(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
      const killed = database()
      process.kill(killed, 'SIGKILL')
      await eventually(async () => {
        assert.notEqual(database(), killed)
        const { body } = await request(tree.url, 'GET', '/spot/orders/open', undefined, cookie)
        assert.deepEqual([body.orders?.map((one: { id: string }) => one.id), (await fetch(`${tree.url}/healthz`)).status], [[id], 200])
        assert.deepEqual(await sleepersOf(tree.url, cookie), [stop])
      })
    } finally {
      await tree[Symbol.asyncDispose]()
    }

    await using again = await startTree(settings, () => undefined)
    const cookie = await logIn(again.url, 'ann@test.example', 'correct horse battery')
    const { body } = await request(again.url, 'GET', '/spot/orders/open', undefined, cookie)
    assert.deepEqual(
      body.orders.map((one: { id: string }) => one.id),
      [id],
    )
    // Every part was placed once, those that came while a process was dead included, and the next ones follow.
    await eventually(async () => {
      const [running] = (await request(again.url, 'GET', '/algo/orders', undefined, cookie)).body.orders
      const { items } = (await request(again.url, 'GET', '/spot/orders/history?limit=200', undefined, cookie)).body
      assert.deepEqual([running.id, items.every((one: { algoId: string }) => one.algoId === algo)], [algo, true])
      assert.ok(running.partsLeft < parts - 2)
      assert.equal(items.length + running.missed + running.partsLeft, parts)
    })
    await request(again.url, 'DELETE', `/algo/orders/${algo}`, undefined, cookie)
    await eventually(async () => {
      const { body: ended } = await request(again.url, 'GET', `/algo/orders/${algo}`, undefined, cookie)
      assert.equal(ended.end, 'cancelled', JSON.stringify(ended))
    })
    assert.equal((await candor('market', 'list')).markets.find((one: { symbol: string }) => one.symbol === 'DOGEUSDT').isTrading, false)
    const audit = await candor('audit')
    assert.equal(audit.ok, true, JSON.stringify(audit.problems))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Places a Futures stop, and moves its trigger. Resolves to its number and what it waits for. */
async function movedStop(url: string, cookie: string): Promise<string> {
  const symbol = 'BTCUSDTPERP'
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await request(url, method, path, body, cookie)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  await ask('POST', '/sandbox/certify')
  await ask('POST', '/transfer', { clientId: 'to-futures', asset: 'USDT', from: 'spot', to: 'perp', amount: '1000' })
  const mark = Number((await request(url, 'GET', '/perp/prices')).body.marks.find((one: { symbol: string }) => one.symbol === symbol).mark)
  const at = (factor: number): string => (mark * factor).toFixed(1)
  const trigger = { kind: 'stop', price: at(1.2), direction: 'rises-to' }
  const order = { clientId: 'stop', symbol, side: 'buy', type: 'market', quantity: '0.002', triggerBy: 'mark', trigger }
  const { id } = (await ask('POST', '/perp/orders', order)).order
  const moved = await ask('PATCH', `/perp/orders/${id}`, { clientId: 'moved', symbol, triggerPrice: at(1.25), quantity: '0.001' })
  assert.equal(moved.order.trigger.price, at(1.25))
  return `${id} at ${at(1.25)}`
}

/** Sleeping Futures orders, each with its trigger. */
async function sleepersOf(url: string, cookie: string): Promise<readonly string[]> {
  const { body } = await request(url, 'GET', '/perp/orders/open', undefined, cookie)
  return (body.orders ?? []).map((one: { id: string; trigger: { price: string } }) => `${one.id} at ${one.trigger.price}`)
}

/** Users that are connected to the database. */
async function databaseUsers(url: string): Promise<readonly string[]> {
  const client = new pg.Client(url)
  await client.connect()
  const users = await client.query<{ user: string }>(
    'select distinct usename as user from pg_stat_activity where datname = current_database() order by 1',
  )
  await client.end()
  return users.rows.map(({ user }) => user)
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const until = Date.now() + 300_000
  for (;;) {
    try {
      return await check()
    } catch (cause) {
      if (Date.now() > until) throw cause
      await sleep(100)
    }
  }
}
