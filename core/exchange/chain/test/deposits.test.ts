import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import { btc, chainWorld, entriesOf, tron, usdt, whole } from './chain-world.ts'

test('CHAIN-CREDIT-001: a deposit moves from outside:chain to the spot account, once, and counts as issued up to the largest supply', () => {
  const chain = chainWorld('alice')
  const told = chain.deposit('alice', 5 * whole).isAccepted()
  assert.deepEqual(entriesOf(told), [`outside:chain deposit ${-5 * whole} 0`, `user deposit ${5 * whole} 0`])
  const { user } = told.of('deposit.credited')[0]!
  assert.deepEqual(told.of('deposit.credited'), [
    { type: 'deposit.credited', network: 1, credit: 1, user, asset: 1, amount: 5 * whole, isFinal: true, repaid: 0, debt: 0 },
  ])
  chain.deposit('alice', 2 ** 52 - 5 * whole + 1).isRefused('SUPPLY_EXCEEDED')
  chain.deposit('alice', 2 ** 52 - 5 * whole).isAccepted()
  chain.has('alice', 2 ** 52)
  assert.equal(chain.fund('outside:chain'), -(2 ** 52))
  chain.world.isReplayable()
})

test('CHAIN-CREDIT-002: a number is credited once however often its command comes, in a restored exchange too, and each network has its own', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', whole, { credit: 9 }).isAccepted()
  chain.world.exchange = Exchange.restore(chain.world.exchange.dump())
  for (const more of [{}, { amount: 7 }, { asset: btc }, { isFinal: false }])
    assert.equal(chain.deposit('alice', whole, { credit: 9, ...more }).isAccepted().events.length, 1)
  chain.deposit('alice', whole, { credit: 9, network: tron }).isAccepted()
  chain.deposit('alice', whole, { credit: 8 }).isAccepted()
  chain.has('alice', 3 * whole)
})

test('CHAIN-CREDIT-002: a number too old to be remembered is refused, never silently accepted', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', whole, { credit: 5 }).isAccepted()
  for (let credit = 10; credit < 10 + 4096; credit++) chain.deposit('alice', 1, { credit }).isAccepted()
  chain.allRefused(
    'CREDIT_TOO_OLD',
    () => chain.deposit('alice', whole, { credit: 5 }),
    () => chain.deposit('alice', whole, { credit: 4 }),
  )
  assert.equal(chain.deposit('alice', whole, { credit: 10 }).isAccepted().events.length, 1)
  chain.deposit('alice', whole, { credit: 7 }).isAccepted()
  chain.deposit('alice', whole, { credit: 5, network: tron }).isAccepted()
})

test('CHAIN-CREDIT-003: a deposit needs a known user, network and asset and an amount, and a frozen customer gets it too', () => {
  const chain = chainWorld('alice')
  chain.allRefused(
    'USER_UNKNOWN',
    () => chain.deposit('alice', whole, { user: 9 }),
    () => chain.deposit('alice', whole, { user: 0 }),
  )
  chain.allRefused('FIELD_INVALID', ...[0, -1, 256].map((network) => () => chain.deposit('alice', whole, { network })))
  chain.allRefused('FIELD_INVALID', ...[0, -1].map((credit) => () => chain.deposit('alice', whole, { credit })))
  chain.allRefused('ASSET_UNKNOWN', ...[0, 4, -1].map((asset) => () => chain.deposit('alice', whole, { asset })))
  chain.allRefused('AMOUNT_NOT_POSITIVE', ...[0, -1].map((amount) => () => chain.deposit('alice', amount)))
  chain.freeze('alice', true)
  chain.deposit('alice', whole).isAccepted()
  chain.deposit('alice', whole, { network: 255 }).isAccepted()
  chain.has('alice', 2 * whole)
})

test('CHAIN-FINAL-001: a deposit becomes final once, and a number that was not credited, or was dropped, does not', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', whole, { credit: 1, isFinal: false }).isAccepted()
  chain.deposit('alice', whole, { credit: 2 }).isAccepted()
  chain.deposit('alice', whole, { credit: 3, isFinal: false }).isAccepted()
  const [told] = chain.final(1).isAccepted().of('deposit.final')
  assert.deepEqual({ ...told, user: 0 }, { type: 'deposit.final', network: 1, credit: 1, user: 0, asset: 1, amount: whole })
  for (const credit of [1, 2]) assert.equal(chain.final(credit).isAccepted().events.length, 1)
  chain.orphan(3).isAccepted()
  chain.allRefused(
    'CREDIT_UNKNOWN',
    () => chain.final(3),
    () => chain.final(4),
    () => chain.final(1, tron),
    () => chain.final(0),
  )
  chain.world.isReplayable()
})

