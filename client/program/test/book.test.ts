import assert from 'node:assert/strict'
import test from 'node:test'
import { startLoopback, until } from '../../test/loopback.ts'
import { bookAfter, openBook, type Book } from '../book.ts'
import { openStream } from '../stream.ts'

const book: Book = { bids: [['10', '1']], asks: [['11', '2']], lastUpdateId: 100 }
const nothing = { b: [], a: [] }

test('API-SDK-006: changes of a spot book apply from the one that covers the snapshot, without a gap', () => {
  assert.equal(bookAfter(book, { U: 90, u: 100, ...nothing }, true), book, 'older')
  assert.equal(bookAfter(book, { U: 102, u: 103, ...nothing }, true), undefined, 'a gap')
  const next = bookAfter(
    book,
    {
      U: 95,
      u: 104,
      b: [
        ['10', '0'],
        ['9.5', '3'],
      ],
      a: [['11.0', '5']],
    },
    true,
  )
  assert.deepEqual(next, { bids: [['9.5', '3']], asks: [['11.0', '5']], lastUpdateId: 104 })
  assert.equal(bookAfter(next as Book, { U: 106, u: 107, ...nothing }, false), undefined)
  assert.equal(bookAfter(next as Book, { U: 105, u: 105, ...nothing }, false)?.lastUpdateId, 105)
})

test('API-SDK-007: changes of a Futures book follow each other by pu', () => {
  assert.equal(bookAfter(book, { U: 80, u: 99, pu: 79, ...nothing }, true), book, 'older')
  const first = bookAfter(book, { U: 95, u: 105, pu: 94, ...nothing }, true)
  assert.equal(first?.lastUpdateId, 105)
  assert.equal(bookAfter(book, { U: 103, u: 105, pu: 102, ...nothing }, true), undefined, 'a gap after the snapshot')
  assert.equal(bookAfter(first as Book, { U: 109, u: 110, pu: 105, ...nothing }, false)?.lastUpdateId, 110)
  assert.equal(bookAfter(first as Book, { U: 109, u: 110, pu: 107, ...nothing }, false), undefined)
})

test('API-SDK-008: a book is read again after a gap and after a lost socket; subscriptions of one turn go out together', async (t) => {
  const messages: { method: string; params?: string[] }[] = []
  await using exchange = await startLoopback({
    socket: (socket) => socket.on('message', (data) => messages.push(JSON.parse(String(data)))),
  })
  const tell = (change: object): void => {
    for (const socket of exchange.sockets) socket.send(JSON.stringify({ stream: 'btcusdt@depth@100ms', data: change }))
  }
  const stream = openStream({ url: exchange.url, retryMs: 5 })
  t.after(() => stream.close())
  let snapshot: Book = book
  let shown: Book | undefined
  const live: boolean[] = []
  const leaveTrades = stream.subscribe('btcusdt@trade', () => undefined)
  const open = openBook({
    stream,
    symbol: 'BTCUSDT',
    snapshot: () => Promise.resolve(snapshot),
    onChange: (next) => (shown = next),
    onLive: (isLive) => live.push(isLive),
    retryMs: 5,
  })
  await until(() => shown)
  await until(() => messages.length > 0)
  assert.deepEqual([messages[0]?.method, messages[0]?.params], ['SUBSCRIBE', ['btcusdt@trade', 'btcusdt@depth@100ms']])
  tell({ U: 101, u: 101, b: [], a: [['11', '0']] })
  await until(() => shown?.lastUpdateId === 101)
  assert.deepEqual(shown?.asks, [])
  snapshot = { ...book, lastUpdateId: 205 }
  tell({ U: 204, u: 206, b: [['10', '7']], a: [] })
  await until(() => shown?.lastUpdateId === 206)
  assert.deepEqual(shown?.bids, [['10', '7']])
  snapshot = { ...book, lastUpdateId: 300 }
  for (const socket of exchange.sockets) socket.terminate()
  await until(() => shown?.lastUpdateId === 300)
  assert.deepEqual(live, [true, false, true, false, true])
  leaveTrades()
  open.close()
  await until(() => messages.some(({ method, params }) => method === 'UNSUBSCRIBE' && params?.length === 2))
})
