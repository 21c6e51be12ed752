import assert from 'node:assert/strict'
import test from 'node:test'
import { PriceBoard } from '../board.ts'
import { keepLog, startVenue, until } from '../test/world.ts'
import { binance } from './binance.ts'
import { coinbase } from './coinbase.ts'
import { VenueConnection, type ConnectionOptions } from './connection.ts'
import { kraken } from './kraken.ts'
import { okx } from './okx.ts'
import type { Venue } from './venue.ts'
import { pairsOn } from './venues.ts'

const markets = [{ base: 'BTC', quote: 'USDT' }]

function connect(venue: Venue, url: string, more: Partial<ConnectionOptions> = {}) {
  const board = new PriceBoard()
  const log = keepLog()
  const connection = new VenueConnection({
    venue: { ...venue, socketUrl: url },
    pairs: pairsOn(venue, markets),
    board,
    log,
    now: () => performance.now(),
    retryMs: 5,
    retryMaxMs: 20,
    ...more,
  })
  const price = (): number | undefined => board.index('BTC', 'USDT', performance.now())?.price
  return { board, log, price, [Symbol.dispose]: () => connection.close() }
}

/** Each venue's messages to a subscriber, in its own format: acknowledgement, then prices that give 50,000 USDT. */
const scripts: readonly [venue: Venue, greeting: string | undefined, answers: readonly string[]][] = [
  [
    binance,
    undefined,
    ['{"result":null,"id":1}', '{"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT","b":"49999","B":"1","a":"50001","A":"1"}}'],
  ],
  [
    okx,
    undefined,
    [
      '{"event":"subscribe","arg":{"channel":"tickers","instId":"BTC-USDT"},"connId":"a"}',
      '{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT","last":"1","askPx":"50001","bidPx":"49999","ts":"1"}]}',
    ],
  ],
  [
    coinbase,
    undefined,
    [
      '{"type":"subscriptions","channels":[]}',
      '{"type":"ticker","product_id":"USDT-USD","price":"0.99","best_bid":"0.989","best_ask":"0.991"}',
      '{"type":"ticker","product_id":"BTC-USD","price":"1","best_bid":"49499","best_ask":"49501"}',
      '{"type":"heartbeat","product_id":"BTC-USD"}',
    ],
  ],
  [
    kraken,
    '{"channel":"status","data":[{"system":"online","api_version":"v2"}],"type":"update"}',
    [
      '{"method":"subscribe","result":{"channel":"ticker","symbol":"BTC/USD"},"success":true}',
      '{"channel":"ticker","type":"snapshot","data":[{"symbol":"USDT/USD","bid":0.989,"ask":0.991}]}',
      '{"channel":"ticker","type":"snapshot","data":[{"symbol":"BTC/USD","bid":49499,"ask":49501}]}',
      '{"channel":"heartbeat"}',
    ],
  ],
]

for (const [venue, greeting, answers] of scripts) {
  test(`${venue.name}: subscribes, and its prices reach the board`, async () => {
    await using host = await startVenue((socket, text) => {
      if (text === undefined) {
        if (greeting !== undefined) socket.send(greeting)
      } else if (text === 'ping') socket.send('pong')
      else for (const answer of answers) socket.send(answer)
    })
    using venueConnection = connect(venue, host.url)
    assert.equal(await until(() => venueConnection.price()), 50_000_00000000)
    assert.deepEqual(
      host.received.filter((text) => text !== 'ping'),
      [...venue.reader(pairsOn(venue, markets)).subscriptions],
    )
  })
}

const quote = '{"u":1,"s":"BTCUSDT","b":"1","B":"1","a":"1","A":"1"}'

test('garbage, cut, mistyped and binary messages do no harm, and do not keep a connection alive', async () => {
  const garbage = [
    '',
    '{',
    'null',
    '[]',
    '7',
    '"x"',
    quote.slice(0, 30),
    '{"u":1,"s":7,"b":"1","a":"1"}',
    '{"u":1,"s":"BTCUSDT","b":[1],"a":{}}',
    '\u0000',
  ]
  await using host = await startVenue((socket, text) => {
    if (text === undefined) return
    for (const each of garbage) socket.send(each)
    socket.send(Buffer.from(quote), { binary: true })
    if (host.connections === 2) socket.send(quote)
  })
  using connection = connect(binance, host.url, { silenceMs: 80 })
  await until(() => host.connections === 2)
  assert.equal(connection.board.index('BTC', 'USDT', performance.now())?.price ?? 100_000_000, 100_000_000)
  await until(() => connection.price() === 100_000_000)
})

test('a lost connection drops its prices, is logged once, and reconnects', async () => {
  let isOpen = true
  await using host = await startVenue((socket, text) => {
    if (!isOpen) socket.terminate()
    else if (text !== undefined) socket.send(quote)
  })
  using connection = connect(binance, host.url)
  await until(() => connection.price())
  isOpen = false
  for (const socket of host.sockets) socket.terminate()
  await until(() => host.connections >= 4)
  assert.equal(connection.price(), undefined)
  assert.equal(connection.log.lines.filter((line) => line.includes('a price venue is lost')).length, 1)
  isOpen = true
  await until(() => connection.price())
})

test('a venue that is silent, asks for a reconnect, or refuses the connection is connected again', async () => {
  let calls = 0
  await using host = await startVenue((socket, text) => {
    if (text === undefined) calls += 1
    else if (calls === 2) socket.send('{"event":"notice","code":"64008","msg":"upgrade"}')
    else if (calls === 3) socket.send('{"arg":{"channel":"tickers"},"data":[{"instId":"BTC-USDT","askPx":"1","bidPx":"1"}]}')
  })
  using connection = connect({ ...okx, ping: { everyMs: 1_000, text: 'ping' } }, host.url, { silenceMs: 50 })
  await until(() => connection.price())
  assert.ok(calls >= 3)

  let url = ''
  {
    await using gone = await startVenue(() => undefined)
    url = gone.url
  }
  using refused = connect(okx, url)
  await until(() => refused.log.lines.length > 0)
  assert.equal(refused.board.status(performance.now())[0]?.isUp, false)
})

test('a refused pair is logged, and the others continue', async () => {
  await using host = await startVenue((socket, text) => {
    if (text?.includes('BTC-USD')) {
      socket.send('{"type":"error","message":"Failed to subscribe","reason":"X-USD is not a valid product"}')
      socket.send('{"type":"ticker","product_id":"USDT-USD","best_bid":"1","best_ask":"1"}')
      socket.send('{"type":"ticker","product_id":"BTC-USD","best_bid":"1","best_ask":"1"}')
    }
  })
  using connection = connect(coinbase, host.url)
  await until(() => connection.price())
  assert.match(connection.log.lines.join('\n'), /refuses a request.*X-USD is not a valid product/)
})

test('a venue that requires pings gets them', async () => {
  await using host = await startVenue(() => undefined)
  using connection = connect({ ...okx, ping: { everyMs: 10, text: 'ping' } }, host.url)
  await until(() => host.received.filter((text) => text === 'ping').length >= 2)
  assert.ok(connection)
})
