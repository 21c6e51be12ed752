import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ppm } from '@candor/core/money/brand.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { Refused } from '../../../refused.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { orderById, orderHistory, fills } from '../orders.ts'
import { markets, type Placed, Scenario, ticks } from './scenario.ts'

const day = Date.UTC(2026, 0, 15)
let server: ScratchServer
let store: Store
let scenario: Scenario
const [alice, bob, maker] = [1, 2, 3] as const

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  scenario = randomTrading()
  await scenario.write(store.pool)
})
after(() => server[Symbol.asyncDispose]())

/** Some 400 orders over three markets, several in the same millisecond, each ended in one of all possible ways. */
function randomTrading(): Scenario {
  const world = new Scenario(day)
  world.open(alice)
  world.open(bob)
  world.open(maker, 'maker')
  let dice = 7
  const roll = (sides: number) => (dice = (dice * 48_271) % 2_147_483_647) % sides
  for (let round = 0; round < 200; round++) {
    const of = markets[roll(3)] as (typeof markets)[number]
    const price = 1000 + roll(50)
    const first = world.place(1 + roll(3), of, roll(2) === 0 ? 'buy' : 'sell', price, 10 + roll(90))
    world.at += roll(3)
    const second = world.place(1 + roll(3), of, first.side === 'buy' ? 'sell' : 'buy', price, 10 + roll(90))
    if (roll(4) > 0) world.trade(first, second, Math.min(first.lots, second.lots))
    for (const one of [first, second]) {
      if (one.executed === one.lots) world.close(one, 'filled')
      else if (roll(5) > 0) world.close(one, (['cancelled', 'ioc', 'oco', 'self-trade'] as const)[roll(4)] as 'ioc')
      world.at += roll(2)
    }
  }
  return world
}

async function walk<T>(read: (before?: string) => Promise<WirePage<T>>): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = await read(); ; page = await read(page.next)) {
    all.push(...page.items)
    if (page.next === undefined) return all
    assert.ok(page.items.length > 0, 'only the last page may be empty')
  }
}

const newestFirst = (a: Placed, b: Placed) => b.at - a.at || b.order - a.order

test('SPOT-HISTORY-001: closed orders are listed newest first, page by page, each exactly once', async () => {
  const live = await store.pool.query("select id from orders where status in ('open', 'partially-filled')")
  const open = new Set(live.rows.map(({ id }) => id as number))
  assert.ok(open.size > 5, 'the check needs open orders')
  for (const user of [alice, bob] as const) {
    const expected = scenario.placed.filter((one) => one.user === user && !open.has(one.order)).sort(newestFirst)
    for (const limit of [1, 7, 500]) {
      const orders = await walk((from) =>
        orderHistory(store.pool, user as UserId, { kind: 'spot', limit, ...(from === undefined ? {} : { before: from }) }),
      )
      assert.deepEqual(
        orders.map(({ id }) => Number(id)),
        expected.map(({ order }) => order),
      )
    }
  }
})

test('SPOT-HISTORY-002: filters of market, side, status and time agree with filtering the whole list', async () => {
  const all = await walk((from) =>
    orderHistory(store.pool, alice as UserId, from === undefined ? { kind: 'spot' } : { kind: 'spot', before: from }),
  )
  const middle = all[Math.floor(all.length / 2)]?.placedAt as number
  for (const market of [undefined, 1, 3] as const) {
    for (const side of [undefined, 'buy'] as const) {
      for (const status of [undefined, 'filled', 'cancelled', 'expired', 'open'] as const) {
        for (const [from, to] of [
          [undefined, undefined],
          [middle, undefined],
          [day, middle],
        ] as const) {
          const filter = { market: market as MarketId | undefined, side, status, from, to, limit: 9 }
          const found = await walk((cursor) => orderHistory(store.pool, alice as UserId, { kind: 'spot', ...filter, before: cursor }))
          const symbol = markets.find(({ id }) => (id as number) === market)?.symbol
          const wanted = all.filter(
            (one) =>
              (symbol === undefined || one.symbol === symbol) &&
              (side === undefined || one.side === side) &&
              (status === undefined || one.status === status) &&
              one.placedAt >= (from ?? 0) &&
              one.placedAt <= (to ?? Number.MAX_SAFE_INTEGER),
          )
          assert.deepEqual(found, wanted)
        }
      }
    }
  }
})

