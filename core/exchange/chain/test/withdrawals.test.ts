import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asProduction } from '../../test/production.ts'
import { btc, chainWorld, entriesOf, ethereum, tron, usdt, usdtTerms, whole } from './chain-world.ts'

const day = 86_400_000

test('CHAIN-REQUEST-001: a request holds its amount, and its number is its position in the journal', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const told = chain.request('alice', 200 * whole).isAccepted()
  assert.deepEqual(entriesOf(told), [`user hold ${-200 * whole} ${200 * whole}`])
  const { seq } = chain.world.exchange
  assert.equal(told.order, 2 ** 52 + seq)
  const facts = { withdrawal: seq, user: chain.world.user('alice'), asset: usdt, network: ethereum, amount: 200 * whole, fee: whole }
  assert.deepEqual(told.of('withdrawal.requested'), [{ type: 'withdrawal.requested', ...facts, destination: 70, people: 1 }])
  chain.has('alice', 300 * whole, 200 * whole)
  chain.world.isReplayable()
})

test('CHAIN-REQUEST-001: a repeat with the same client id gets the first answer and holds nothing again', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const first = chain.request('alice', 200 * whole, { clientId: 'w-1' }).isAccepted()
  const again = chain.request('alice', 200 * whole, { clientId: 'w-1' }).isAccepted()
  assert.deepEqual([again.order, again.outcome.isRepeat, again.events.length], [first.order, true, 1])
  chain.request('alice', 201 * whole, { clientId: 'w-1' }).isRefused('CLIENT_ID_REUSED')
  chain.has('alice', 300 * whole, 200 * whole)
})

test('CHAIN-REQUEST-002: of several refusals the earliest of the catalogue is given', () => {
  const chain = chainWorld('alice')
  chain.world.user('bob')
  chain.deposit('bob', 50 * whole).isAccepted()
  chain.deposit('bob', 50 * whole, { credit: 100, isFinal: false }).isAccepted()
  const steps = [
    ['FIELD_INVALID', { destination: 0 }, {}],
    ['ASSET_UNKNOWN', { asset: 9 }, { asset: 1 }],
    ['WITHDRAWALS_CLOSED', { network: 3 }, { network: 1 }],
    ['AMOUNT_NOT_POSITIVE', { amount: 0 }, {}],
    ['FEE_CHANGED', { fee: 2 }, {}],
    ['INSUFFICIENT_BALANCE', { amount: 101 * whole }, {}],
    ['DEPOSIT_NOT_FINAL', { amount: 51 * whole }, {}],
    ['NOT_CERTIFIED', { amount: 5 * whole }, {}],
  ] as const
  const wrong = { destination: 0, asset: 9, network: 3, amount: 0, fee: 2 }
  let now: object = wrong
  for (const [refusal, more, then] of steps) {
    chain.allRefused(refusal, () => chain.request('bob', 0, { ...now, ...more, ...then, ...more }))
    now = { ...now, ...(refusal === 'FIELD_INVALID' ? { destination: 1 } : {}), ...then }
    if (refusal === 'AMOUNT_NOT_POSITIVE') now = { ...now, amount: 101 * whole }
    if (refusal === 'FEE_CHANGED') now = { ...now, fee: whole }
  }
  chain.do({ type: 'user.certify', user: chain.world.user('bob'), isCertified: true }).isAccepted()
  chain.allRefused('AMOUNT_TOO_SMALL', () => chain.request('bob', 10 * whole - 1))
  chain.allRefused('USER_UNKNOWN', () => chain.request('bob', 20 * whole, { user: 99 }))
  chain.freeze('bob', true)
  chain.allRefused('USER_FROZEN', () => chain.request('bob', 20 * whole))
  chain.freeze('bob', false)
  chain.request('bob', 10 * whole).isAccepted()
})

