/** Postings by hand, which two people of the staff decide. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postingAccounts } from '../../protocol/command/funds.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { Exchange } from '../exchange.ts'
import { asProduction } from './production.ts'
import { given, type Told, type World } from './world.ts'

const usdt = 1
const chain = { system: 'outside:chain' }
let decision = 0

function post(world: World, from: object, to: object, amount: number, more: object = {}): Told {
  const people = { proposer: 3, approver: 4, reason: 'ticket 7' }
  return world.do({ type: 'funds.post', decision: ++decision, from, to, asset: usdt, amount, ...people, ...more })
}

const of = (world: World, name: string): { readonly user: number } => ({ user: world.user(name) })
const fundOf = (world: World, system: string, asset = usdt): number =>
  world.exchange.accounts().find(({ account }) => 'system' in account && account.system === system && account.asset === asset)?.available ??
  0

test('FUNDS-POST-001: two people post between a customer’s spot account and the exchange, as one double entry with its own reason', () => {
  const world = given({ alice: { USDT: '10' } })
  const told = post(world, of(world, 'alice'), { system: 'fees' }, 4_000_000).isAccepted()
  assert.deepEqual(
    told.of('entry').map(({ account, reason, delta, available }) => ['system' in account && account.system, reason, delta, available]),
    [
      [false, 'posting', -4_000_000, 6_000_000],
      ['fees', 'posting', 4_000_000, 4_000_000],
    ],
  )
  post(world, { system: 'fees' }, of(world, 'alice'), 1_000_000).isAccepted()
  post(world, { system: 'fees' }, { system: 'insurance' }, 3_000_000).isAccepted()
  assert.deepEqual([fundOf(world, 'fees'), fundOf(world, 'insurance')], [0, 3_000_000])
  world.isReplayable()
})

test('FUNDS-POST-002: a decision is carried out once, however often its command comes, in a restored exchange too', () => {
  const world = given({ alice: { USDT: '10' } })
  const same = { decision: 70 }
  post(world, of(world, 'alice'), { system: 'fees' }, 1_000_000, same).isAccepted()
  for (let n = 0; n < 2; n++)
    assert.deepEqual(post(world, of(world, 'alice'), { system: 'fees' }, 1_000_000, same).isAccepted().of('entry'), [])
  post(world, of(world, 'alice'), { system: 'fees' }, 1_000_000, { decision: 69 }).isAccepted()
  assert.equal(fundOf(world, 'fees'), 2_000_000)
  world.isReplayable()
  const restored = Exchange.restore(world.exchange.dump())
  assert.equal(restored.hash(), world.exchange.hash())
  for (let n = 100; n < 4_300; n++) post(world, of(world, 'alice'), { system: 'fees' }, 1, { decision: n }).isAccepted()
  const before = fundOf(world, 'fees')
  post(world, of(world, 'alice'), { system: 'fees' }, 1, same).isAccepted()
  assert.equal(fundOf(world, 'fees'), before)
  world.isReplayable()
})

test('FUNDS-POST-003: one person alone posts nothing, and neither do unknown people or an empty reason', () => {
  const world = given({ alice: { USDT: '10' }, bob: {} })
  const refused = (more: object, refusal: Refusal): void => {
    post(world, of(world, 'alice'), { system: 'fees' }, 1, more).isRefused(refusal)
  }
  refused({ approver: 3 }, 'FORBIDDEN')
  for (const more of [{ proposer: 0 }, { approver: -1 }, { reason: ' ' }, { decision: 0 }, { decision: -4 }]) refused(more, 'FIELD_INVALID')
  refused({ to: of(world, 'alice') }, 'ACCOUNT_SAME')
  refused({ asset: 9 }, 'ASSET_UNKNOWN')
  refused({ to: { user: 9 } }, 'USER_UNKNOWN')
  refused({ to: { user: 0 } }, 'USER_UNKNOWN')
  world.do({ type: 'user.staff', user: world.user('bob'), isStaff: true }).isAccepted()
  refused({ to: of(world, 'bob') }, 'FORBIDDEN')
  post(world, { system: 'outside:chain' }, of(world, 'bob'), 1).isRefused('FORBIDDEN')
  refused({ amount: 0 }, 'AMOUNT_NOT_POSITIVE')
  refused({ amount: -5 }, 'AMOUNT_NOT_POSITIVE')
  refused({ amount: 10_000_001 }, 'INSUFFICIENT_BALANCE')
  refused({ to: { system: 'outside:loans' } }, 'ACCOUNT_CLOSED')
  refused({ to: { system: 'outside:sandbox' } }, 'ACCOUNT_CLOSED')
  world.isReplayable()
})

test('FUNDS-POST-004: nobody posts out of the funds that pay for losses, and these take their own asset only', () => {
  const world = given({ alice: { USDT: '100', BTC: '1' } })
  const sources = ['outside:chain', 'fees', 'convert-inventory', 'presale-tokens', 'presale-proceeds']
  for (const system of postingAccounts) {
    post(world, chain, system === 'outside:chain' ? { system: 'fees' } : { system }, 5_000_000).isAccepted()
    const out = post(world, { system }, of(world, 'alice'), 1_000_000)
    if (sources.includes(system)) out.isAccepted()
    else out.isRefused('ACCOUNT_CLOSED')
    const takes = post(world, of(world, 'alice'), { system }, 1, { asset: 2 })
    if (system === 'insurance' || system === 'option-house') takes.isRefused('ASSET_NOT_IN_ACCOUNT')
    else takes.isAccepted()
  }
  post(world, { system: 'insurance' }, chain, 1).isRefused('ACCOUNT_CLOSED')
  world.isReplayable()
})

test('FUNDS-POST-005: money from the chain counts as issued up to the largest supply, and what goes back there no longer does', () => {
  const world = given({ alice: {} })
  asProduction(world)
  const whole = 2 ** 52 - 1_000
  post(world, chain, of(world, 'alice'), whole).isAccepted()
  post(world, chain, of(world, 'alice'), 1_001).isRefused('SUPPLY_EXCEEDED')
  post(world, of(world, 'alice'), chain, 500).isAccepted()
  post(world, chain, of(world, 'alice'), 1_500).isAccepted()
  assert.equal(fundOf(world, 'outside:chain'), -(2 ** 52))
  assert.deepEqual(world.exchange.trialBalance(), { sums: [0, 0, 0, 0], violations: [] })
  assert.equal(Exchange.restore(world.exchange.dump()).hash(), world.exchange.hash())
})

test('FUNDS-POST-001: no posting goes from one customer to another', () => {
  const world = given({ alice: { USDT: '10' }, bob: {} })
  post(world, of(world, 'alice'), of(world, 'bob'), 1_000_000).isRefused('ACCOUNT_CLOSED')
  post(world, of(world, 'bob'), of(world, 'alice'), 1).isRefused('ACCOUNT_CLOSED')
  world.isReplayable()
})

test('FUNDS-POST-002: a repeat is accepted and moves nothing, whatever has become of its account and its money', () => {
  const world = given({ alice: { USDT: '10' } })
  const same = { decision: 5_000 }
  post(world, of(world, 'alice'), { system: 'fees' }, 10_000_000, same).isAccepted()
  world.do({ type: 'user.staff', user: world.user('alice'), isStaff: true }).isAccepted()
  assert.deepEqual(post(world, of(world, 'alice'), { system: 'fees' }, 10_000_000, same).isAccepted().of('entry'), [])
  post(world, of(world, 'alice'), { system: 'fees' }, 10_000_000, { ...same, approver: 3 }).isRefused('FORBIDDEN')
  world.isReplayable()
})
