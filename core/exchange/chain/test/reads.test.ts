import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import { btc, chainWorld, ethereum, tron, usdt, usdtTerms, whole } from './chain-world.ts'

test('CHAIN-READ-001: the engine tells of a user’s deposits and withdrawals, of all open ones, and of the terms', () => {
  const chain = chainWorld('alice', 'bob')
  const [alice, bob] = [chain.world.user('alice'), chain.world.user('bob')]
  chain.deposit('alice', 900 * whole).isAccepted()
  chain.deposit('alice', 5000, { asset: btc, isFinal: false }).isAccepted()
  chain.deposit('alice', 7 * whole, { credit: 50, network: tron, isFinal: false }).isAccepted()
  chain.deposit('bob', 50 * whole).isAccepted()
  const [one, two] = [chain.requested('alice', 200 * whole), chain.requested('bob', 20 * whole)]
  chain.decide(two, true).isAccepted()
  const own = { withdrawal: one, user: alice, asset: usdt, network: ethereum, amount: 200 * whole, fee: whole }
  const open = [
    { ...own, destination: 70, people: 1, isApproved: false },
    { ...own, withdrawal: two, user: bob, amount: 20 * whole, destination: 70, people: 0, isApproved: true },
  ]
  for (const exchange of [chain.world.exchange, Exchange.restore(chain.world.exchange.dump())]) {
    assert.deepEqual(exchange.chain.standing(alice), {
      unfinal: [
        { asset: usdt, amount: 7 * whole },
        { asset: btc, amount: 5000 },
      ],
      debts: [],
      withdrawals: [open[0]],
      today: { limit: 50_000 * whole, used: 200 * whole },
    })
    assert.deepEqual(exchange.chain.withdrawals(), open)
    assert.deepEqual(
      exchange.chain.terms().map(({ asset, network }) => [asset, network]),
      [
        [usdt, ethereum],
        [usdt, tron],
        [btc, ethereum],
      ],
    )
    assert.deepEqual(exchange.chain.terms()[1]?.terms, usdtTerms)
    assert.deepEqual(exchange.chain.flows(), [
      { network: ethereum, asset: usdt, flow: 950 * whole, unfinal: 0 },
      { network: ethereum, asset: btc, flow: 5000, unfinal: 5000 },
      { network: tron, asset: usdt, flow: 7 * whole, unfinal: 7 * whole },
    ])
  }
  const nobody = { unfinal: [], debts: [], withdrawals: [], today: { limit: 50_000 * whole, used: 0 } }
  assert.deepEqual(chain.world.exchange.chain.standing(chain.world.user('carol')), nobody)
})

test('CHAIN-BOOKS-001: with the postings by hand, the networks’ sums are minus outside:chain', () => {
  const chain = chainWorld('alice')
  const people = { proposer: 3, approver: 4, reason: 'ticket 7' }
  const [outside, fees] = [{ system: 'outside:chain' }, { system: 'fees' }]
  chain.do({ type: 'funds.post', decision: 1, from: outside, to: fees, asset: usdt, amount: 30 * whole, ...people }).isAccepted()
  chain.deposit('alice', 900 * whole).isAccepted()
  chain.deposit('alice', 20 * whole, { network: tron }).isAccepted()
  chain.deposit('alice', 40 * whole, { credit: 50, network: tron, isFinal: false }).isAccepted()
  const one = chain.requested('alice', 100 * whole, { network: tron })
  chain.decide(one, true).isAccepted()
  chain.finish(one, true).isAccepted()
  chain.orphan(50, tron).isAccepted()
  const flows = chain.world.exchange.chain.flows().map(({ network, flow }) => [network, flow])
  assert.deepEqual(flows, [
    [ethereum, 900 * whole],
    [tron, (20 - 99) * whole],
  ])
  assert.equal(chain.fund('outside:chain'), -(900 + 20 - 99 + 30) * whole)
})
