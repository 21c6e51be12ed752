/** Tests to the unit how one position pays and receives in a running round of funding, and how it pays back the fund's advance. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import { payBack, payClaim, settleAccount, settleHolding } from '../positions/due.ts'
import { fundingDueAtMs, settleFunding } from '../market/funding.ts'
import { BY_ORDER, fill, reduce, takeMargin } from '../positions/fill.ts'
import { settleShortages } from '../positions/shortage.ts'
import { Round } from '../records/round.ts'
import { LONG, SHORT } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { fundingOf, fundingPart, insuranceRow } from '../rules/money.ts'
import { Alone } from './alone.ts'

/** Begins a round in which longs pay 1 % of the value at 100. */
function begins(alone: Alone, contract = alone.contract, rate = 10_000_000): Round {
  contract.rounds = 1
  contract.round = new Round(rate, 100 as Ticks, 0 as Millis)
  alone.events.clear()
  return contract.round
}

const fund = ({ x }: Alone): readonly number[] => [x.ledger.available(insuranceRow(x)), x.ledger.held(insuranceRow(x))]
const queued = ({ x }: Alone): readonly (number | undefined)[] => x.perp.queue.map(({ holding }) => holding?.id)
const told = (alone: Alone): readonly (readonly number[])[] =>
  alone.told('perp.fundingPaid').map(({ user, market, position, lots, rate, amount }) => [user, market, position, lots, rate, amount])

/** Settles a long position of 10 lots that owes 10. Its maintenance margin is 25. */
function pays(alone: Alone, holding: Holding): readonly unknown[] {
  const round = begins(alone)
  settleHolding(alone.x, holding)
  const { margin, advance, funding } = holding
  return [round.paid, round.missing, advance, margin, funding, ...alone.has(1), ...fund(alone), queued(alone)]
}

test('PERP-FUNDING-003: an isolated position pays from the balance, then from its margin down to maintenance, and the fund advances the rest', () => {
  const paid = (margin: number, more = 0): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, margin)
    if (more > 0) alone.pays(1, more)
    return pays(alone, holding)
  }
  assert.deepEqual(paid(500, 20), [10, 0, 0, 500, -10, 11, 500, 0, 10, []])
  assert.deepEqual(paid(500, 9), [10, 0, 0, 500, -10, 0, 500, 0, 10, []])
  assert.deepEqual(paid(500, 3), [10, 0, 0, 494, -10, 0, 494, 0, 10, []])
  assert.deepEqual(paid(34), [10, 0, 0, 25, -10, 0, 25, 0, 10, []])
  assert.deepEqual(paid(33), [9, 1, 1, 25, -9, 0, 25, 0, 9, [101]])
  assert.deepEqual(paid(10), [1, 9, 9, 10, -1, 0, 10, 0, 1, [101]])
})

test('PERP-FUNDING-003: a cross position pays as far as its account keeps all maintenance margins', () => {
  const paid = (margin: number, entry: number, more = 0): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, margin, { isCross: true })
    const other = alone.opens(1, 10, entry, 5, { contract: alone.lists(5), isCross: true })
    if (more > 0) alone.pays(1, more)
    const result = pays(alone, holding)
    assert.equal(other.margin, 5)
    return result
  }
  // 2 are available; the other position is at its entry, so that 50 must stay.
  assert.deepEqual(paid(60, 100), [10, 0, 0, 52, -10, 0, 57, 0, 10, []])
  assert.deepEqual(paid(53, 100), [10, 0, 0, 45, -10, 0, 50, 0, 10, []])
  assert.deepEqual(paid(52, 100), [9, 1, 1, 45, -9, 0, 50, 0, 9, [undefined]])
  // A profit elsewhere leaves room, but only the position's own margin pays.
  assert.deepEqual(paid(6, 90), [8, 2, 2, 0, -8, 0, 5, 0, 8, [undefined]])
  assert.deepEqual(paid(60, 110, 8), [10, 0, 0, 60, -10, 0, 65, 0, 10, []])
  assert.deepEqual(paid(60, 110), [2, 8, 8, 60, -2, 0, 65, 0, 2, [undefined]])
})

