import type { Units } from '../../money/brand.ts'
import type { Row } from '../row.ts'
import type { AssetId, KindNumber, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryEvent } from '../../protocol/event/index.ts'
import { systemAccounts } from '../../protocol/account.ts'
import { decodeEvents, systemOwner } from '../../protocol/codec/event.ts'
import { Records } from '../../protocol/codec/records.ts'
import { Ledger, supplyMax } from '../ledger.ts'
import { FAUCET, TRANSFER, WITHDRAWAL, WITHDRAWAL_FEE } from '../reasons.ts'

const most = Number.MAX_SAFE_INTEGER

/** A ledger in which user 7 has 10 units of asset 1 available and 4 held; no other user has anything. */
class Given {
  readonly ledger = new Ledger()
  readonly events = new Records()
  readonly outside: number
  readonly row: number

  constructor() {
    this.ledger.write(this.events)
    this.ledger.addAsset(1 as AssetId)
    this.outside = this.ledger.systemRow('outside:sandbox', 1 as AssetId)
    this.row = this.ledger.row(7 as UserId, 0 as KindNumber, 1 as AssetId)
    this.ledger.issue(this.outside as Row, this.row as Row, 1 as AssetId, 14 as Units, FAUCET)
    this.ledger.hold(this.row as Row, 4 as Units)
    this.events.clear()
  }

  /** The user's available and held units, the balance of `outside:sandbox`, and the units that may still be issued. */
  get sums(): readonly number[] {
    const { ledger, row, outside } = this
    return [ledger.available(row as Row), ledger.held(row as Row), ledger.available(outside as Row), ledger.issuable(1 as AssetId)]
  }

  /** Entries as "reason delta/held delta → available/held". */
  get entries(): readonly string[] {
    const entries = decodeEvents(this.events.data, 0, this.events.length) as readonly EntryEvent[]
    return entries.map(({ reason, delta, heldDelta, available, held }) => `${reason} ${delta}/${heldDelta} → ${available}/${held}`)
  }
}

type Act = (ledger: Ledger, row: number, amount: number) => void
const credit: Act = (ledger, row, amount) => ledger.credit(row as Row, amount as Units, TRANSFER)
const debit: Act = (ledger, row, amount) => ledger.debit(row as Row, amount as Units, TRANSFER)
const hold: Act = (ledger, row, amount) => ledger.hold(row as Row, amount as Units)
const release: Act = (ledger, row, amount) => ledger.release(row as Row, amount as Units)
const spendHeld: Act = (ledger, row, amount) => ledger.spendHeld(row as Row, amount as Units)

/** Name, operation, largest valid amount; balances after that amount, and the entry that it emits. */
const acts: readonly (readonly [string, Act, number, readonly [number, number], string])[] = [
  ['credit', credit, most - 10, [most, 4], `transfer ${most - 10}/0 → ${most}/4`],
  ['debit', debit, 10, [0, 4], 'transfer -10/0 → 0/4'],
  ['hold', hold, 10, [0, 14], 'hold -10/10 → 0/14'],
  ['release', release, 4, [14, 0], 'release 4/-4 → 14/0'],
  ['spendHeld', spendHeld, 4, [10, 0], 'trade 0/-4 → 10/0'],
]

for (const [name, act, largest, after, told] of acts) {
  test(`FUNDS-LEDGER-002: ${name} accepts up to the whole balance and refuses a unit more, negative amounts and anything that is not a number`, () => {
    const given = new Given()
    const before = given.sums
    for (const amount of [-1, -largest, Number.NaN, largest + 1, Number.POSITIVE_INFINITY]) {
      assert.throws(() => act(given.ledger, given.row, amount), /breaks row/, String(amount))
      assert.deepEqual([given.sums, given.entries], [before, []], String(amount))
    }
    act(given.ledger, given.row, 0)
    assert.deepEqual([given.sums, given.entries], [before, []], 'an operation of zero makes no entry')
    act(given.ledger, given.row, largest)
    assert.deepEqual([given.ledger.available(given.row as Row), given.ledger.held(given.row as Row)], after)
    assert.deepEqual(given.entries, [told])
  })
}

test('FUNDS-LEDGER-002: an account of the outside world may owe up to 2^53 units', () => {
  const given = new Given()
  const { ledger, outside } = given
  for (const amount of [-1, Number.NaN, most - 13]) {
    assert.throws(() => ledger.debitOutside(outside as Row, amount as Units, TRANSFER), /breaks row/, String(amount))
    assert.deepEqual([ledger.available(outside as Row), given.entries], [-14, []])
  }
  ledger.debitOutside(outside as Row, 0 as Units, TRANSFER)
  assert.deepEqual(given.entries, [])
  ledger.debitOutside(outside as Row, (most - 14) as Units, TRANSFER)
  assert.equal(ledger.available(outside as Row), -most)
  assert.deepEqual(given.entries, [`transfer ${14 - most}/0 → ${-most}/0`])
})

