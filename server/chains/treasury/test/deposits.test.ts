/** Which deposit addresses a turn compares, and what they should have. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../store/transaction.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { DepositParts, depositSums, expectedDeposits } from '../deposits.ts'
import { native, type Own } from '../own.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

const contracts = ['TUSDT', native]
const own: Own = {
  ...{ network: 'tron', kind: 'tron', feeMax: 1n, address: { hot: 'THOT', gas: 'TGAS', sink: 'TSINK' } },
  roles: new Map([
    ['THOT', 'hot'],
    ['TGAS', 'gas'],
    ['TSINK', 'sink'],
  ]),
  tokens: contracts.map((contract) => ({ asset: contract === native ? 'TRX' : 'USDT', contract, decimals: 6 })),
}
const customers = 7
const block = 100

/** Customers with a deposit of each token: the value is the customer's number, and ten times as much of TRX. */
async function deposited() {
  const store = await server.store()
  const { pool } = store
  const run = (text: string, ...values: readonly unknown[]) => pool.query(text, [...values])
  for (let n = 1; n <= customers; n++) {
    await run(
      `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
       values ($1, (100000000 + $2::bigint)::text, $2::bigint, $2::bigint || '@example.com', '', 0, 'en', $2::bigint::text, 'retail', 0)`,
      ...[randomUUID(), n],
    )
    await run(
      `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
       select 'tron', 'T' || $1::bigint, id, $1, $1, decode(repeat('00', 64), 'hex'), 0 from accounts where core_user = $1`,
      n,
    )
    for (const [at, contract] of contracts.entries())
      await run(
        `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, block_number, block_hash, block_at, state, seen_at)
         select 'tron', 'd' || $1::bigint, $2::int, 'A', $3, 's', address, account, $1, $4, 5, 'h', 0, 'small', 0 from deposit_addresses where place = $1`,
        ...[n, at, contract, n * (at === 0 ? 1 : 10)],
      )
  }
  const left = (n: number, value: number, what: string | null) =>
    run(
      `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
       values ('tron', $1, 0, 'TUSDT', $2, 'TSINK', $3, 6, 'h', 0, $4)`,
      ...[`f${n}`, n === 0 ? 'THOT' : `T${n}`, value, what],
    )
  const reading = <Result>(work: Parameters<typeof inTransaction<Result>>[1]) => inTransaction(pool, work)
  return { store, run, left, reading }
}

test('TREASURY-PARTS-001: of very many deposit addresses each turn compares a part, and one after the other all have their turn', async () => {
  const { store, reading, run } = await deposited()
  await using _ = store
  const keys = (holdings: readonly { readonly holder: string; readonly contract: string }[]) =>
    holdings.map(({ holder, contract }) => `${holder} ${contract}`)
  for (let start = 0; start < 5; start++) {
    const parts = new DepositParts(4)
    const seen: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      const part = await reading((client) => parts.of(client, own, block))
      // Another node compares the same.
      assert.deepEqual(await reading((client) => parts.of(client, own, block)), part)
      assert.equal(part.length, 4)
      seen.push(...keys(part))
      parts.advance()
    }
    assert.equal(new Set(seen).size, 2 * customers)
  }
  await run(`update deposits set swept_block = 6 where address = 'T3'`)
  await run(`update deposits set state = 'orphaned' where address = 'T4'`)
  const all = await reading((client) => new DepositParts().of(client, own, block))
  assert.deepEqual(keys(all).toSorted(), [1, 2, 5, 6, 7].flatMap((n) => contracts.map((contract) => `T${n} ${contract}`)).toSorted())
})

test('TREASURY-PARTS-002: an address that something left is compared in each turn, and counts less; payouts of the hot wallet do not', async () => {
  const { store, reading, run, left } = await deposited()
  await using _ = store
  await left(0, 1_000, 'payout')
  await left(5, 2, null)
  await run(`update deposits set swept_block = 6 where address = 'T6'`)
  await left(6, 6, 'unexplained')
  const one = new DepositParts(1)
  for (let turn = 0; turn < 3; turn++) {
    const part = await reading((client) => one.of(client, own, block))
    const usdt = part.filter(({ contract }) => contract === 'TUSDT').map(({ holder }) => holder)
    assert.ok(usdt.includes('T5') && usdt.includes('T6'))
    assert.ok(part.length <= 3)
    one.advance()
  }
  const asked = ['T1', 'T5', 'T6', 'T99'].map((holder) => ({ holder, contract: 'TUSDT' }))
  const expected = await reading((client) => expectedDeposits(client, own, block, asked))
  assert.deepEqual(
    new Map(expected.map(({ holder, low, high }) => [holder, [low, high]])),
    new Map([
      ['T1', [1n, 1n]],
      ['T5', [3n, 3n]],
      ['T6', [-6n, -6n]],
      ['T99', [0n, 0n]],
    ]),
  )
  const sums = await reading((client) => depositSums(client, own, block))
  const without6 = 1 + 2 + 3 + 4 + 5 + 7
  assert.deepEqual(
    sums,
    new Map([
      ['TUSDT', BigInt(without6 - 2 - 6)],
      [native, BigInt(10 * without6)],
    ]),
  )
})
