/** The values that the terms of a Futures market may have, and when new terms take effect. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Ticks } from '../../../money/brand.ts'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { Command } from '../../../protocol/command/index.ts'
import { restoreState } from '../../dump.ts'
import { given, terms } from '../../test/world.ts'
import type { Told } from '../../test/world.ts'
import { setPerp } from '../handlers/list.ts'
import { Round } from '../records/round.ts'
import { contract, givenPerp, marketTerms, perpTerms, PerpWorld } from './world.ts'

const hour = 3_600_000
const million = 1_000_000
const billion = 1_000_000_000
/** Tiers for leverage 1, so that the largest values are within reach. */
const whole = [{ valueMax: 2 ** 46, initialPpm: million, maintenancePpm: million - 1 }]

/** Lists contracts under new names. */
function lister(): (perp: object, more?: object) => Told {
  const world = new PerpWorld(given())
  let count = 0
  return (perp, more = {}) => {
    const listed = { type: 'perp.list', symbol: `BTC${++count}P`, base: 2, quote: 1, tick: '1', lot: '0.001', terms: marketTerms }
    return world.do({ ...listed, ...more, perp: { ...perpTerms, ...perp } })
  }
}

test('PERP-LIST-001: each term has a smallest and a largest value, and both are accepted', () => {
  const lists = lister()
  const ends = {
    fundingInterest: [-billion, billion],
    fundingStretch: [0, billion],
    fundingCap: [0, billion],
    impactValue: [1, 2 ** 46],
    markClampPpm: [1, million],
    basisWindowMs: [1, 600_000],
    liquidationFeePpm: [0, 100_000],
    liquidationStepPpm: [1, million],
    openInterestMax: [1, 2 ** 52],
    userInterestPpm: [1, million],
    carryPpm: [1, million],
  }
  for (const [name, [least, most]] of Object.entries(ends) as [string, [number, number]][]) {
    for (const good of [least, most]) lists({ [name]: good }).isAccepted()
    for (const wrong of [least - 1, most + 1]) lists({ [name]: wrong }).isRefused('MARKET_TERMS_INVALID')
  }
  for (const fundingHours of [1, 2, 3, 4, 6, 8, 12, 24]) lists({ fundingHours }).isAccepted()
  for (const fundingHours of [-8, 0, 5, 7, 23, 25, 48]) lists({ fundingHours }).isRefused('MARKET_TERMS_INVALID')
})

test('PERP-LIST-001: the first tier allows the leverage of the market, which is 1 to 125', () => {
  const lists = lister()
  const allows = (leverageMax: number, initialPpm: number): Told =>
    lists({ leverageMax, tiers: [{ valueMax: 2 ** 46, initialPpm, maintenancePpm: 1 }] })
  allows(1, million).isAccepted()
  allows(125, 8000).isAccepted()
  allows(3, 333_333).isAccepted()
  for (const [leverage, ppm] of [
    [0, 8000],
    [126, 7936],
    [125, 8001],
    [3, 333_334],
    [2, million],
  ] as const)
    allows(leverage, ppm).isRefused('MARKET_TERMS_INVALID')
})

test('PERP-LIST-001: the tiers ascend in value and margins, and each leaves room between opening and liquidation', () => {
  const lists = lister()
  const [first] = whole
  const tiersOf = (...changes: readonly object[]): Told =>
    lists({ leverageMax: 1, tiers: changes.map((change) => ({ ...first, ...change })) })
  const eight = Array.from({ length: 8 }, (_, n) => ({ valueMax: n + 1 }))
  tiersOf(...eight).isAccepted()
  const half = { valueMax: 100, initialPpm: 500_000, maintenancePpm: 250_000 }
  const good = [
    [half, { ...half, valueMax: 101 }],
    [half, { ...half, valueMax: 101, initialPpm: 500_001 }],
    [half, { ...half, valueMax: 101, maintenancePpm: 250_001 }],
    [{ ...half, maintenancePpm: 1 }],
    [{ ...half, maintenancePpm: 499_999 }],
    [half, { valueMax: 101, initialPpm: million, maintenancePpm: million - 1 }],
  ]
  const wrong = [
    [half, half],
    [half, { ...half, valueMax: 99 }],
    [half, { ...half, valueMax: 101, initialPpm: 499_999 }],
    [half, { ...half, valueMax: 101, maintenancePpm: 249_999 }],
    [{ ...half, valueMax: 0 }],
    [{ ...half, valueMax: 2 ** 46 + 1 }],
    [{ ...half, maintenancePpm: 0 }],
    [{ ...half, maintenancePpm: 500_000 }],
    [half, { valueMax: 101, initialPpm: million + 1, maintenancePpm: million }],
    // Each tier is compared with the one before it, not only with the first.
    [half, { ...half, valueMax: 103 }, { ...half, valueMax: 102 }],
  ]
  for (const tiers of good) tiersOf(...tiers).isAccepted()
  for (const tiers of wrong) tiersOf(...tiers).isRefused('MARKET_TERMS_INVALID')
})

