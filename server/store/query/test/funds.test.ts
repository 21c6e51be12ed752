import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { Refused } from '../../../refused.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { costsOf } from '../costs.ts'
import { faucetSince, records, recordSums } from '../funds.ts'
import { dayWorths } from '../worth.ts'
import { btc, eth, markets, Scenario, usdt } from './scenario.ts'

const midnight = Date.UTC(2026, 0, 15)
const hour = 3_600_000
const [alice, bob] = [1 as UserId, 2 as UserId]
const [btcUsdt, ethUsdt] = markets
let server: ScratchServer
let store: Store

before(async () => {
  server = await startScratchServer()
  store = await server.store()
  await yesterdayAndToday().write(store.pool)
})
after(() => server[Symbol.asyncDispose]())

/** Yesterday alice gets money and buys 0.1 BTC at 60,000; today she gets 5 ETH, buys more, and leaves an order open. */
function yesterdayAndToday(): Scenario {
  const world = new Scenario(midnight - 10 * hour)
  world.open(alice)
  world.open(bob)
  world.faucet(alice, usdt, 20_000_000_000)
  world.faucet(bob, btc, 100_000_000)
  world.faucet(bob, eth, 1_000_000_000)
  const buy = world.place(alice, btcUsdt, 'buy', 600_000, 10_000)
  world.trade(buy, world.place(bob, btcUsdt, 'sell', 600_000, 10_000), 10_000)
  world.close(buy, 'filled')

  world.at = midnight + hour
  const eths = world.place(bob, ethUsdt, 'sell', 300_000, 100)
  world.trade(eths, world.place(alice, ethUsdt, 'buy', 300_000, 100), 100)
  world.at += 120_000
  world.faucet(alice, eth, 500_000_000)
  const [one, two] = [world.place(bob, btcUsdt, 'sell', 610_000, 100), world.place(bob, btcUsdt, 'sell', 610_000, 100)]
  const taker = world.place(alice, btcUsdt, 'buy', 620_000, 500)
  world.trade(one, taker, 100)
  world.trade(two, taker, 100)
  return world
}

async function walk(filter: Parameters<typeof records>[2] = {}, user = alice): Promise<readonly WireRecord[]> {
  const all: WireRecord[] = []
  for (let page = await records(store.pool, user, filter); ; page = await records(store.pool, user, { ...filter, before: page.next })) {
    all.push(...page.items)
    if (page.next === undefined) return all
  }
}

test('FUNDS-RECORD-001: records show money that came in or went out, newest first, with the balance after each', async () => {
  const all = await walk()
  assert.deepEqual(
    all.slice(0, 3).map(({ type, asset, amount, symbol, orderId }) => ({ type, asset, amount, symbol, orderId })),
    [
      { type: 'fee', asset: 'BTC', amount: '-0.000001', symbol: 'BTCUSDT', orderId: '7' },
      { type: 'trade', asset: 'BTC', amount: '0.001', symbol: 'BTCUSDT', orderId: '7' },
      { type: 'trade', asset: 'USDT', amount: '-61', symbol: 'BTCUSDT', orderId: '7' },
    ],
  )
  const first = all.at(-1) as WireRecord
  assert.deepEqual(
    { ...first, id: '' },
    {
      id: '',
      type: 'faucet',
      account: 'spot',
      asset: 'USDT',
      amount: '20000',
      balance: '20000',
      status: 'completed',
      time: midnight - 10 * hour,
    },
  )
  assert.ok(all.every(({ id }) => /^\d+-\d+$/.test(id)))
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  assert.deepEqual(
    all.map(({ time }) => time),
    all.map(({ time }) => time).sort((a, b) => b - a),
  )
})

test('FUNDS-RECORD-002: amounts of an asset, oldest to newest, add up to the balance that each line shows', async () => {
  for (const asset of ['USDT', 'BTC', 'ETH']) {
    let sum = 0
    for (const { amount, balance } of (await walk({ asset, limit: 2 })).toReversed()) {
      sum += Math.round(Number(amount) * 1e8)
      assert.equal(Math.round(Number(balance) * 1e8), sum)
    }
    assert.ok(sum > 0)
  }
})