test('PERP-FUNDING-003: an isolated position does not pay with money that cross positions have lost', () => {
  const paid = (entry: number, more: number): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, 500)
    alone.opens(1, 10, entry, 50, { contract: alone.lists(5), isCross: true })
    alone.pays(1, more)
    return pays(alone, holding).slice(3, 7)
  }
  // 2 and what is added; the cross position has lost 100.
  assert.deepEqual(paid(110, 88), [490, -10, 90, 540])
  assert.deepEqual(paid(110, 103), [495, -10, 100, 545])
  assert.deepEqual(paid(110, 120), [500, -10, 112, 550])
  // Its profit is not money.
  assert.deepEqual(paid(90, 3), [495, -10, 0, 545])
})

test('PERP-FUNDING-005: a receiver that changes before its turn gets a claim, and counts itself unless its turn to be counted is over', () => {
  const claimed = (cursor: number): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(4, -10, 100, 500, { side: SHORT })
    const round = begins(alone)
    round.cursor = cursor
    assert.deepEqual([fundingPart(holding), fundingOf(holding.account)], [10, 0])
    settleHolding(alone.x, holding)
    settleHolding(alone.x, holding)
    assert.deepEqual([holding.round, holding.funding, told(alone), fundingPart(holding)], [1, 0, [], 0])
    return [round.owed, round.claims]
  }
  const claim = { user: 4, side: SHORT, position: 104, lots: -10, part: 10 }
  assert.deepEqual(claimed(1), [10, [claim]])
  assert.deepEqual(claimed(4), [10, [claim]])
  assert.deepEqual(claimed(5), [0, [claim]])
})

test('PERP-FUNDING-005: a position is settled once, and one without a running round or without lots not at all', () => {
  const alone = new Alone()
  const holding = alone.opens(1, 10, 100, 500)
  assert.equal(fundingPart(holding), 0)
  settleHolding(alone.x, holding)
  const round = begins(alone)
  assert.deepEqual([fundingPart(holding), fundingOf(holding.account)], [-10, 10])
  settleHolding(alone.x, holding)
  settleHolding(alone.x, holding)
  assert.deepEqual([round.paid, told(alone), fundingOf(holding.account)], [10, [[1, 3, 101, 10, 10_000_000, -10]], 0])
  const empty = alone.opens(2, 10, 100, 500)
  empty.lots = 0 as Lots
  settleHolding(alone.x, empty)
  assert.deepEqual([empty.round, round.paid, round.claims, round.owed], [1, 10, [], 0])
  round.isPaying = false
  empty.round = 0
  settleHolding(alone.x, empty)
  assert.deepEqual([empty.round, told(alone)], [1, []])
  // A round that is over concerns nobody.
  alone.contract.round = undefined
  alone.contract.rounds = 2
  settleHolding(alone.x, holding)
  assert.deepEqual([holding.round, told(alone)], [2, []])
  // A rate of 0 moves nothing.
  const calm = alone.lists(5)
  const other = alone.opens(3, 10, 100, 500, { contract: calm })
  begins(alone, calm, 0)
  settleHolding(alone.x, other)
  assert.deepEqual([other.round, told(alone)], [1, []])
})

test('PERP-FUNDING-005: an account is settled by market, then by side', () => {
  const alone = new Alone()
  const far = alone.lists(5)
  alone.opens(1, -10, 100, 500, { contract: far, side: SHORT })
  alone.opens(1, 20, 100, 500, { contract: far, side: LONG })
  const here = alone.opens(1, 10, 100, 500)
  for (const contract of [far, alone.contract]) begins(alone, contract).isPaying = false
  alone.pays(1, 100)
  for (const { round } of [far, alone.contract]) Object.assign(round!, { pot: 10, owed: 10 })
  settleAccount(alone.x, here.account)
  assert.deepEqual(
    told(alone).map(([, market, , lots, , amount]) => [market, lots, amount]),
    [
      [3, 10, -10],
      [5, 20, -20],
      [5, -10, 10],
    ],
  )
  assert.deepEqual(fund(alone), [0, 20])
})

