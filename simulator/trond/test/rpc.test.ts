import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { chainId } from '../chain/block.ts'
import { post } from './tools.ts'
import { abi, call, keysOf, type RpcAnswer, root, rpc, world } from './world.ts'
import { toBase58 } from '../wire/bytes.ts'

const [alice, bob] = [keysOf(1), keysOf(2)]
const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
const hexAddress = (address: string): `0x${string}` => `0x${address.slice(2)}`

test('TROND-CLIENT-002: viem reads blocks, receipts, logs, code, balances and calls on both ports, unchanged', async () => {
  await using trond = await world()
  const payment = call(trond, trond.token, 'transfer', [alice.address, 3_000_000n])
  for (const one of [payment, call(trond, trond.token, 'transfer', [bob.address, 4_000_000n])]) await trond.node.submit(one)
  await trond.node.mine(1)
  const { number } = trond.node.chain.head
  await trond.node.mine(18)
  for (const url of [trond.url, trond.solidUrl]) {
    const client = createPublicClient({ transport: http(`${url}/jsonrpc`), cacheTime: 0 })
    assert.equal(await client.getChainId(), chainId)
    assert.equal(await client.getBlockNumber(), BigInt(url === trond.url ? number + 18 : number))
    const block = await client.getBlock({ blockNumber: BigInt(number), includeTransactions: true })
    assert.equal(block.transactions.length, 2)
    assert.equal(block.transactions[0].hash, `0x${payment.id}`)
    assert.equal(block.parentHash, (await client.getBlock({ blockNumber: BigInt(number - 1) })).hash)
    const receipt = await client.getTransactionReceipt({ hash: `0x${payment.id}` })
    assert.equal(receipt.status, 'success')
    assert.equal(receipt.blockHash, block.hash)
    const address = hexAddress(trond.token)
    const byRange = await client.getLogs({ address, event: transferEvent, fromBlock: 1n, toBlock: BigInt(number) })
    const byHash = await client.getLogs({ address, event: transferEvent, blockHash: block.hash })
    assert.deepEqual(byHash, byRange)
    assert.deepEqual(
      byHash.map(({ args, logIndex }) => [args.to?.toLowerCase(), args.value, logIndex]),
      [
        [hexAddress(alice.address), 3_000_000n, 0],
        [hexAddress(bob.address), 4_000_000n, 1],
      ],
    )
    const toBob = await client.getLogs({ address, event: transferEvent, args: { to: hexAddress(bob.address) }, fromBlock: 1n })
    assert.equal(toBob.length, 1)
    const balance = await client.readContract({ address, abi, functionName: 'balanceOf', args: [hexAddress(alice.address)] })
    assert.equal(balance, 3_000_000n)
    assert.ok(((await client.getCode({ address })) ?? '').length > 1_000)
    assert.ok((await client.getBalance({ address: hexAddress(root.address) })) > 0n)
    assert.equal((await client.getBlock({ blockTag: 'finalized' })).number, BigInt(number))
  }
})

test('TROND-RPC-001: getLogs refuses more than 5,000 blocks, 10,000 results and 1,000 choices in one place, and a batch more than 100 calls', async () => {
  await using trond = await world()
  await trond.node.mine(5_000)
  const code = async (filter: object): Promise<number | undefined> => (await rpc(trond.url, 'eth_getLogs', [filter])).error?.code
  assert.equal(await code({ fromBlock: '0x1', toBlock: '0x1388' }), undefined)
  assert.equal(await code({ fromBlock: '0x1', toBlock: '0x1389' }), -32602)
  const topic = `0x${'11'.repeat(32)}`
  assert.equal(await code({ topics: [Array.from({ length: 1_000 }, () => topic)] }), undefined)
  assert.equal(await code({ topics: [Array.from({ length: 1_001 }, () => topic)] }), -32602)
  assert.equal(await code({ address: Array.from({ length: 1_001 }, () => hexAddress(trond.token)) }), -32602)
  assert.equal(await code({ blockHash: topic }), -32602)

  // A block with more logs than one answer may have.
  const { head } = trond.node.chain
  const log = { address: trond.token.slice(2), topics: [], data: '' }
  Object.assign(head, { transactions: [call(trond, trond.token, 'transfer', [bob.address, 1n])] })
  Object.assign(head, { receipts: [{ logs: Array.from({ length: 10_001 }, () => log) }] })
  assert.equal(await code({ fromBlock: 'latest' }), -32005)

  const batch = (size: number) => Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_blockNumber', params: [] }))
  assert.equal((await post<RpcAnswer<string>[]>(trond.url, '/jsonrpc', batch(100))).length, 100)
  assert.equal((await post<RpcAnswer<string>>(trond.url, '/jsonrpc', batch(101))).error?.code, -32005)
})

test('TROND-RPC-002: what a node of TRON does not offer is refused: pending and safe blocks, old state, base58 addresses, sending, nonces', async () => {
  await using trond = await world()
  const code = async (name: string, ...params: unknown[]): Promise<number | undefined> => (await rpc(trond.url, name, params)).error?.code
  const owner = hexAddress(root.address)
  for (const tag of ['pending', 'safe']) assert.equal(await code('eth_getBlockByNumber', tag, false), -32602)
  for (const at of ['0x1', 'finalized', 'pending']) {
    assert.equal(await code('eth_getBalance', owner, at), -32602)
    assert.equal(await code('eth_call', { to: hexAddress(trond.token), data: '0x' }, at), -32602)
  }
  assert.equal(await code('eth_getBalance', toBase58(root.address), 'latest'), -32602)
  assert.equal(await code('eth_getBalance', `0x${root.address}`, 'latest'), undefined)
  assert.equal(await code('eth_getLogs', { fromBlock: 'finalized', toBlock: 'finalized' }), undefined)
  for (const name of ['eth_sendRawTransaction', 'eth_getTransactionCount', 'constructor']) assert.equal(await code(name), -32601)
  assert.equal(await code('eth_call', { to: hexAddress(trond.token), data: '0x12345678' }, 'latest'), -32000)
})
