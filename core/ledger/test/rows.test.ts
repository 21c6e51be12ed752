import type { Units } from '../../money/brand.ts'
import type { Row } from '../row.ts'
import type { AssetId, KindNumber, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemAccounts } from '../../protocol/account.ts'
import { systemOwner } from '../../protocol/codec/event.ts'
import { Records } from '../../protocol/codec/records.ts'
import { Ledger } from '../ledger.ts'
import { FAUCET } from '../reasons.ts'

/** A ledger with `assets` assets; its entries are not read. */
function given(assets: number, blocksMax?: number, reserve?: number): Ledger {
  const ledger = new Ledger(blocksMax, reserve)
  ledger.write(new Records())
  for (let asset = 1; asset <= assets; asset++) ledger.addAsset(asset as AssetId)
  return ledger
}

function issue(ledger: Ledger, row: number, asset: number, amount: number): void {
  ledger.issue(ledger.systemRow('outside:sandbox', asset as AssetId), row as Row, asset as AssetId, amount as Units, FAUCET)
}

test('FUNDS-FULL-001: a ledger counts the blocks that are left, reports when only the reserve is left, and never exceeds its total', () => {
  // With three assets, each account of the exchange takes one block.
  const systems = systemAccounts.length
  const ledger = given(3, systems + 4, 2)
  assert.deepEqual([ledger.blockCount, ledger.blocksLeft, ledger.isShort], [systems, 4, false])
  const empty = new Ledger()
  assert.deepEqual([empty.isShort, empty.isUntidy], [false, false])
  for (const [asset, left] of [
    [1, 3],
    [3, 3],
    [2, 3],
  ] as const) {
    ledger.spotRow(7 as UserId, asset as AssetId)
    assert.deepEqual([ledger.blocksLeft, ledger.isShort], [left, false], `asset ${asset}`)
  }
  for (const [user, left] of [
    [8, 2],
    [9, 1],
    [10, 0],
  ] as const) {
    ledger.spotRow(user as UserId, 1 as AssetId)
    assert.deepEqual([ledger.blocksLeft, ledger.blockCount, ledger.isShort], [left, systems + 4 - left, true], `user ${user}`)
  }
  assert.throws(() => ledger.spotRow(11 as UserId, 1 as AssetId), /more accounts than rows/)
  assert.equal(ledger.available(ledger.find(11 as UserId, 0 as KindNumber, 1 as AssetId)), 0)
})

test('FUNDS-ROWS-001: every lookup finds the same row, and `nearRow` finds it once the blocks are gathered', () => {
  const ledger = given(30)
  for (const user of [1, 7, 500, 40_000]) {
    // Assets 1 to 3 share a block; asset 4 needs a second one, which a directory lists until the command ends.
    for (const asset of [1, 2, 3, 4]) {
      const row = ledger.spotRow(user as UserId, asset as AssetId)
      assert.deepEqual(
        [
          ledger.row(user as UserId, 0 as KindNumber, asset as AssetId),
          ledger.find(user as UserId, 0 as KindNumber, asset as AssetId),
          ledger.findSpot(user as UserId, asset as AssetId),
        ],
        [row, row, row],
      )
      issue(ledger, row, asset, user * 100 + asset)
    }
    assert.equal(ledger.isUntidy, true)
    ledger.tidy()
    assert.equal(ledger.isUntidy, false)
    for (const asset of [1, 2, 3, 4]) {
      const row = ledger.findSpot(user as UserId, asset as AssetId)
      assert.equal(ledger.available(row), user * 100 + asset)
      assert.equal(ledger.nearRow(user as UserId, asset as AssetId), row)
    }
  }
  const rows = new Int32Array([
    ledger.findSpot(7 as UserId, 1 as AssetId),
    ledger.findSpot(500 as UserId, 2 as AssetId),
    ledger.findSpot(500 as UserId, 3 as AssetId),
  ])
  assert.equal(ledger.reach(rows, 2), 701 ^ 50_002)
  for (const asset of [1, 2, 3]) assert.equal(ledger.available(ledger.nearRow(39_999 as UserId, asset as AssetId)), 0, 'nobody’s')
})