/** A round whose payer has paid 10, and a short position of user 2 that is owed 10. */
function paying(pot: number): { readonly alone: Alone; readonly round: Round; readonly holding: Holding } {
  const alone = new Alone()
  const payer = alone.opens(1, 10, 100, 500)
  const holding = alone.opens(2, -10, 100, 500)
  const round = begins(alone)
  settleHolding(alone.x, payer)
  alone.events.clear()
  Object.assign(round, { isPaying: false, owed: 10, pot })
  return { alone, round, holding }
}

test('PERP-FUNDING-002: receivers share the money that came in, rounded down', () => {
  const received = (pot: number): readonly unknown[] => {
    const { alone, round, holding } = paying(pot)
    settleHolding(alone.x, holding)
    return [round.received, holding.funding, ...alone.has(2), ...fund(alone), told(alone)]
  }
  const event = (amount: number): readonly unknown[] => [[2, 3, 102, -10, 10_000_000, amount]]
  assert.deepEqual(received(10), [10, 10, 11, 500, 0, 0, event(10)])
  assert.deepEqual(received(7), [7, 7, 8, 500, 0, 3, event(7)])
  assert.deepEqual(received(0), [0, 0, 1, 500, 0, 10, event(0)])
  const { alone, round, holding } = paying(7)
  round.owed = 11 as Units
  settleHolding(alone.x, holding)
  assert.equal(round.received, Math.floor((10 * 7) / 11))
})

test('PERP-FUNDING-005: a claim is paid to the account, and counts for its position as long as that is the same', () => {
  const claimed = (change: object | undefined): readonly unknown[] => {
    const { alone, round, holding } = paying(10)
    const claim = { user: holding.user, side: holding.side, position: holding.id, lots: -7 as Lots, part: 4 as Units }
    if (change !== undefined) Object.assign(holding, change)
    payClaim(alone.x, round, change === undefined ? undefined : holding, claim, alone.contract.id)
    return [...alone.has(2), round.received, holding.funding, holding.isChanged, told(alone)]
  }
  const event = [[2, 3, 102, -7, 10_000_000, 4]]
  assert.deepEqual(claimed({}), [5, 500, 4, 4, true, event])
  assert.deepEqual(claimed({ id: 900 as OrderId }), [5, 500, 4, 0, false, event])
  assert.deepEqual(claimed({ lots: 0 as Lots }), [5, 500, 4, 0, false, event])
  assert.deepEqual(claimed(undefined), [5, 500, 4, 0, false, event])
})

test('PERP-FUNDING-005: a position is settled before a trade, a closing or a withdrawal of margin changes it, and only that one', () => {
  const changed = (change: (alone: Alone, holding: Holding) => void): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, 500, { isCross: true })
    const far = alone.lists(5)
    const other = alone.opens(1, 10, 100, 500, { contract: far, isCross: true })
    other.id = 300 as OrderId
    alone.pays(1, 1000)
    begins(alone, far)
    begins(alone)
    change(alone, holding)
    return told(alone).map(([, market, , lots]) => [market, lots])
  }
  const price = 100 as Ticks
  assert.deepEqual(
    changed(({ x }, one) => fill(x, one, 0, price, 5 as Lots, 0 as Units, 900 as OrderId, BY_ORDER)),
    [[3, 10]],
  )
  assert.deepEqual(
    changed(({ x }, one) => fill(x, one, 1, price, 5 as Lots, 0 as Units, 900 as OrderId, BY_ORDER)),
    [[3, 10]],
  )
  assert.deepEqual(
    changed(({ x }, one) => reduce(x, one, 5 as Lots, 500 as Units, false)),
    [[3, 10]],
  )
  assert.deepEqual(
    changed(({ x }, one) => reduce(x, one, 5 as Lots, 450 as Units, false)),
    [[3, 10]],
  )
  assert.deepEqual(
    changed(({ x }, one) => takeMargin(x, one, 5)),
    [[3, 10]],
  )
  // The position that pays a loss is enough: the third one is left alone.
  const alone = new Alone()
  const loser = alone.opens(1, 10, 100, 0, { isCross: true })
  const payer = alone.opens(1, 10, 100, 60, { contract: alone.lists(5), isCross: true })
  const far = alone.lists(6)
  alone.opens(1, 10, 100, 60, { contract: far, isCross: true })
  for (const [n, one] of loser.account.cross.entries()) one.id = (200 + n) as OrderId
  begins(alone, far)
  alone.x.perp.shortages.push({ holding: loser, amount: 3 as Units })
  settleShortages(alone.x)
  assert.deepEqual([payer.margin, told(alone)], [60, []])
  alone.pays(1, 3)
  alone.events.clear()
  reduce(alone.x, loser, 5 as Lots, 450 as Units, false)
  assert.deepEqual([payer.margin, told(alone)], [60 + 3 - 50, []])
})

