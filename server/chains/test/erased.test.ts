import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { erasedScreen } from '../deposits/erased.ts'
import { forwarderAddress } from '../evm/forwarder.ts'
import { evmReader } from '../evm/reader.ts'
import type { DepositRow } from '../deposits/tables.ts'
import { type Anvil, chainId, startAnvil } from './anvil.ts'
import { depositWorlds, token } from './world.ts'

const world = depositWorlds()
let anvil: Anvil
before(async () => {
  anvil = await startAnvil()
})
after(() => anvil[Symbol.asyncDispose]())

test('DEPOSIT-HELD-003: a deposit to the address of a deleted account is held', async () => {
  const usdt = await anvil.deploy('TestToken', [6])
  const factory = await anvil.deploy('ForwarderFactory', ['0x00000000000000000000000000000000000000c0'])
  await anvil.call(usdt, 'TestToken', 'issue', [anvil.owner, 10n ** 15n])
  await anvil.mine()
  const address = forwarderAddress({ chainId, factory }, 7)
  let screen: ReturnType<typeof erasedScreen> | undefined
  const reader = evmReader({ node: anvil.url, chainId })
  await using made = await world({ readers: [reader], tokens: [token(usdt)], screen: (deposit: DepositRow) => screen!(deposit) })
  screen = erasedScreen(made.store.pool)
  const account = await made.customer(7, address)
  const pay = async (): Promise<readonly (readonly [string, string | null])[]> => {
    await anvil.call(usdt, 'TestToken', 'transfer', [address, 5_000_000n])
    await anvil.mine(12)
    await made.settle()
    return (await made.deposits()).map(({ state, why }) => [state, why])
  }
  assert.deepEqual(await pay(), [['final', null]])
  await made.run('update accounts set email = null, frozen_at = 1, erased_at = 1 where id = $1', account)
  assert.deepEqual((await pay())[1], ['held', 'erased'])
  assert.equal(made.core.balance(7), 5_000_000)
})
