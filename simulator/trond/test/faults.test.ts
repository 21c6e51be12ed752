import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicClient, http } from 'viem'
import type { Trond } from '../start.ts'
import type { Transaction } from '../wire/transaction.ts'
import { post } from './tools.ts'
import { call, infoOf, keysOf, pay, rpc, send, tokens, world } from './world.ts'

const alice = keysOf(1)

/** Sends a payment and makes a block: what the answer was, and whether the payment is on the chain. */
async function outcome(trond: Trond, payment: Transaction): Promise<{ readonly answer: string | undefined; readonly isPaid: boolean }> {
  const answer = await send(trond, payment).then(
    ({ result, code }) => (result === true ? 'accepted' : code),
    () => undefined,
  )
  await trond.node.mine(1)
  return { answer, isPaid: (await infoOf(trond, payment)).id === payment.id }
}

test('TROND-FAULT-001: the answer to a broadcast says nothing about the payment, under each of these faults: lost answer, lost transaction, peers, busy, duplicate, no connection', async () => {
  await using trond = await world()
  const expected = [
    ['drop-answer', undefined, true],
    ['lose', 'accepted', false],
    ['peers', 'NOT_ENOUGH_EFFECTIVE_CONNECTION', true],
    ['busy', 'SERVER_BUSY', false],
    ['duplicate', 'DUP_TRANSACTION_ERROR', false],
    ['unavailable', undefined, false],
  ] as const
  for (const [kind, answer, isPaid] of expected) {
    trond.faults.arm({ kind, path: '/wallet/broadcast' })
    const payment = pay(trond, alice.address, 5_000_000)
    assert.deepEqual(await outcome(trond, payment), { answer, isPaid }, kind)
    // The fault is over, and the same payment is in one block at most.
    const again = await outcome(trond, payment)
    assert.deepEqual(again, { answer: isPaid ? 'DUP_TRANSACTION_ERROR' : 'accepted', isPaid: true }, kind)
  }
  assert.equal(trond.node.chain.state.account(alice.address)?.balance, 30_000_000n)
})

test('TROND-FAULT-002: a rate limit is HTTP 200 with an Error, outside the envelope of JSON-RPC too, for as many requests as were armed', async () => {
  await using trond = await world()
  trond.faults.arm({ kind: 'rate-limit', count: 3 })
  assert.match(String((await post(trond.url, '/wallet/getnowblock')).Error), /lack of computing resources/)
  const answer = await rpc(trond.url, 'eth_blockNumber', [])
  assert.deepEqual(Object.keys(answer), ['Error'])
  const client = createPublicClient({ transport: http(`${trond.solidUrl}/jsonrpc`, { retryCount: 0 }), cacheTime: 0 })
  // This client does not see the fault: its own checks are the reader's business.
  assert.equal(await client.request({ method: 'eth_blockNumber' }), undefined)
  assert.equal((await rpc(trond.url, 'eth_blockNumber', [])).error, undefined)
})

test('TROND-FAULT-003: a proxy may answer in place of the node, on chosen paths', async () => {
  await using trond = await world()
  trond.faults.arm({ kind: 'garbage', path: '/jsonrpc' })
  assert.equal((await post(trond.url, '/wallet/getpendingsize')).pendingTransactionSize, 0)
  const response = await fetch(`${trond.url}/jsonrpc`, { method: 'POST', body: '{}' })
  assert.equal(response.status, 502)
  assert.match(await response.text(), /Bad Gateway/)
})

test('TROND-FAULT-004: logs of blocks that the node processed while its JSON-RPC was off are missing there, and only there', async () => {
  await using trond = await world()
  const payment = call(trond, trond.token, 'transfer', [alice.address, 5n])
  await trond.node.submit(payment)
  await trond.node.mine(1)
  const { number } = trond.node.chain.head
  trond.faults.hideLogs(number, number)
  const filter = { fromBlock: `0x${number.toString(16)}`, toBlock: 'latest' }
  assert.deepEqual((await rpc<unknown[]>(trond.url, 'eth_getLogs', [filter])).result, [])
  const infos = await post<readonly { readonly log?: readonly unknown[] }[]>(trond.url, '/walletsolidity/gettransactioninfobyblocknum', {
    num: number,
  })
  assert.equal(infos[0].log?.length, 1)
  trond.faults.clear()
  assert.equal((await rpc<unknown[]>(trond.url, 'eth_getLogs', [filter])).result.length, 1)
})

test('TROND-CONTROL-001: a test in another process mines, forks, grants, stops witnesses and arms faults by `POST /control/*`', async () => {
  await using trond = await world()
  const control = (name: string, body: object = {}) => post(trond.url, `/control/${name}`, body)
  const start = trond.node.chain.head.number
  assert.deepEqual(await control('mine', { blocks: 30 }), { head: start + 30, solid: start + 12 })
  const payment = call(trond, trond.token, 'transfer', [alice.address, 5n])
  await send(trond, payment)
  assert.deepEqual(await control('mine', { isEmpty: true }), { head: start + 31, solid: start + 13 })
  assert.equal((await post(trond.url, '/wallet/getpendingsize')).pendingTransactionSize, 1)
  await control('mine')
  assert.equal(await tokens(trond.url, trond.token, alice.address), 5n)
  assert.equal((await control('fork', { depth: 1, keep: 'none' })).head, start + 33)
  assert.equal(await tokens(trond.url, trond.token, alice.address), 0n)
  await control('grant', { address: alice.address, energy: 7_000, bandwidth: 8_000 })
  const resources = await post(trond.url, '/wallet/getaccountresource', { address: alice.address })
  assert.deepEqual([resources.EnergyLimit, resources.NetLimit], [7_000, 8_000])
  await control('offline', { witnesses: 9 })
  const before = (await control('mine', { blocks: 20 })).solid
  assert.equal((await control('mine', { blocks: 20 })).solid, before)
  await control('fault', { kind: 'busy' })
  assert.equal((await send(trond, payment)).code, 'SERVER_BUSY')
  await control('fault', { kind: 'busy', count: 5 })
  await control('clear')
  const late = call(trond, trond.token, 'transfer', [alice.address, 6n])
  assert.equal((await send(trond, late)).result, true)
  await control('forget', { txid: late.id })
  assert.equal((await post(trond.url, '/wallet/getpendingsize')).pendingTransactionSize, 0)
  assert.match(String((await control('fault', { kind: 'flood' })).Error), /no fault/)
  assert.match(String((await control('toString')).Error), /no control/)
})
