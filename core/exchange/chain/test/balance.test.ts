/** States that no commands lead to: the check of the books names what is wrong, and nothing is approved beyond the supply. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAUCET } from '../../../ledger/reasons.ts'
import type { Units } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId, CreditNumber, NetworkNumber, UserId, WithdrawalNumber } from '../../../protocol/ids.ts'
import { dumpState, restoreState } from '../../dump.ts'
import { Exchange } from '../../exchange.ts'
import type { State } from '../../state/state.ts'
import { chainViolations } from '../balance.ts'
import { chainWorld, whole } from './chain-world.ts'

const usdt = 1 as AssetId
const ethereum = 1 as NetworkNumber

/** Alice has an unfinal deposit, a debt in BTC and two open withdrawals. */
function world() {
  const chain = chainWorld('alice')
  const user = chain.world.user('alice') as UserId
  chain.deposit('alice', 5000, { credit: 50, asset: 2, isFinal: false }).isAccepted()
  chain.deposit('alice', 500 * whole).isAccepted()
  const [one] = [chain.requested('alice', 20 * whole), chain.requested('alice', 30 * whole)]
  const spend = { clientId: '', market: 1, side: 'sell', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, selfTrade: 'none' }
  chain.world.prints(50_000)
  chain.do({ type: 'chain.credit', user, network: ethereum, credit: 51, asset: 2, amount: 1e8, isFinal: false }).isAccepted()
  chain.do({ type: 'spot.place', user, ...spend, price: 51_000, lots: 1000 }).isAccepted()
  chain.orphan(51).isAccepted()
  chain.deposit('alice', 7 * whole, { credit: 52, isFinal: false }).isAccepted()
  return { dump: chain.world.exchange.dump(), user, one: one as WithdrawalNumber }
}

const { dump, user, one } = world()

function said(change: (x: State) => void): readonly string[] {
  const x = restoreState(dump)
  x.write(new Records())
  change(x)
  return chainViolations(x)
}

test('CHAIN-BOOKS-003: books that are right have no violation, and each wrong figure has one', () => {
  assert.deepEqual(
    said(() => undefined),
    [],
  )
  const cases: readonly (readonly [RegExp, (x: State) => void])[] = [
    [/^outside:debts of 2 is -\d+ instead/, (x) => x.chain.owe(user, 2 as AssetId, 1 as Units)],
    [/^outside:debts of 1 is 0 instead/, (x) => x.chain.owe(user, usdt, 1 as Units)],
    [/^unfinal deposits of user 1 in 1 are not/, (x) => x.chain.user(user).unfinal.set(usdt, 1 as Units)],
    [/^unfinal deposits of 1 1 are not counted/, (x) => x.chain.user(user).unfinal.delete(usdt)],
    [/^unfinal deposits of user 1 in 1 are not/, (x) => x.chain.network(ethereum).unfinal.delete(52 as CreditNumber)],
    [/less than the open withdrawals$/, (x) => x.ledger.release(x.ledger.findSpot(user, usdt), 1 as Units)],
    [/is not with its user$/, (x) => x.chain.user(user).open.delete(one)],
    [/^users have 2 open withdrawals instead of 1$/, (x) => x.chain.withdrawals.delete(one)],
    [/is open and ended$/, (x) => x.chain.ended.set(one, { user, end: 'paid' })],
    [/with a fee of/, (x) => x.chain.withdrawals.set(one, { ...x.chain.withdrawals.get(one)!, fee: (20 * whole) as Units })],
    [/withdrew -1$/, (x) => x.chain.count(user, x.chain.user(user).day, (-50 * whole - 1) as Units)],
  ]
  for (const [expected, change] of cases)
    assert.ok(
      said(change).some((sentence) => expected.test(sentence)),
      `${expected}: ${said(change).join()}`,
    )
})

test('CHAIN-FINISH-004: nothing is approved beyond what was issued', () => {
  const chain = chainWorld('alice')
  chain.deposit('alice', 200 * whole).isAccepted()
  const x = restoreState(chain.world.exchange.dump())
  x.write(new Records())
  // A half of alice's money is borrowed now, and what was issued has left.
  const [row, half] = [x.ledger.findSpot(chain.world.user('alice'), usdt), (100 * whole) as Units]
  x.ledger.redeem(row, x.ledger.systemRow('outside:chain', usdt), usdt, half, FAUCET)
  x.ledger.debitOutside(x.ledger.systemRow('outside:loans', usdt), half, FAUCET)
  x.ledger.credit(row, half, FAUCET)
  chain.world.exchange = Exchange.restore(dumpState(x).bytes())
  const more = chain.requested('alice', 101 * whole + 1)
  chain.allRefused('SUPPLY_EXCEEDED', () => chain.decide(more, true, { first: 3 }))
  chain.decide(more, false).isAccepted()
  chain.decide(chain.requested('alice', 101 * whole), true, { first: 3 }).isAccepted()
})
