import assert from 'node:assert/strict'
import test from 'node:test'
import type { WssData } from '@candor/core/protocol/wire/market.ts'
import { createCookieJar } from '../node/cookie.ts'
import { nodeSocket } from '../node/socket.ts'
import { startLoopback, until } from '../test/loopback.ts'
import { openQuotes } from './quotes.ts'
import { openStream } from './stream.ts'

const quick = { retryMs: 10, retryMaxMs: 40, random: () => 0 }

test('quotes: subscribes to all pairs, pings, and gives only a 200 with data to the data listener', async () => {
  const received: string[] = []
  await using exchange = await startLoopback({
    socket(socket) {
      socket.on('message', (text) => received.push(String(text)))
      socket.send('{"code":200,"data":{}}')
      socket.send('{"code":400,"message":"no such pair"}')
      socket.send('half a mess')
      socket.send('{"code":200,"data":{"list":[{"tradingPairsId":1,"symbol":"BTCUSDT","price":"1.5"}]}}')
    },
  })
  const data: WssData[] = []
  const errors: (string | undefined)[] = []
  const quotes = openQuotes({
    url: `${exchange.socketUrl}/wss`,
    pingMs: 20,
    onData: (each) => data.push(each),
    onError: (each) => errors.push(each.message),
  })
  try {
    await until(() => received.includes('{"type":"PING"}') && data.length === 1)
    assert.equal(received[0], '{"action":"Subscribe","params":{"tradingPairsId":0,"period":""}}')
    assert.deepEqual(errors, ['no such pair', 'half a mess'])
    assert.equal(data[0]?.list?.[0]?.price, '1.5')
    assert.ok(Date.now() - quotes.lastMessageAt < 1_000)
  } finally {
    quotes.close()
  }
})

test('UI-OFFLINE-003: while `/wss` cannot be reached, quotes and candles come from the streams of `/ws`', async () => {
  const received: string[] = []
  await using exchange = await startLoopback({
    socket(socket, request) {
      if (request.url !== '/ws') return socket.terminate()
      socket.on('message', (text) => received.push(String(text)))
      socket.send('{"result":null,"id":1}')
      socket.send('[{"e":"24hrMiniTicker","E":5,"s":"BTCUSDT","c":"110","o":"100","h":"120","l":"90","v":"7","q":"1"}]')
      socket.send('{"e":"24hrMiniTicker","E":6,"s":"BTCUSDTPERP","c":"99","o":"100","h":"120","l":"90","v":"7","q":"1"}')
      socket.send('{"e":"24hrMiniTicker","E":6,"s":"OTHER","c":"99","o":"100","h":"120","l":"90","v":"7","q":"1"}')
      socket.send('{"e":"kline","E":7,"s":"BTCUSDT","k":{"t":3,"i":"1m","o":"1","h":"4","l":"0.5","c":"2","v":"9"}}')
    },
  })
  const pairs = [
    { id: 1, symbol: 'BTCUSDT', kind: 'spot' },
    { id: 2, symbol: 'BTCUSDTPERP', kind: 'perp' },
  ] as const
  const data: WssData[] = []
  const fallback = { url: `${exchange.socketUrl}/ws`, pairs: () => pairs }
  const quotes = openQuotes({ url: `${exchange.socketUrl}/wss`, ...quick, pingMs: 20, fallback, onData: (each) => data.push(each) })
  try {
    quotes.watch(1, '1m')
    await until(() => quotes.state === 'open' && data.length === 3 && received.includes('{"method":"LIST_SUBSCRIPTIONS","id":2}'))
    assert.deepEqual(
      received.slice(0, 2).map((text) => JSON.parse(text).params),
      [['!miniTicker@arr', 'btcusdtperp@miniTicker'], ['btcusdt@kline_1m']],
    )
    const all = { high: '120', low: '90', open: '100', volume: '7' }
    assert.deepEqual(data, [
      { list: [{ ...all, tradingPairsId: 1, symbol: 'BTCUSDT', price: '110', change: '10.00', time: 5 }] },
      { list: [{ ...all, tradingPairsId: 2, symbol: 'BTCUSDTPERP', price: '99', change: '-1.00', time: 6 }] },
      { kline: { tradingPairsId: 1, period: '1m', rows: [[3, '1', '4', '0.5', '2', '9']] } },
    ])
    quotes.unwatch()
    await until(() => received.includes('{"method":"UNSUBSCRIBE","params":["btcusdt@kline_1m"],"id":1}'))
  } finally {
    quotes.close()
  }
})

test('quotes: after a loss it reconnects, reports its state, and asks again for the watched candles', async () => {
  const received: string[][] = []
  await using exchange = await startLoopback({
    socket(socket) {
      const mine: string[] = []
      received.push(mine)
      socket.on('message', (text) => mine.push(String(text)))
    },
  })
  const states: string[] = []
  const quotes = openQuotes({ url: exchange.socketUrl, ...quick, onData: () => undefined, onState: (state) => states.push(state) })
  try {
    await until(() => quotes.state === 'open')
    quotes.watch(3, '1m')
    await until(() => received[0]?.length === 2)
    for (const socket of exchange.sockets) socket.terminate()
    await until(() => received[1]?.length === 2)
    assert.deepEqual(received[1], [
      '{"action":"Subscribe","params":{"tradingPairsId":0,"period":""}}',
      '{"action":"Subscribe","params":{"tradingPairsId":3,"period":"1m"}}',
    ])
    assert.deepEqual(states, ['open', 'connecting', 'open'])
  } finally {
    quotes.close()
  }
})

