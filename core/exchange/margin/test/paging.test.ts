import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Command } from '../../../protocol/command/index.ts'
import { Exchange } from '../../exchange.ts'
import { open, units } from './world.ts'
import type { MarginWorld } from './world.ts'

const everybody = 1_000

/**
 * Many users, each with 1 BTC and a debt of 40,000 USDT in a cross account. Skips the checks that a world makes after each
 * command.
 */
function crowd(people = everybody, orders = 0, more: object = {}): MarginWorld {
  const desk = open()
  const { world } = desk
  const events = new Records()
  const run = (command: object): void => {
    const commands = new Records()
    events.length = 0
    encodeCommand(command as Command, { seq: world.exchange.seq + 1, at: world.atMs, keyId: 0 }, commands)
    world.exchange.execute(commands.data, 0, events)
    world.log.append(commands.data, 0, commands.length)
  }
  const first = world.exchange.userCount + 1
  run({ type: 'funds.faucet', user: world.user('lender'), clientId: '', asset: 1, amount: units('USDT', '100000000') })
  run({ type: 'lend.supply', user: world.user('lender'), clientId: '', asset: 1, amount: units('USDT', '100000000') })
  for (let user = first; user < first + people; user++) {
    run({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 })
    run({ type: 'user.certify', user, isCertified: true })
    run({ type: 'funds.faucet', user, clientId: '', asset: 2, amount: units('BTC', '2') })
    run({ type: 'funds.transfer', user, clientId: '', asset: 2, amount: units('BTC', '1'), from: 'spot', to: 'margin-cross' })
    run({ type: 'margin.borrow', user, clientId: '', market: 0, asset: 1, amount: units('USDT', '40000') })
    const order = { user, clientId: '', market: 1, side: 'buy', orderType: 'limit', timeInForce: 'GTC', isPostOnly: true }
    for (let n = 0; n < orders; n++) run({ type: 'spot.place', ...order, price: 45_000, lots: 1, selfTrade: 'none', ...more })
  }
  return desk
}

test('MARGIN-LIQ-016: after a price tick each command values a page of accounts, in the order of users', () => {
  const desk = crowd()
  const { world } = desk
  const told = [desk.prices(6_000, 2_500)]
  const pages = (): number[] => told.map((one) => one.of('margin.level').length)
  assert.deepEqual(pages(), [500])
  assert.equal(world.exchange.nextDueAtMs, world.atMs)
  assert.equal(Exchange.restore(world.exchange.dump()).hash(), world.exchange.hash())
  // A price tick during the round starts another round after it.
  told.push(desk.prices(6_001, 2_500))
  assert.deepEqual(pages(), [500, 500])
  while (world.exchange.nextDueAtMs <= world.atMs) told.push(world.tick())
  assert.equal(
    pages().reduce((sum, one) => sum + one),
    everybody,
  )
  const users = told.flatMap((one) => one.of('margin.level').map(({ user }) => user))
  assert.deepEqual(
    users,
    users.toSorted((a, b) => a - b),
  )
  assert.equal(Exchange.restore(world.exchange.dump()).hash(), world.exchange.hash())
})

test('MARGIN-LIQ-016: accounts that a small move can’t have brought near a threshold are not valued', () => {
  const desk = crowd()
  const { world } = desk
  desk.prices(50_000, 2_500)
  while (world.exchange.nextDueAtMs <= world.atMs) world.tick()
  desk.prices(49_900, 2_500)
  assert.ok(world.exchange.nextDueAtMs > world.atMs, 'one command was enough for all of them')
})

test('MARGIN-LIQ-016: an account with many orders counts as several accounts of a page', () => {
  const margin = { margin: { account: 'margin-cross', borrow: 'none' } }
  const many = crowd(80, 200, margin)
  // Each account counts as seven: 200 orders count as six more.
  assert.equal(many.prices(6_000, 2_500).of('margin.level').length, 72)
  assert.equal(many.world.exchange.nextDueAtMs, many.world.atMs)
  assert.equal(crowd(80, 20, margin).prices(6_000, 2_500).of('margin.level').length, 80)
  const elsewhere = crowd(80, 200, { side: 'sell', price: 55_000 })
  assert.equal(elsewhere.world.exchange.orderCount, 80 * 200)
  assert.equal(elsewhere.prices(6_000, 2_500).of('margin.level').length, 80)
})