test('FUNDS-LEDGER-002: a trade’s fee is at most the traded amount, and neither exceeds the largest balance of an account', () => {
  for (const [amount, fee] of [
    [10, -1],
    [10, 11],
    [10, Number.NaN],
    [Number.NaN, 1],
    [-1, 0],
    [most - 9, 0],
    [most - 6, 1],
  ] as const) {
    const given = new Given()
    const before = given.sums
    assert.throws(() => given.ledger.creditLess(given.row as Row, amount as Units, fee as Units), /breaks row/, `${amount} − ${fee}`)
    assert.deepEqual([given.sums, given.entries], [before, []], `${amount} − ${fee}`)
  }
  for (const [amount, fee, told] of [
    [10, 3, ['trade 10/0 → 20/4', 'fee -3/0 → 17/4']],
    [10, 10, ['trade 10/0 → 20/4', 'fee -10/0 → 10/4']],
    [10, 0, ['trade 10/0 → 20/4']],
    [0, 0, []],
    [most - 10, 0, [`trade ${most - 10}/0 → ${most}/4`]],
  ] as const) {
    const given = new Given()
    given.ledger.creditLess(given.row as Row, amount as Units, fee as Units)
    assert.equal(given.ledger.available(given.row as Row), 10 + amount - fee)
    assert.deepEqual(given.entries, told)
  }
})

test('FUNDS-LEDGER-002: no more of an asset is issued than its supply, and a refused issue changes nothing', () => {
  const given = new Given()
  const before = given.sums
  assert.deepEqual(before, [10, 4, -14, supplyMax - 14])
  assert.throws(() => given.ledger.issue(given.outside as Row, given.row as Row, 1 as AssetId, (supplyMax - 13) as Units, FAUCET), /supply/)
  assert.deepEqual([given.sums, given.entries], [before, []])
  given.ledger.issue(given.outside as Row, given.row as Row, 1 as AssetId, (supplyMax - 14) as Units, FAUCET)
  assert.deepEqual(given.sums, [supplyMax - 4, 4, -supplyMax, 0])
  assert.deepEqual(given.entries, [`faucet ${14 - supplyMax}/0 → ${-supplyMax}/0`, `faucet ${supplyMax - 14}/0 → ${supplyMax - 4}/4`])
})

test('FUNDS-LEDGER-002: an account that does not exist accepts no operation', () => {
  const { ledger, events } = new Given()
  for (const nobody of [
    ledger.find(8 as UserId, 0 as KindNumber, 1 as AssetId),
    ledger.findSpot(8 as UserId, 1 as AssetId),
    ledger.find(7 as UserId, 1 as KindNumber, 1 as AssetId),
  ]) {
    for (const [name, act] of acts) assert.throws(() => act(ledger, nobody, 1), /breaks row/, name)
    assert.throws(() => ledger.credit(nobody, 0 as Units, TRANSFER), /breaks row/)
    assert.throws(() => ledger.creditLess(nobody, 1 as Units, 0 as Units), /breaks row/)
    assert.deepEqual([ledger.available(nobody), ledger.held(nobody), events.length], [0, 0, 0])
  }
})

test('FUNDS-LEDGER-002: the trial balance names each account that is below zero, and each asset that does not sum to zero', () => {
  const { ledger, row, outside } = new Given()
  assert.deepEqual(ledger.trialBalance(), { sums: [0, 0], violations: [] })
  ledger.credit(row as Row, 5 as Units, TRANSFER)
  assert.deepEqual(ledger.trialBalance(), { sums: [0, 5], violations: [] })
  ledger.debitOutside(outside as Row, 5 as Units, TRANSFER)
  // No caller may do this: an account that is not an outside account goes below zero.
  ledger.debitOutside(row as Row, 20 as Units, TRANSFER)
  ledger.credit(ledger.feeRow(1 as AssetId), 20 as Units, TRANSFER)
  assert.deepEqual(ledger.trialBalance(), { sums: [0, 0], violations: ['owner 7 asset 1 below zero'] })
})

