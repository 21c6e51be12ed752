import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { connect, type Socket as Tcp } from 'node:net'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { ed25519Key, hmacKey, type Key, Socket, until } from '../socket/test/socket.ts'
import { type Fields, type Program, programOf, queryOf } from './program.ts'

let exchange: TestExchange
const symbol = 'BTCUSDT'

before(async () => {
  exchange = await startExchange({ seed: 'storm', hasFeeds: false })
  const prices = [{ market: 1, price: 6e12, sources: 4, isGood: true }]
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
})
after(() => exchange[Symbol.asyncDispose]())

type Told = { readonly status: number; readonly body: any }
type Ask = {
  readonly method: string
  readonly path: string
  readonly name: string
  readonly fields: Fields
  readonly fits: (told: Told) => boolean
}

/** Requests one after the other on one connection, without waiting for answers. */
class Pipeline {
  readonly #socket: Tcp
  readonly #program: Program
  readonly #asked: { readonly ask: Ask; readonly done: (told: Told | undefined) => void }[] = []
  #text = Buffer.alloc(0)
  readonly headers: string[] = []

  constructor(program: Program) {
    this.#program = program
    const { hostname, port } = new URL(program.url)
    this.#socket = connect(Number(port), hostname)
    this.#socket.on('data', (chunk) => this.#read(chunk as Buffer))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => this.#asked.splice(0).forEach(({ done }) => done(undefined)))
  }

