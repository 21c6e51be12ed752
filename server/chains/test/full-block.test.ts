import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { getAddress } from 'viem'
import { TronAccount } from '../../../simulator/chains/tron-account.ts'
import { chainId as tronChain } from '../../../simulator/trond/chain/block.ts'
import { rootKey } from '../../../simulator/trond/chain/node.ts'
import { startTrond } from '../../../simulator/trond/start.ts'
import { artifactOf } from '../contracts/artifacts.ts'
import { evmReader } from '../evm/reader.ts'
import { fromBase58, fromHex20 } from '../tron/address.ts'
import { tronReader } from '../tron/reader.ts'
import { chainId, startAnvil } from './anvil.ts'
import { depositWorlds, token } from './world.ts'

const world = depositWorlds()
/** More than TRON's nodes and the usual providers list in one answer. */
const tooMany = 10_001
/** A contract that writes as many empty logs as its first argument says. */
const emitter = '6004355b60006000a0600190038060035700'
const init = `601280600b6000396000f3${emitter}`
const word = (value: number | string): string => (typeof value === 'number' ? value.toString(16) : value).padStart(64, '0')

/** A node that lists at most 10,000 logs in one answer, as providers do. */
async function limited(url: string) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const answer = (await (await fetch(url, { ...post, body })).json()) as { id: number; result: unknown }
    const { method } = JSON.parse(body) as { method: string }
    const isRefused = method === 'eth_getLogs' && (answer.result as unknown[]).length >= tooMany
    const error = { jsonrpc: '2.0', id: answer.id, error: { code: -32_005, message: 'query returned more than 10000 results' } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(isRefused ? error : answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const post = { method: 'POST', headers: { 'content-type': 'application/json' } }

test('DEPOSIT-SCAN-005: a block with more logs than a node of Ethereum lists is read by its receipts', async () => {
  await using anvil = await startAnvil()
  await using node = await limited(anvil.url)
  const reader = evmReader({ node: node.url, chainId })
  const own = '0x00000000000000000000000000000000000000a7'
  const flood = '0x00000000000000000000000000000000000000fe'
  await anvil.client.setCode({ address: flood, bytecode: `0x${emitter}` })
  const usdt = await anvil.deploy('TestToken', [6])
  await anvil.call(usdt, 'TestToken', 'issue', [anvil.owner, 10n ** 12n])
  await anvil.mine()
  await using made = await world({ readers: [reader], tokens: [token(usdt)], from: (await reader.head()) + 1 })
  await made.customer(7, getAddress(own))
  const credit = async (sum: number): Promise<void> => {
    await anvil.call(flood, 'TestToken', 'setParams', [tooMany, 0], { gas: 10_000_000n })
    await anvil.call(usdt, 'TestToken', 'transfer', [own, sum])
    await anvil.mine(3)
    await made.settle()
  }
  await credit(2_000_000)
  assert.equal(made.core.balance(7), 2_000_000)
  await anvil.mine(20)
  // Final blocks that are read in a range.
  await anvil.call(flood, 'TestToken', 'setParams', [tooMany, 0], { gas: 10_000_000n })
  await anvil.call(usdt, 'TestToken', 'transfer', [own, 3_000_000])
  await anvil.mine(20)
  await made.settle()
  assert.equal(made.core.balance(7), 5_000_000)
})

test('DEPOSIT-TRON-004: a block with more logs than a node of TRON lists is read by the results of its transactions', async () => {
  await using trond = await startTrond()
  const root = new TronAccount(trond.url, rootKey)
  const mine = (blocks: number) => fetch(`${trond.url}/control/mine`, { method: 'POST', body: JSON.stringify({ blocks }) })
  const own = fromHex20(`0x${'22'.repeat(20)}`)
  const { abi, bytecode } = artifactOf('TestToken')
  const { contract: usdt } = await root.deploy(bytecode, abi, word(6))
  const { contract: flood } = await root.deploy(init, [], '')
  await mine(1)
  await root.call(usdt, 'issue(address,uint256)', word(root.address.slice(2)) + word(10 ** 12))
  await mine(25)
  const solid = tronReader({ node: trond.solidUrl, chainId: tronChain })
  await using made = await world({ readers: [solid], tokens: [token(fromHex20(`0x${usdt.slice(2)}`))], network: 'tron', confirmations: 0 })
  await made.customer(7, own)
  await made.settle()
  await root.call(flood, 'emitLogs(uint256)', word(tooMany), 2_000_000_000)
  await root.call(usdt, 'transfer(address,uint256)', word(Buffer.from(fromBase58(own)).toString('hex').slice(2)) + word(2_000_000))
  await mine(25)
  await made.settle()
  assert.equal(made.core.balance(7), 2_000_000)
})
