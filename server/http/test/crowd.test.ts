import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

/** All requests come through a proxy, which adds the client's address. */
let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'crowd', hasFeeds: false, settings: { trustedProxies: ['127.0.0.1'] } })
})
after(() => exchange[Symbol.asyncDispose]())

const get = (path: string, ip: string, user?: TestUser) =>
  fetch(`${exchange.url}/app/v1${path}`, { headers: { 'x-forwarded-for': ip, ...(user ? { cookie: user.cookie } : {}) } })
/** Statuses of the answers to `count` requests, sent ten at a time. */
async function flood(count: number, request: () => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i += 10) {
    const some = await Promise.all(Array.from({ length: 10 }, request))
    for (const answer of some) {
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
  }
  return statuses
}

test('GATEWAY-LIMITS-007: customers of one network share a read limit; others and makers do not notice', async () => {
  const [alice, bob, carol, dave] = [await exchange.user(), await exchange.user(), await exchange.user(), await exchange.user()]
  const maker = await exchange.user({ class: 'maker' })
  const here = '2001:db8:21:1::1'
  const startedAt = performance.now()
  // A read of balances counts as four requests.
  let read = 0
  for (let isFull = false; !isFull; ) {
    for (const user of [alice, bob, carol]) {
      const statuses = await flood(20, () => get('/balances', here, user))
      read += statuses.filter((status) => status === 200).length
      if (statuses.includes(429)) isFull = true
    }
  }
  const seconds = (performance.now() - startedAt) / 1_000
  assert.ok(4 * read <= 400 + 100 * seconds, `${read} in ${seconds} s`)
  // Light requests cost less than the remainder, so they use up the network's last allowance.
  while ((await get('/me', here, bob)).status === 200);
  assert.equal((await get('/balances', here, maker)).status, 200)
  // A customer with an own allowance that is still full.
  assert.equal((await get('/balances', '2001:db8:21:2::1', dave)).status, 200)
  assert.equal((await get('/tickers', here)).status, 200)
})

test('GATEWAY-LIMITS-007: customers of one network share a limit of passwords; others and strangers do not notice', async () => {
  const users = [await exchange.user(), await exchange.user()]
  const stranger = JSON.stringify({ channel: 'email', to: 'nobody@test.example', password: 'wrong password', lang: 'en' })
  const post = async (path: string, ip: string, body: string, cookie = ''): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip, cookie }
    const answer = await fetch(`${exchange.url}/app/v1${path}`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    return answer.status
  }
  const password = (i: number, ip: string): Promise<number> =>
    post('/auth/password', ip, JSON.stringify({ current: 'wrong password', next: 'correct horse battery' }), users[i % 2]!.cookie)
  const here = '2001:db8:24:1::1'
  const startedAt = performance.now()
  let entered = 0
  while ((await password(entered, here)) !== 429) entered++
  const seconds = (performance.now() - startedAt) / 1_000
  assert.ok(entered >= 10 && entered <= 20 + seconds / 2, `${entered} in ${seconds} s`)
  assert.notEqual(await password(entered, '2001:db8:24:2::1'), 429)
  assert.equal(await post('/auth/login', here, stranger), 401)
})

test('GATEWAY-LIMITS-007: customers of one network share a limit of changes to webhooks, which delays none of their other requests', async () => {
  const users = [await exchange.user(), await exchange.user()]
  const remove = async (i: number, ip: string): Promise<number> => {
    const path = `${exchange.url}/app/v1/webhooks/00000000-0000-4000-8000-000000000000`
    const headers = { 'x-forwarded-for': ip, cookie: users[i % 2]!.cookie }
    const answer = await fetch(path, { method: 'DELETE', headers })
    await answer.arrayBuffer()
    return answer.status
  }
  const here = '2001:db8:25:1::1'
  const startedAt = performance.now()
  let changes = 0
  for (let status = 404; status !== 429; changes++) {
    status = await remove(changes, here)
    assert.ok(status === 404 || status === 429, String(status))
  }
  const seconds = (performance.now() - startedAt) / 1_000
  assert.ok(changes > 60 && changes - 1 <= 60 + 4 * seconds, `${changes} in ${seconds} s`)
  assert.equal(await remove(0, '2001:db8:25:2::1'), 404)
  const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1', clientId: 'x' }
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': here, cookie: users[0]!.cookie }
  const answer = await fetch(`${exchange.url}/app/v1/spot/orders`, { method: 'POST', headers, body: JSON.stringify(order) })
  assert.ok(answer.status >= 400 && answer.status !== 429, await answer.text())
})

