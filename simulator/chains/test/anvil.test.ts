import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPublicClient, createTestClient, createWalletClient, http, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil as chain } from 'viem/chains'
import { anvilChainId, anvilKey, startAnvil } from '../anvil.ts'
import { artifactOf, deployOnAnvil, deployOnTron } from '../deploy.ts'
import { startTestChains } from '../start.ts'
import { startTrond } from '../../trond/start.ts'

const owner = privateKeyToAccount(anvilKey)

function clientOf(url: string): PublicClient {
  return createPublicClient({ transport: http(url), cacheTime: 0, pollingInterval: 20 })
}

test('ANVIL-START-001: Anvil starts on any free port, several at once, and makes blocks per transaction, on demand or by the clock', async () => {
  await using each = await startAnvil({ finality: 4 })
  await using demand = await startAnvil({ blockMs: 0, chainId: 77 })
  await using clock = await startAnvil({ blockMs: 100 })
  assert.equal(await clientOf(each.url).getChainId(), anvilChainId)
  assert.equal(await clientOf(demand.url).getChainId(), 77)
  const address = await deployOnAnvil(each.url)
  assert.ok(((await clientOf(each.url).getCode({ address })) ?? '').length > 1_000)
  assert.equal(await clientOf(each.url).getBlockNumber(), 1n)
  await createTestClient({ mode: 'anvil', transport: http(each.url) }).mine({ blocks: 9 })
  assert.equal((await clientOf(each.url).getBlock({ blockTag: 'finalized' })).number, 6n)
  await createTestClient({ mode: 'anvil', transport: http(demand.url) }).mine({ blocks: 2 })
  assert.equal(await clientOf(demand.url).getBlockNumber(), 2n)
  while ((await clientOf(clock.url).getBlockNumber()) < 2n);
})

test('ANVIL-START-002: a chain kept in a folder goes on after an end and after kill -9 with the blocks of the file', async () => {
  const data = mkdtempSync(join(tmpdir(), 'anvil-'))
  try {
    const first = await startAnvil({ data })
    const address = await deployOnAnvil(first.url)
    const wallet = createWalletClient({ account: owner, chain, transport: http(first.url) })
    const { abi } = artifactOf('TestToken')
    await wallet.writeContract({ address, abi, functionName: 'issue', args: [owner.address, 5n] })
    const { hash, number } = await clientOf(first.url).getBlock()
    await first[Symbol.asyncDispose]()

    const second = await startAnvil({ data })
    assert.equal((await clientOf(second.url).getBlock({ blockNumber: number })).hash, hash)
    process.kill(second.pid, 'SIGKILL')
    await second.ended

    await using third = await startAnvil({ data })
    assert.equal(await clientOf(third.url).readContract({ address, abi, functionName: 'balanceOf', args: [owner.address] }), 5n)
    assert.equal((await clientOf(third.url).getBlock({ blockNumber: number })).hash, hash)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})

test('TROND-DEPLOY-001: the sandbox puts its token on TRON without TronWeb, by the root account', async () => {
  await using trond = await startTrond({ blockMs: 20 })
  const contract = await deployOnTron(trond.url)
  assert.ok((trond.node.chain.state.contract(contract)?.code.length ?? 0) > 1_000)
})

test('TROND-DEPLOY-002: both chains of a sandbox start with a token each, and have the same ones after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'chains-'))
  try {
    const first = await startTestChains({ data, blockMs: 100 })
    const tokens = [first.ethereum.token, first.tron.token]
    await first[Symbol.asyncDispose]()
    await using second = await startTestChains({ data, blockMs: 100 })
    assert.deepEqual([second.ethereum.token, second.tron.token], tokens)
    const code = await clientOf(second.ethereum.url).getCode({ address: second.ethereum.token })
    assert.ok((code ?? '').length > 1_000)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})
