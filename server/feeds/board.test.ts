import assert from 'node:assert/strict'
import test from 'node:test'
import { PriceBoard } from './board.ts'

const btcUsdt = { base: 'BTC', quote: 'USDT' }
const btcUsd = { base: 'BTC', quote: 'USD' }
const usdtUsd = { base: 'USDT', quote: 'USD' }
const one = 100_000_000

test('FEEDS-INDEX-003: USD books are divided by the median of USDT/USD, and not used without one', () => {
  const board = new PriceBoard()
  board.put('a', btcUsd, 100 * one, 'book', 0)
  assert.equal(board.index('BTC', 'USDT', 0), undefined)
  board.put('a', usdtUsd, 0.8 * one, 'book', 0)
  assert.equal(board.index('BTC', 'USDT', 0)?.price, 125 * one)
  board.put('b', usdtUsd, 1.25 * one, 'book', 0)
  board.put('c', usdtUsd, 1.6 * one, 'book', 0)
  board.put('d', usdtUsd, 1, 'book', 0)
  assert.equal(board.usdtUsd(0), 1.25 * one, 'a rate beyond belief does not count')
  assert.equal(board.index('BTC', 'USDT', 0)?.price, 80 * one)
  board.put('a', btcUsdt, 26 * one, 'book', 0)
  assert.deepEqual(board.sources('BTC', 'USDT', 0), [{ venue: 'a', price: 26 * one, ageMs: 0 }], 'its own USDT book goes first')
})

test('an unchanged book is as fresh as its connection, for a minute; a trade is as fresh as its time', () => {
  const board = new PriceBoard()
  const age = (now: number): number | undefined => board.sources('BTC', 'USDT', now)[0]?.ageMs
  board.put('a', btcUsdt, one, 'book', 0)
  board.touch('a', 50_000)
  assert.equal(age(50_500), 500)
  board.touch('a', 60_500)
  assert.equal(age(60_500), 60_500, 'not trusted after a minute')
  const trades = new PriceBoard()
  trades.put('a', btcUsdt, one, 'last', 0)
  trades.touch('a', 5_000)
  assert.equal(trades.sources('BTC', 'USDT', 5_000)[0]?.ageMs, 5_000)
})

test('a trade does not replace a book, unless the book is old', () => {
  const board = new PriceBoard()
  board.put('a', btcUsdt, 100, 'book', 0)
  board.put('a', btcUsdt, 200, 'last', 1_000)
  assert.equal(board.sources('BTC', 'USDT', 1_000)[0]?.price, 100)
  board.put('a', btcUsdt, 200, 'last', 61_000)
  assert.equal(board.sources('BTC', 'USDT', 61_000)[0]?.price, 200)
})

test('the prices of a lost venue are dropped, and its silence shows', () => {
  const board = new PriceBoard()
  board.expect('a', 0)
  board.put('b', btcUsdt, one, 'book', 1_000)
  assert.deepEqual(board.status(2_000), [
    { name: 'a', isUp: false, ageMs: 2_000 },
    { name: 'b', isUp: true, ageMs: 1_000 },
  ])
  assert.equal(board.status(4_001)[1]?.isUp, false)
  board.lose('b')
  assert.equal(board.index('BTC', 'USDT', 1_000), undefined)
  assert.equal(board.status(1_000)[1]?.isUp, false)
  board.remove('b')
  assert.equal(board.status(1_000).length, 1)
})
