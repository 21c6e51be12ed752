import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { openLink } from '../../signer/test/custody.ts'
import { canonical } from '../own.ts'
import { EvmTreasuryLab, thief } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

async function beatOf(lab: EvmTreasuryLab): Promise<{ is_match: boolean; refusal: string | null } | undefined> {
  return (await lab.store.pool.query<{ is_match: boolean; refusal: string | null }>('select is_match, refusal from treasury_beats')).rows[0]
}

test('TREASURY-BEAT-001: a signer with an older copy of its journal does not hear that books and chain match', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  const { custody } = lab.signing
  const files = ['journal.jsonl', 'journal.head'] as const
  for (const name of files) copyFileSync(join(custody.folder, name), join(custody.run, name))
  lab.approve(1, 1_000_000n)
  await lab.work()
  await lab.treasury().turn()
  await lab.treasury().turn()
  assert.deepEqual(await beatOf(lab), { is_match: true, refusal: null })
  for (const name of files) copyFileSync(join(custody.run, name), join(custody.folder, name))
  await lab.signing.again()
  const treasury = lab.treasury()
  assert.equal(await treasury.turn(), false)
  assert.deepEqual(await beatOf(lab), { is_match: true, refusal: 'JOURNAL_BEHIND' })
  assert.ok(lab.log.some((line) => line.includes('JOURNAL_BEHIND')))
})

test('TREASURY-BEAT-002: while a network or the core can’t be read, the signer hears nothing, unless something is missing', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.work()
  const [network] = lab.config.networks
  const away = { ...network!, name: 'other', number: 9, nodes: [{ url: 'http://127.0.0.1:9' }] }
  const config = { ...lab.config, networks: [network!, away] }
  assert.equal(await lab.treasury({ config }).turn(), false)
  const ask = { chainFlows: () => Promise.reject(new Error('the engine is away')) }
  assert.equal(await lab.treasury({ ask }).turn(), false)
  assert.equal(await beatOf(lab), undefined)
  assert.equal(await lab.treasury().turn(), true)
  await lab.steal(lab.signing.custody.evmKey, 1_000_000n)
  await lab.settle()
  await lab.treasury({ config }).turn()
  assert.deepEqual(await beatOf(lab), { is_match: false, refusal: null })
  using link = await openLink(lab.signing.custody)
  assert.equal((await link.status()).matchedAt, undefined)
})

test('TREASURY-NODE-001: a node that hides what is missing is contradicted by another one', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.work()
  await lab.treasury().turn()
  // It tells balances of before.
  const { final } = (await lab.store.pool.query<{ final: number }>('select final from chain_cursors')).rows[0]!
  const liar = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const part of request) text += String(part)
      const call = JSON.parse(text) as { method: string; params: unknown[] }
      if (['eth_call', 'eth_getBalance', 'eth_getTransactionCount'].includes(call.method)) call.params[1] = `0x${final.toString(16)}`
      const answer = await fetch(lab.anvil.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      })
      response.end(await answer.text())
    })()
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  try {
    // Taken without a log: only the balance shows it.
    const { hot } = lab.network
    await lab.anvil.call(lab.contract, 'TestToken', 'setBlackListed', [hot, true])
    await lab.anvil.call(lab.contract, 'TestToken', 'destroyBlackFunds', [hot])
    await lab.anvil.call(lab.contract, 'TestToken', 'setBlackListed', [hot, false])
    await lab.settle()
    const [network] = lab.config.networks
    const lying = { url: `http://127.0.0.1:${(liar.address() as AddressInfo).port}` }
    const turn = (nodes: readonly { readonly url: string }[]) =>
      lab.treasury({ config: { ...lab.config, networks: [{ ...network!, nodes: [...nodes] }] } }).turn()
    await turn([lying])
    assert.deepEqual(await lab.findings(), [])
    await turn([lying, ...network!.nodes])
    const [found] = await lab.findings()
    assert.deepEqual([found?.kind, found?.holder], ['unexplained', canonical('evm', hot)])
    assert.deepEqual(await beatOf(lab), { is_match: false, refusal: null })
  } finally {
    liar.closeAllConnections()
    liar.close()
  }
})

test('TREASURY-SETTLED-001: a refill of the hot wallet needs no word; what else leaves the sink does, in the configuration', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  await lab.deposit(1, 50_000_000n)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury().turn()
  }
  await lab.steal(lab.sinkKey, 30_000_000n, lab.network.hot as `0x${string}`)
  await lab.settle()
  await lab.treasury().turn()
  assert.deepEqual(await lab.findings(), [])
  const txid = await lab.steal(lab.sinkKey, 5_000_000n, thief)
  await lab.settle()
  await lab.treasury().turn()
  assert.deepEqual(
    (await lab.findings()).map(({ kind, txid: of, amount }) => [kind, of, amount]),
    [['unexplained', txid, '-5000000']],
  )
  // Whoever can write to the database can't explain it away.
  await lab.store.pool.query('alter table treasury_movements disable trigger user')
  await lab.store.pool.query(
    `insert into treasury_movements (network, holder, contract, amount, kind, txid, first, second, made_at)
     select network, sender, contract, -value, 'operator', txid, 1, 2, 0 from treasury_flows where txid = $1`,
    [txid],
  )
  await lab.treasury().turn()
  assert.equal((await lab.findings()).length, 1)
  assert.equal((await beatOf(lab))?.is_match, false)
  const [network] = lab.config.networks
  await lab.treasury({ config: { ...lab.config, networks: [{ ...network!, settled: [txid] }] } }).turn()
  assert.deepEqual(await lab.findings(), [])
  assert.deepEqual(await beatOf(lab), { is_match: true, refusal: null })
})