test('SPOT-FILLS-001: own fills of all markets are listed newest first, page by page, with both sides of a self-trade', async () => {
  assert.ok(scenario.fills.some((fill, index) => index % 2 === 0 && fill.user === scenario.fills[index + 1]?.user))
  for (const user of [alice, maker]) {
    for (const limit of [1, 6, 500]) {
      const found = await walk((from) => fills(store.pool, user as UserId, { kind: 'spot', limit, before: from }))
      const own = scenario.fills.filter((fill) => fill.user === user)
      assert.deepEqual(new Set(found.map(key)), new Set(own.map(key)))
      assert.equal(found.length, own.length)
      assert.deepEqual(
        found.map(({ time }) => time),
        own.map(({ time }) => time).sort((a, b) => b - a),
      )
    }
    const [first] = (await fills(store.pool, user as UserId, { kind: 'spot', limit: 1 })).items
    const made = scenario.fills.find((fill) => fill.user === user && key(fill) === key(first!))
    const { user: _user, seq: _seq, ...wire } = made as NonNullable<typeof made>
    assert.deepEqual(first, wire)
  }
})

const key = (fill: { symbol: string; tradeId: string; role: string }) => `${fill.symbol} ${fill.tradeId} ${fill.role}`

test('SPOT-FILLS-002: filters of market, order and time agree with filtering the whole list', async () => {
  const all = await walk((from) => fills(store.pool, bob as UserId, { kind: 'spot', before: from }))
  const byMarket = await walk((from) => fills(store.pool, bob as UserId, { kind: 'spot', market: 2 as MarketId, limit: 3, before: from }))
  assert.deepEqual(
    byMarket,
    all.filter(({ symbol }) => symbol === 'ETHUSDT'),
  )
  for (const one of scenario.placed.filter(({ user }) => user === bob)) {
    const byOrder = (await fills(store.pool, bob as UserId, { kind: 'spot', order: one.order as OrderId })).items
    assert.deepEqual(
      byOrder,
      all.filter(({ orderId }) => orderId === String(one.order)),
    )
  }
  assert.deepEqual((await fills(store.pool, bob as UserId, { kind: 'spot', order: 999_999 as OrderId })).items, [])
  const times = all.map(({ time }) => time).sort((a, b) => a - b)
  const [from, to] = [times[2]!, times.at(-3)!]
  for (const span of [{ from, to }, { from }, { to }, { from: times.at(-1)! + 1 }])
    assert.deepEqual(
      await walk((before) => fills(store.pool, bob as UserId, { kind: 'spot', ...span, limit: 3, before })),
      all.filter(({ time }) => time >= (span.from ?? 0) && time <= (span.to ?? Number.MAX_SAFE_INTEGER)),
    )
})

test('SPOT-ORDER-001: only its owner can read an order with its fills', async () => {
  const one = scenario.placed.find(({ user, executed }) => user === alice && executed > 0) as Placed
  const found = await orderById(store.pool, alice as UserId, one.order as OrderId)
  assert.equal(found?.order.clientId, `c${one.order}`)
  assert.equal(found?.fills.length, 1)
  assert.equal(found?.fills[0]?.orderId, String(one.order))
  assert.equal(await orderById(store.pool, bob as UserId, one.order as OrderId), undefined)
  assert.equal(await orderById(store.pool, alice as UserId, 999_999 as OrderId), undefined)
  assert.deepEqual((await fills(store.pool, bob as UserId, { kind: 'spot', order: one.order as OrderId })).items, [])
})