test('CHAIN-REQUEST-003: nobody pays a fee that they did not see', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  for (const fee of [0, whole - 1, whole + 1]) chain.allRefused('FEE_CHANGED', () => chain.request('alice', 50 * whole, { fee }))
  const terms = { ...usdtTerms, fee: 2 * whole }
  chain.do({ type: 'withdraw.setTerms', asset: usdt, network: ethereum, terms }).isAccepted()
  chain.request('alice', 50 * whole).isRefused('FEE_CHANGED')
  chain.request('alice', 50 * whole, { fee: 2 * whole }).isAccepted()
  chain.request('alice', 50 * whole, { network: tron }).isAccepted()
})

test('CHAIN-REQUEST-004: a deposit that its network may still drop can’t leave, not even as another coin', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 100 * whole).isAccepted()
  chain.deposit('alice', 60 * whole, { credit: 50, isFinal: false }).isAccepted()
  chain.deposit('alice', 1e8, { asset: btc }).isAccepted()
  chain.world.index(50_000)
  chain.request('alice', 100 * whole + 1).isRefused('DEPOSIT_NOT_FINAL')
  const ofBtc = { asset: btc, fee: 10_000 }
  chain.request('alice', 200_000, ofBtc).isAccepted()
  chain.request('alice', 100 * whole).isAccepted()
  // Some of the unfinal deposit is no longer in the spot account.
  const move = { type: 'funds.transfer', user: chain.world.user('alice'), clientId: '', asset: usdt, amount: 1 }
  chain.do({ ...move, from: 'spot', to: 'option' }).isAccepted()
  chain.request('alice', 200_000, ofBtc).isRefused('DEPOSIT_NOT_FINAL')
  chain.do({ ...move, from: 'option', to: 'spot' }).isAccepted()
  chain.request('alice', 200_000, ofBtc).isAccepted()
  chain.final(50).isAccepted()
  chain.request('alice', 60 * whole).isAccepted()
  chain.has('alice', 0, 160 * whole)
  chain.world.isReplayable()
})

test('CHAIN-REQUEST-005: requests of a UTC day are worth at most 50,000 USDT by index, and one that was not paid no longer counts', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 200_000 * whole).isAccepted()
  chain.deposit('alice', 10e8, { asset: btc }).isAccepted()
  const ofBtc = { asset: btc, fee: 10_000 }
  chain.request('alice', 1e8, ofBtc).isRefused('NO_INDEX_PRICE')
  chain.world.index(40_000)
  chain.request('alice', 1e8, ofBtc).isAccepted()
  chain.request('alice', 10_000 * whole + 1).isRefused('DAILY_LIMIT')
  const rest = chain.requested('alice', 10_000 * whole)
  chain.request('alice', 10 * whole).isRefused('DAILY_LIMIT')
  chain.cancel('alice', rest).isAccepted()
  const paid = chain.requested('alice', 10_000 * whole)
  chain.decide(paid, true, { first: 1, second: 2 }).isAccepted()
  chain.finish(paid, true).isAccepted()
  chain.request('alice', 10 * whole).isRefused('DAILY_LIMIT')
  chain.world.atMs += day
  const next = chain.requested('alice', 50_000 * whole)
  chain.world.atMs += day
  chain.request('alice', 20_000 * whole).isAccepted()
  // What was asked for on another day frees nothing today.
  chain.cancel('alice', next).isAccepted()
  chain.request('alice', 30_000 * whole + 1).isRefused('DAILY_LIMIT')
  chain.world.isReplayable()
})

test('CHAIN-REQUEST-005: a value is rounded up, and an asset without an index is valued at its last trade', () => {
  const chain = chainWorld('alice')
  chain.world.prints(50_000)
  chain.deposit('alice', 10e8, { asset: btc }).isAccepted()
  const ofBtc = { asset: btc, fee: 10_000 }
  chain.request('alice', 1e8 + 1, ofBtc).isRefused('DAILY_LIMIT')
  chain.request('alice', 1e8, ofBtc).isAccepted()
  chain.request('alice', 100_000, ofBtc).isRefused('DAILY_LIMIT')
})

