/** Each kind of work that a clock tick or an index tick does for Futures, and the orders that spot's commands hand over to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PENDING, WAKING } from '../../../book/order-fields.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { IndexPrice, Lots, Millis, Ticks } from '../../../money/brand.ts'
import { HAS_LOTS, MARKET_ORDER, POSITION_SHIFT, REDUCE_ONLY, SELL, STOP } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Command } from '../../../protocol/command/index.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { State } from '../../state/state.ts'
import { perpDesk } from '../desk.ts'
import { cancelPerp } from '../handlers/cancel.ts'
import { onIndex } from '../mark.ts'
import { fallAsleep } from '../positions/asleep.ts'
import { store } from '../positions/orders.ts'
import { Ranking } from '../records/ranking.ts'
import { BOTH } from '../records/state.ts'
import { insuranceRow } from '../rules/money.ts'
import { perpTick } from '../tick.ts'
import { Alone } from './alone.ts'

const at = (ms: number): Millis => ms as Millis
const now = at(20_000)

/** A market with an index of 100, whose next funding is far away. The fund has 100. */
function given(): Alone {
  const alone = new Alone(100).at(now)
  alone.contract.fundingAtMs = at(9_000_000)
  indexes(alone, 100)
  onIndex(alone.x)
  alone.events.clear()
  return alone
}

function indexes({ contract }: Alone, price: number): void {
  contract.source.setIndex((price * 1e8) as IndexPrice, 5, true)
}

const fund = ({ x }: Alone): number => x.ledger.available(insuranceRow(x))

/** A sleeping market order that closes a long of user 1, 6 lots at 100, and another user's bid of 99 for it. */
function sleeps(alone: Alone): OrderSlot {
  const holding = alone.opens(1, 6, 100, 600)
  const flags = (SELL | STOP | PENDING | WAKING | REDUCE_ONLY | MARKET_ORDER | HAS_LOTS | (1 << POSITION_SHIFT)) as OrderFlags
  const slot = store(alone.x, holding, 900 as OrderId, flags, 0 as Ticks, 6 as Lots)
  fallAsleep(alone.x, holding, slot, 100 as Ticks)
  alone.quotes(2, 'buy', 99, 6)
  return slot
}

/** With 30 at a maintenance margin of 25, the position is close to liquidation. */
function opensClose(alone: Alone): void {
  alone.contract.setLevel(alone.opens(1, 10, 100, 30), 100 as Ticks)
}

/** One kind of work. `leaves` prepares a market where it is due; `isDone` tells whether a tick has done it. */
type Work = { readonly name: string; readonly leaves: (alone: Alone) => unknown; readonly isDone: (alone: Alone) => boolean }

const works: readonly Work[] = [
  {
    name: 'phases',
    leaves: ({ contract }) => (contract.source.isIndexGood = false),
    isDone: (alone) => alone.told('perp.phase').length === 1,
  },
  {
    // Nobody buys, and too little is lost for the fund: the position leaves the queue.
    name: 'liquidations',
    leaves: (alone) => {
      const holding = alone.opens(1, 10, 100, 20)
      alone.x.perp.enqueue(holding.account, holding)
    },
    isDone: ({ x }) => x.perp.queue.length === 0,
  },
  {
    name: 'unpaid losses',
    leaves: ({ contract }) => (contract.unpaid[1] = 5),
    isDone: (alone) => alone.contract.unpaid[1] === 0 && fund(alone) === 95,
  },
  {
    name: 'retries',
    leaves: (alone) => {
      sleeps(alone)
      alone.contract.waiting.push({ order: 900 as OrderId, untilMs: at(0) })
      alone.contract.tries = 1
    },
    isDone: (alone) => alone.told('traded').length === 1,
  },
]

/** Names of the kinds of work that a tick does. */
function done(all: readonly Work[], tick: (x: State) => void): readonly string[] {
  return all.flatMap(({ name, leaves, isDone }) => {
    const alone = given()
    leaves(alone)
    assert.equal(isDone(alone), false, name)
    tick(alone.x)
    return isDone(alone) ? [name] : []
  })
}

