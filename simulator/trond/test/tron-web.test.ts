import assert from 'node:assert/strict'
import { test } from 'node:test'
import { artifactOf } from '../../chains/deploy.ts'
import { startTrond } from '../start.ts'
import { method, tronWeb } from './tools.ts'

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