test('FUNDS-RECORD-002: a release of presale tokens names the tokens that became free, and adds nothing', async () => {
  const world = new Scenario(midnight)
  world.open(alice)
  const account = { user: alice, kind: 'spot', asset: eth.id }
  const entry = { type: 'entry', account }
  world.command({ ...entry, reason: 'presale-allocate', delta: 100, heldDelta: 300, available: 100, held: 300 })
  world.command({ ...entry, reason: 'presale-release', delta: 250, heldDelta: -250, available: 350, held: 50 })
  world.command({ ...entry, reason: 'hold', delta: -10, heldDelta: 10, available: 340, held: 60 })
  const own = await server.store()
  await world.write(own.pool)
  const { items } = await records(own.pool, alice)
  assert.deepEqual(
    items.map(({ type, amount, balance, released }) => ({ type, amount, balance, released })),
    [
      { type: 'presale-release', amount: '0', balance: '0.000004', released: '0.0000025' },
      { type: 'presale-allocate', amount: '0.000004', balance: '0.000004', released: undefined },
    ],
  )
})

test('FUNDS-RECORD-003: pages of every size and filters of type, asset and time agree with the whole list', async () => {
  const all = await walk({ limit: 500 })
  for (const limit of [1, 2, 5]) assert.deepEqual(await walk({ limit }), all)
  for (const type of ['faucet', 'transfer', 'trade', 'fee'] as const) {
    for (const asset of [undefined, 'BTC']) {
      for (const [from, to] of [
        [undefined, undefined],
        [midnight, undefined],
        [undefined, midnight - 1],
      ] as const) {
        const wanted = all.filter(
          (one) =>
            one.type === type &&
            one.asset === (asset ?? one.asset) &&
            one.time >= (from ?? 0) &&
            one.time <= (to ?? Number.MAX_SAFE_INTEGER),
        )
        assert.deepEqual(await walk({ type, asset, from, to, limit: 3 }), wanted)
      }
    }
  }
  assert.deepEqual(await walk({ asset: 'DOGE' }), [])
  assert.deepEqual(await walk({}, 99 as UserId), [])
})

test('FUNDS-RECORD-005: the records of one account are those of this account', async () => {
  const all = await walk({ limit: 500 })
  assert.deepEqual(await walk({ account: 'spot', limit: 3 }), all)
  assert.deepEqual(await walk({ account: 'perp' }), [])
})