test('TREASURY-THEFT-002: rows in the tables of payouts explain no theft that the engine did not sign for', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.work()
  await lab.treasury().turn()
  lab.approve(1, 2_000_000n)
  await lab.settle()
  await lab.treasury().turn()
  assert.deepEqual(await lab.findings(), [])
  const { pool } = lab.store
  // A payout that nobody approved.
  await pool.query(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, contract, recipient, value, proofs, state, nonce, taken_at)
     select 99, network, chain_id, user_no, 'w99', contract, $1, value, proofs, 'signed', 1, 0 from payouts where withdrawal = 1`,
    [thief],
  )
  const stolen: string[] = []
  for (const withdrawal of [1, 99]) {
    const txid = await lab.steal(lab.signing.custody.evmKey, 2_000_000n)
    await pool.query(
      `insert into payout_attempts (withdrawal, n, slot, raw, txid, fate, planned_at, signed_at, sent_at)
       values ($1, 9, '{"kind": "evm", "nonce": 1, "gas": "1", "maxFee": "1", "maxTip": "1"}', '00', $2, 'open', 0, 0, 0)`,
      [withdrawal, txid],
    )
    stolen.push(txid)
    await lab.settle()
  }
  await lab.treasury().turn()
  const found = (await lab.findings()).filter(({ kind, txid }) => kind === 'unexplained' && txid !== '')
  assert.deepEqual(found.map(({ txid }) => txid).sort(), stolen.sort())
})

test('TREASURY-CORE-003: a payment that the core was told had failed, and that is on the chain, stops the signer', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.work()
  await lab.treasury().turn()
  lab.approve(1, 2_000_000n)
  await lab.work()
  await lab.mine(1)
  // Whoever has the database, or the only node, says that it failed: the customer has the amount again.
  const { pool } = lab.store
  const { txid } = (await pool.query<{ txid: `0x${string}` }>('select txid from payout_attempts')).rows[0]!
  const { blockNumber, gasUsed, effectiveGasPrice } = await lab.anvil.client.getTransactionReceipt({ hash: txid })
  await pool.query(`update payouts set state = 'settled', fate = 'reverted', txid = $1, block = $2, fee = $3, settled_at = 0`, [
    ...[txid, blockNumber, gasUsed * effectiveGasPrice],
  ])
  await lab.settle()
  assert.deepEqual([...lab.withdrawals.ended], [[1, false]])
  assert.equal(await lab.balance(lab.withdrawals.approvals.get(1)!.payment.to), 2_000_000n)
  await lab.treasury().turn()
  assert.deepEqual(
    (await lab.findings()).map(({ kind, holder, amount, txid: of }) => [kind, holder, amount, of]),
    [['unexplained', canonical('evm', lab.network.hot), '-2000000', txid]],
  )
  assert.deepEqual(await beatOf(lab), { is_match: false, refusal: null })
  lab.settled = [txid]
  await lab.treasury().turn()
  assert.deepEqual(await lab.findings(), [])
})

test('TREASURY-CREDIT-001: a credit without a deposit, and a swept deposit without a sweep, stop the signer', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(2)
  await lab.deposit(1, 50_000_000n)
  await lab.deposit(2, 5_000_000n)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury().turn()
  }
  assert.deepEqual(await lab.findings(), [])
  const { pool } = lab.store
  const stops = async () => (await lab.findings()).map(({ kind, holder, amount }) => [kind, holder, amount])
  // The core was told of a credit, and believes it.
  await pool.query(
    `insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at, done_at)
     select network, kind, 1000, deposit, user_no, asset, 7, is_final, made_at, done_at from deposit_postings where kind = 'credit' limit 1`,
  )
  lab.bent = 7
  await lab.treasury().turn()
  assert.deepEqual(await stops(), [['unexplained', 'postings', '7']])
  assert.deepEqual(await beatOf(lab), { is_match: false, refusal: null })
  // With a deposit to it that nobody made, and that is said to be swept.
  await pool.query(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, amount, credit, block_number, block_hash, block_at, state, seen_at, swept_block)
     select network, txid, 99, asset, contract, sender, address, account, user_no, 7, 7, 1000, block_number, block_hash, block_at, 'final', seen_at, 1
     from deposits limit 1`,
  )
  await lab.treasury().turn()
  assert.deepEqual(await stops(), [['unexplained', 'sweeps', '-7']])
  await pool.query('update deposits set swept_block = null where ordinal = 99')
  await lab.treasury().turn()
  assert.deepEqual((await stops())[0]?.[0], 'unexplained')
})
