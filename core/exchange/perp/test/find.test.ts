/** How a cancel or an amend names an order: by its number, or by the client id with which it was placed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const two = { alice: '1000', bob: '1000' }
/** As long as an id may be. */
const long = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Cancels the order that a client id or a number names. */
function cancels(world: PerpWorld, name: string, reference: object, market: number = contract): Told {
  return world.do({ type: 'perp.cancel', user: world.id(name), clientId: '', market, order: 0, orderClientId: '', ...reference })
}

function withSecond(): PerpWorld {
  const world = givenPerp(two)
  const listed = { type: 'perp.list', symbol: 'BTCUSDTPERP2', base: 2, quote: 1, tick: '1', lot: '0.001' }
  world.do({ ...listed, terms: marketTerms, perp: perpTerms }).isAccepted()
  world.index(100)
  return world
}

test('API-PERP-001: an order is found by its number or client id, by its owner and in its market only', () => {
  const world = withSecond()
  const first = world.buy('alice', 90, 100, { clientId: 'first' }).isAccepted().order
  const second = world.buy('alice', 91, 100, { clientId: long }).isAccepted().order
  const third = world.buy('alice', 92, 100).isAccepted().order
  const bobs = world.buy('bob', 90, 100, { clientId: 'bobs' }).isAccepted().order
  for (const reference of [{ order: first }, { orderClientId: 'first' }]) {
    cancels(world, 'bob', reference).isRefused('ORDER_UNKNOWN')
    cancels(world, 'alice', reference, 4).isRefused('ORDER_UNKNOWN')
    cancels(world, 'alice', reference, 1).isRefused('MARKET_UNKNOWN')
  }
  for (const reference of [
    {},
    { order: bobs },
    { order: bobs + 1 },
    { orderClientId: 'bobs' },
    { orderClientId: 'firs' },
    { orderClientId: 'first2' },
  ])
    cancels(world, 'alice', reference).isRefused('ORDER_UNKNOWN')
  cancels(world, 'alice', { orderClientId: `${long.slice(0, -1)}8` }).isRefused('ORDER_UNKNOWN')
  assert.equal(cancels(world, 'alice', { orderClientId: 'first' }).isAccepted().closed(first, 'cancelled').order, first)
  cancels(world, 'alice', { orderClientId: 'first' }).isRefused('ORDER_UNKNOWN')
  cancels(world, 'alice', { order: third }).isAccepted().closed(third, 'cancelled')
  assert.equal(cancels(world, 'alice', { orderClientId: long }).isAccepted().closed(second, 'cancelled').order, second)
  cancels(world, 'bob', { order: bobs }).isAccepted().closed(bobs, 'cancelled')
  world.isReplayable()
})

test('API-PERP-001: the client id of an amend or of a refused order names no order', () => {
  const world = withSecond()
  const order = world.buy('alice', 90, 100, { clientId: 'same-start-1' }).isAccepted().order
  const amended = (more: object) => world.amend('alice', order, { lots: 90, clientId: 'same-start-2', ...more })
  assert.equal(amended({}).isAccepted().order, order)
  cancels(world, 'alice', { orderClientId: 'same-start-2' }).isRefused('ORDER_UNKNOWN')
  world.buy('alice', 90, 0, { clientId: 'refused' }).isRefused('QUANTITY_INVALID')
  cancels(world, 'alice', { orderClientId: 'refused' }).isRefused('ORDER_UNKNOWN')
  // An amend may name the order by its client id too.
  world.amend('alice', 0, { lots: 80, orderClientId: 'same-start-2' }).isRefused('ORDER_UNKNOWN')
  assert.equal(world.amend('alice', 0, { lots: 80, orderClientId: 'same-start-1' }).isAccepted().order, order)
  assert.equal(cancels(world, 'alice', { orderClientId: 'same-start-1' }).isAccepted().order, order)
  world.isReplayable()
})