test('PERP-FUNDING-002: an advance is paid back from the balance, then the margin; for a cross account from all margins, the older first', () => {
  const back = (margin: number, isCross: boolean, advance = 30, lossElsewhere = false): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, margin, isCross ? { isCross } : {})
    const younger = alone.opens(1, 10, lossElsewhere ? 110 : 100, 8, { contract: alone.lists(5), isCross: true })
    const older = alone.opens(1, 10, 100, 4, { contract: alone.lists(6), isCross: true })
    younger.id = 300 as OrderId
    older.id = 90 as OrderId
    holding.advance = advance
    for (const one of [holding, younger, older]) one.isChanged = false
    const before = [younger, older].map((one) => one.margin)
    payBack(alone.x, holding)
    assert.deepEqual(
      [younger, older].map((one) => one.isChanged),
      [younger, older].map((one, n) => one.margin !== before[n]),
    )
    const { funding } = holding
    return [holding.advance, holding.margin, older.margin, younger.margin, funding, ...alone.has(1), ...fund(alone), told(alone).length]
  }
  // 3 are available.
  assert.deepEqual(back(100, false), [0, 73, 4, 8, -30, 0, 85, 30, 0, 1])
  assert.deepEqual(back(5, false), [22, 0, 4, 8, -8, 0, 12, 8, 0, 1])
  assert.deepEqual(back(100, false, 2), [0, 100, 4, 8, -2, 1, 112, 2, 0, 1])
  assert.deepEqual(back(100, false, 30, true), [0, 70, 4, 8, -30, 3, 82, 30, 0, 1])
  assert.deepEqual(back(0, false, 30, true), [30, 0, 4, 8, 0, 3, 12, 0, 0, 0])
  assert.deepEqual(back(100, false, 0), [0, 100, 4, 8, 0, 3, 112, 0, 0, 0])
  assert.deepEqual(back(100, true), [0, 73, 4, 8, -30, 0, 85, 30, 0, 1])
  assert.deepEqual(back(22, true), [0, 0, 0, 7, -30, 0, 7, 30, 0, 1])
  assert.deepEqual(back(10, true), [5, 0, 0, 0, -25, 0, 0, 25, 0, 1])
})

const funded = (alone: Alone): readonly (readonly number[])[] =>
  alone.told('perp.funded').map(({ paid, received, rest }) => [paid, received, rest])

test('PERP-FUNDING-005: one command settles 100 positions and visits 5,000 users, and the next ones continue until all have paid', () => {
  const alone = new Alone().at(100)
  const { x, contract } = alone
  for (let user = 1; user <= 101; user++) alone.opens(user, 10, 100, 500)
  contract.fundingAtMs = 1_000_000 as Millis
  assert.equal(fundingDueAtMs(x), 1_000_000)
  const round = begins(alone)
  assert.equal(fundingDueAtMs(x), 100)
  settleFunding(x)
  assert.deepEqual([told(alone).length, round.cursor, round.isPaying, alone.told('perp.position').length], [100, 101, true, 100])
  settleFunding(x)
  assert.deepEqual([told(alone).length, contract.round, fundingDueAtMs(x)], [101, undefined, 1_000_000])
  assert.deepEqual([funded(alone), fund(alone)], [[[1010, 0, 1010]], [1010, 0]])
  const crowd = new Alone().at(100)
  for (const user of [1, 5000, 5001]) crowd.opens(user, 10, 100, 500)
  crowd.contract.fundingAtMs = 1_000_000 as Millis
  begins(crowd)
  settleFunding(crowd.x)
  assert.deepEqual(
    told(crowd).map(([user]) => user),
    [1, 5000],
  )
  settleFunding(crowd.x)
  assert.deepEqual([told(crowd).length, crowd.contract.round?.isPaying], [3, false])
  settleFunding(crowd.x)
  assert.equal(funded(crowd).length, 1)
})

