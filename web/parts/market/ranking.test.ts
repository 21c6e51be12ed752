import assert from 'node:assert/strict'
import test from 'node:test'
import type { Quote } from '../../app/quotes.ts'
import { ranked } from './ranking.ts'

const quote = (symbol: string, change: string, quoteVolume: string): Quote => ({
  symbol,
  change,
  quoteVolume,
  price: '1',
  open: '1',
  high: '1',
  low: '1',
  volume: '1',
  time: 0,
  direction: 0,
})
const quotes = [
  quote('A', '1.5', '10'),
  quote('B', '-3.1', '900'),
  quote('C', '10.2', '90'),
  quote('D', '0', '1000'),
  quote('E', '-0.5', '5'),
]

test('gainers are markets that rose, losers those that fell, each sorted by change', () => {
  assert.deepEqual(ranked(quotes, 'gainers', [], 5), ['C', 'A'])
  assert.deepEqual(ranked(quotes, 'losers', [], 5), ['B', 'E'])
})

test('volume is compared as a number', () => {
  assert.deepEqual(ranked(quotes, 'volume', [], 3), ['D', 'B', 'C'])
})

test('favourites keep their order, without markets that are not listed', () => {
  assert.deepEqual(ranked(quotes, 'favourites', ['E', 'X', 'A'], 5), ['E', 'A'])
})
