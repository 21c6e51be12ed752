import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { on, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { indexOf, logIn, request } from './exchange.ts'
import { addCustomer, password, type Several, startSeveral } from './several.ts'

let several: Several
const lines: string[] = []
before(async () => {
  several = await startSeveral((line) => lines.push(line))
})
after(() => several[Symbol.asyncDispose]())

const seqOf = async (): Promise<number> => (await several.store.pool.query('select seq from projection')).rows[0].seq
const weightAt = async (url: string): Promise<number> => Number((await fetch(`${url}/api/v3/time`)).headers.get('x-mbx-used-weight-1m'))

test('GATEWAY-SHARED-001: the header of one gateway shows what was used at another one', async () => {
  const [a, b] = several.urls
  const [start, minute] = [await weightAt(b), Math.floor(Date.now() / 60_000)]
  for (let i = 0; i < 20; i++) await weightAt(a)
  let seen = 0
  // A minute that ends meanwhile begins at zero.
  while (seen < start + 21 && Math.floor(Date.now() / 60_000) === minute) {
    seen = await weightAt(b)
    await sleep(50)
  }
  assert.ok(seen >= start + 21 || Math.floor(Date.now() / 60_000) !== minute)
})

/** Resolves with the time until it is so. */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  while (!(await isSo())) await sleep(20)
  return Math.round(performance.now() - begun)
}

test('GATEWAY-REVOKED-001: what was revoked is refused by every gateway, and its sockets are closed, when the message about it is lost', async (t) => {
  const [a, b] = several.urls
  const { store } = several
  const alice = await addCustomer(several, 'alice')
  const cookie = await logIn(a, alice.email, password)
  const isIn = async (url: string): Promise<boolean> => (await request(url, 'GET', '/auth/sessions', undefined, cookie)).status === 200
  const hasKey = async (url: string): Promise<boolean> => (await alice.signed(url, 'GET', '/api/v3/account')).status === 200
  const listenKey = async (): Promise<string> => {
    const answer = await fetch(`${a}/api/v3/userDataStream`, { method: 'POST', headers: { 'x-mbx-apikey': alice.key } })
    return ((await answer.json()) as { readonly listenKey: string }).listenKey
  }
  const open = async (path: string, headers = {}): Promise<WebSocket> => {
    const ws = new WebSocket(b.replace('http', 'ws') + path, { headers })
    await once(ws, 'open')
    return ws
  }
  const heard = async (ws: WebSocket, word: string): Promise<void> => {
    for await (const [data] of messagesOf(ws)) if (String(data).includes(word)) return
  }
  for (const url of [a, b]) assert.deepEqual([await isIn(url), await hasKey(url)], [true, true])
  const own = await open('/app/v1/stream', { cookie })
  const keyed = await open(`/ws/${await listenKey()}`)
  own.send(JSON.stringify({ method: 'SUBSCRIBE', params: ['user'], id: 1 }))

  // Nobody is told: only the tables know.
  const closed = once(own, 'close')
  await store.pool.query('update sessions set revoked_at = 1 where account = $1', [alice.account])
  for (const url of [a, b]) t.diagnostic(`the session is refused after ${await until(async () => !(await isIn(url)))} ms`)
  assert.equal((await closed)[0], 4001)

  const expired = heard(keyed, 'listenKeyExpired')
  await store.pool.query('delete from listen_keys where api_key = (select number from api_keys where key = $1)', [alice.key])
  await expired

  await store.pool.query(`update api_keys set deleted_at = 1, secret = null where key = $1`, [alice.key])
  for (const url of [a, b]) t.diagnostic(`the key is refused after ${await until(async () => !(await hasKey(url)))} ms`)
  for (const ws of [own, keyed]) ws.terminate()
})

/** The messages of a socket. */
const messagesOf = (ws: WebSocket): AsyncIterable<readonly [unknown]> => on(ws, 'message') as AsyncIterable<readonly [unknown]>