test('PERP-FUNDING-002: the fund advances what it can of the missing money, and what remains of a round is the fund’s', () => {
  const settled = (insured: number, margin: number, lots: number): readonly unknown[] => {
    const alone = new Alone(insured).at(100)
    const payer = alone.opens(1, 10, 100, margin)
    const receiver = alone.opens(2, -lots, 100, 500)
    alone.contract.fundingAtMs = 1_000_000 as Millis
    begins(alone)
    settleFunding(alone.x)
    return [payer.advance, receiver.funding, ...funded(alone), fund(alone)]
  }
  assert.deepEqual(settled(100, 500, 10), [0, 10, [10, 10, 0], [100, 0]])
  assert.deepEqual(settled(100, 500, 9), [0, 9, [10, 9, 1], [101, 0]])
  // The payer has 1 and may give up 2 of its margin.
  assert.deepEqual(settled(100, 27, 10), [7, 10, [10, 10, 0], [93, 0]])
  assert.deepEqual(settled(100, 27, 5), [7, 5, [5, 5, 0], [98, 0]])
  assert.deepEqual(settled(4, 27, 10), [7, 7, [7, 7, 0], [0, 0]])
  assert.deepEqual(settled(0, 27, 10), [7, 3, [3, 3, 0], [0, 0]])
})

test('PERP-FUNDING-005: claims are paid with the receivers, and positions that are opened later have no part', () => {
  const alone = new Alone(50).at(100)
  const { x, contract } = alone
  alone.opens(1, 10, 100, 500)
  const left = alone.opens(2, -4, 100, 500)
  alone.opens(3, -6, 100, 500)
  contract.fundingAtMs = 1_000_000 as Millis
  const round = begins(alone)
  settleHolding(x, left)
  left.lots = 0 as Lots
  const late = alone.opens(4, 10, 100, 500)
  late.round = 1
  const hedged = alone.opens(5, -10, 100, 500, { side: SHORT })
  hedged.round = 1
  settleFunding(x)
  assert.deepEqual([round.claims, funded(alone)], [[], [[10, 10, 0]]])
  assert.deepEqual(
    told(alone).map(([user, , , , , amount]) => [user, amount]),
    [
      [1, -10],
      [3, 6],
      [2, 4],
    ],
  )
})

test('PERP-FUNDING-005: one command pays 100 claims of all markets', () => {
  const alone = new Alone(2000).at(100)
  const { x } = alone
  const far = alone.lists(5)
  const holding = alone.opens(1, -10, 100, 500)
  x.ledger.hold(insuranceRow(x), 700 as Units)
  for (const [contract, count] of [
    [alone.contract, 75],
    [far, 101],
  ] as const) {
    contract.fundingAtMs = 1_000_000 as Millis
    const round = begins(alone, contract)
    Object.assign(round, { isPaying: false, owed: count, pot: count, paid: count, cursor: 9 })
    const claim = { user: holding.user, side: holding.side, position: 1 as OrderId, lots: 1 as Lots, part: 1 as Units }
    for (let n = 0; n < count; n++) round.claims.push(claim)
  }
  holding.round = 1
  x.ledger.hold(insuranceRow(x), 1 as Units)
  settleFunding(x)
  assert.deepEqual([told(alone).length, far.round?.claims.length, funded(alone).length], [100, 76, 1])
  settleFunding(x)
  assert.deepEqual([told(alone).length, far.round, funded(alone).length], [176, undefined, 2])
})
