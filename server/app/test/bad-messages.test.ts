import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawData, WebSocket } from 'ws'
import { startExchange, type TestExchange } from '../../main/test/exchange.ts'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'bad' })
})
after(() => exchange[Symbol.asyncDispose]())

const badMessages = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '1',
  '"x"',
  '{}',
  '{"method":1}',
  '{"method":"SUBSCRIBE"}',
  '{"method":"SUBSCRIBE","params":[],"id":1}',
  '{"method":"SUBSCRIBE","params":["nosuch@trade"],"id":1}',
  '{"method":"SUBSCRIBE","params":["btcusdt@nosuch"],"id":1}',
  '{"method":"SUBSCRIBE","params":["BTCUSDT@trade"],"id":1}',
  '{"method":"SUBSCRIBE","params":["btcusdt@trade","x"],"id":1}',
  '{"method":"SUBSCRIBE","params":"btcusdt@trade","id":1}',
  '{"method":"SUBSCRIBE","params":[null],"id":1}',
  '{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":{}}',
  '{"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1,"x":1}',
  '{"method":"NOSUCH","params":["btcusdt@trade"],"id":1}',
  '{"method":"SUBSCRIBE","method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}',
  '{"method":"SUBSCRIBE","params":["btcusdt@kline_7m"],"id":1}',
  '{"method":"SUBSCRIBE","params":["\\u0000@trade"],"id":1}',
  '{"method":"SUBSCRIBE","params":["\\ud800@trade"],"id":1}',
  `{"method":"SUBSCRIBE","params":${'['.repeat(5_000)}`,
  `{"method":"SUBSCRIBE","params":["${'x'.repeat(9_000)}"],"id":1}`,
  '{"method":"SET_PROPERTY","params":["combined",1],"id":1}',
  '{"method":"SET_PROPERTY","params":["nosuch",true],"id":1}',
  '{"__proto__":{"method":"SUBSCRIBE"}}',
  '{"action":"Subscribe"}',
  '{"action":"Subscribe","params":{}}',
  '{"action":"Subscribe","params":{"tradingPairsId":-1,"period":""}}',
  '{"action":"Subscribe","params":{"tradingPairsId":1.5,"period":""}}',
  '{"action":"Subscribe","params":{"tradingPairsId":"1","period":""}}',
  '{"action":"Subscribe","params":{"tradingPairsId":99999,"period":""}}',
  '{"action":"Subscribe","params":{"tradingPairsId":1,"period":"7m"}}',
  '{"action":"Subscribe","params":{"tradingPairsId":0,"period":"1m"}}',
  '{"action":"Subscribe","params":{"tradingPairsId":1,"period":null}}',
  '{"action":"Subscribe","params":{"tradingPairsId":1e400,"period":""}}',
  '{"action":"subscribe","params":{"tradingPairsId":1,"period":""}}',
  '{"type":"PONG"}',
  '{"type":"PING","x":1}',
] // prettier-ignore

for (const path of ['/wss', '/app/v1/stream', '/ws', '/stream']) {
  test(`GATEWAY-INPUT-006: a bad message to ${path} gets a clear error and changes nothing`, async () => {
    const isWss = path === '/wss'
    const queue = [...badMessages]
    // `/ws` accepts five messages a second: several sockets share the list, each below its limit.
    while (queue.length > 0) {
      const share = queue.splice(0, path === '/ws' || path === '/stream' ? 3 : 20)
      const client = await openSocket(path)
      for (const message of share) {
        const answer = JSON.parse(await client.ask(message)) as { code?: number; message?: string; error?: { code: number; msg: string } }
        if (isWss) assert.ok(answer.code === 400 && answer.message, `${message}: ${JSON.stringify(answer)}`)
        else assert.ok(answer.error && answer.error.msg.length > 0, `${message}: ${JSON.stringify(answer)}`)
      }
      if (!isWss) assert.deepEqual(JSON.parse(await client.ask('{"method":"LIST_SUBSCRIPTIONS","id":7}')), { result: [], id: 7 })
      client.ws.close()
    }
    const binary = await openSocket(path)
    assert.match(await binary.ask(Buffer.from([0, 1, 2])), isWss ? /"code":400/ : /"error"/)
    binary.ws.close()
    const large = await openSocket(path)
    const closed = new Promise<number>((done) => large.ws.on('close', done))
    large.ws.send('x'.repeat(70_000))
    assert.equal(await closed, 1009)
    assert.equal((await fetch(`${exchange.url}/app/v1/config`)).status, 200)
  })
}

test('GATEWAY-INPUT-007: a flood of messages is cut off, and a handshake from a foreign page is refused', async () => {
  const flood = await openSocket('/ws')
  const closed = new Promise<number>((done) => flood.ws.on('close', done))
  for (let i = 0; i < 300; i++) flood.ws.send('{"method":"LIST_SUBSCRIPTIONS","id":1}')
  assert.equal(await closed, 1008)
  for (const path of ['/wss', '/app/v1/stream', '/nosuch']) {
    const ws = new WebSocket(exchange.url.replace('http', 'ws') + path, { headers: { origin: 'https://evil.example' } })
    const status = await new Promise((done) => ws.on('unexpected-response', (_request, response) => done(response.statusCode)))
    assert.equal(status, path === '/nosuch' ? 404 : 403)
  }
})

async function openSocket(path: string) {
  const ws = new WebSocket(exchange.url.replace('http', 'ws') + path)
  await new Promise((done, fail) => ws.once('open', done).once('error', fail))
  return {
    ws,
    async ask(message: string | Buffer): Promise<string> {
      const answer = new Promise<string>((done, fail) => {
        const limit = setTimeout(() => fail(new Error(`no answer to ${String(message).slice(0, 60)}`)), 30_000)
        ws.once('message', (data: RawData) => {
          clearTimeout(limit)
          done(String(data))
        })
      })
      ws.send(message)
      return answer
    },
  }
}
