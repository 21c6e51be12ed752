/** Decisions by people of the staff about the terms of the exchange. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open as givenMargin, terms as marginTerms } from '../margin/test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from '../perp/test/world.ts'
import { asProduction } from './production.ts'
import { given, terms, type Told, World } from './world.ts'

type People = { readonly proposer?: number; readonly approver?: number; readonly reason?: string }

function decide(world: World, change: object, { proposer = 1, approver = 2, reason = 'ticket 7' }: People = {}): Told {
  return world.do({ type: 'exchange.operate', proposer, approver, reason, change })
}

const alone = { approver: 1 }
const set = (more: object = {}): object => ({ type: 'market.set', market: 1, terms: { ...terms, ...more } })
const tiers = [{ volumeMin: 0, makerPpm: 500, takerPpm: 500 }]

test('MARKET-OPERATE-001: a decision of two people is decided and applied like the command in it', () => {
  const world = given()
  const plain = given()
  for (const change of [
    { type: 'asset.list', symbol: 'SOL', scale: 8 },
    { type: 'market.list', symbol: 'SOLUSDT', base: 4, quote: 1, tick: '0.1', lot: '0.01', terms },
    set({ takerFeePpm: 700 }),
    { type: 'fees.set', tiers },
    { type: 'funds.system', account: 'insurance', asset: 1, amount: 1_000_000 },
    { type: 'perp.list', symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001', terms: marketTerms, perp: perpTerms },
    { type: 'perp.set', market: 4, terms: { ...marketTerms, makerFeePpm: 100 }, perp: perpTerms },
    { type: 'margin.setTerms', terms: marginTerms },
  ]) {
    const told = decide(world, change).isAccepted()
    assert.deepEqual(told.events, plain.do(change).isAccepted().events)
  }
  assert.equal(world.exchange.hash(), plain.exchange.hash())
  world.isReplayable()
})

test('MARKET-OPERATE-001: the refusal of the command in a decision is the outcome', () => {
  const world = given()
  decide(world, { type: 'asset.list', symbol: 'BTC', scale: 8 }).isRefused('ASSET_EXISTS')
  decide(world, { type: 'asset.list', symbol: 'b', scale: 8 }).isRefused('FIELD_INVALID')
  decide(world, { ...set(), market: 9 }).isRefused('MARKET_UNKNOWN')
  decide(world, set({ lotsMin: 0 })).isRefused('MARKET_TERMS_INVALID')
  decide(world, { type: 'fees.set', tiers: [] }).isRefused('FIELD_INVALID')
})

test('MARKET-OPERATE-002: a decision names people by positive numbers, and a reason', () => {
  const world = given()
  for (const people of [{ proposer: 0 }, { approver: 0 }, { proposer: -3, approver: -3 }, { reason: '' }, { reason: '  ' }])
    decide(world, set(), people).isRefused('FIELD_INVALID')
  decide(world, set(), { proposer: 2 ** 40, approver: 3, reason: 'x'.repeat(120) }).isAccepted()
})

test('MARKET-OPERATE-003: one person alone can halt a spot market, and do nothing else to it', () => {
  const world = given()
  for (const change of [
    set(),
    set({ takerFeePpm: 900 }),
    set({ isTrading: false, takerFeePpm: 900 }),
    { ...set({ isTrading: false }), market: 9 },
    { type: 'fees.set', tiers },
    { type: 'asset.list', symbol: 'SOL', scale: 8 },
    { type: 'market.list', symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.1', lot: '0.01', terms },
    { type: 'funds.system', account: 'insurance', asset: 1, amount: 1 },
  ])
    decide(world, change, alone).isRefused('FORBIDDEN')
  decide(world, set({ isTrading: false }), alone).isAccepted()
  decide(world, set(), alone).isRefused('FORBIDDEN')
  decide(world, set()).isAccepted()
})

test('MARKET-OPERATE-003: one person alone can halt a contract, and do nothing else to it', () => {
  const { world } = givenPerp({ alice: '100' })
  const change = (more: object, perp: object = {}): object => ({
    type: 'perp.set',
    market: contract,
    terms: { ...marketTerms, ...more },
    perp: { ...perpTerms, ...perp },
  })
  decide(world, change({}), alone).isRefused('FORBIDDEN')
  decide(world, change({ isTrading: false, takerFeePpm: 1 }), alone).isRefused('FORBIDDEN')
  decide(world, change({ isTrading: false }, { carryPpm: 1 }), alone).isRefused('FORBIDDEN')
  decide(world, change({ isTrading: false }, { tiers: perpTerms.tiers.slice(1) }), alone).isRefused('FORBIDDEN')
  decide(world, { ...change({ isTrading: false }), market: 1 }, alone).isRefused('FORBIDDEN')
  decide(world, change({ isTrading: false }), alone).isAccepted()
})

test('MARKET-OPERATE-003: one person alone can close margin trading to new loans, and do nothing else to it', () => {
  const fresh = given()
  decide(fresh, { type: 'margin.setTerms', terms: { ...marginTerms, isOpen: false } }, alone).isRefused('FORBIDDEN')
  const { world } = givenMargin()
  const now = world.exchange.marginTerms()!
  decide(world, { type: 'margin.setTerms', terms: { ...now, isOpen: false, crossLeverage: 2 } }, alone).isRefused('FORBIDDEN')
  decide(world, { type: 'margin.setTerms', terms: now }, alone).isRefused('FORBIDDEN')
  decide(world, { type: 'margin.setTerms', terms: { ...now, isOpen: false } }, alone).isAccepted()
})

test('MARKET-OPERATE-004: in production, terms change only by decisions once there is a user', () => {
  const world = new World()
  world.do({ type: 'mode.set', mode: 'production' }).isAccepted()
  world.do({ type: 'asset.list', symbol: 'USDT', scale: 6 }).isAccepted()
  world.do({ type: 'asset.list', symbol: 'BTC', scale: 8 }).isAccepted()
  world.do({ type: 'market.list', symbol: 'BTCUSDT', base: 2, quote: 1, tick: '1', lot: '0.001', terms }).isAccepted()
  world.do({ type: 'fees.set', tiers }).isAccepted()
  world.user('alice')
  for (const change of [
    { type: 'asset.list', symbol: 'SOL', scale: 8 },
    { type: 'market.list', symbol: 'BTCUSD', base: 2, quote: 1, tick: '1', lot: '0.001', terms },
    set({ isTrading: false }),
    { type: 'fees.set', tiers },
    { type: 'perp.list', symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001', terms: marketTerms, perp: perpTerms },
    { type: 'perp.set', market: 3, terms: marketTerms, perp: perpTerms },
    { type: 'margin.setTerms', terms: marginTerms },
  ]) {
    world.do(change).isRefused('FORBIDDEN')
    decide(world, change).isAccepted()
  }
  world.do({ type: 'funds.system', account: 'insurance', asset: 1, amount: 1 }).isRefused('FORBIDDEN')
})

test('MARKET-OPERATE-004: in a sandbox, the commands alone stay possible', () => {
  const world = given({ alice: { USDT: '1' } })
  world.do(set({ isTrading: false })).isAccepted()
  asProduction(world)
  world.do(set()).isRefused('FORBIDDEN')
  decide(world, set()).isAccepted()
})
