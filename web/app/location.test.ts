import assert from 'node:assert/strict'
import test from 'node:test'
import { nextOf, placeOf } from './location.ts'

test('a hash consists of a path, unchanged, and a query', () => {
  assert.equal(placeOf('').path, '/')
  assert.equal(placeOf('#/market').path, '/market')
  assert.equal(placeOf('#Second').path, '/Second')
  const place = placeOf('#/contractkline?symbol=BTCUSDT&x=a%20b')
  assert.equal(place.path, '/contractkline')
  assert.equal(place.query.get('symbol'), 'BTCUSDT')
  assert.equal(place.query.get('x'), 'a b')
})

test('after a login the app returns only to its own paths', () => {
  const next = (value: string): string => nextOf(new URLSearchParams({ next: value }))
  assert.equal(next('/spot?symbol=BTCUSDT'), '/spot?symbol=BTCUSDT')
  assert.equal(next('/propertyRecord'), '/propertyRecord')
  for (const bad of ['//evil.example', 'https://evil.example', '/login', '/\\evil', 'javascript:alert(1)', '/register?x=1']) {
    assert.equal(next(bad), '/', bad)
  }
  assert.equal(nextOf(new URLSearchParams()), '/')
})