test('FUNDS-RECORD-006: sums count every entry of a filter, whatever a page shows', async () => {
  const sumsOf = (shown: readonly WireRecord[]) => {
    const sums = new Map<string, { in: number; out: number }>()
    for (const { asset, amount } of shown) {
      const sum = sums.get(asset) ?? { in: 0, out: 0 }
      const moved = Math.round(Number(amount) * 1e8)
      sums.set(asset, moved > 0 ? { ...sum, in: sum.in + moved } : { ...sum, out: sum.out - moved })
    }
    return [...sums].map(([asset, sum]) => [asset, sum.in, sum.out] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  }
  const asked = async (filter: Parameters<typeof recordSums>[2]) =>
    (await recordSums(store.pool, alice, filter)).map((one) => [
      one.asset,
      Math.round(Number(one.in) * 1e8),
      Math.round(Number(one.out) * 1e8),
    ])
  for (const filter of [
    {},
    { from: midnight },
    { to: midnight - 1 },
    { from: midnight, to: midnight + hour, asset: 'ETH' },
    { type: 'trade', asset: 'USDT' },
    { type: 'fee', account: 'spot' },
    { account: 'perp' },
  ] as const) {
    assert.deepEqual(await asked(filter), sumsOf(await walk({ ...filter, limit: 2 })), JSON.stringify(filter))
  }
  assert.ok((await asked({})).length === 3)
  assert.deepEqual(await recordSums(store.pool, 99 as UserId), [])
})

test('FUNDS-RECORD-006: own transfers count for one account or for their type, and not among everything', async () => {
  const world = new Scenario(midnight)
  world.open(alice)
  const [spot, perp] = (['spot', 'perp'] as const).map((kind) => ({ user: alice, kind, asset: usdt.id })) as [object, object]
  world.command(world.entry(spot, 'faucet', 20_000_000_000))
  world.command(world.entry(spot, 'transfer', -5_000_000_000), world.entry(perp, 'transfer', 5_000_000_000))
  const own = await server.store()
  await world.write(own.pool)
  assert.deepEqual(await recordSums(own.pool, alice), [{ asset: 'USDT', in: '20000', out: '0' }])
  assert.deepEqual(await recordSums(own.pool, alice, { account: 'spot' }), [{ asset: 'USDT', in: '20000', out: '5000' }])
  assert.deepEqual(await recordSums(own.pool, alice, { account: 'perp' }), [{ asset: 'USDT', in: '5000', out: '0' }])
  assert.deepEqual(await recordSums(own.pool, alice, { type: 'transfer' }), [{ asset: 'USDT', in: '5000', out: '5000' }])
})

test('FUNDS-RECORD-004: a cursor that the exchange did not issue is refused', async () => {
  for (const before of ['', 'abc', Buffer.from('1.2').toString('base64url'), Buffer.from('1.2.3.4').toString('base64url')]) {
    await assert.rejects(records(store.pool, alice, { before }), (error) => error instanceof Refused && error.field === 'before')
  }
})

test('FUNDS-PROFIT-001: a day ends with the worth at the last price of the day, and money from outside is shown separately', async () => {
  const yesterday = midnight - 24 * hour
  assert.deepEqual(await dayWorths(store.pool, alice, yesterday - 24 * hour, midnight), [
    { day: yesterday - 24 * hour, worth: '0', inflow: '0', presales: '0' },
    // 14,000 USDT, and 0.1 BTC less the fee of a thousandth at 60,000.
    { day: yesterday, worth: '19994', inflow: '20000', presales: '0' },
    // 5.00999 ETH at 3,000, 5 of them from the faucet; 0.101898 BTC at 61,000; 13,848 USDT.
    { day: midnight, worth: '35093.748', inflow: '15000', presales: '0' },
  ])
  assert.deepEqual(await dayWorths(store.pool, 99 as UserId, yesterday, midnight), [])
  // Nobody had traded ETH by then: the worth of Bob's balance is unknown.
  assert.deepEqual(await dayWorths(store.pool, bob, yesterday, yesterday), [{ day: yesterday, worth: null, inflow: null, presales: '0' }])
})

test('FUNDS-PROFIT-002: open profit counts at the end of the day, at the mark of that time', async () => {
  const world = new Scenario(midnight - 10 * hour)
  const contract = { ...btcUsdt, id: 4, symbol: 'BTCUSDTPERP', perp: { index: 1 } }
  world.command({ type: 'market.listed', market: contract })
  world.open(alice)
  world.faucet(alice, usdt, 20_000_000_000)
  const at = { fundingRate: 0, fundingAt: midnight, index: 6_000_000_000_000 }
  world.command({ type: 'perp.marked', market: 4, mark: 600_000, ...at })
  const shape = { side: 'both', mode: 'cross', leverage: 5, margin: 0, liquidationPrice: 0, realised: 0, fees: 0, funding: 0, openedAt: 0 }
  world.command({ type: 'perp.position', position: 9, user: alice, market: 4, lots: 10_000, cost: 6_000_000_000, ...shape })
  world.command({ type: 'perp.marked', market: 4, mark: 590_000, ...at })
  world.at = midnight + hour
  world.command({ type: 'perp.marked', market: 4, mark: 700_000, ...at })
  const own = await server.store()
  await world.write(own.pool)
  const [yesterday, today] = await dayWorths(own.pool, alice, midnight - 24 * hour, midnight)
  assert.deepEqual([yesterday?.worth, today?.worth], ['19900', '20000'])
})

test('FUNDS-PROFIT-003: debts are subtracted from the worth', async () => {
  const world = new Scenario(midnight - 10 * hour)
  world.open(alice)
  world.faucet(alice, usdt, 20_000_000_000)
  const loan = { type: 'margin.loan', user: alice, market: 0, asset: usdt.id, cause: 'borrow' }
  world.command({ ...loan, delta: 4_000_000_000, principal: 4_000_000_000, interest: 0 })
  world.command({ ...loan, cause: 'interest', delta: 1_000_000, principal: 4_000_000_000, interest: 1_000_000 })
  world.at = midnight + hour
  world.command({ ...loan, market: 1, delta: 2_000_000, principal: 2_000_000, interest: 0 })
  world.command({ ...loan, cause: 'repay', delta: -4_001_000_000, principal: 0, interest: 0 })
  const own = await server.store()
  await world.write(own.pool)
  const worths = (await dayWorths(own.pool, alice, midnight - 24 * hour, midnight)).map(({ worth }) => worth)
  assert.deepEqual(worths, ['15999', '19998'])
})

test('FUNDS-FAUCET-002: the faucet’s credits since a time are known by asset', async () => {
  assert.equal(await faucetSince(store.pool, alice, 'USDT', 0), '20000')
  assert.equal(await faucetSince(store.pool, alice, 'USDT', midnight), '0')
  assert.equal(await faucetSince(store.pool, alice, 'ETH', midnight), '5')
})

test('PORTFOLIO-COST-010: withdrawals leave at the average, transfers change nothing, and presale tokens without an index cost what was paid', async () => {
  const world = new Scenario(midnight - 10 * hour)
  world.open(alice)
  const price = (number: number) => ({ market: btcUsdt.id, price: number * 1e8, sources: 4, isGood: true, quotes: [] })
  let ticks = 0
  const tick = (number: number) =>
    world.command({ type: 'tape.extended', tick: ++ticks, at: world.at, hash: 'a'.repeat(64), prices: [price(number)] })
  const own = (kind: string, asset: number) => ({ user: alice, kind, asset })
  const btcOf = async () => (await costsOf(pool, alice)).find(({ asset }) => asset === 'BTC')
  const { pool } = await server.store()
  tick(60_000)
  world.command(world.entry(own('spot', btc.id), 'deposit', 1e8), world.entry({ system: 'outside:chain', asset: btc.id }, 'deposit', -1e8))
  tick(70_000)
  world.command(world.entry(own('spot', btc.id), 'faucet', 1e8), world.entry({ system: 'outside:sandbox', asset: btc.id }, 'faucet', -1e8))
  world.command(world.entry(own('spot', btc.id), 'transfer', -5e7), world.entry(own('margin-cross', btc.id), 'transfer', 5e7))
  tick(10)
  world.command(
    world.entry(own('spot', btc.id), 'withdrawal', -5e7),
    world.entry({ system: 'outside:chain', asset: btc.id }, 'withdrawal', 5e7),
  )
  await world.write(pool)
  const nothing = { realised: '0', debt: '0', debtCost: '0' }
  assert.deepEqual(await btcOf(), { asset: 'BTC', quantity: '1.5', average: '65000', cost: '97500', ...nothing })

  const facts = {
    quote: 1,
    user: alice,
    from: btc.id,
    to: usdt.id,
    give: 5e7,
    get: 40_000_000_000,
    value: 40_000_000_000,
    fromPrice: 8e12,
    toPrice: 1e8,
  }
  world.command({ type: 'convert.filled', ...facts })
  const sale = { presale: 1, user: alice, allocated: 4e8, cost: 100_000_000, refunded: 0, released: 0 }
  world.command(world.entry(own('spot', eth.id), 'presale-allocate', 4e8), { type: 'presale.allocated', ...sale })
  await world.write(pool)
  assert.deepEqual(await costsOf(pool, alice), [
    { ...nothing, asset: 'BTC', quantity: '1', average: '65000', cost: '65000', realised: '7500' },
    { ...nothing, asset: 'ETH', quantity: '4', average: '25', cost: '100' },
  ])
})
