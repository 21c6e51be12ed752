import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { given as givenSpot } from '../../test/world.ts'
import { firstTerms, given, OptionWorld, units } from './world.ts'

type Asked = { readonly proposer?: number; readonly approver?: number; readonly amount?: number; readonly reason?: string }

/** A world in which Second is closed and has no fund; the firm has 500,000 USDT. */
function closed(): OptionWorld {
  const world = given({ isOpen: false }, 0)
  house(world)
  world.world.gives('firm', 'USDT', '500000')
  return world
}

/** Makes the firm's account one of the house. */
function house(world: OptionWorld): void {
  world.do({ type: 'user.house', user: world.world.user('firm'), isHouse: true }).isAccepted()
}

function operate(
  world: OptionWorld,
  changed: object,
  { proposer = 7, approver = 8, amount = 0, reason = 'first opening' }: Asked = {},
): Told {
  return world.do({
    ...{ type: 'option.operate', user: world.world.user('firm'), clientId: '', amount: units(amount) },
    ...{ proposer, approver, reason, terms: { ...firstTerms, ...changed } },
  })
}

test('OPTION-OPERATE-001: one command of two people opens Second and moves the firm’s money into its fund', () => {
  const world = closed()
  world.trader('alice')
  world.open('alice', 'up').isRefused('PRODUCT_CLOSED')
  const told = operate(world, { stakeMax: units(50) }, { amount: 200_000 }).isAccepted()
  assert.deepEqual(
    told.of('option.house').map(({ isOpen, fund }) => [isOpen, fund]),
    [[true, units(200_000)]],
  )
  assert.equal(told.of('option.terms')[0]!.terms.stakeMax, units(50))
  assert.deepEqual(
    told.of('entry').map(({ reason, delta }) => [reason, delta]),
    [
      ['transfer', -units(200_000)],
      ['transfer', units(200_000)],
    ],
  )
  assert.equal(world.balance('option-house'), '200000+0')
  world.open('alice', 'up').isAccepted()
  world.world.isReplayable()
})

test('OPTION-OPERATE-002: one person alone can’t open Second, change terms or move money, but can close it at once', () => {
  const world = closed()
  const alone = { approver: 7 }
  operate(world, {}, { ...alone, amount: 200_000 }).isRefused('FORBIDDEN')
  operate(world, {}, { amount: 200_000 }).isAccepted()
  operate(world, { stakeMax: units(50) }, alone).isRefused('FORBIDDEN')
  operate(world, { isOpen: false, stakeMax: units(50) }, alone).isRefused('FORBIDDEN')
  operate(world, { isOpen: false }, { ...alone, amount: 1 }).isRefused('FORBIDDEN')
  assert.equal(
    operate(world, { isOpen: false }, { ...alone, reason: 'prices look wrong' })
      .isAccepted()
      .of('option.house')[0]!.isOpen,
    false,
  )
  operate(world, {}, alone).isRefused('FORBIDDEN')
  operate(world, {}).isAccepted()
})

test('OPTION-OPERATE-003: the command is refused without a reason, with undecidable terms, without the money, or without people', () => {
  const world = closed()
  operate(world, {}, { reason: '  ' }).isRefused('FIELD_INVALID')
  operate(world, { gapMaxMs: 0 }).isRefused('FIELD_INVALID')
  operate(world, {}, { amount: 500_001 }).isRefused('INSUFFICIENT_BALANCE')
  operate(world, {}, { amount: -1 }).isRefused('AMOUNT_NOT_POSITIVE')
  operate(world, {}, { approver: 0 }).isRefused('FIELD_INVALID')
  operate(world, {}, { proposer: -7 }).isRefused('FIELD_INVALID')
  // Money of a customer can't go into the fund.
  const { terms } = world.world.exchange.optionTerms()
  const others = {
    type: 'option.operate',
    user: world.world.user('alice'),
    clientId: '',
    amount: 1,
    proposer: 7,
    approver: 8,
    reason: 'r',
    terms,
  }
  world.do(others).isRefused('FORBIDDEN')
  assert.equal(world.balance('option-house'), '0+0')
  assert.equal(world.world.exchange.optionTerms().terms?.isOpen, false)
})

test('OPTION-OPERATE-002: before its first terms, one person alone can’t even close Second', () => {
  const world = new OptionWorld(givenSpot())
  house(world)
  operate(world, { isOpen: false }, { approver: 7 }).isRefused('FORBIDDEN')
  operate(world, { isOpen: false }).isAccepted()
})

test('OPTION-OPERATE-003: a frozen firm pays nothing, and a firm may pay all it has', () => {
  const world = closed()
  const freeze = (isFrozen: boolean): Told => world.do({ type: 'user.set', user: world.world.user('firm'), isFrozen }).isAccepted()
  freeze(true)
  operate(world, {}, { amount: 500_000 }).isRefused('USER_FROZEN')
  freeze(false)
  operate(world, {}, { amount: 500_000 }).isAccepted()
  assert.equal(world.balance('option-house'), '500000+0')
  world.world.has('firm', 'USDT', '0')
})

test('OPTION-OPERATE-006: no frozen customer stops a decision without a payment', () => {
  const world = closed()
  operate(world, {}, { amount: 200_000 }).isAccepted()
  const user = world.world.user('alice')
  world.do({ type: 'user.set', user, isFrozen: true }).isAccepted()
  const decision = { type: 'option.operate', user, clientId: '', amount: 0, proposer: 7, reason: 'prices look wrong' }
  world.do({ ...decision, approver: 7, terms: { ...firstTerms, isOpen: false } }).isAccepted()
  assert.equal(world.world.exchange.optionTerms().terms?.isOpen, false)
  world.do({ ...decision, approver: 8, terms: firstTerms }).isAccepted()
})

test('OPTION-OPERATE-004: a running order keeps its terms and its result, whatever operators decide meanwhile', () => {
  const [kept, changed] = [true, false].map((isKept) => {
    const world = closed()
    world.trader('alice')
    operate(world, {}, { amount: 200_000 }).isAccepted()
    const { order } = world.open('alice', 'up').isAccepted()
    world.run(10_000, () => 60_000)
    if (!isKept) operate(world, { isOpen: false, gapMaxMs: 1, windowPpm: 20_000, strikeDelayMs: 3000 }, { amount: 1000 }).isAccepted()
    world.run(21_500, () => 60_010)
    return world.settled.get(order)
  })
  assert.equal(kept!.result, 'win')
  assert.deepEqual(changed, kept)
})
