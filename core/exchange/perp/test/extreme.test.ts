import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../protocol/event/index.ts'
import { contract, givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const names = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'] as const

type Market = 'deep' | 'one-sided' | 'empty'
type Path = { readonly what: string; readonly prices: readonly number[]; readonly book: Market; readonly fund: string }

const falling = Array.from({ length: 12 }, (_, n) => Math.round(100 - 5 * (n + 1)))
const paths: readonly Path[] = [
  { what: 'a fall of 60 % in three seconds through a deep book', prices: falling, book: 'deep', fund: '50' },
  { what: 'a fall of 60 % in three seconds without bids', prices: falling, book: 'one-sided', fund: '50' },
  { what: 'a gap of 60 % in an empty book with an empty fund', prices: [40], book: 'empty', fund: '0.000001' },
  { what: 'a gap of 60 % in an empty book with a rich fund', prices: [40], book: 'empty', fund: '5000' },
  { what: 'a gap of 90 % up against the shorts', prices: [190], book: 'one-sided', fund: '20' },
  { what: 'a fall and a rise without a fund', prices: [70, 45, 60, 95, 140, 180, 100], book: 'deep', fund: '0.000001' },
]

/** Long and short positions of many leverages, isolated and cross, against each other. */
function crowd(fund: string): PerpWorld {
  const world = givenPerp({ ...Object.fromEntries(names.map((name) => [name, '300'])), maker: '20000' })
  world.insures(fund)
  names.forEach((name, n) => {
    world.leverage(name, [10, 3, 10, 8, 5, 10, 2, 4][n]!).isAccepted()
    if (n % 3 === 0) world.mode(name, 'cross').isAccepted()
  })
  for (let n = 0; n < names.length; n += 2) {
    world.sell(names[n + 1]!, 100, 5000).isAccepted()
    world.buy(names[n]!, 100, 5000).isAccepted()
  }
  return world
}

function quote(world: PerpWorld, price: number, book: Market): void {
  world.do({ type: 'spot.cancelAll', user: world.id('maker'), clientId: '', market: contract })
  if (book === 'empty') return
  for (let step = 1; step <= 3; step++) {
    if (book === 'deep') world.buy('maker', Math.max(1, price - step), 4000)
    world.sell('maker', price + step, 1000)
  }
}

for (const { what, prices, book, fund } of paths) {
  test(`PERP-EXTREME-001: after ${what}, no user is below zero and every loss is covered`, () => {
    const world = crowd(fund)
    const users = [...names, 'maker'] as const
    const all = (): number => users.reduce((sum, name) => sum + wealth(world, name), 0)
    const before = world.insurance()
    const events: Event[] = []
    for (const price of prices) {
      quote(world, world.mark(), book)
      events.push(...world.index(price).events)
      while (world.exchange.nextDueAtMs <= world.world.atMs) events.push(...world.tick().events)
    }
    // Deposits equal balances, unrealised profits, paid fees, and the gain of the fund.
    const open: { lots: number; cost: number }[] = [...users.flatMap((name) => world.positions(name)), ...world.exchange.inventories()]
    const unrealised = open.reduce((sum, { lots, cost }) => sum + (lots > 0 ? 1 : -1) * (Math.abs(lots) * world.mark() * 1000 - cost), 0)
    assert.equal(all() + unrealised + world.system('fees') + world.insurance(), (300 * names.length + 20_000) * 1_000_000 + before)
    for (const name of users) {
      const { available, held } = world.exchange.perpAccount(world.id(name))
      assert.ok(available >= 0 && held >= 0, name)
    }
    const steps = events.filter((event) => event.type === 'perp.liquidated')
    assert.ok(steps.length > 0)
    for (const step of steps) {
      assert.ok(step.equity <= step.maintenance, 'only accounts at or below maintenance margin are liquidated')
      assert.ok(step.closedLots > 0 && step.closedLots <= step.askedLots)
    }
    const insured = steps.reduce((sum, step) => sum + step.insured, 0)
    const earned = events.filter((event) => event.type === 'perp.liquidated').reduce((sum, step) => sum + step.fee, 0)
    assert.equal(world.insurance(), before - insured + earned, 'the fund paid the insured sums of the steps and received their fees')
    if (fund === '0.000001' && book === 'empty') assert.ok(events.some((event) => event.type === 'perp.deleveraged'))
    world.isReplayable()
  })
}

/** Balance of a user's Futures account, held money included. */
function wealth(world: PerpWorld, name: string): number {
  const { available, held } = world.exchange.perpAccount(world.id(name))
  return available + held
}