test('GATEWAY-LIMITS-006: a customer who keeps sending after refusals is shut out in that network, and nobody else is', async () => {
  const [alice, bob] = [await exchange.user(), await exchange.user()]
  const here = '2001:db8:22:1::1'
  const isShut = async (): Promise<boolean> => {
    const answer = await get('/me', here, alice)
    return answer.status === 429 && (await answer.text()).includes('"requestId":"-"')
  }
  while (!(await isShut())) await flood(50, () => get('/me', here, alice))
  const isServed = async (who: string, ask: () => Promise<Response>): Promise<void> => {
    for (;;) {
      const answer = await ask()
      if (answer.status === 200) return
      // The allowances of customer and network fill up again.
      assert.ok(!(await answer.text()).includes('"requestId":"-"'), `${who} is shut out`)
      await sleep(50)
    }
  }
  await isServed('alice elsewhere', () => get('/me', '2001:db8:22:2::1', alice))
  await isServed('a visitor', () => get('/tickers', here))
  await isServed('bob', () => get('/me', here, bob))
})

test('GATEWAY-LIMITS-006: a network that is shut out can open no socket either', async () => {
  const here = '2001:db8:23:1::1'
  const login = JSON.stringify({ channel: 'email', to: 'nobody@test.example', password: 'wrong password', lang: 'en' })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': here }
  /** Whether a handshake is answered with the bytes of a shut-out network, or cut off. */
  const isRefused = (): Promise<boolean> =>
    new Promise((done) => {
      const socket = open('/ws/btcusdt@trade', here)
      socket.once('open', () => {
        socket.terminate()
        done(false)
      })
      socket.once('unexpected-response', (_request, answer) => {
        assert.equal(answer.statusCode, 429)
        let text = ''
        answer.on('data', (chunk) => (text += chunk)).once('close', () => done(text.includes('"requestId":"-"')))
      })
    })
  while (!(await isRefused())) await flood(50, () => fetch(`${exchange.url}/app/v1/auth/login`, { method: 'POST', headers, body: login }))
  const other = open('/ws/btcusdt@trade', '2001:db8:23:2::1')
  await once(other, 'open')
  other.terminate()
})

test('GATEWAY-LIMITS-008: the messages of all sockets of one network are limited; busy sockets are closed, a quiet one is not', async () => {
  const here = '2001:db8:24:1::1'
  const quiet = open('/wss', here)
  await once(quiet, 'open')
  const busy = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const socket = open('/wss', here)
      await once(socket, 'open')
      return socket
    }),
  )
  const ends = busy.map(async (socket) => {
    const [code] = await once(socket, 'close')
    return code as number
  })
  const sender = setInterval(() => {
    for (const socket of busy) for (let n = 0; n < 18; n++) if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"PING"}')
  }, 100)
  const code = await Promise.race(ends)
  clearInterval(sender)
  assert.ok([1006, 1008].includes(code), String(code))
  quiet.send('{"action":"Subscribe","params":{"tradingPairsId":0,"period":""}}')
  await once(quiet, 'message')
  assert.equal(quiet.readyState, WebSocket.OPEN)
  for (const socket of [quiet, ...busy]) socket.terminate()
})

function open(path: string, ip: string): WebSocket {
  const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}${path}`, { headers: { 'x-forwarded-for': ip } })
  socket.on('error', () => undefined)
  return socket
}