test('CHAIN-ORPHAN-001: a dropped deposit is taken back from the available balance, once, and a final one never', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 5 * whole, { credit: 1, isFinal: false }).isAccepted()
  chain.deposit('alice', 2 * whole, { credit: 2 }).isAccepted()
  const told = chain.orphan(1).isAccepted()
  assert.deepEqual(entriesOf(told), [`user deposit-reversed ${-5 * whole} 0`, `outside:chain deposit-reversed ${5 * whole} 0`])
  const [{ taken, debt }] = told.of('deposit.orphaned') as unknown as [{ readonly taken: unknown; readonly debt: unknown }]
  assert.deepEqual([taken, debt], [5 * whole, 0])
  assert.equal(chain.orphan(1).isAccepted().events.length, 1)
  chain.allRefused('CREDIT_FINAL', () => chain.orphan(2))
  chain.allRefused(
    'CREDIT_UNKNOWN',
    () => chain.orphan(3),
    () => chain.orphan(1, tron),
  )
  chain.deposit('alice', whole, { credit: 4, isFinal: false }).isAccepted()
  chain.final(4).isAccepted()
  chain.allRefused('CREDIT_FINAL', () => chain.orphan(4))
  // The number stays taken.
  assert.equal(chain.deposit('alice', whole, { credit: 1 }).isAccepted().events.length, 1)
  chain.has('alice', 3 * whole)
  // The supply is free again.
  chain.deposit('alice', 2 ** 52 - 3 * whole).isAccepted()
  chain.world.isReplayable()
})

test('CHAIN-DEBT-001: the customer owes what was spent of a dropped deposit, and outside:debts is minus all debts', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 5 * whole, { credit: 1, isFinal: false }).isAccepted()
  chain.deposit('alice', 5 * whole, { credit: 2, isFinal: false }).isAccepted()
  spend(chain, 7 * whole)
  const told = chain.orphan(1).isAccepted()
  assert.deepEqual(entriesOf(told), [
    `user deposit-reversed ${-3 * whole} 0`,
    `outside:chain deposit-reversed ${3 * whole} 0`,
    `outside:debts deposit-debt ${-2 * whole} 0`,
    `outside:chain deposit-debt ${2 * whole} 0`,
  ])
  const [{ taken, debt }] = told.of('deposit.orphaned') as unknown as [{ readonly taken: unknown; readonly debt: unknown }]
  assert.deepEqual([taken, debt], [3 * whole, 2 * whole])
  const [second] = chain.orphan(2).isAccepted().of('deposit.orphaned')
  assert.deepEqual([second?.taken, second?.debt], [0, 7 * whole])
  assert.deepEqual([chain.fund('outside:debts'), chain.fund('outside:chain')], [-7 * whole, 0])
  chain.has('alice', 0)
  chain.world.isReplayable()
})

test('CHAIN-DEBT-002: the next deposits of the asset repay a debt first, and the customer can repay it from the spot account', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 10 * whole, { credit: 1, isFinal: false }).isAccepted()
  spend(chain, 10 * whole)
  chain.orphan(1).isAccepted()
  chain.allRefused('INSUFFICIENT_BALANCE', () => chain.repay('alice'))
  chain.allRefused('NOTHING_OWED', () => chain.repay('alice', btc))
  chain.allRefused('ASSET_UNKNOWN', () => chain.repay('alice', 9))
  const [other] = chain.deposit('alice', 5_000, { asset: btc }).isAccepted().of('deposit.credited')
  assert.deepEqual([other?.repaid, other?.debt], [0, 0])
  const told = chain.deposit('alice', 4 * whole).isAccepted()
  assert.deepEqual(entriesOf(told).slice(2), [`user deposit-debt ${-4 * whole} 0`, `outside:debts deposit-debt ${4 * whole} 0`])
  const [{ repaid, debt }] = told.of('deposit.credited') as unknown as [{ readonly repaid: unknown; readonly debt: unknown }]
  assert.deepEqual([repaid, debt], [4 * whole, 6 * whole])
  back(chain, 2 * whole)
  const [part] = chain.repay('alice').isAccepted().of('deposit.repaid')
  assert.deepEqual([part?.amount, part?.debt], [2 * whole, 4 * whole])
  back(chain, 8 * whole)
  const [rest] = chain.repay('alice').isAccepted().of('deposit.repaid')
  assert.deepEqual([rest?.amount, rest?.debt], [4 * whole, 0])
  chain.has('alice', 4 * whole)
  chain.allRefused('NOTHING_OWED', () => chain.repay('alice'))
  assert.deepEqual([chain.fund('outside:debts'), chain.fund('outside:chain')], [0, -4 * whole])
  chain.world.isReplayable()
})

test('CHAIN-DEBT-002: a deposit that repaid a debt and is dropped in turn makes the debt again', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 10 * whole, { credit: 1, isFinal: false }).isAccepted()
  spend(chain, 10 * whole)
  chain.orphan(1).isAccepted()
  chain.deposit('alice', 15 * whole, { credit: 2, isFinal: false }).isAccepted()
  chain.has('alice', 5 * whole)
  const [told] = chain.orphan(2).isAccepted().of('deposit.orphaned')
  assert.deepEqual([told?.taken, told?.debt], [5 * whole, 10 * whole])
  assert.equal(chain.fund('outside:debts'), -10 * whole)
  chain.world.isReplayable()
})

type Chain = ReturnType<typeof chainWorld>
const move = (chain: Chain, from: string, to: string, amount: number): void => {
  chain.do({ type: 'funds.transfer', user: chain.world.user('alice'), clientId: '', asset: usdt, from, to, amount }).isAccepted()
}
const spend = (chain: Chain, amount: number): void => move(chain, 'spot', 'option', amount)
const back = (chain: Chain, amount: number): void => move(chain, 'option', 'spot', amount)
