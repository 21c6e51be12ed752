import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, keysOf, root, rpc, send, world } from './world.ts'

type FoundLog = { readonly transactionHash: string; readonly data: string }

test('TROND-LOAD-001: 1,000 token transfers are taken over HTTP, and a scan finds each once', async (context) => {
  await using trond = await world()
  await trond.node.grant({ address: root.address, bandwidth: 1_000_000, energy: 100_000_000 })
  const payments = Array.from({ length: 1_000 }, (_, index) =>
    call(trond, trond.token, 'transfer', [keysOf(index % 50).address, BigInt(index + 1)]),
  )
  const started = performance.now()
  for (let at = 0; at < payments.length; at += 50) {
    await Promise.all(payments.slice(at, at + 50).map(async (payment) => assert.equal((await send(trond, payment)).result, true)))
    await trond.node.mine(1)
  }
  const taken = performance.now()
  const logs = (await rpc<readonly FoundLog[]>(trond.url, 'eth_getLogs', [{ address: `0x${trond.token.slice(2)}`, fromBlock: '0x1' }]))
    .result
  context.diagnostic(`1,000 transfers ${Math.round(taken - started)} ms, scan ${Math.round(performance.now() - taken)} ms`)
  assert.deepEqual(new Set(logs.map(({ transactionHash }) => transactionHash)), new Set(payments.map(({ id }) => `0x${id}`)))
  assert.equal(logs.length, 1_000)
  assert.equal(
    logs.reduce((sum, { data }) => sum + BigInt(data), 0n),
    500_500n,
  )
})
