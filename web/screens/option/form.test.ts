import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireOptionMe, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import {
  type Context,
  emptyForm,
  type Form,
  gateOf,
  guardsOffered,
  reduce,
  repeatableAt,
  requestOf,
  stakeChips,
  stakesLeft,
  summary,
  usedOf,
  wrong,
} from './form.ts'

const terms: WireOptionTerms = {
  isOpen: true,
  rates: [
    { seconds: 30, profit: '80', breakEven: '55.6', windowMs: 3_000 },
    { seconds: 60, profit: '82.5', breakEven: '54.8', windowMs: 5_000 },
    { seconds: 120, profit: '84', breakEven: '54.3', windowMs: 5_000 },
  ],
  stakeMin: '5',
  stakeMax: '1000',
  openMax: '5000',
  sideMax: '3000',
  groupPercent: '70',
  guardVoidsFree: 3,
  guardVoidsPercent: '20',
  strikeDelayMs: 1_500,
  gapMaxMs: 3_000,
  fee: '0',
  markets: [{ symbol: 'BTCUSDT', isPaused: false }],
}
const me: WireOptionMe = {
  isAdmitted: true,
  openStakes: '0',
  lossToday: '0',
  lossMax: null,
  nextLossMax: null,
  nextAt: null,
  coolOffUntil: null,
  isGuardSpent: false,
  isOpenInRegion: true,
  left: [{ symbol: 'BTCUSDT', up: '3000', down: '3000' }],
  wins: 0,
  losses: 0,
  ties: 0,
  net: '0',
}
const context = (change: Partial<Context> = {}): Context => ({
  terms,
  me,
  available: '500',
  left: { up: '3000', down: '3000' },
  scale: 6,
  ...change,
})
const form = (change: Partial<Form> = {}): Form => ({ seconds: 30, stake: '10', guard: '', ...change })

test('UI-SECOND-001: the ticket shows the possible profit, rounded down like in the core, and the possible loss', () => {
  const cases = [
    { stake: '10', seconds: 30, profit: '8.000000', loss: '10.000000' },
    { stake: '10.01', seconds: 60, profit: '8.258250', loss: '10.010000' },
    { stake: '7.000001', seconds: 120, profit: '5.880000', loss: '7.000001' },
    { stake: '', seconds: 30, profit: undefined, loss: undefined },
    { stake: '0', seconds: 30, profit: undefined, loss: undefined },
    { stake: '10', seconds: 45, profit: undefined, loss: '10.000000' },
  ]
  for (const { stake, seconds, profit, loss } of cases) {
    const said = summary(form({ stake, seconds }), context())
    assert.deepEqual({ profit: said.profit, loss: said.loss }, { profit, loss }, `${stake} for ${seconds} s`)
  }
})

test('UI-SECOND-002: the ticket shows the refusals of the exchange, in the same order', () => {
  const cases: readonly [Partial<Form>, Partial<Context>, ReturnType<typeof wrong>][] = [
    [{}, {}, undefined],
    [{ stake: '' }, {}, 'FIELD_MISSING'],
    [{ stake: '5.0000001' }, {}, 'TOO_MANY_DIGITS'],
    [{ seconds: 31 }, {}, 'DURATION_UNKNOWN'],
    [{ stake: '0' }, {}, 'AMOUNT_NOT_POSITIVE'],
    [{ stake: '4.99' }, {}, 'STAKE_TOO_SMALL'],
    [{ stake: '500.000001' }, {}, 'INSUFFICIENT_BALANCE'],
    [{ stake: '2000' }, {}, 'INSUFFICIENT_BALANCE'],
    [{ stake: '1000.5' }, { available: '9000' }, 'STAKE_TOO_LARGE'],
    [{ stake: '1000' }, { available: '9000' }, undefined],
    [{ stake: '100' }, { me: { ...me, openStakes: '4950' } }, 'STAKES_OPEN_LIMIT'],
    [{ stake: '100' }, { me: { ...me, openStakes: '4900' } }, undefined],
    [{ stake: '40' }, { me: { ...me, openStakes: '30', lossToday: '30.000001', lossMax: '100' } }, 'LOSS_LIMIT'],
    [{ stake: '40' }, { me: { ...me, openStakes: '30', lossToday: '30', lossMax: '100' } }, undefined],
    [{ stake: '100' }, { left: { up: '99.999999', down: '100' } }, undefined],
    [{ stake: '100.01' }, { left: { up: '99.999999', down: '100' } }, 'STAKES_SIDE_LIMIT'],
    [{ stake: '100' }, { left: { up: '0', down: '0' }, me: { ...me, openStakes: '4950' } }, 'STAKES_OPEN_LIMIT'],
    [{ stake: '40' }, { me: undefined, available: undefined }, undefined],
  ]
  assert.equal(wrong(form({ guard: '0.1' }), context({ me: { ...me, isGuardSpent: true } })), 'GUARD_LIMIT')
  for (const [change, around, refusal] of cases) assert.equal(wrong(form(change), context(around)), refusal, JSON.stringify(change))
})

