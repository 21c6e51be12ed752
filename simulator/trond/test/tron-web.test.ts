import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { artifactOf } from '../../chains/deploy.ts'
import { startTrond } from '../start.ts'
import { typeOf } from '../wire/definitions.ts'
import { encodeJson } from '../wire/json.ts'
import { fromHex, toHex } from '../wire/bytes.ts'
import { method, post, tronWeb } from './tools.ts'
import { keysOf, pay, sign, world } from './world.ts'

const freshKey = '11'.repeat(32)

test('TROND-CLIENT-001: TronWeb sends TRX, deploys a token and moves it, unchanged', async () => {
  await using trond = await startTrond()
  const web = tronWeb(trond)
  const to = web.address.fromPrivateKey(freshKey)

  const sent = await web.trx.sendRawTransaction(await web.trx.sign(await web.transactionBuilder.sendTrx(to, 5_000_000)))
  assert.equal(sent.result, true)
  await trond.node.mine(1)
  assert.equal(await web.trx.getUnconfirmedBalance(to), 5_000_000)

  const { abi, bytecode } = artifactOf('TestTokenFalse')
  const made = await web.transactionBuilder.createSmartContract(
    { abi, bytecode, parameters: [6], feeLimit: 1_000_000_000, name: 'TestToken' },
    web.defaultAddress.hex,
  )
  await web.trx.sendRawTransaction(await web.trx.sign(made))
  await trond.node.mine(1)
  const token = web.contract(abi, made.contract_address)
  await method(token, 'issue', web.defaultAddress.base58, 1_000_000_000).send({ feeLimit: 100_000_000 })
  await trond.node.mine(1)
  const txid = await method(token, 'transfer', to, 250_000_000).send({ feeLimit: 100_000_000 })
  await trond.node.mine(1)

  assert.equal(await method(token, 'balanceOf', to).call(), 250_000_000n)
  const info = await web.trx.getUnconfirmedTransactionInfo(txid)
  assert.equal((info.receipt as { result: string }).result, 'SUCCESS')
  assert.equal((info.log as unknown[]).length, 1)
})

test('TROND-CLIENT-003: a permission of two keys of three, for contract calls only, is set by TronWeb and needs two different keys', async () => {
  await using trond = await world()
  const web = tronWeb(trond)
  const [owner, ...signers] = [1, 2, 3, 4].map(keysOf)
  const other = keysOf(5)
  for (const { address } of [owner, other]) await trond.node.submit(pay(trond, address, 500_000_000))
  await trond.node.mine(1)
  const keys = signers.map(({ address }) => ({ address, weight: 1 }))
  const update = await web.transactionBuilder.updateAccountPermissions(
    owner.address,
    { type: 0, permission_name: 'owner', threshold: 1, keys: [{ address: owner.address, weight: 1 }] },
    null,
    [{ type: 2, permission_name: 'pay', threshold: 2, operations: `${'00'.repeat(3)}80${'00'.repeat(28)}`, keys }],
  )
  assert.equal((await web.trx.sendRawTransaction(await web.trx.sign(update, owner.key))).result, true)
  await trond.node.mine(1)
  const told = await web.trx.getUnconfirmedTransactionInfo(update.txID)
  assert.equal(told.fee, 100_000_000)

  const parameters = [
    { type: 'address', value: other.address },
    { type: 'uint256', value: 0 },
  ]
  const options = { feeLimit: 100_000_000, permissionId: 2 }
  const { transaction } = await web.transactionBuilder.triggerSmartContract(
    trond.token,
    'transfer(address,uint256)',
    options,
    parameters,
    owner.address,
  )
  const answerOf = async (...by: readonly string[]): Promise<string | undefined> => {
    const signed = { ...transaction, signature: by.map((key) => sign(fromHex(transaction.txID), key)) }
    const { result, code } = await post<{ result?: boolean; code?: string }>(trond.url, '/wallet/broadcasttransaction', signed)
    return result === true ? 'accepted' : code
  }
  const [first, second] = signers
  assert.equal(await answerOf(first.key), 'SIGERROR')
  assert.equal(await answerOf(first.key, first.key), 'SIGERROR')
  assert.equal(await answerOf(owner.key), 'SIGERROR')
  assert.equal(await answerOf(first.key, other.key), 'SIGERROR')
  const trx = pay(trond, other.address, 1_000_000, { from: owner, keys: [first.key, second.key], permission: 2 })
  assert.equal((await trond.node.submit(trx).catch((cause: { code: string }) => cause))?.code, 'SIGERROR')
  const before = await web.trx.getUnconfirmedBalance(owner.address)
  assert.equal(await answerOf(first.key, second.key), 'accepted')
  await trond.node.mine(1)
  const { fee, receipt } = (await web.trx.getUnconfirmedTransactionInfo(transaction.txID)) as {
    fee: number
    receipt: { energy_fee: number; net_fee?: number }
  }
  assert.equal(fee, 1_000_000 + receipt.energy_fee + (receipt.net_fee ?? 0))
  assert.equal(await web.trx.getUnconfirmedBalance(owner.address), before - fee)
})

