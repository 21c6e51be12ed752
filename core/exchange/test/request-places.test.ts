import type { UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from '../../protocol/test/literals.ts'
import { placesOf } from '../requests/places.ts'
import { given, type World } from './world.ts'

const next = (world: World): number => world.exchange.requestRoom(world.user('alice') as UserId).next

/** Number of places in the ring that a command takes. */
function used(world: World, send: () => unknown): number {
  const before = next(world)
  send()
  return next(world) - before
}

test('SPOT-ONCE-007: a command takes as many places in the ring as `placesOf` counts for it', () => {
  const world = given({ alice: { BTC: '10', USDT: '1000000' } }).prints(100)
  const legs = [{}, { limitClientId: 'l' }, { stopClientId: 's' }, { limitClientId: 'l', stopClientId: 's' }]
  let names = 0
  for (const clientId of ['', 'list']) {
    for (const leg of legs) {
      const own = Object.fromEntries(Object.entries(leg).map(([key, name]) => [key, `${name}${++names}`]))
      const list = { clientId: clientId && `${clientId}${++names}`, ...own, lots: 100, limitPrice: 110, stopPrice: 90 }
      const places = placesOf(commandOf({ ...list, type: 'spot.placeOco', user: 1, market: 1, side: 'sell', selfTrade: 'expire-taker' }))
      assert.equal(
        used(world, () => world.oco('alice', list).isAccepted()),
        places,
        JSON.stringify(list),
      )
    }
  }
  for (const clientId of ['', 'order']) {
    const order = { market: 1, side: 'buy', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, selfTrade: 'expire-taker' } as const
    const places = placesOf(commandOf({ ...order, type: 'spot.place', user: 1, clientId }))
    assert.equal(
      used(world, () => world.buy('alice', 95, 100, { clientId })),
      places,
    )
  }
  const cancel = commandOf({ type: 'spot.cancel', user: 1, clientId: 'refused', market: 1, order: 999_999, orderClientId: '' })
  assert.equal(
    used(world, () => world.cancel('alice', 999_999, { clientId: 'refused' })),
    placesOf(cancel),
  )
})