  ask(ask: Ask, inBody: boolean): Promise<Told | undefined> {
    const { key, secret } = this.#program
    const query = queryOf({ ...ask.fields, recvWindow: 60_000, timestamp: Date.now() })
    const signed = `${query}&signature=${createHmac('sha256', secret).update(query).digest('hex')}`
    const head = [`Host: 127.0.0.1`, `X-MBX-APIKEY: ${key}`]
    if (inBody) head.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${signed.length}`)
    const first = `${ask.method} ${ask.path}${inBody ? '' : `?${signed}`} HTTP/1.1`
    return new Promise((done) => {
      this.#asked.push({ ask, done })
      this.#socket.write(`${[first, ...head].join('\r\n')}\r\n\r\n${inBody ? signed : ''}`)
    })
  }

  end(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#text = Buffer.concat([this.#text, chunk])
    for (;;) {
      const end = this.#text.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = this.#text.subarray(0, end).toString()
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (this.#text.length < end + 4 + length) return
      const body = JSON.parse(this.#text.subarray(end + 4, end + 4 + length).toString())
      this.#text = this.#text.subarray(end + 4 + length)
      this.headers.push(head)
      this.#asked.shift()!.done({ status: Number(head.split(' ', 2)[1]), body })
    }
  }
}

type Trader = {
  readonly name: string
  readonly user: TestUser
  readonly program: Program
  readonly key: Key
  readonly session: Key
  readonly placed: { readonly id: string; readonly number: number }[]
  readonly made: string[]
}

let count = 0
let state = 1
/** A number from 0 to 1, the same in each run. */
const chance = (): number => ((state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b) | 0) >>> 0) / 2 ** 32
const limit = { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price: '55000' }
const orderPath = '/api/v3/order'

/** A random request of this trader, and a check of its answer. */
function drawn(trader: Trader, others: readonly Trader[], draw: number): Ask {
  const id = `${trader.name}-${++count}`
  const recent = trader.placed.slice(-40)
  const old = recent[Math.floor(chance() * recent.length)]
  const order = (name: string, method: string, fields: Fields, fits: Ask['fits']): Ask => ({ method, path: orderPath, name, fields, fits })
  const isUnknown = ({ body }: Told) => body.code === -2011
  const isCancelled = (which: string, by: string) => (told: Told) =>
    isUnknown(told) || (told.status === 200 && told.body.origClientOrderId === which && told.body.clientOrderId === by)
  if (draw < 0.3 || old === undefined) {
    return order('order.place', 'POST', { ...limit, newClientOrderId: id }, ({ status, body }) => {
      if (status === 200) trader.placed.push({ id, number: body.orderId })
      return status === 200 && body.clientOrderId === id
    })
  }
  if (draw < 0.4) {
    return order('order.place', 'POST', limit, ({ status, body }) => {
      if (status === 200) trader.made.push(body.clientOrderId)
      return status === 200 && body.clientOrderId.startsWith('x-')
    })
  }
  if (draw < 0.55) {
    return order('order.cancel', 'DELETE', { symbol, origClientOrderId: old.id, newClientOrderId: id }, isCancelled(old.id, id))
  }
  if (draw < 0.6) return order('order.cancel', 'DELETE', { symbol, orderId: old.number, newClientOrderId: id }, isCancelled(old.id, id))
  if (draw < 0.7) {
    const other = others[Math.floor(chance() * others.length)]!
    const foreign = other.placed.at(-1) ?? { id: 'none', number: 9_000_000 }
    const which: Fields = draw < 0.65 ? { orderId: foreign.number } : { origClientOrderId: foreign.id }
    return order('order.cancel', 'DELETE', { symbol, ...which }, isUnknown)
  }
  if (draw < 0.75) {
    const fits = ({ status, body }: Told) => status === 200 && body.clientOrderId === old.id && body.orderId === old.number
    return order('order.status', 'GET', { symbol, orderId: old.number }, fits)
  }
  if (draw < 0.85) {
    const mode = draw < 0.8 ? 'ALLOW_FAILURE' : 'STOP_ON_FAILURE'
    const fields = { ...limit, cancelReplaceMode: mode, cancelOrigClientOrderId: old.id, newClientOrderId: id }
    const fits = ({ status, body }: Told) => {
      const { cancelResult, newOrderResult, cancelResponse, newOrderResponse } = status === 200 ? body : body.data
      const isFirst = cancelResult === 'SUCCESS' ? cancelResponse.origClientOrderId === old.id : cancelResponse.code === -2011
      if (newOrderResult === 'NOT_ATTEMPTED') return isFirst && mode === 'STOP_ON_FAILURE' && status === 400
      trader.placed.push({ id, number: newOrderResponse.orderId })
      return isFirst && newOrderResponse.clientOrderId === id && status === (cancelResult === 'SUCCESS' ? 200 : 409)
    }
    return { method: 'POST', path: `${orderPath}/cancelReplace`, name: 'order.cancelReplace', fields, fits }
  }
  if (draw < 0.9) {
    const fits = ({ status, body }: Told) => status === 200 && Object.keys(body).length === 0
    return { method: 'POST', path: `${orderPath}/test`, name: 'order.test', fields: { ...limit, newClientOrderId: id }, fits }
  }
  if (draw < 0.95) {
    return order('order.place', 'POST', { ...limit, symbol: 'NOPE', newClientOrderId: id }, ({ body }) => body.code === -1121)
  }
  return order('order.place', 'POST', { ...limit, quantity: '100', newClientOrderId: id }, ({ body }) => body.code === -2010)
}

async function traderNamed(name: string): Promise<Trader> {
  const user = await exchange.user({ funds: { USDT: '4000000', BTC: '1' }, class: 'bench' })
  const program = await programOf(exchange.url, user)
  return { name, user, program, key: await hmacKey(user), session: await ed25519Key(user), placed: [], made: [] }
}

test('API-ASK-001: each of many requests gets its own answer, in order on a connection, while other connections break off', async () => {
  const traders = await Promise.all(['ann', 'bob', 'cid'].map(traderNamed))
  const rounds = 3
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      traders.map(async (trader) => {
        const others = traders.filter((one) => one !== trader)
        const pipes = [new Pipeline(trader.program), new Pipeline(trader.program)]
        const sockets = await Promise.all([Socket.open(exchange, '/ws-api/v3'), Socket.open(exchange, '/ws-api/v3')])
        await sockets[1]!.done('session.logon', trader.session.sign({}))
        const gone = { pipe: round % 2 === 1 ? pipes[1] : undefined, socket: round % 3 === 2 ? sockets[0] : undefined }
        const waiting: Promise<void>[] = []
        for (let n = 0; n < 25; n++) {
          for (const [i, pipe] of pipes.entries()) {
            const ask = drawn(trader, others, chance())
            waiting.push(
              pipe.ask(ask, (n + i) % 3 === 0).then((told) => {
                if (told === undefined) assert.equal(pipe, gone.pipe)
                else assert.ok(ask.fits(told), `${ask.name} ${JSON.stringify(ask.fields)}: ${JSON.stringify(told)}`)
              }),
            )
          }
          for (const [i, socket] of sockets.entries()) {
            const ask = drawn(trader, others, chance())
            const id = n % 5 === 0 ? count : `${trader.name} ${count}`
            const params = i === 1 ? { ...ask.fields, timestamp: Date.now() } : trader.key.sign(ask.fields)
            socket.send({ id, method: ask.name, params })
            if (socket === gone.socket) continue
            waiting.push(
              socket
                .find((message) => message.id === id)
                .then(({ status, result, error }) => {
                  assert.ok(
                    ask.fits({ status, body: result ?? error }),
                    `${ask.name} ${JSON.stringify(ask.fields)}: ${JSON.stringify(error ?? result)}`,
                  )
                }),
            )
          }
          if (n === 12) {
            gone.pipe?.end()
            gone.socket?.ws.terminate()
          }
        }
        await Promise.all(waiting)
        for (const pipe of pipes) for (const head of pipe.headers) assert.match(head, /\r\nx-mbx-used-weight: \d+\r\n/)
        for (const socket of sockets) assert.equal(new Set(socket.received.map(({ id }) => id)).size, socket.received.length)
        for (const pipe of pipes) pipe.end()
        for (const socket of sockets) socket.ws.terminate()
        if (round < rounds - 1) await trader.program.signed('DELETE', '/api/v3/openOrders', { symbol })
      }),
    )
  }
  const made = traders.flatMap((trader) => trader.made)
  assert.equal(new Set(made).size, made.length)
  for (const { name, program, made: own } of traders) {
    const open = await program.done('GET', '/api/v3/openOrders', { symbol })
    for (const { clientOrderId } of open) assert.ok(clientOrderId.startsWith(`${name}-`) || clientOrderId.startsWith('x-'), clientOrderId)
    assert.ok(own.length > 0 && open.length > 0)
  }
})

test('API-ASK-002: the same client id on two connections at once is one order; a key deleted meanwhile is refused', async () => {
  const dan = await traderNamed('dan')
  const pipes = [new Pipeline(dan.program), new Pipeline(dan.program)]
  for (let n = 0; n < 100; n++) {
    const ask: Ask = { method: 'POST', path: orderPath, name: '', fields: { ...limit, newClientOrderId: randomUUID() }, fits: () => true }
    const [one, other] = await Promise.all(pipes.map((pipe) => pipe.ask(ask, n % 2 === 0)))
    assert.deepEqual([one!.status, other!.status], [200, 200])
    assert.equal(one!.body.orderId, other!.body.orderId)
    const cancel: Ask = { ...ask, method: 'DELETE', fields: { symbol, orderId: one!.body.orderId, newClientOrderId: randomUUID() } }
    const gone = await Promise.all(pipes.map((pipe) => pipe.ask(cancel, false)))
    for (const told of gone) assert.deepEqual([told!.status, told!.body.orderId], [200, one!.body.orderId], JSON.stringify(told))
  }
  const listed = (await dan.user.call('GET', '/keys')).body.keys as readonly { id: string; key: string }[]
  const { id } = listed.find(({ key }) => key === dan.program.key)!
  const told: Promise<Told | undefined>[] = []
  let isGone = false
  const deleting = dan.user.call('DELETE', `/keys/${id}`).then(() => (isGone = true))
  await until(() => {
    for (const pipe of pipes) told.push(pipe.ask({ method: 'POST', path: orderPath, name: '', fields: limit, fits: () => true }, true))
    return isGone
  }, 'the key is deleted')
  await deleting
  const last = await Promise.all(
    pipes.map((pipe) => pipe.ask({ method: 'POST', path: orderPath, name: '', fields: limit, fits: () => true }, false)),
  )
  for (const one of last) assert.deepEqual([one!.status, one!.body.code], [401, -2015])
  for (const one of await Promise.all(told)) assert.ok(one!.status === 200 || one!.body.code === -2015, JSON.stringify(one))
  for (const pipe of pipes) pipe.end()
})
