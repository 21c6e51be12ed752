import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { decodeEvents } from '../../protocol/codec/event.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { Command } from '../../protocol/command/index.ts'
import { Exchange } from '../exchange.ts'
import { wholeRoom } from '../state/room.ts'
import type { Room } from '../state/room.ts'
import { refuseMemory } from './short-memory.ts'
import { start, terms } from './world.ts'

/** An exchange with two assets, one market and `users` users, and with small limits. */
class Small {
  exchange: Exchange
  readonly #commands = new Records()
  readonly #events = new Records()
  readonly #room: Room

  constructor(room: Partial<Room>, users: number) {
    this.#room = { ...wholeRoom, ...room }
    this.exchange = Exchange.create(0, this.#room)
    this.does({ type: 'asset.list', symbol: 'USDT', scale: 6 })
    this.does({ type: 'asset.list', symbol: 'BTC', scale: 8 })
    const market = { symbol: 'BTCUSDT', base: 2, quote: 1, tick: '1', lot: '0.001', terms }
    this.does({ type: 'market.list', ...market })
    for (let n = 1; n <= users; n++) this.does({ type: 'user.open', requestId: `u${n}`, class: 'retail', referrer: 0 })
  }

  #hasReserved = false

  /** Allocates the memory, as an engine does before its first command. */
  reserve(): void {
    this.#hasReserved = true
    this.exchange.reserve()
  }

  restore(): void {
    this.exchange = Exchange.restore(this.exchange.dump())
    if (this.#hasReserved) this.exchange.reserve()
  }

  /** Refusal of a command, undefined when it is accepted. */
  does(command: object): string | undefined {
    const [commands, events] = [this.#commands, this.#events]
    commands.clear()
    events.clear()
    encodeCommand(command as Command, { seq: this.exchange.seq + 1, at: start, keyId: 1 }, commands)
    this.exchange.execute(commands.data, 0, events)
    const outcome = decodeEvents(events.data, 0, events.length).at(-1) as { refusal?: string }
    return outcome.refusal
  }

  faucet(user: number, asset: number, amount: number): string | undefined {
    return this.does({ type: 'funds.faucet', user, clientId: '', asset, amount })
  }

  order(user: number, side: string, price: number): string | undefined {
    const order = { type: 'spot.place', user, clientId: '', market: 1, side, orderType: 'limit', timeInForce: 'GTC', price, lots: 100 }
    return this.does({ ...order, isPostOnly: false, selfTrade: 'expire-taker' })
  }

  isBalanced(): void {
    const { sums, violations } = this.exchange.trialBalance()
    assert.deepEqual(violations, [])
    assert.ok(sums.every((sum) => sum === 0))
  }
}

test('FUNDS-FULL-001: an exchange without memory for accounts refuses commands that would open one, and accepts cancels', () => {
  const used = wholeRoom.blocks - new Small({}, 0).exchange.blocksLeft
  const small = new Small({ blocks: used + 5, reserve: 2 }, 5)
  assert.equal(small.faucet(1, 1, 1e12), undefined)
  assert.equal(small.faucet(2, 2, 1e12), undefined)
  assert.equal(small.order(1, 'buy', 100), undefined)
  const people = { proposer: 3, approver: 4, reason: 'ticket 7' }
  const post = (decision: number, from: object, to: object) =>
    small.does({ type: 'funds.post', decision, from, to, asset: 1, amount: 1, ...people })
  const [chain, fees] = [{ system: 'outside:chain' }, { system: 'fees' }]
  assert.equal(post(1, chain, fees), undefined)
  assert.equal(small.faucet(3, 1, 1e12), undefined)
  assert.equal(post(2, chain, { user: 4 }), 'EXCHANGE_FULL')
  // It was carried out before, and only its answer got lost.
  assert.equal(post(1, chain, fees), undefined)
  for (const asset of [1, 2]) assert.equal(small.faucet(4, asset, 1e12), 'EXCHANGE_FULL')
  assert.equal(small.order(2, 'sell', 100), 'EXCHANGE_FULL')
  const hash = small.exchange.hash()
  const copy = Exchange.restore(small.exchange.dump())
  assert.equal(copy.hash(), hash)
  assert.equal(small.does({ type: 'spot.cancel', user: 1, clientId: '', market: 1, order: 1, orderClientId: '' }), undefined)
  small.isBalanced()
})

test('FUNDS-FULL-002: users, assets and open orders beyond their limits are refused', () => {
  const small = new Small({ users: 3, assets: 2, orders: 2 }, 3)
  assert.equal(small.does({ type: 'user.open', requestId: 'one-more', class: 'retail', referrer: 0 }), 'EXCHANGE_FULL')
  assert.equal(small.does({ type: 'asset.list', symbol: 'ETH', scale: 8 }), 'EXCHANGE_FULL')
  small.faucet(1, 1, 1e12)
  assert.equal(small.order(1, 'buy', 100), undefined)
  assert.equal(small.order(1, 'buy', 99), undefined)
  assert.equal(small.order(1, 'buy', 98), 'EXCHANGE_FULL')
  assert.equal(small.does({ type: 'spot.cancel', user: 1, clientId: '', market: 1, order: 1, orderClientId: '' }), undefined)
  assert.equal(small.order(1, 'buy', 98), undefined)
  small.isBalanced()
})

test('FUNDS-ROWS-005: an exchange has the same state whether its memory was allocated before the commands, between them or on demand', () => {
  const [early, late, never] = [new Small({}, 0), new Small({}, 0), new Small({}, 0)]
  const all = [early, late, never]
  early.reserve()
  for (let user = 1; user <= 3000; user++) {
    if (user === 1500) late.reserve()
    for (const each of all) {
      assert.equal(each.does({ type: 'user.open', requestId: `u${user}`, class: 'retail', referrer: 0 }), undefined)
      for (const asset of [1, 2]) assert.equal(each.faucet(user, asset, 1e12), undefined)
      assert.equal(each.order(user, user % 2 === 0 ? 'buy' : 'sell', 1000 + (user % 2 === 0 ? -1 : 1) * (user % 7)), undefined)
      if (user === 2000) each.restore()
    }
  }
  assert.equal(early.exchange.hash(), never.exchange.hash())
  assert.equal(late.exchange.hash(), never.exchange.hash())
  never.isBalanced()
})

test('FUNDS-ROWS-007: an exchange that gets only part of its memory reports this, and grows by doubling', (t) => {
  const whole = new Small({}, 0)
  const short = new Small({}, 0)
  assert.equal(whole.exchange.reserve(), true)
  refuseMemory(t, (bytes) => bytes > 2 ** 25)
  assert.equal(short.exchange.reserve(), false)
  for (let user = 1; user <= 40_000; user++) {
    for (const each of [whole, short]) {
      each.does({ type: 'user.open', requestId: `u${user}`, class: 'retail', referrer: Math.max(0, user - 2_000) })
      assert.equal(each.faucet(user, 1, 1e10), undefined)
      assert.equal(each.order(user, 'buy', 1000 - (user % 7)), undefined)
    }
  }
  t.mock.restoreAll()
  assert.equal(short.exchange.hash(), whole.exchange.hash())
  short.isBalanced()
})

test('CHAIN-CREDIT-003: a full exchange refuses new deposits and accepts a repeat', () => {
  const used = wholeRoom.blocks - new Small({}, 0).exchange.blocksLeft
  const small = new Small({ blocks: used + 4, reserve: 2 }, 4)
  const deposit = (user: number, credit: number) =>
    small.does({ type: 'chain.credit', user, network: 1, credit, asset: 1, amount: 1000, isFinal: true })
  assert.equal(deposit(1, 1), undefined)
  assert.equal(deposit(2, 2), undefined)
  assert.equal(deposit(3, 3), 'EXCHANGE_FULL')
  assert.equal(deposit(1, 1), undefined)
  small.isBalanced()
})