test('GATEWAY-FAUCET-001: gateways count the practice funds of a customer together', async () => {
  const bob = await addCustomer(several, 'bob')
  const cookie = await logIn(several.urls[0], bob.email, password)
  const press = (n: number) => request(several.urls[n % 2]!, 'POST', '/sandbox/faucet', { clientId: `press-${n}`, asset: 'ETH' }, cookie)
  const [one] = [await press(0)]
  const { amount } = one.body as { readonly amount: string }
  const { body } = await request(several.urls[0], 'GET', '/config', undefined, cookie)
  const { dailyMax } = body.faucet.find(({ asset }: { readonly asset: string }) => asset === 'ETH') as { readonly dailyMax: string }
  const most = Math.floor(Number(dailyMax) / Number(amount))
  const answers = await Promise.all(Array.from({ length: 2 * most }, (_, n) => press(n + 1)))
  assert.equal(answers.filter(({ status }) => status === 200).length, most - 1)
  assert.deepEqual(new Set(answers.filter(({ status }) => status !== 200).map((refused) => refused.body.code)), new Set(['FAUCET_LIMIT']))
})

test('GATEWAY-SHARED-008: what a customer writes by one gateway is in what they read by the other one at once', async () => {
  const [a, b] = several.urls
  const carol = await addCustomer(several, 'carol')
  const cookie = await logIn(a, carol.email, password)
  const price = String(Math.floor((await indexOf(a)) * 0.95))
  const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.001' }
  let late = 0
  for (let n = 0; n < 20; n++) {
    const [writer, reader] = n % 2 === 0 ? [a, b] : [b, a]
    const placed = await request(writer, 'POST', '/spot/orders', { ...order, clientId: `order-${n}` }, cookie)
    assert.equal(placed.status, 200, JSON.stringify(placed.body))
    const [line = ''] = placed.headers.getSetCookie()
    assert.match(line, /^candor-seq=[0-9]+; Path=\/; Max-Age=10; HttpOnly; SameSite=Lax$/)
    const jar = `${cookie}; ${line.split(';', 1)[0]}`
    const open = await request(reader, 'GET', '/spot/orders/open', undefined, jar)
    assert.ok(
      open.body.orders.some(({ clientId }: { readonly clientId: string }) => clientId === `order-${n}`),
      `order ${n} is not there`,
    )
    const cancelled = await request(writer, 'DELETE', `/spot/orders/${placed.body.order.id}?symbol=BTCUSDT`, undefined, jar)
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
    const after = `${cookie}; ${cancelled.headers.getSetCookie()[0]!.split(';', 1)[0]}`
    const history = await request(reader, 'GET', '/spot/orders/history', undefined, after)
    const isThere = history.body.items.some(({ clientId }: { readonly clientId: string }) => clientId === `order-${n}`)
    // On a machine that is too busy to write the tables within half a second, the answer comes without it.
    if (!isThere) late++
  }
  assert.ok(late < 10, `${late} of 20 orders were not in the history`)
  // A place that the journal has not reached delays the answer a little, and no more.
  const begun = performance.now()
  assert.equal((await request(b, 'GET', '/spot/orders/open', undefined, `${cookie}; candor-seq=999999999999999`)).status, 200)
  assert.ok(performance.now() - begun < 10_000)
})

test('HISTORY-SEAT-006: when the follower is killed, the waiting one goes on with tables and prices within seconds', async (t) => {
  const before = await seqOf()
  while ((await seqOf()) === before) await sleep(20)
  const { follower } = several.tree.pids()
  const begun = performance.now()
  process.kill(follower!, 'SIGKILL')
  const killedAt = await seqOf()
  while ((await seqOf()) <= killedAt + 4) await sleep(20)
  t.diagnostic(`the tables go on after ${Math.round(performance.now() - begun)} ms`)
  const holder = `select count(*)::int as count from pg_locks where locktype = 'advisory' and granted and
    objid = (hashtext('candor follower')::bigint & 4294967295)::oid`
  assert.equal((await several.store.pool.query(holder)).rows[0].count, 1)
  // The one that was started again waits.
  while (several.tree.pids()['follower'] === follower) await sleep(20)
  process.kill(several.tree.pids()['follower']!, 0)
  assert.equal(several.second.follower.exitCode, null)
})
