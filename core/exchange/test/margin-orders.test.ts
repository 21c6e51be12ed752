/** What a Margin account keeps of its orders: the same after each command as in a copy restored from a dump. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { btcusdt, open } from '../margin/test/world.ts'

const cross = { margin: { account: 'margin-cross', borrow: 'none' } } as const

test('MARGIN-LEVEL-001: sleeping orders, lists and filled orders count in the level as in a restored copy', () => {
  const desk = open().user('alice', { USDT: '2000', BTC: '1' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.enter('alice', 'BTC', '0.1').isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  const { world } = desk
  const isKept = (): void => desk.keepsLevel('alice')
  world.prints(50_000, 1)
  isKept()
  const bid = world.buy('alice', 50_500, 10, cross).isAccepted().order
  isKept()
  world.sell('mm', 50_500, 10).isAccepted().closed(bid, 'filled')
  isKept()
  world.sell('mm', 50_000, 1).isAccepted()
  world.buy('mm', 50_000, 1, { selfTrade: 'none' }).isAccepted()
  const stop = { kind: 'stop', price: 49_000, direction: 'falls-to' } as const
  world.sell('alice', 48_000, 10, { ...cross, trigger: stop }).isAccepted()
  isKept()
  world.oco('alice', { lots: 10, limitPrice: 51_000, stopPrice: 48_500, ...cross }).isAccepted()
  isKept()
  // Both triggers are reached; what rests then counts with its loss.
  world.buy('mm', 48_400, 5).isAccepted()
  world.sell('mm', 48_400, 5, { selfTrade: 'none' }).isAccepted()
  world.prints(48_400, 1)
  isKept()
  world.isReplayable()
})

test('MARGIN-LEVEL-001: orders of the spot account never count in the level of a Margin account', () => {
  const desk = open().user('alice', { USDT: '5000', BTC: '1' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  desk.borrow('alice', 'USDT', '1000', btcusdt).isAccepted()
  const { world } = desk
  const level = desk.account('alice', btcusdt).levelPpm
  const isSame = (): void => assert.equal(desk.account('alice', btcusdt).levelPpm, level)
  world.prints(49_000, 1)
  // Each would lose 500 USDT per BTC at the index of 50,000.
  world.buy('alice', 50_500, 10).isAccepted()
  isSame()
  world.sell('mm', 50_500, 10).isAccepted()
  world.prints(49_000, 1)
  world.oco('alice', { lots: 10, limitPrice: 49_500, stopPrice: 48_000 }).isAccepted()
  isSame()
  world.sell('alice', 49_400, 10, { trigger: { kind: 'stop', price: 49_300, direction: 'rises-to' } }).isAccepted()
  world.prints(49_300, 1)
  isSame()
  assert.deepEqual(
    world.open('alice').map(({ status }) => status),
    ['open', 'pending', 'open'],
  )
  world.isReplayable()
})