test('FUNDS-ROWS-001: each account of the exchange has a row for each asset, and `feeRow` finds the row of fees', () => {
  const ledger = given(40)
  const seen = new Set<number>()
  for (let asset = 1; asset <= 40; asset++) {
    for (const [n, system] of systemAccounts.entries()) {
      const row = ledger.systemRow(system, asset as AssetId)
      assert.equal(row, ledger.find(systemOwner(n), 0 as KindNumber, asset as AssetId), `${system} ${asset}`)
      seen.add(row)
    }
    assert.equal(ledger.feeRow(asset as AssetId), ledger.systemRow('fees', asset as AssetId))
  }
  assert.equal(seen.size, 40 * systemAccounts.length)
})

test('FUNDS-ROWS-001: a user’s balances are listed by kind, market and asset, without empty ones', () => {
  const ledger = given(5)
  const isolated = 3 + 16 * 9
  for (const [kind, asset, amount] of [
    [isolated, 2, 6],
    [0, 5, 3],
    [1, 1, 4],
    [0, 2, 2],
    [2, 4, 5],
  ] as const)
    issue(ledger, ledger.row(7 as UserId, kind as KindNumber, asset as AssetId), asset, amount)
  ledger.row(7 as UserId, 5 as KindNumber, 3 as AssetId)
  ledger.hold(ledger.row(7 as UserId, 0 as KindNumber, 5 as AssetId), 3 as Units)
  ledger.tidy()
  const user = 7
  assert.deepEqual(ledger.accountsOfUser(7 as UserId), [
    { account: { user, kind: 'spot', asset: 2 }, available: 2, held: 0 },
    { account: { user, kind: 'spot', asset: 5 }, available: 0, held: 3 },
    { account: { user, kind: 'perp', asset: 1 }, available: 4, held: 0 },
    { account: { user, kind: 'margin-cross', asset: 4 }, available: 5, held: 0 },
    { account: { user, kind: 'margin-isolated', market: 9, asset: 2 }, available: 6, held: 0 },
  ])
  assert.deepEqual(ledger.accountsOfUser(8 as UserId), [])
  const outside = ledger.accounts().filter(({ account }) => 'system' in account)
  assert.deepEqual(outside, [
    { account: { system: 'outside:sandbox', asset: 1 }, available: -4, held: 0 },
    { account: { system: 'outside:sandbox', asset: 2 }, available: -8, held: 0 },
    { account: { system: 'outside:sandbox', asset: 4 }, available: -5, held: 0 },
    { account: { system: 'outside:sandbox', asset: 5 }, available: -3, held: 0 },
  ])
})

test('FUNDS-ROWS-001: dumps of version 12, row by row, and of today are read back, and the issued supply is kept', () => {
  const outside = systemOwner(systemAccounts.indexOf('outside:sandbox'))
  // Number of assets, the supply issued of each, number of rows; then the rows: owner, kind, asset, available, held.
  const rows = [
    [outside, 0, 1, -30, 0],
    [outside, 0, 2, -12, 0],
    [7, 0, 1, 20, 10],
    [7, 3 + 16 * 2, 2, 12, 0],
  ]
  const old = Float64Array.from([0, 2, 30, 12, rows.length, ...rows.flat(), 99])
  const ledger = new Ledger()
  ledger.write(new Records())
  assert.equal(ledger.restore(old, 1, 12), old.length - 1)
  assert.equal(ledger.isUntidy, false)
  const into = new Records()
  for (const _ of ledger.dump(into));
  const copy = new Ledger()
  copy.write(new Records())
  assert.equal(copy.restore(into.data, 0, 13), into.length)
  assert.equal(copy.isUntidy, false)
  for (const one of [ledger, copy]) {
    assert.deepEqual([one.issuable(1 as AssetId), one.issuable(2 as AssetId)], [2 ** 52 - 30, 2 ** 52 - 12])
    assert.deepEqual(one.accountsOfUser(7 as UserId), [
      { account: { user: 7, kind: 'spot', asset: 1 }, available: 20, held: 10 },
      { account: { user: 7, kind: 'margin-isolated', market: 2, asset: 2 }, available: 12, held: 0 },
    ])
    assert.deepEqual(one.trialBalance(), { sums: [0, 0, 0], violations: [] })
  }
})