test('PERP-LIQUIDATION-005: a clock tick continues each kind of work that earlier commands left', () => {
  const all: readonly Work[] = [
    ...works,
    {
      name: 'checks',
      leaves: (alone) => {
        opensClose(alone)
        alone.x.perp.looksOn = true
      },
      isDone: (alone) => alone.told('perp.level').length === 1,
    },
    {
      name: 'funding',
      leaves: ({ contract }) => (contract.fundingAtMs = now),
      isDone: ({ contract }) => contract.rounds === 1 && contract.round === undefined,
    },
    {
      name: 'new terms',
      leaves: (alone) => {
        alone.opens(1, 10, 100, 500)
        alone.contract.refitFrom = 1
      },
      isDone: (alone) => alone.contract.refitFrom === 0 && alone.told('perp.position').length === 1,
    },
    {
      name: 'inventories',
      leaves: ({ contract }) => Object.assign(contract.inventory, { lots: 5, cost: 500, sinceMs: 10_000, workedAtMs: 10_000 }),
      isDone: ({ contract }) => contract.inventory.workedAtMs === now,
    },
  ]
  const names = all.map(({ name }) => name)
  assert.deepEqual(done(all, perpTick), names)
})

test('PERP-LIQUIDATION-005: an index tick begins each kind of work, and continues what earlier commands left', () => {
  const all: readonly Work[] = [
    ...works,
    { name: 'checks', leaves: opensClose, isDone: (alone) => alone.told('perp.level').length === 1 },
    {
      name: 'funding',
      leaves: ({ contract }) => (contract.fundingAtMs = now),
      isDone: (alone) => alone.told('perp.fundingDue').length === 1,
    },
    { name: 'the hole', leaves: ({ x }) => (x.perp.hole = 5), isDone: (alone) => alone.x.perp.hole === 0 && fund(alone) === 95 },
    {
      name: 'old queues',
      leaves: ({ contract }) => (contract.rankings[0] = Object.assign(new Ranking(), { isReady: true, atMs: 18_999 })),
      isDone: ({ contract }) => contract.rankings[0] === undefined,
    },
    {
      name: 'recovered positions',
      leaves: (alone) => {
        const holding = alone.opens(1, 10, 100, 500)
        alone.x.perp.watched.push({ account: holding.account, holding, position: holding.id })
      },
      isDone: (alone) => alone.told('perp.level').length === 1,
    },
    {
      // At ten times leverage nobody may buy at 100 while the mark is 90.
      name: 'unsound orders',
      leaves: (alone) => {
        alone.x.perp.holding(2 as UserId, alone.contract, BOTH).setting.leverage = 10
        alone.quotes(2, 'buy', 100, 4)
        indexes(alone, 90)
      },
      isDone: (alone) => alone.told('order.closed').length === 1,
    },
  ]
  const names = all.map(({ name }) => name)
  assert.deepEqual(done(all, onIndex), names)
})

test('PERP-LIQUIDATION-005: each tick counts its work from its beginning', () => {
  for (const tick of [perpTick, onIndex]) {
    const { x } = given()
    Object.assign(x.perp, { partners: 7, valued: 8, cancelled: 9 })
    tick(x)
    assert.deepEqual([x.perp.partners, x.perp.valued, x.perp.cancelled], [0, 0, 0])
  }
})

test('PERP-LIQUIDATION-007: without any market an index tick begins nothing', () => {
  const x = new State()
  x.write(new Records())
  onIndex(x)
  assert.deepEqual([x.perp.moved, x.perp.looksOn], [0, false])
})

test('PERP-LIST-002: an order that a user or spot’s commands cancel returns its hold, and leaves nothing to be adjusted', () => {
  const byUser = (x: State, order: OrderId): void => {
    const commands = new Records()
    const command: object = { type: 'perp.cancel', user: 1, clientId: '', market: 3, order, orderClientId: '' }
    encodeCommand(command as Command, { seq: 1, at: now, keyId: 0 }, commands)
    assert.equal(cancelPerp(x, commands.data, 0), undefined)
  }
  for (const cancel of [byUser, (x: State, order: OrderId) => perpDesk.cancel(x, x.orders.find(order) as OrderSlot)]) {
    const alone = given().pays(1, 1000)
    const { x, contract } = alone
    const order = alone.rests(x.perp.holding(1 as UserId, contract, BOTH), 'buy', 90, 4)
    assert.deepEqual(alone.has(1), [639, 361])
    cancel(x, order)
    assert.deepEqual(
      alone.told('order.closed').map((one) => [one.order, one.reason]),
      [[order, 'cancelled']],
    )
    assert.deepEqual(alone.has(1), [1000, 0])
    assert.deepEqual([x.perp.dirty, x.perp.dirtyAccounts], [[], []])
  }
})

test('PERP-STOP-001: an order that a trade wakes acts at once', () => {
  const alone = given()
  perpDesk.wake(alone.x, sleeps(alone))
  assert.deepEqual(
    alone.told('order.triggered').map(({ order }) => order as number),
    [900],
  )
  assert.deepEqual(
    alone.told('traded').map(({ price, lots }) => [price, lots]),
    [[99, 6]],
  )
})