test('SPOT-HISTORY-003: an order shows its terms, its executed quantity and how it ended, in decimals of its market', async () => {
  const world = await ownWorld()
  const trigger = { kind: 'trailing', trailPpm: 12_500 as Ppm, activation: ticks(123_450), direction: 'falls-to' } as const
  const stop = world.place(alice, markets[0], 'sell', 612_345, 150, { trigger, list: 77 })
  const buy = world.place(bob, markets[0], 'buy', 612_346, 100)
  const sell = world.place(alice, markets[0], 'sell', 612_340, 30)
  world.trade(buy, sell, 30)
  world.close(sell, 'filled')
  world.close(stop, 'oco')
  await world.write(world.pool)

  const read = async (one: Placed) => (await orderById(world.pool, one.user as UserId, one.order as OrderId))?.order
  const common = { symbol: 'BTCUSDT', type: 'limit', timeInForce: 'GTC', postOnly: false, placedAt: day, updatedAt: day }
  assert.deepEqual(await read(stop), {
    ...{ id: '1', clientId: 'c1', listId: '77', ...common, side: 'sell', status: 'cancelled', closeReason: 'oco' },
    ...{ price: '61234.5', quantity: '0.00150', executed: '0.00000', executedQuote: '0' },
    trigger: { kind: 'trailing', trailPercent: '1.25', activation: '12345.0', direction: 'falls-to' },
  })
  assert.deepEqual(await read(buy), {
    ...{ id: '2', clientId: 'c2', ...common, side: 'buy', status: 'partially-filled', price: '61234.6', quantity: '0.00100' },
    ...{ executed: '0.00030', executedQuote: '18.37038', average: '61234.6' },
  })
  assert.equal((await read(sell))?.status, 'filled')
})

test('SPOT-HISTORY-004: a maker’s order is written when it trades, with its earlier state, and never otherwise', async () => {
  const world = await ownWorld()
  const quiet = world.place(maker, markets[0], 'buy', 600_000, 100)
  const later = world.place(maker, markets[0], 'buy', 600_000, 100)
  await world.write(world.pool)
  world.at += 60_000
  const sell = world.place(alice, markets[0], 'sell', 600_000, 40)
  world.trade(later, sell, 40)
  world.close(quiet, 'cancelled')
  await world.write(world.pool)

  assert.equal(await orderById(world.pool, maker as UserId, quiet.order as OrderId), undefined)
  const found = await orderById(world.pool, maker as UserId, later.order as OrderId)
  assert.deepEqual([found?.order.placedAt, found?.order.quantity, found?.order.executed], [day, '0.00100', '0.00040'])
  const holds = await world.pool.query("select user_id from ledger_entries where reason in ('hold', 'release')")
  assert.deepEqual(holds.rows, [{ user_id: alice }])
})

async function ownWorld(): Promise<Scenario & { pool: Store['pool'] }> {
  const world = new Scenario(day)
  world.open(alice)
  world.open(bob)
  world.open(maker, 'maker')
  return Object.assign(world, { pool: (await server.store()).pool })
}

test('a cursor that the exchange did not issue, and a limit out of range, are refused', async () => {
  const wrong = [
    '',
    'x',
    'MQ',
    Buffer.from('1.2.3').toString('base64url'),
    Buffer.from('-1.2').toString('base64url'),
    "'; drop table orders",
  ]
  for (const before of wrong)
    await assert.rejects(orderHistory(store.pool, alice as UserId, { kind: 'spot', before }), isRefusedFor('before'))
  for (const before of wrong) await assert.rejects(fills(store.pool, alice as UserId, { kind: 'spot', before }), isRefusedFor('before'))
  for (const limit of [0, -1, 1.5, 501, Number.NaN])
    await assert.rejects(orderHistory(store.pool, alice as UserId, { kind: 'spot', limit }), isRefusedFor('limit'))
})

function isRefusedFor(field: string) {
  return (error: unknown) => error instanceof Refused && error.refusal === 'FIELD_INVALID' && error.field === field
}