test('FUNDS-ROWS-002: a balance changed after the memory was reserved stays when more accounts are opened', () => {
  const ledger = given(3)
  const row = ledger.spotRow(7 as UserId, 1 as AssetId)
  issue(ledger, row, 1, 5)
  ledger.reserve()
  issue(ledger, row, 1, 3)
  ledger.spotRow(8 as UserId, 1 as AssetId)
  assert.equal(ledger.available(ledger.findSpot(7 as UserId, 1 as AssetId)), 8)
})

test('FUNDS-ROWS-001: the fast lookup of a spot account finds the right row, whatever the balances', () => {
  // Sixteen blocks, and balances that take every value that a block's number can have.
  const assets = 48
  const ledger = given(assets)
  for (let asset = 1; asset <= assets; asset++) ledger.spotRow(7 as UserId, asset as AssetId)
  ledger.tidy()
  for (let sum = 1; sum <= assets; sum++) {
    for (let asset = 1; asset <= assets; asset++) issue(ledger, ledger.find(7 as UserId, 0 as KindNumber, asset as AssetId), asset, 1)
    for (let asset = 1; asset <= assets; asset++)
      assert.equal(ledger.findSpot(7 as UserId, asset as AssetId), ledger.find(7 as UserId, 0 as KindNumber, asset as AssetId))
  }
})

test('a dump contains only the sums of a block that are not zero, and marks an empty block as present', () => {
  const ledger = given(1)
  issue(ledger, ledger.spotRow(7 as UserId, 1 as AssetId), 1, 5)
  ledger.hold(ledger.spotRow(7 as UserId, 1 as AssetId), 2 as Units)
  const into = new Records()
  for (const _ of ledger.dump(into));
  const outside = systemOwner(systemAccounts.indexOf('outside:sandbox'))
  // Owner, then the block's base number × 64 + one bit for each sum that follows.
  const blocks = systemAccounts.map((_, n) => systemOwner(n)).sort((a, b) => a - b)
  const expected = blocks.flatMap((owner) => (owner === outside ? [owner, 1, -5] : [owner, 0]))
  assert.deepEqual([...into.data.subarray(0, into.length)], [1, 5, ...expected, 7, 3, 3, 2, 0])
})

test('a dump pauses after every 1,024 owners', () => {
  const ledger = given(1)
  for (let user = 1; user <= 3000; user++) ledger.spotRow(user as UserId, 1 as AssetId)
  let pauses = 0
  for (const _ of ledger.dump(new Records())) pauses++
  assert.equal(pauses, 3)
})

test('FUNDS-ROWS-005: a ledger that takes all its memory at once keeps its balances, and goes on in the new memory', () => {
  const ledger = given(3)
  const row = ledger.spotRow(7 as UserId, 1 as AssetId)
  issue(ledger, row, 1, 50)
  assert.equal(ledger.reserve(), true)
  issue(ledger, row, 1, 5)
  ledger.spotRow(8 as UserId, 1 as AssetId)
  assert.equal(ledger.available(row), 55)
})

test('FUNDS-ROWS-001: accounts of the exchange are found by their lists, however many assets there are, and after a tidy too', () => {
  for (const assets of [1, 7, 8, 9, 16, 17]) {
    const ledger = given(assets)
    ledger.tidy()
    for (let asset = 1; asset <= assets; asset++)
      for (const [n, system] of systemAccounts.entries())
        assert.equal(ledger.systemRow(system, asset as AssetId), ledger.find(systemOwner(n), 0 as KindNumber, asset as AssetId))
  }
})

test('FUNDS-ROWS-001: a lookup never finds the row of a neighbouring user or of another asset', () => {
  const ledger = given(12)
  // The first user’s blocks take more places than each of the others has.
  for (const asset of [1, 4, 7, 10]) ledger.spotRow(7 as UserId, asset as AssetId)
  ledger.tidy()
  for (let user = 8; user < 20; user++) ledger.spotRow(user as UserId, 1 as AssetId)
  for (let user = 7; user < 20; user++) {
    const row = ledger.row(user as UserId, 0 as KindNumber, 1 as AssetId)
    assert.deepEqual([ledger.findSpot(user as UserId, 1 as AssetId), ledger.nearRow(user as UserId, 1 as AssetId)], [row, row])
  }
  issue(ledger, ledger.spotRow(20 as UserId, 4 as AssetId), 4, 9)
  assert.deepEqual(
    [1, 4, 7].map((asset) => ledger.available(ledger.findSpot(20 as UserId, asset as AssetId))),
    [0, 9, 0],
  )
})