test('UI-SECOND-003: one obstacle to an order is shown at a time: closed, closed in the region, paused, login, verification, the warning, a break', () => {
  const open = { isVisitor: false, isOpen: true, isPaused: false, isCertified: true, me, nowMs: 1_000 }
  assert.equal(gateOf(open), undefined)
  assert.equal(gateOf({ ...open, me: { ...me, coolOffUntil: 1_001 } }), 'cooling-off')
  assert.equal(gateOf({ ...open, me: { ...me, coolOffUntil: 1_000 } }), undefined)
  assert.equal(gateOf({ ...open, me: { ...me, isAdmitted: false, coolOffUntil: 2_000 } }), 'admit')
  assert.equal(gateOf({ ...open, isCertified: false, me: undefined }), 'certify')
  assert.equal(gateOf({ ...open, isCertified: false, isVisitor: true }), 'visitor')
  assert.equal(gateOf({ ...open, isPaused: true, isVisitor: true }), 'paused')
  assert.equal(gateOf({ ...open, isOpen: false, isPaused: true }), 'closed')
  assert.equal(gateOf({ ...open, isPaused: true, me: { ...me, isOpenInRegion: false } }), 'region')
})

test('UI-SECOND-004: placing again reuses the same terms, as far as they are still offered', () => {
  const again = { type: 'again', seconds: 120, stake: '25', guardPpm: 1_000 } as const
  assert.deepEqual(reduce(form(), again, context()), { seconds: 120, stake: '25', guard: '0.1' })
  assert.deepEqual(reduce(form({ seconds: 60 }), { ...again, seconds: 900, guardPpm: 0 }, context()), {
    seconds: 60,
    stake: '25',
    guard: '',
  })
})

test('UI-SECOND-005: the ticket opens with the smallest stake, and suggests only allowed sums', () => {
  assert.deepEqual(emptyForm(terms), { seconds: 60, stake: '5', guard: '' })
  assert.deepEqual(stakeChips(terms), ['5', '10', '25', '50', '100', '250'])
  assert.deepEqual(stakeChips({ ...terms, stakeMin: '20', stakeMax: '60' }), ['25', '50'])
})

test('UI-SECOND-006: the request contains the guard only if one is set', () => {
  const base = { clientId: 'c-1', symbol: 'BTCUSDT', direction: 'up', seconds: 30 }
  assert.deepEqual(requestOf(form({ stake: '10.' }), 'BTCUSDT', 'up', 'c-1'), { ...base, stake: '10' })
  assert.deepEqual(requestOf(form({ guard: '0.25' }), 'BTCUSDT', 'up', 'c-1'), { ...base, stake: '10', guard: '0.25' })
})

test('UI-SECOND-007: running stakes count as lost in the used part of the user’s limit, and a winning day uses nothing', () => {
  assert.equal(usedOf({ ...me, lossToday: '12.5', openStakes: '35' }), 47.5)
  assert.equal(usedOf({ ...me, lossToday: '-80', openStakes: '35' }), 0)
})

test('UI-SECOND-030: the ticket knows the room below the caps in each direction, and refuses only the full direction', () => {
  const running = context({ me: { ...me, openStakes: '2900' }, left: { up: '100', down: '3000' }, available: '9000' })
  assert.deepEqual(stakesLeft(running), { up: '100.000000', down: '2100.000000' }, 'all running stakes have a cap as well')
  assert.equal(wrong(form({ stake: '100' }), running, 'up'), undefined)
  assert.equal(wrong(form({ stake: '100.01' }), running, 'up'), 'STAKES_SIDE_LIMIT')
  assert.equal(wrong(form({ stake: '100.01' }), running, 'down'), undefined)
  assert.equal(wrong(form({ stake: '100.01' }), running), undefined, 'down is taken')
  assert.equal(stakesLeft(context()), undefined, 'nothing runs')
  assert.equal(stakesLeft(context({ me: undefined, left: undefined })), undefined, 'a visitor')
})

test('UI-SECOND-031: when the guard is used up none is offered, and placing again reuses none', () => {
  const spent = { ...me, isGuardSpent: true }
  assert.deepEqual(guardsOffered(form(), spent), [''])
  assert.deepEqual(guardsOffered(form({ guard: '0.1' }), spent), ['', '0.1'], 'what is chosen stays until it is changed')
  assert.equal(guardsOffered(form(), me).length, 5)
  assert.equal(wrong(form({ guard: '0.1' }), context({ me: spent })), 'GUARD_LIMIT')
  const again = { type: 'again', seconds: 120, stake: '25', guardPpm: 1_000 } as const
  assert.equal(reduce(form(), again, context({ me: spent })).guard, '')
})

test('UI-SECOND-015: an order can be repeated five seconds after it settled and after the last order', () => {
  const settled = { acceptedAt: 1_000, settledAt: 61_000 }
  assert.equal(repeatableAt(settled, 0), 66_000)
  assert.equal(repeatableAt(settled, 70_000), 75_000)
  assert.equal(repeatableAt({ acceptedAt: 1_000 }, 0), 6_000)
})