test('PERP-LIST-001: a contract has the base and the quote of its index, and the quote is USDT', () => {
  const world = new PerpWorld(given())
  const spot = { type: 'market.list', tick: '1', lot: '0.001', terms }
  world.do({ ...spot, symbol: 'ETHUSDT', base: 3, quote: 1 }).isAccepted()
  world.do({ ...spot, symbol: 'BTCETH', base: 2, quote: 3 }).isAccepted()
  const lists = (index: number, base: number, quote: number, more: object = {}): Told =>
    world.do({
      type: 'perp.list',
      symbol: `P${index}${base}${quote}P`,
      base,
      quote,
      tick: '1',
      lot: '0.001',
      terms: marketTerms,
      ...more,
      perp: { ...perpTerms, index },
    })
  lists(3, 2, 1).isRefused('MARKET_TERMS_INVALID')
  lists(4, 2, 1).isRefused('MARKET_TERMS_INVALID')
  lists(4, 2, 3).isRefused('MARKET_TERMS_INVALID')
  lists(0, 2, 1).isRefused('MARKET_TERMS_INVALID')
  lists(3, 3, 1, { symbol: 'p' }).isRefused('FIELD_INVALID')
  lists(3, 3, 1).isAccepted()
  assert.equal(world.exchange.marks().length, 1)
})

test('PERP-LIST-003: new terms of market or contract that are not valid change nothing', () => {
  const world = givenPerp({})
  const sets = (market: object, perp: object): Told =>
    world.do({ type: 'perp.set', market: contract, terms: { ...marketTerms, ...market }, perp: { ...perpTerms, ...perp } })
  sets({ lotsMin: 0 }, {}).isRefused('MARKET_TERMS_INVALID')
  sets({}, { carryPpm: 0 }).isRefused('MARKET_TERMS_INVALID')
  sets({}, { index: 9 }).isRefused('MARKET_TERMS_INVALID')
  // Another market of the same assets.
  world.do({ type: 'market.list', symbol: 'BTCUSDT2', base: 2, quote: 1, tick: '1', lot: '0.001', terms }).isAccepted()
  sets({}, { index: 4 }).isRefused('MARKET_TERMS_INVALID')
  const [changed] = sets({ bandPpm: 100_000 }, { carryPpm: 3 }).isAccepted().of('market.changed')
  assert.deepEqual(changed!.market.terms, { ...marketTerms, bandPpm: 100_000 })
  assert.deepEqual(changed!.market.perp, { ...perpTerms, carryPpm: 3 })
  world.isReplayable()
})

test('PERP-FUNDING-004: new funding hours change the end of the running period', () => {
  const world = givenPerp({})
  const now = world.world.atMs
  const end = (hours: number): number => (Math.floor(now / (hours * hour)) + 1) * hours * hour
  const fundingAt = (): number => world.exchange.marks()[0]!.fundingAt
  assert.equal(fundingAt(), end(8))
  for (const fundingHours of [1, 24, 2]) {
    world.do({ type: 'perp.set', market: contract, terms: marketTerms, perp: { ...perpTerms, fundingHours } }).isAccepted()
    assert.equal(fundingAt(), end(fundingHours))
  }
  world.isReplayable()
})

test('PERP-FUNDING-004: funding that became due while the round before was still being settled stays due when terms change', () => {
  const x = restoreState(givenPerp({}).exchange.dump())
  x.write(new Records())
  const [market] = x.perp.list
  market!.round = new Round(0, 100 as Ticks, x.atMs)
  const commands = new Records()
  const command: object = { type: 'perp.set', market: contract, terms: marketTerms, perp: perpTerms }
  encodeCommand(command as Command, { seq: x.seq + 1, at: x.atMs, keyId: 0 }, commands)
  for (const dueMs of [x.atMs - 1, x.atMs]) {
    market!.fundingAtMs = dueMs as Millis
    assert.equal(setPerp(x, commands.data, 0), undefined)
    assert.equal(market!.fundingAtMs, dueMs)
  }
})

test('PERP-HALT-001: a halt and its end take effect with the command that sets it', () => {
  const world = givenPerp({ alice: '1000' })
  const sets = (isTrading: boolean): readonly string[] =>
    world
      .do({ type: 'perp.set', market: contract, terms: { ...marketTerms, isTrading }, perp: perpTerms })
      .isAccepted()
      .of('perp.phase')
      .map(({ phase }) => phase)
  assert.deepEqual(sets(false), ['halted'])
  world.buy('alice', 100, 1000).isRefused('MARKET_HALTED')
  world.passes(1000)
  assert.deepEqual(sets(true), ['open'])
  world.buy('alice', 100, 1000).isAccepted()
  sets(false)
  world.passes(4000)
  assert.deepEqual(sets(true), ['resuming'])
  world.isReplayable()
})
