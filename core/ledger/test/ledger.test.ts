import type { Units } from '../../money/brand.ts'
import type { AssetId, KindNumber, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accountKinds, systemAccounts } from '../../protocol/account.ts'
import { systemOwner } from '../../protocol/codec/event.ts'
import { Records } from '../../protocol/codec/records.ts'
import { Ledger } from '../ledger.ts'
import { FAUCET, TRANSFER } from '../reasons.ts'
import { NaiveLedger } from './naive-ledger.ts'

const OUTSIDE = systemOwner(systemAccounts.indexOf('outside:sandbox'))

/** A ledger and its naive twin, which get the same operations. */
class Both {
  ledger: Ledger
  readonly twin = new NaiveLedger()
  readonly assets: number

  constructor(assets: number) {
    this.assets = assets
    this.ledger = new Ledger()
    this.ledger.write(new Records())
    for (let asset = 1; asset <= assets; asset++) this.ledger.addAsset(asset as AssetId)
  }

  issue(user: number, kind: number, asset: number, amount: number): void {
    this.ledger.issue(
      this.ledger.systemRow('outside:sandbox', asset as AssetId),
      this.ledger.row(user as UserId, kind as KindNumber, asset as AssetId),
      asset as AssetId,
      amount as Units,
      FAUCET,
    )
    this.twin.move([OUTSIDE, 0, asset], [user, kind, asset], amount)
  }

  move(user: number, kind: number, asset: number, other: number, otherKind: number, share: number): void {
    const from = this.ledger.find(user as UserId, kind as KindNumber, asset as AssetId)
    const amount = Math.floor((this.ledger.available(from) * share) / 8)
    if (amount === 0) return
    const to = this.ledger.row(other as UserId, otherKind as KindNumber, asset as AssetId)
    this.ledger.debit(from, amount as Units, TRANSFER)
    this.ledger.credit(to, amount as Units, TRANSFER)
    this.twin.move([user, kind, asset], [other, otherKind, asset], amount)
  }

  hold(user: number, kind: number, asset: number, share: number): void {
    const row = this.ledger.find(user as UserId, kind as KindNumber, asset as AssetId)
    const amount = Math.floor((this.ledger.available(row) * share) / 8)
    this.ledger.hold(row, amount as Units)
    const account = this.twin.of(user, kind, asset)
    account.available -= BigInt(amount)
    account.held += BigInt(amount)
  }

  agree(): void {
    const mine = this.ledger.accounts().map(({ account, available, held }) => {
      if ('system' in account) return `${systemOwner(systemAccounts.indexOf(account.system))}/0/${account.asset} ${available} ${held}`
      return `${account.user}/${accountKinds.indexOf(account.kind) + 16 * (account.market ?? 0)}/${account.asset} ${available} ${held}`
    })
    assert.deepEqual(mine.sort(), this.twin.list())
    const { sums, violations } = this.ledger.trialBalance()
    assert.deepEqual(violations, [])
    assert.ok(sums.every((sum) => sum === 0))
  }

  restore(): void {
    const dump = dumped(this.ledger)
    const copy = new Ledger()
    copy.write(new Records())
    assert.equal(copy.restore(dump.data, 0, 13), dump.length)
    assert.deepEqual(Buffer.from(dumped(copy).bytes()), Buffer.from(dump.bytes()))
    assert.equal(copy.blocksLeft, this.ledger.blocksLeft)
    this.ledger = copy
  }
}

const anyKind = fc.constantFrom(0, 0, 0, 1, 2, 5, 3 + 16, 3 + 16 * 7, 3 + 16 * 200)
const step = fc.record({
  what: fc.constantFrom('issue', 'issue', 'issue', 'move', 'hold', 'asset', 'restore'),
  user: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60_000 })),
  other: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60_000 })),
  kind: anyKind,
  otherKind: anyKind,
  asset: fc.nat(600),
  share: fc.integer({ min: 1, max: 8 }),
  endsCommand: fc.boolean(),
})

