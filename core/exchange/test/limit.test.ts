import { test } from 'node:test'
import { given } from './world.ts'

test('SPOT-LIMIT-001: a limit order takes what is at its price or better, at the maker’s price, and rests with the remainder', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 400).isAccepted()
  world.sell('alice', 101, 400).isAccepted()
  world.buy('bob', 101, 1000).isAccepted().traded('100×400', '101×400')
  world.shows(['101×200'], [])
  // 40 + 40.4 paid, 20.2 held; 0.8 BTC less 0.1 % received.
  world.has('bob', 'USDT', '899.4', '20.2').has('bob', 'BTC', '0.7992')
  world.has('alice', 'BTC', '0.2').has('alice', 'USDT', '80.3196')
  world.isReplayable()
})
