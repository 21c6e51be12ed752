import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { openLink } from '../../signer/test/custody.ts'
import { canonical } from '../own.ts'
import { EvmTreasuryLab, thief } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

/** Whether the signer pays now: what became of the next withdrawal. */
async function troubleOf(lab: EvmTreasuryLab, withdrawal: number): Promise<string | null> {
  lab.approve(withdrawal, 1_000_000n)
  await lab.work()
  const { rows } = await lab.store.pool.query<{ trouble: string | null }>('select trouble from payouts where withdrawal = $1', [withdrawal])
  return rows[0]!.trouble
}

test('TREASURY-BOOKS-001: deposits and withdrawals leave no difference, and the signer is told that books and chain match', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(3)
  lab.sweeping = { sweepMin: '1000' }
  const treasury = lab.treasury()
  await lab.work()
  await treasury.turn()
  await lab.deposit(1, 50_000_000n)
  await lab.deposit(2, 700_000n)
  lab.approve(1, 9_000_000n)
  for (let round = 0; round < 12; round++) {
    await lab.work()
    await treasury.turn()
    assert.deepEqual(
      (await lab.findings()).filter(({ kind }) => kind !== 'in-flight'),
      [],
      `round ${round}`,
    )
    await lab.mine(2)
  }
  await lab.settle()
  await treasury.turn()
  assert.deepEqual(await lab.findings(), [])
  assert.deepEqual([...lab.withdrawals.ended], [[1, true]])
  const { rows } = await lab.store.pool.query<{ role: string; balance: string }>(
    `select role, balance::text from treasury_balances where contract <> '' order by role`,
  )
  assert.deepEqual(
    rows.map(({ role, balance }) => [role, BigInt(balance)]),
    [
      ['deposits', 50_700_000n],
      ['gas', 0n],
      ['hot', 10n ** 12n - 9_000_000n],
      ['sink', 0n],
    ],
  )
  using link = await openLink(lab.signing.custody)
  const { rows: beats } = await lab.store.pool.query<{ at: number; is_match: boolean }>('select at, is_match from treasury_beats')
  assert.equal(beats[0]!.is_match, true)
  assert.equal((await link.status()).matchedAt, beats[0]!.at)
})

test('TREASURY-THEFT-001: a transfer from the hot wallet that nobody ordered is unexplained within one turn, and stops the signer', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  const treasury = lab.treasury()
  await lab.work()
  await treasury.turn()
  assert.equal(await troubleOf(lab, 1), null)
  await lab.settle()
  await treasury.turn()
  const txid = await lab.steal(lab.signing.custody.evmKey, 5_000_000n, thief)
  await lab.settle()
  await treasury.turn()
  const hot = canonical('evm', lab.network.hot)
  const found = await lab.findings()
  assert.ok(found.some((each) => each.kind === 'unexplained' && each.txid === txid && each.holder === hot && each.amount === '-5000000'))
  assert.ok(found.some(({ kind }) => kind === 'foreign-nonce'))
  assert.equal(await troubleOf(lab, 2), 'BOOKS_DIFFER')
  assert.ok(lab.log.some((line) => line.includes(txid)))
  // It stays so: time alone explains nothing.
  await lab.settle()
  await treasury.turn()
  assert.equal(await troubleOf(lab, 2), 'BOOKS_DIFFER')
})