test('CHAIN-REQUEST-006: the own account of a member of the staff and a customer at rest may withdraw', () => {
  const chain = chainWorld('alice', 'bob')
  for (const name of ['alice', 'bob']) chain.deposit(name, 50 * whole).isAccepted()
  chain.do({ type: 'user.staff', user: chain.world.user('alice'), isStaff: true }).isAccepted()
  chain.do({ type: 'user.rest', user: chain.world.user('bob'), until: chain.world.atMs + day }).isAccepted()
  chain.request('alice', 50 * whole).isAccepted()
  chain.request('bob', 50 * whole).isAccepted()
})

test('CHAIN-REQUEST-007: a customer has at most 32 open withdrawals', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const all = Array.from({ length: 32 }, () => chain.requested('alice', 10 * whole))
  chain.allRefused('WITHDRAWALS_OPEN_LIMIT', () => chain.request('alice', 10 * whole))
  chain.cancel('alice', all[3]!).isAccepted()
  chain.request('alice', 10 * whole).isAccepted()
})

test('CHAIN-CANCEL-001: a customer takes back an own request until it is decided, and the amount is available again', () => {
  const chain = chainWorld('alice', 'bob')
  chain.deposit('alice', 500 * whole).isAccepted()
  const [one, two] = [chain.requested('alice', 50 * whole), chain.requested('alice', 60 * whole)]
  chain.allRefused(
    'WITHDRAWAL_UNKNOWN',
    () => chain.cancel('bob', one),
    () => chain.cancel('alice', 1),
    () => chain.cancel('alice', 0),
  )
  chain.freeze('alice', true)
  const told = chain.cancel('alice', one).isAccepted()
  chain.freeze('alice', false)
  assert.deepEqual(entriesOf(told), [`user release ${50 * whole} ${-50 * whole}`])
  assert.equal(told.of('withdrawal.cancelled')[0]?.withdrawal, one)
  assert.equal(chain.cancel('alice', one).isAccepted().events.length, 1)
  chain.allRefused('WITHDRAWAL_UNKNOWN', () => chain.cancel('bob', one))
  chain.decide(two, true).isAccepted()
  chain.allRefused('WITHDRAWAL_STATE', () => chain.cancel('alice', two))
  chain.finish(two, false).isAccepted()
  chain.allRefused('WITHDRAWAL_STATE', () => chain.cancel('alice', two))
  chain.has('alice', 500 * whole)
  chain.world.isReplayable()
})

test('CHAIN-DECIDE-001: as many different people approve as the terms at the time of the request ask for', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 9000 * whole).isAccepted()
  const [none, one, two] = [100 * whole, 1000 * whole, 1000 * whole + 1].map((amount) => chain.requested('alice', amount)) as [
    number,
    number,
    number,
  ]
  const terms = { ...usdtTerms, autoMax: 9000 * whole, singleMax: 9000 * whole }
  chain.do({ type: 'withdraw.setTerms', asset: usdt, network: ethereum, terms }).isAccepted()
  chain.allRefused(
    'FIELD_INVALID',
    () => chain.decide(none, true, { first: -1 }),
    () => chain.decide(none, true, { second: -1 }),
  )
  chain.allRefused('FORBIDDEN', () => chain.decide(one, true))
  chain.allRefused(
    'FORBIDDEN',
    () => chain.decide(two, true),
    () => chain.decide(two, true, { first: 4 }),
  )
  chain.allRefused('FORBIDDEN', () => chain.decide(two, true, { first: 4, second: 4 }))
  chain.decide(none, true, { reason: '' }).isAccepted()
  chain.decide(one, true, { second: 4 }).isAccepted()
  const [told] = chain.decide(two, true, { first: 4, second: 5 }).isAccepted().of('withdrawal.approved')
  assert.deepEqual([told?.withdrawal, told?.first, told?.second, told?.reason], [two, 4, 5, 'ticket 7'])
  assert.equal(chain.decide(two, true, { first: 4, second: 5 }).isAccepted().events.length, 1)
  chain.allRefused('WITHDRAWAL_STATE', () => chain.decide(two, false))
  chain.allRefused(
    'WITHDRAWAL_UNKNOWN',
    () => chain.decide(1, true),
    () => chain.decide(1, false),
  )
  chain.world.isReplayable()
})

