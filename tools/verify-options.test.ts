import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { given, type OptionWorld, units, unlimited } from '@candor/core/exchange/option/test/world.ts'
import type { Loose } from '@candor/core/money/test/plain.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { compositionFault } from '@candor/core/proof/composition.ts'
import type { TapeExtended } from '@candor/core/protocol/event/option.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import { tapeFault, tapeGenesis, tapeHash, tapeSlots } from '@candor/core/proof/tape.ts'
import { outcomeOf, pointsOf as corePoints } from '@candor/core/proof/second.ts'
import { type Order, type Tape, type Tick, verify } from './verify-options.ts'

const symbols = ['', 'BTCUSDT', 'ETHBTC', 'ETHUSDT']

/** A seeded random generator. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Runs the exchange with prices on a coarse grid (so that ties occur), venues that fall silent, and a feed that stops now and then. */
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
    // Now and then a restored copy continues with the open orders.
    if (random() < 0.002) world.world.exchange = Exchange.restore(world.world.exchange.dump())
  }
}

type Recorded = Loose<Omit<TapeExtended, 'type' | 'format'>>

function published(world: { readonly tape: readonly Recorded[] }): Tape {
  const ticks: Tick[] = world.tape.map((tick) => ({
    ...tick,
    prices: tick.prices.map((one) => ({
      ...one,
      price: String(one.price),
      quotes: one.quotes.map((quote) => ({ ...quote, price: String(quote.price) })),
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
  const world = given({ openMax: units(50_000), ...unlimited })
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

  // The core's own function gives the same results from the whole tape: an outcome has no other input.
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

/** Runs five minutes with venues at different prices that fall silent and come back, and an order now and then. */
function runVenues(world: OptionWorld, random: () => number): void {
  world.trader('anna', 20_000)
  let btc = 60_000
  for (let n = 0; n < 1_200; n++) {
    world.world.atMs += 250
    btc += (random() - 0.5) * 4
    const venues = [0, 3, 7, 12, -4].map((apart, venue) => ({ venue: venue * 3, price: Math.round((btc + apart + random()) * 1e8) }))
    const quotes = venues.filter((_, venue) => Math.sin(n / (17 + 5 * venue)) > -0.8)
    const sorted = quotes.map(({ price }) => price).sort((a, b) => a - b)
    const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!]
    const price = low + Math.floor((high - low) / 2)
    world
      .do({ type: 'index.tick', prices: [{ market: 1, price, sources: quotes.length, isGood: quotes.length >= 3, quotes }] })
      .isAccepted()
    if (n % 40 === 0 && n < 900) world.open('anna', n % 80 === 0 ? 'up' : 'down', { stake: 5, seconds: n % 3 === 0 ? 30 : 60 })
    if (n % 300 === 0) world.world.exchange = Exchange.restore(world.world.exchange.dump())
  }
}

test('OPTION-VERIFY-005: corrections of venues that come and go are recomputed from the tape, and invented ones are found', () => {
  const world = given()
  runVenues(world, seeded(11))
  const tape = published(world)
  const orders = exported(world)
  assert.ok(orders.length > 15)
  assert.deepEqual(verify(tape, orders).faults, [])
  // A piece of the tape can be checked by itself too.
  const piece = { ...tape, before: tape.ticks[399]!.hash, ticks: tape.ticks.slice(400) }
  assert.deepEqual(verify(piece, []).faults, [])
  assert.equal(compositionFault(world.tape, true), undefined)
  // Changed corrections give another index, although the hashes and medians of the tape are right.
  for (const change of ['correction', 'shift'] as const) {
    let hash: Uint8Array = tapeGenesis
    const forged = world.tape.map((tick, n) => {
      const [one] = tick.prices
      const prices =
        n !== 700
          ? tick.prices
          : [
              {
                ...one!,
                price: one!.price - 500,
                ...(change === 'shift' ? { shift: one!.shift! + 500 * 1024 } : {}),
                quotes: one!.quotes.map((quote) => (change === 'shift' ? quote : { ...quote, correction: quote.correction! + 500 * 1024 })),
              },
            ]
      hash = tapeHash(hash, tapeSlots({ ...tick, prices }))
      return { ...tick, prices, hash: toHex(hash) }
    })
    const { faults } = verify(published({ tape: forged }), [])
    assert.match(faults[0]!, /tick 701, market 1: corrections that do not follow/)
    assert.equal(compositionFault(forged, true), 701)
  }
})

test('OPTION-VERIFY-006: a tape recorded before corrections existed still verifies, and continues in the new format', () => {
  const world = given()
  runVenues(world, seeded(12))
  const quotes = [0, 1, 2].map((venue) => ({ venue, price: 6_000_000_000_000 + venue * 1e6 }))
  let hash: Uint8Array = tapeGenesis
  const old = Array.from({ length: 40 }, (_, n) => {
    const prices = n % 3 === 0 ? [{ market: 1, price: 6_000_001_000_000, sources: 3, isGood: true, quotes }] : []
    const tick = { tick: n + 1, at: 1_000 + n * 250, prices }
    hash = tapeHash(hash, tapeSlots(tick))
    return { ...tick, hash: toHex(hash) }
  })
  const now = world.tape.map(({ prices, at, format }, n) => {
    const tick = { tick: n + 41, at, format, prices }
    hash = tapeHash(hash, tapeSlots(tick))
    return { ...tick, hash: toHex(hash) }
  })
  const saved = published({ tape: [...old, ...now] })
  assert.deepEqual(verify(saved, []).faults, [])
  assert.equal(tapeFault('0'.repeat(64), [...old, ...now]), undefined)
})