test('TREASURY-INFLOW-001: what somebody sends to an own address is named and stops nothing, with a log and without one', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  const treasury = lab.treasury()
  await lab.work()
  await treasury.turn()
  const { hot, sink } = lab.network
  const txid = await lab.anvil.call(lab.contract, 'TestToken', 'transfer', [sink, 3_000_000n])
  await lab.anvil.call(lab.contract, 'TestToken', 'issue', [hot, 2_000_000n])
  await lab.settle()
  await treasury.turn()
  const named = (await lab.findings()).map(({ kind, holder, amount, txid: of, stops }) => ({ kind, holder, amount, of, stops }))
  assert.deepEqual(named, [
    { kind: 'unknown-inflow', holder: canonical('evm', sink), amount: '3000000', of: txid, stops: false },
    { kind: 'unknown-inflow', holder: canonical('evm', hot), amount: '2000000', of: '', stops: false },
  ])
  assert.equal(await troubleOf(lab, 1), null)
  // What was sent does not hide what is taken.
  await lab.settle()
  await treasury.turn()
  await lab.steal(lab.signing.custody.evmKey, 2_000_000n)
  await lab.settle()
  await treasury.turn()
  assert.equal(await troubleOf(lab, 2), 'BOOKS_DIFFER')
})

test('TREASURY-CORE-001: a core whose sums are not those of deposits and payments stops the signer, until they are', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  const treasury = lab.treasury()
  await lab.deposit(1, 50_000_000n)
  await lab.settle()
  await treasury.turn()
  assert.deepEqual(await lab.findings(), [])
  // Somebody credited themselves, or a deposit was taken from its customer.
  for (const bent of [1, -1]) {
    lab.bent = bent
    await treasury.turn()
    const [found] = await lab.findings()
    assert.deepEqual([found?.kind, found?.holder, found?.amount], ['unexplained', 'core', String(bent)])
    assert.equal(await troubleOf(lab, 1), 'BOOKS_DIFFER')
  }
  lab.bent = 0
  await treasury.turn()
  assert.deepEqual(await lab.findings(), [])
  await lab.store.pool.query('update payouts set retry_at = 0')
  assert.equal(await troubleOf(lab, 2), null)
})

test('TREASURY-CORE-002: a payment that the core has not booked ten minutes after it was final stops the signer', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  const treasury = lab.treasury()
  lab.approve(1, 2_000_000n)
  await lab.work()
  // Somebody who may speak to the core says that it was not paid, so that the customer has the amount again.
  lab.withdrawals.ended.set(1, false)
  await lab.settle()
  await treasury.turn()
  assert.deepEqual(
    (await lab.findings()).map(({ kind, holder }) => [kind, holder]),
    [['in-flight', 'core']],
  )
  await lab.store.pool.query('update payouts set settled_at = settled_at - 600001')
  await treasury.turn()
  assert.deepEqual(
    (await lab.findings()).map(({ kind, holder, amount }) => [kind, holder, amount]),
    [['unexplained', 'core', '2000000']],
  )
  assert.equal(await troubleOf(lab, 2), 'BOOKS_DIFFER')
})

test('TREASURY-FROZEN-001: what an issuer takes from a frozen deposit address is named as that; what is missing elsewhere stops the signer', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(2)
  lab.sweeping = { sweepMin: '1000' }
  const treasury = lab.treasury()
  await lab.deposit(1, 50_000_000n)
  await lab.settle()
  await treasury.turn()
  await lab.anvil.call(lab.contract, 'TestToken', 'setBlackListed', [lab.address(1), true])
  await lab.anvil.call(lab.contract, 'TestToken', 'destroyBlackFunds', [lab.address(1)])
  await lab.settle()
  await treasury.turn()
  assert.deepEqual(
    (await lab.findings()).map(({ kind, holder, amount, stops }) => [kind, holder, amount, stops]),
    [['frozen', lab.address(1), '-50000000', false]],
  )
  // A deposit that exists only in the database.
  await lab.store.pool.query(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, amount, credit, block_number, block_hash, block_at, state, seen_at)
     select network, txid, 99, asset, contract, sender, $1, account, 2, 1000000, 1000000, 77, block_number, block_hash, block_at, 'final', seen_at
     from deposits limit 1`,
    [lab.address(2)],
  )
  await treasury.turn()
  const found = await lab.findings()
  assert.ok(found.some(({ kind, holder, amount }) => kind === 'unexplained' && holder === lab.address(2) && amount === '-1000000'))
  assert.equal(await troubleOf(lab, 1), 'BOOKS_DIFFER')
})