test('TROND-CLIENT-004: TronWeb reads accounts, resources, contracts, blocks and receipts, calls without sending, and estimates energy', async () => {
  await using trond = await world()
  const web = tronWeb(trond)
  const alice = keysOf(1)
  await trond.node.submit(pay(trond, alice.address, 5_000_000))
  await trond.node.mine(20)
  assert.equal(await web.trx.getBalance(alice.address), 5_000_000)
  const account = await web.trx.getAccount(web.address.fromHex(alice.address))
  assert.equal((account.owner_permission as { threshold: number }).threshold, 1)
  assert.equal((await web.trx.getAccountResources(alice.address)).freeNetLimit, 600)
  assert.equal((await web.trx.getCurrentBlock()).block_header.raw_data.number, trond.node.chain.head.number)
  assert.equal((await web.trx.getContract(trond.token)).contract_address, trond.token)
  assert.deepEqual(await web.trx.getTransactionInfo('11'.repeat(32)), {})

  const parameters = [
    { type: 'address', value: alice.address },
    { type: 'uint256', value: 5 },
  ]
  const signature = 'transfer(address,uint256)'
  const called = await web.transactionBuilder.triggerConstantContract(trond.token, signature, {}, parameters)
  // The transfer works, and the token's answer is false.
  assert.deepEqual(called.constant_result, ['00'.repeat(32)])
  const { energy_required } = await web.transactionBuilder.estimateEnergy(trond.token, signature, {}, parameters)
  assert.ok(
    energy_required >= called.energy_used && energy_required < called.energy_used * 1.2,
    `${energy_required} for ${called.energy_used}`,
  )
  const reverted = await post<{ result: { message?: string }; transaction: { ret: { ret?: string }[] } }>(
    trond.url,
    '/wallet/triggerconstantcontract',
    {
      ...{ owner_address: alice.address, contract_address: trond.token, function_selector: signature },
      parameter: `${alice.address.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`,
    },
  )
  assert.equal(Buffer.from(reverted.result.message ?? '', 'hex').toString(), 'REVERT opcode executed')
  assert.equal(reverted.transaction.ret[0].ret, 'FAILED')
})

test('TROND-CLIENT-005: the node packs transactions to the same bytes as TronWeb, so that an id is one id', async () => {
  await using trond = await world()
  const web = tronWeb(trond)
  const header = fc.record({
    ref_block_bytes: fc.stringMatching(/^[0-9a-f]{4}$/),
    ref_block_hash: fc.stringMatching(/^[0-9a-f]{16}$/),
    expiration: fc.integer({ min: 1, max: 2 ** 45 }),
    timestamp: fc.integer({ min: 1, max: 2 ** 45 }),
  })
  const to = keysOf(1).address
  const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
  await fc.assert(
    fc.asyncProperty(
      header,
      amount,
      fc.integer({ min: 1, max: 15_000_000_000 }),
      fc.constantFrom(undefined, 2),
      async (blockHeader, value, feeLimit, permissionId) => {
        const parameters = [
          { type: 'address', value: to },
          { type: 'uint256', value: String(value) },
        ]
        const terms = { txLocal: true, blockHeader, feeLimit, ...(permissionId === undefined ? {} : { permissionId }) }
        const { transaction } = await web.transactionBuilder.triggerSmartContract(
          trond.token,
          'transfer(address,uint256)',
          terms,
          parameters,
        )
        const payment = await web.transactionBuilder.sendTrx(to, value, undefined, {
          blockHeader,
          ...(permissionId === undefined ? {} : { permissionId }),
        })
        for (const { raw_data, raw_data_hex } of [transaction, payment]) {
          assert.equal(toHex(encodeJson(typeOf('Transaction.raw'), raw_data, false)), raw_data_hex)
        }
      },
    ),
    { numRuns: 150 },
  )
})