test('FUNDS-LEDGER-002: an entry names the account that changed: its owner, kind, market and asset', () => {
  const { ledger, events } = new Given()
  for (let asset = 2; asset <= 7; asset++) ledger.addAsset(asset as AssetId)
  const isolated = 3 + 16 * 9
  const accounts = [
    ...[1, 2, 3, 4, 5, 6, 7].map((asset) => [7, 0, asset, { user: 7, kind: 'spot', asset }] as const),
    [8, 0, 2, { user: 8, kind: 'spot', asset: 2 }],
    [8, 1, 6, { user: 8, kind: 'perp', asset: 6 }],
    [8, isolated, 3, { user: 8, kind: 'margin-isolated', market: 9, asset: 3 }],
  ] as const
  for (const [user, kind, asset, account] of accounts) {
    const row = ledger.row(user as UserId, kind as KindNumber, asset as AssetId)
    events.clear()
    ledger.issue(ledger.systemRow('outside:sandbox', asset as AssetId), row, asset as AssetId, 5 as Units, FAUCET)
    ledger.hold(row, 2 as Units)
    const entries = decodeEvents(events.data, 0, events.length) as readonly EntryEvent[]
    assert.deepEqual(
      entries.map((entry) => entry.account),
      [{ system: 'outside:sandbox', asset }, account, account],
    )
  }
})

test('FUNDS-LEDGER-002: of the exchange’s own accounts only the outside accounts may be below zero', () => {
  const { ledger, outside } = new Given()
  ledger.debitOutside(ledger.feeRow(1 as AssetId), 3 as Units, TRANSFER)
  ledger.credit(outside as Row, 3 as Units, TRANSFER)
  assert.deepEqual(ledger.trialBalance(), {
    sums: [0, 0],
    violations: [`owner ${systemOwner(systemAccounts.indexOf('fees'))} asset 1 below zero`],
  })
})

test('FUNDS-LEDGER-002: the trial balance sums each asset separately, and finds balances that no account can hold', () => {
  /** A ledger with five assets, restored from rows: owner, kind, asset, available, held. */
  const read = (...rows: readonly (readonly number[])[]): ReturnType<Ledger['trialBalance']> => {
    const ledger = new Ledger()
    ledger.write(new Records())
    ledger.restore(Float64Array.from([5, 0, 0, 0, 0, 0, rows.length, ...rows.flat()]), 0, 12)
    return ledger.trialBalance()
  }
  assert.deepEqual(read([7, 0, 3, 4, 1], [7, 1, 5, 2, 0], [8, 0, 5, 1, 1]), { sums: [0, 0, 0, 5, 0, 4], violations: [] })
  assert.deepEqual(read([7, 0, 2, 2 ** 53, 0]).violations, ['owner 7 asset 2'])
  assert.deepEqual(read([7, 0, 2, 0, 2 ** 53]).violations, ['owner 7 asset 2'])
  assert.deepEqual(read([7, 0, 2, 0.5, 0]).violations, ['owner 7 asset 2'])
  assert.deepEqual(read([7, 0, 2, 5, -1]).violations, ['owner 7 asset 2 below zero'])
  assert.deepEqual(read([7, 0, 2, -1, 5]).violations, ['owner 7 asset 2 below zero'])
  assert.deepEqual(read([7, 0, 6, 1, 0]), { sums: [0, 0, 0, 0, 0, 0], violations: ['owner 7 has asset 6'] })
})

test('CHAIN-FINISH-004: a payment out of the held sum is booked even where more leaves than ever came in', () => {
  const given = new Given()
  const { ledger } = given
  const [usdt, row, outside] = [1 as AssetId, given.row as Row, ledger.systemRow('outside:chain', 1 as AssetId)]
  // The user has five units that are lent.
  ledger.debitOutside(ledger.systemRow('outside:loans', usdt), 5 as Units, TRANSFER)
  ledger.credit(row, 5 as Units, TRANSFER)
  ledger.hold(row, 15 as Units)
  given.events.clear()
  ledger.redeemHeld(row, outside, usdt, 18 as Units, WITHDRAWAL)
  ledger.payHeld(row, ledger.feeRow(usdt), 1 as Units, WITHDRAWAL_FEE)
  assert.deepEqual(given.sums, [0, 0, -14, supplyMax + 4])
  assert.deepEqual(given.entries, [
    ...['withdrawal 0/-18 → 0/1', 'withdrawal 18/0 → 18/0'],
    ...['withdrawal-fee 0/-1 → 0/0', 'withdrawal-fee 1/0 → 1/0'],
  ])
  assert.deepEqual(ledger.trialBalance(), { sums: [0, 0], violations: [] })
  assert.throws(() => ledger.redeemHeld(row, outside, usdt, 1 as Units, WITHDRAWAL), /breaks row/)
  assert.deepEqual(given.sums, [0, 0, -14, supplyMax + 4])
})