test('CHAIN-DECIDE-002: a rejection needs a reason and makes the amount available again', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const one = chain.requested('alice', 500 * whole)
  chain.allRefused(
    'FIELD_INVALID',
    () => chain.decide(one, false, { reason: '' }),
    () => chain.decide(one, false, { reason: ' ' }),
  )
  const told = chain.decide(one, false, { first: 3, reason: 'address of a mixer' }).isAccepted()
  assert.deepEqual(entriesOf(told), [`user release ${500 * whole} ${-500 * whole}`])
  const [{ first, reason }] = told.of('withdrawal.rejected') as unknown as [{ readonly first: unknown; readonly reason: unknown }]
  assert.deepEqual([first, reason], [3, 'address of a mixer'])
  assert.equal(chain.decide(one, false).isAccepted().events.length, 1)
  chain.allRefused(
    'WITHDRAWAL_STATE',
    () => chain.decide(one, true),
    () => chain.finish(one, true),
    () => chain.cancel('alice', one),
  )
  chain.has('alice', 500 * whole)
})

test('CHAIN-DECIDE-003: nothing is approved for a frozen customer', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const one = chain.requested('alice', 50 * whole)
  chain.freeze('alice', true)
  chain.allRefused('USER_FROZEN', () => chain.decide(one, true))
  chain.freeze('alice', false)
  chain.decide(one, true).isAccepted()
})

test('CHAIN-DEBT-003: while a customer owes anything, nothing is requested or approved', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 100 * whole).isAccepted()
  chain.deposit('alice', 100 * whole, { credit: 50, isFinal: false }).isAccepted()
  const one = chain.requested('alice', 80 * whole)
  const move = { type: 'funds.transfer', user: chain.world.user('alice'), clientId: '', asset: usdt, from: 'spot', to: 'option' }
  chain.do({ ...move, amount: 120 * whole }).isAccepted()
  chain.orphan(50).isAccepted()
  chain.deposit('alice', 5e8, { asset: btc }).isAccepted()
  chain.world.index(50_000)
  chain.allRefused(
    'DEPOSIT_DEBT',
    () => chain.request('alice', 1e8, { asset: btc, fee: 10_000 }),
    () => chain.decide(one, true),
  )
  chain.decide(one, false).isAccepted()
  chain.repay('alice').isAccepted()
  chain.allRefused('DEPOSIT_DEBT', () => chain.request('alice', 10 * whole))
  chain.deposit('alice', 60 * whole).isAccepted()
  chain.request('alice', 40 * whole).isAccepted()
  chain.has('alice', 0, 40 * whole)
  chain.world.isReplayable()
})

test('CHAIN-FINISH-001: what was paid leaves to outside:chain, its fee to fees, and both were held', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const one = chain.requested('alice', 50 * whole)
  chain.allRefused(
    'WITHDRAWAL_STATE',
    () => chain.finish(one, true),
    () => chain.finish(one, false),
  )
  chain.decide(one, true).isAccepted()
  const told = chain.finish(one, true).isAccepted()
  assert.deepEqual(entriesOf(told), [
    `user withdrawal 0 ${-49 * whole}`,
    `outside:chain withdrawal ${49 * whole} 0`,
    `user withdrawal-fee 0 ${-whole}`,
    `fees withdrawal-fee ${whole} 0`,
  ])
  assert.equal(told.of('withdrawal.paid')[0]?.withdrawal, one)
  chain.has('alice', 450 * whole)
  assert.deepEqual([chain.fund('outside:chain'), chain.fund('fees')], [-451 * whole, whole])
  // The supply that left may come back.
  chain.deposit('alice', 2 ** 52 - 451 * whole).isAccepted()
  chain.world.isReplayable()
})

test('CHAIN-FINISH-002: an approved withdrawal that can’t be paid any more makes its amount available again', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const one = chain.requested('alice', 50 * whole)
  chain.decide(one, true).isAccepted()
  const told = chain.finish(one, false).isAccepted()
  assert.deepEqual(entriesOf(told), [`user release ${50 * whole} ${-50 * whole}`])
  assert.equal(told.of('withdrawal.failed')[0]?.withdrawal, one)
  chain.has('alice', 500 * whole)
  chain.world.isReplayable()
})

