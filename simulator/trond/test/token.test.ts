import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, type Info, infoOf, type Keys, keysOf, pay, root, tokens, world } from './world.ts'

const [alice, bob] = [keysOf(1), keysOf(2)]

test('TROND-TOKEN-001: the test token is as awkward as USDT: false on success, fees with a second log, frozen senders, a pause, approvals', async () => {
  await using trond = await world()
  for (const { address } of [alice, bob]) await trond.node.submit(pay(trond, address, 1_000_000_000))
  await trond.node.mine(1)
  const run = async (name: string, args: readonly unknown[], from: Keys = root): Promise<Info> => {
    const sent = call(trond, trond.token, name, args, { from })
    await trond.node.submit(sent)
    await trond.node.mine(1)
    return infoOf(trond, sent)
  }
  const resultOf = async (...all: Parameters<typeof run>): Promise<string | undefined> => (await run(...all)).receipt.result
  const moved = call(trond, trond.token, 'transfer', [alice.address, 1_000_000_000n])
  await trond.node.submit(moved)
  await trond.node.mine(1)
  assert.deepEqual(Buffer.from(trond.node.chain.find(moved.id)?.receipt.output ?? []), Buffer.alloc(32))
  assert.equal(await tokens(trond.url, trond.token, alice.address), 1_000_000_000n)

  await run('setParams', [10n, 5_000_000n])
  const withFee = await run('transfer', [bob.address, 1_000_000_000n], alice)
  assert.deepEqual(
    withFee.log?.map(({ data }) => BigInt(`0x${data}`)),
    [1_000_000n, 999_000_000n],
  )
  assert.equal(await tokens(trond.url, trond.token, bob.address), 999_000_000n)
  await run('setParams', [0n, 0n])

  await run('setBlackListed', [bob.address, true])
  assert.equal(await resultOf('transfer', [alice.address, 1n], bob), 'REVERT')
  assert.equal(await resultOf('transfer', [bob.address, 1_000_000n]), 'SUCCESS')
  await run('destroyBlackFunds', [bob.address])
  assert.equal(await tokens(trond.url, trond.token, bob.address), 0n)

  await run('setPaused', [true])
  assert.equal(await resultOf('transfer', [alice.address, 1n]), 'REVERT')
  await run('setPaused', [false])

  assert.equal(await resultOf('approve', [alice.address, 5n]), 'SUCCESS')
  assert.equal(await resultOf('approve', [alice.address, 6n]), 'REVERT')
  assert.equal(await resultOf('approve', [alice.address, 0n]), 'SUCCESS')
  assert.equal(await resultOf('transferFrom', [root.address, bob.address, 0n], alice), 'SUCCESS')
})
