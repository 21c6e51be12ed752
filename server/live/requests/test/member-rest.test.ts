import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, givenPerp } from '@candor/core/exchange/perp/test/world.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { Listing } from '../../listing.ts'
import { refusalAtRest } from '../member-rest.ts'

test('FIRM-ACT-008: a member who rests moves the stops of a firm that close or sell, and none that may open', async () => {
  const world = givenPerp({ firm: '1000', bob: '1000' })
  const { exchange } = world
  world.sell('bob', 100, 1000).isAccepted()
  world.buy('firm', 100, 1000).isAccepted()
  world.world.gives('firm', 'BTC', '1').gives('firm', 'USDT', '100').prints(100)
  const stop = (price: number, direction: string): object => ({ trigger: { kind: 'stop', price, direction } })
  const user = world.id('firm')
  const whole = world.closes('firm', 'sell', 90, 'falls-to').isAccepted().order
  const part = world.sell('firm', 91, 500, { ...stop(90, 'falls-to'), isReduceOnly: true }).isAccepted().order
  const opens = world.buy('firm', 110, 100, stop(110, 'rises-to')).isAccepted().order
  const sells = world.world.sell('firm', 90, 500, stop(90, 'falls-to')).isAccepted().order
  const buys = world.world.buy('firm', 110, 500, stop(110, 'rises-to')).isAccepted().order

  const reads = { openOrders: async () => exchange.openOrders(user), listing: async () => exchange.listing() }
  const ask = { ...reads, marginTerms: async () => null } as unknown as Ask
  const listing = new Listing()
  await listing.load(ask)
  const moves = async (order: number, market: number, triggerPrice: number): Promise<string> => {
    const type = market === contract ? 'perp.amend' : 'spot.amend'
    const command = { type, user, clientId: '', market, order, orderClientId: '', triggerPrice } as Command
    const refusal = (await refusalAtRest({ ask, listing, now: () => world.world.atMs as Millis }, user, command))?.refusal
    return refusal ?? world.do(command).outcome.refusal ?? 'accepted'
  }
  assert.deepEqual(
    [await moves(whole, contract, 95), await moves(part, contract, 92), await moves(opens, contract, 105)],
    ['accepted', 'accepted', 'RESTING'],
  )
  assert.deepEqual([await moves(sells, 1, 91), await moves(buys, 1, 105)], ['accepted', 'RESTING'])
})
