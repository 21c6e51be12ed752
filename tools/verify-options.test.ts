import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { given, type OptionWorld, units } from '@candor/core/exchange/option/test/world.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { outcomeOf, pointsOf as corePoints } from '@candor/core/proof/second.ts'
import { type Order, type Tape, type Tick, verify } from './verify-options.ts'

const symbols = ['', 'BTCUSDT', 'ETHBTC', 'ETHUSDT']

/** A seeded number source. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Prices that walk on whole steps, so that ties come; venues that fall silent; a feed that stops now and then. */
function runFor(world: OptionWorld, ms: number, random: () => number): void {
  const traders = Array.from({ length: 20 }, (_, i) => `trader${i}`)
  for (const name of traders) world.trader(name, 20_000)
  const seconds = [30, 60, 120, 180, 300, 900]
  const until = world.atMs + ms
  let btc = 60_000
  let eth = 3_000
  while (world.atMs < until) {
    const step = random()
    if (step < 0.0015) world.silence(2_000 + Math.floor(random() * 6_000))
    else world.world.atMs += 245 + Math.floor(random() * 11)
    const isGood = random() > 0.004
    btc += Math.round((random() - 0.5) * 6)
    if (random() < 0.3) eth += Math.round((random() - 0.5) * 100) / 100
    const named: Record<number, number> = {}
    if (random() < 0.7) named[1] = btc
    if (random() < 0.4) named[3] = eth
    world.tick(named, { isGood, sources: isGood ? 3 : 2 })
    if (random() < 0.7) continue
    const name = traders[Math.floor(random() * traders.length)]!
    const stake = 5 + Math.floor(random() * 400) / 7
    world.open(name, random() < 0.5 ? 'up' : 'down', {
      stake: Math.round(stake * 1e6) / 1e6,
      seconds: seconds[Math.floor(random() * seconds.length)]!,
      guardPpm: random() < 0.3 ? 1 + Math.floor(random() * 150) : 0,
      market: random() < 0.6 ? 1 : 3,
    })
    // Now and then a restored copy goes on with what is open.
    if (random() < 0.002) world.world.exchange = Exchange.restore(world.world.exchange.dump())
  }
}

function published(world: OptionWorld): Tape {
  const ticks: Tick[] = world.tape.map(({ tick, at, hash, prices }) => ({
    tick,
    at,
    hash,
    prices: prices.map((one) => ({
      ...one,
      price: String(one.price),
      quotes: one.quotes.map((quote) => ({ venue: quote.venue, price: String(quote.price) })),
    })),
  }))
  return { markets: [1, 2, 3].map((id) => ({ id, symbol: symbols[id]! })), before: '0'.repeat(64), ticks }
}

function exported(world: OptionWorld): Order[] {
  return [...world.settled.values()].map((settled) => {
    const opened = world.opened.get(settled.order)!
    const struck = world.struck.get(settled.order)
    return {
      ...opened,
      id: String(settled.order),
      symbol: symbols[opened.market]!,
      stake: formatUnits(opened.stake, 6),
      profit: formatUnits(opened.profit, 6),
      reference: formatUnits(opened.reference, 8),
      ...(struck === undefined ? {} : { strike: formatUnits(struck.strike, 8), strikeTick: struck.tick }),
      result: settled.result,
      ...(settled.reason === 'none' ? {} : { voidReason: settled.reason }),
      ...(settled.price === 0 ? {} : { settlePrice: formatUnits(settled.price, 8) }),
      settleProfit: formatUnits(settled.payout - opened.stake, 6),
    }
  })
}