/** Few assets in most runs, because listing an asset looks up the exchange's accounts of all assets again. */
const assetCounts = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 61, max: 400 }) },
)

test('FUNDS-ROWS-001: the ledger and its naive twin agree for any holdings of any users, restored or not', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 400, size: 'max' }), assetCounts, (steps, assets) => {
      const both = new Both(assets)
      for (const { what, user, other, kind, otherKind, asset: wanted, share, endsCommand } of steps) {
        const asset = 1 + (wanted % both.assets)
        if (what === 'issue') both.issue(user, kind, asset, share * 1_000_003)
        else if (what === 'move') both.move(user, kind, asset, other, otherKind, share)
        else if (what === 'hold') both.hold(user, kind, asset, share)
        else if (what === 'restore' && share === 1) both.restore()
        if (endsCommand && both.ledger.isUntidy) both.ledger.tidy()
      }
      both.agree()
      both.restore()
      both.agree()
    }),
    { numRuns: 20 },
  )
})

test('FUNDS-ROWS-002: accounts keep their balances while the memory grows past every limit', () => {
  const assets = 40
  const { ledger } = new Both(assets)
  const [users, expected] = [36_000, new Float64Array(36_001 * (assets + 1))]
  const issue = (user: number, asset: number, amount: number): void => {
    const row = ledger.spotRow(user as UserId, asset as AssetId)
    ledger.issue(ledger.systemRow('outside:sandbox', asset as AssetId), row, asset as AssetId, amount as Units, FAUCET)
    expected[user * (assets + 1) + asset]! += amount
  }
  const agrees = (one: Ledger): boolean => {
    for (let user = 1; user <= users; user++)
      for (let asset = 1; asset <= assets; asset++)
        if (one.available(one.findSpot(user as UserId, asset as AssetId)) !== expected[user * (assets + 1) + asset]) return false
    return true
  }
  // At 32,768 blocks, two megabytes, the whole memory is reserved.
  for (let user = 1; user <= users; user++) {
    issue(user, 1 + (user % assets), user)
    if (user % 3 === 0) issue(user, 1 + ((user * 7) % assets), 2 * user)
    if (user % 500 === 0) for (let asset = 1; asset <= assets; asset++) issue(user, asset, asset)
    if (ledger.isUntidy) ledger.tidy()
  }
  assert.ok(agrees(ledger))
  const dump = dumped(ledger)
  const copy = new Ledger()
  copy.write(new Records())
  assert.equal(copy.restore(dump.data, 0, 13), dump.length)
  assert.ok(agrees(copy))
  for (const one of [ledger, copy]) {
    const { sums, violations } = one.trialBalance()
    assert.deepEqual([violations, sums.filter((sum) => sum !== 0)], [[], []])
  }
})

test('FUNDS-ROWS-003: a user’s balances take the same memory when three assets are listed and when five hundred are', () => {
  const blocks = (assets: number): number => {
    const both = new Both(assets)
    const before = both.ledger.blocksLeft
    for (const asset of [1, 2, 3]) both.issue(7, 0, asset, 1)
    return before - both.ledger.blocksLeft
  }
  assert.equal(blocks(3), 1)
  assert.equal(blocks(500), 1)
})

test('the row of an account that does not exist is empty and accepts nothing', () => {
  const { ledger } = new Both(5)
  for (const row of [
    ledger.find(3 as UserId, 0 as KindNumber, 2 as AssetId),
    ledger.findSpot(9 as UserId, 5 as AssetId),
    ledger.find(1 as UserId, 1 as KindNumber, 1 as AssetId),
  ]) {
    assert.equal(ledger.available(row), 0)
    assert.equal(ledger.held(row), 0)
    assert.throws(() => ledger.credit(row, 1 as Units, TRANSFER), /breaks row/)
    assert.throws(() => ledger.debit(row, 1 as Units, TRANSFER), /breaks row/)
  }
})

function dumped(ledger: Ledger): Records {
  const into = new Records()
  for (const _ of ledger.dump(into));
  return into
}