test('a host that is gone makes the state offline, and attempts continue until it is back', async () => {
  let url = ''
  {
    await using gone = await startLoopback({})
    url = gone.socketUrl
  }
  let attempts = 0
  const stream = openStream({
    url,
    ...quick,
    socket(address) {
      attempts += 1
      return nodeSocket(createCookieJar())(address)
    },
  })
  try {
    await until(() => stream.state === 'offline')
    const before = attempts
    await until(() => attempts > before + 1)
  } finally {
    stream.close()
  }
  const after = attempts
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(attempts, after, 'a closed stream tries no more')
})

test('a socket that stays silent counts as lost', async () => {
  let opened = 0
  await using exchange = await startLoopback({ socket: () => void (opened += 1) })
  const stream = openStream({ url: exchange.socketUrl, ...quick, silenceMs: 40 })
  try {
    await until(() => opened >= 3)
  } finally {
    stream.close()
  }
})

test('stream: the first listener subscribes, the last one unsubscribes, and a reconnect subscribes the rest', async () => {
  const received: string[] = []
  await using exchange = await startLoopback({
    socket(socket) {
      socket.on('message', (text) => {
        const message = JSON.parse(String(text)) as { method: string; params: string[]; id: number }
        received.push(`${message.method} ${message.params.join(' ')}`)
        socket.send(JSON.stringify({ result: null, id: message.id }))
        if (message.method === 'SUBSCRIBE') {
          for (const stream of message.params) socket.send(JSON.stringify({ stream, data: { e: 'trade', p: '1' } }))
        }
      })
    },
  })
  const stream = openStream({ url: exchange.socketUrl, ...quick })
  try {
    const prices: string[] = []
    const listener = (trade: { readonly p: string }): void => void prices.push(trade.p)
    const first = stream.subscribe('btcusdt@trade', listener)
    const second = stream.subscribe('btcusdt@trade', listener)
    await until(() => prices.length === 2)
    const other = stream.subscribe('ethusdt@trade', () => undefined)
    first()
    first()
    await until(() => received.length === 2)
    second()
    await until(() => received.length === 3)
    for (const socket of exchange.sockets) socket.terminate()
    await until(() => received.length === 4)
    other()
    await until(() => received.length === 5)
    assert.deepEqual(received, [
      'SUBSCRIBE btcusdt@trade',
      'SUBSCRIBE ethusdt@trade',
      'UNSUBSCRIBE btcusdt@trade',
      'SUBSCRIBE ethusdt@trade',
      'UNSUBSCRIBE ethusdt@trade',
    ])
  } finally {
    stream.close()
  }
})

test('stream: subscriptions of one turn go out together; a channel left and joined again sends nothing', async () => {
  const received: string[] = []
  await using exchange = await startLoopback({
    socket(socket) {
      socket.on('message', (text) => {
        const { method, params } = JSON.parse(String(text)) as { method: string; params: string[] }
        received.push(`${method} ${params.join(' ')}`)
      })
    },
  })
  const stream = openStream({ url: exchange.socketUrl, ...quick })
  const follow = (channel: string): (() => void) => stream.subscribe(channel, () => undefined)
  try {
    await until(() => stream.state === 'open')
    const [one, two] = [follow('btcusdt@trade'), follow('ethusdt@trade')]
    await until(() => received.length === 1)
    one()
    follow('btcusdt@trade')
    two()
    follow('solusdt@trade')
    await until(() => received.length === 3)
    assert.deepEqual(received, ['SUBSCRIBE btcusdt@trade ethusdt@trade', 'SUBSCRIBE solusdt@trade', 'UNSUBSCRIBE ethusdt@trade'])
  } finally {
    stream.close()
  }
})

test('stream: a quiet one is kept alive by a question about its subscriptions', async () => {
  let opened = 0
  await using exchange = await startLoopback({
    socket(socket) {
      opened += 1
      socket.on('message', (text) => socket.send(JSON.stringify({ result: [], id: (JSON.parse(String(text)) as { id: number }).id })))
    },
  })
  const stream = openStream({ url: exchange.socketUrl, ...quick, pingMs: 15, silenceMs: 100 })
  try {
    await new Promise((resolve) => setTimeout(resolve, 250))
    assert.equal(opened, 1)
  } finally {
    stream.close()
  }
})

test('stream: errors reach the error listener, garbage reaches no listener', async () => {
  await using exchange = await startLoopback({
    socket(socket) {
      for (const text of ['', '{', '[]', 'null', '7', '{"stream":"nobody","data":{}}']) socket.send(text)
      socket.send('{"error":{"code":"UNAUTHENTICATED","msg":"log in"},"id":null}')
    },
  })
  const errors: string[] = []
  const stream = openStream({ url: exchange.socketUrl, onError: (error) => errors.push(error.code) })
  try {
    await until(() => errors.length > 0)
    assert.deepEqual(errors, ['UNAUTHENTICATED'])
    assert.equal(stream.state, 'open')
  } finally {
    stream.close()
  }
})

test('in Node the socket carries the cookie and the origin', async () => {
  let seen: (string | undefined)[] = []
  await using exchange = await startLoopback({
    socket: (_socket, request) => void (seen = [request.headers.cookie, request.headers.origin]),
  })
  const jar = createCookieJar()
  jar.store(['sid=s1; HttpOnly'])
  const stream = openStream({ url: `${exchange.socketUrl}/app/v1/stream`, socket: nodeSocket(jar) })
  try {
    await until(() => stream.state === 'open')
    assert.deepEqual(seen, ['sid=s1', exchange.url])
  } finally {
    stream.close()
  }
})
