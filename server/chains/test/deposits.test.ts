import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forwarderAddress } from '../addresses/forwarder.ts'
import { evmReader } from '../evm/reader.ts'
import { type Anvil, chainId, startAnvil } from './anvil.ts'
import { depositWorlds, token } from './world.ts'

const world = depositWorlds()
let anvil: Anvil
before(async () => void (anvil = await startAnvil()))
after(() => anvil[Symbol.asyncDispose]())

/** A chain with a token, and its address for a customer. */
async function chainWithToken() {
  const usdt = await anvil.deploy('TestToken', [6])
  const factory = await anvil.deploy('ForwarderFactory', ['0x00000000000000000000000000000000000000c0'])
  await anvil.call(usdt, 'TestToken', 'issue', [anvil.owner, 10n ** 15n])
  await anvil.mine()
  const pay = (to: string, value: bigint) => anvil.call(usdt, 'TestToken', 'transfer', [to, value])
  const from = Number(await anvil.client.getBlockNumber()) + 1
  return { usdt, pay, from, address: (place: number) => forwarderAddress({ chainId, factory }, place) }
}

test('DEPOSIT-CREDIT-001: a transfer is shown in its block, credited after its confirmations and final when the block is', async () => {
  const { usdt, pay, from, address } = await chainWithToken()
  await using made = await world({ readers: [evmReader({ node: anvil.url, chainId })], tokens: [token(usdt)], from })
  await made.customer(7, address(7))
  const txid = await pay(address(7), 25_000_000n)
  await anvil.mine()
  await made.settle()
  const [deposit] = await made.deposits()
  assert.deepEqual(
    [deposit!.txid, deposit!.state, deposit!.raw, deposit!.user_no, deposit!.ordinal],
    [txid, 'confirming', '25000000', 7, 0],
  )
  assert.equal(made.core.balance(7), 0)
  await anvil.mine()
  await made.settle()
  assert.equal(made.core.balance(7), 0)
  await anvil.mine()
  await made.settle()
  assert.deepEqual(
    (await made.deposits()).map(({ state, amount, credit }) => [state, amount, credit]),
    [['credited', 25_000_000, 1]],
  )
  assert.deepEqual([made.core.balance(7), made.core.unfinal(7)], [25_000_000, 25_000_000])
  await anvil.mine(8)
  await made.settle()
  assert.equal((await made.deposits())[0]!.state, 'final')
  assert.deepEqual([made.core.balance(7), made.core.unfinal(7)], [25_000_000, 0])
})