test('OPTION-VERIFY-001: an hour of orders of all durations is recomputed from the tape alone, to the last unit', () => {
  const world = given({ openMax: units(50_000), marketExposurePpm: 1_000_000, totalExposurePpm: 1_000_000 })
  runFor(world, 3_600_000, seeded(7))
  world.world.isReplayable()
  const tape = published(world)
  const orders = exported(world)
  const { checked, faults } = verify(tape, orders)
  assert.deepEqual(faults, [])
  assert.equal(checked, orders.length)
  assert.ok(checked > 3_000, `only ${checked} orders`)
  const counts = Object.fromEntries(
    ['win', 'lose', 'tie', 'void none', 'void gap', 'void sources', 'void guard'].map((what) => [
      what,
      orders.filter(({ result, voidReason = 'none' }) => what === result || what === `${result} ${voidReason}`).length,
    ]),
  )
  for (const what of ['win', 'lose', 'tie', 'void gap', 'void sources', 'void guard']) assert.ok(counts[what]! > 20, JSON.stringify(counts))
  assert.equal(counts['void none'], 0)

  // The core's own function, over the whole tape at once, says the same: an outcome has no other input.
  const points = new Map([1, 3].map((market) => [market, corePoints(world.tape, market)]))
  for (const settled of world.settled.values()) {
    const opened = world.opened.get(settled.order)!
    const found = outcomeOf(points.get(opened.market)!, opened)!
    assert.deepEqual([found.result, found.reason, found.price], [settled.result, settled.reason, settled.price])
  }
})

test('OPTION-VERIFY-002: a changed tick, strike, price, result or sum is found', () => {
  const world = given()
  runFor(world, 120_000, seeded(3))
  const tape = published(world)
  const orders = exported(world)
  assert.deepEqual(verify(tape, orders).faults, [])
  const settled = orders.find(({ result }) => result === 'win' || result === 'lose')!
  const other = settled.result === 'win' ? 'lose' : 'win'
  for (const change of [
    { result: other },
    { direction: settled.direction === 'up' ? 'down' : 'up' },
    { strike: '60000.5' },
    { strikeTick: settled.strikeTick! + 1 },
    { settlePrice: '1' },
    { settleProfit: '0.000001' },
    { profit: '0.000001' },
    { expiresAt: settled.expiresAt - 20_000 },
    { result: 'void', voidReason: 'gap' },
  ]) {
    assert.ok(verify(tape, [{ ...settled, ...change }]).faults.length > 0, JSON.stringify(change))
  }
  const at = tape.ticks.findIndex(({ prices }) => prices.length > 0 && prices[0]!.market === 1)
  const altered = (tick: Partial<Tick>): Tape => ({ ...tape, ticks: tape.ticks.map((one, n) => (n === at ? { ...one, ...tick } : one)) })
  const named = tape.ticks[at]!
  for (const tick of [{ at: named.at + 1 }, { tick: named.tick + 1 }, { prices: [] }, { prices: [{ ...named.prices[0]!, price: '5' }] }]) {
    assert.ok(verify(altered(tick), []).faults.length > 0, JSON.stringify(tick))
  }
  assert.ok(verify({ ...tape, ticks: tape.ticks.toSpliced(at, 1) }, []).faults.length > 0, 'a tick is missing')
  const quotes = [0, 1, 2].map((venue) => ({ venue, price: String(Number(named.prices[0]!.price) + venue) }))
  assert.ok(verify(altered({ prices: [{ ...named.prices[0]!, quotes }] }), []).faults.some((fault) => fault.includes('median')))
})

test('OPTION-VERIFY-003: the script reads a saved tape and saved orders, and ends with 1 when something differs', () => {
  const world = given()
  runFor(world, 60_000, seeded(5))
  const { ticks, ...head } = published(world)
  const orders = exported(world)
  const folder = mkdtempSync(join(tmpdir(), 'candor-verify-'))
  try {
    const run = (list: readonly Order[]) => {
      const [tapeFile, ordersFile] = [join(folder, 'tape.ndjson'), join(folder, 'orders.json')]
      writeFileSync(tapeFile, [head, ...ticks].map((line) => `${JSON.stringify(line)}\n`).join(''))
      writeFileSync(ordersFile, JSON.stringify({ items: list }))
      const script = new URL('./verify-options.ts', import.meta.url).pathname
      return spawnSync(process.execPath, [script, tapeFile, ordersFile], { encoding: 'utf8' })
    }
    const good = run(orders)
    assert.deepEqual([good.status, good.stdout], [0, `${ticks.length} ticks, ${orders.length} settled orders, 0 differences\n`])
    const bad = run(orders.map((order, n) => (n === 0 ? { ...order, result: 'tie' } : order)))
    assert.equal(bad.status, 1)
    assert.match(bad.stdout, /result is tie/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