test('CHAIN-FINISH-003: an end comes once: a repeat changes nothing, another end and an unknown number are refused', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 500 * whole).isAccepted()
  const [paid, failed] = [chain.requested('alice', 50 * whole), chain.requested('alice', 50 * whole)]
  for (const one of [paid, failed]) chain.decide(one, true).isAccepted()
  chain.finish(paid, true).isAccepted()
  chain.finish(failed, false).isAccepted()
  for (const told of [chain.finish(paid, true), chain.finish(failed, false), chain.decide(paid, true)])
    assert.equal(told.isAccepted().events.length, 1)
  chain.allRefused(
    'WITHDRAWAL_STATE',
    () => chain.finish(paid, false),
    () => chain.finish(failed, true),
    () => chain.decide(paid, false),
  )
  chain.allRefused(
    'WITHDRAWAL_UNKNOWN',
    () => chain.finish(1, true),
    () => chain.finish(0, false),
  )
  chain.has('alice', 450 * whole)
})

test('CHAIN-TERMS-001: terms are per asset and network, and leave something to pay out', () => {
  const chain = chainWorld('alice')
  const set = (more: object, asset: number = usdt, network: number = ethereum) =>
    chain.do({ type: 'withdraw.setTerms', asset, network, terms: { ...usdtTerms, ...more } })
  const { min } = usdtTerms
  const wrong = [{ fee: -1 }, { fee: min }, { min: 0, fee: 0 }, { autoMax: -1 }, { singleMax: 100 * whole - 1 }, { singleMax: 2 ** 52 + 1 }]
  chain.allRefused(
    'FIELD_INVALID',
    ...wrong.map((more) => () => set(more)),
    () => set({}, usdt, 0),
    () => set({}, usdt, 256),
  )
  chain.allRefused('ASSET_UNKNOWN', () => set({}, 9))
  const [told] = set({ fee: 0, isOpen: false }).isAccepted().of('withdraw.terms')
  assert.deepEqual(told, { type: 'withdraw.terms', asset: usdt, network: ethereum, terms: { ...usdtTerms, fee: 0, isOpen: false } })
  chain.deposit('alice', 500 * whole).isAccepted()
  chain.request('alice', 50 * whole, { fee: 0 }).isRefused('WITHDRAWALS_CLOSED')
  chain.request('alice', 50 * whole, { network: tron }).isAccepted()
  set({ fee: min - 1 }).isAccepted()
  const [asked] = chain
    .request('alice', min, { fee: min - 1 })
    .isAccepted()
    .of('withdrawal.requested')
  assert.equal(asked!.amount - asked!.fee, 1)
})

test('CHAIN-TERMS-002: in production two different people change the terms, and one alone can only close', () => {
  const chain = chainWorld('alice')
  asProduction(chain.world)
  const change = (more: object) => ({ type: 'withdraw.setTerms', asset: usdt, network: ethereum, terms: { ...usdtTerms, ...more } })
  const decide = (proposer: number, approver: number, more: object, reason = 'ticket 7') =>
    chain.do({ type: 'exchange.operate', proposer, approver, reason, change: change(more) })
  chain.allRefused(
    'FORBIDDEN',
    () => chain.do(change({})),
    () => decide(3, 3, { autoMax: 0 }),
    () => decide(3, 3, {}),
  )
  chain.allRefused('FORBIDDEN', () => decide(3, 3, { isOpen: false, fee: 0 }))
  chain.allRefused(
    'FIELD_INVALID',
    () => decide(0, 3, {}),
    () => decide(3, 4, {}, ' '),
    () => decide(3, 4, { fee: -1 }),
  )
  decide(3, 3, { isOpen: false }).isAccepted()
  chain.allRefused('FORBIDDEN', () => decide(3, 3, {}))
  decide(3, 4, { autoMax: 0 }).isAccepted()
})
