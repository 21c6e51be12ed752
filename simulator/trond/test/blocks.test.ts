import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startTrond } from '../start.ts'
import { fromHex, keccak, toHex } from '../wire/bytes.ts'
import { post } from './tools.ts'
import { call, type Info, infoOf, keysOf, pay, root, rpc, send, tokens, transactionOf, world } from './world.ts'

const [alice, bob] = [keysOf(1), keysOf(2)]

test('TROND-BLOCK-001: a block is solid after exactly 18 further blocks by different witnesses', async () => {
  await using trond = await world()
  const payment = pay(trond, alice.address, 5_000_000)
  await trond.node.submit(payment)
  await trond.node.mine(1)
  const { number } = trond.node.chain.head
  const isSolid = async (): Promise<boolean> => {
    const info = await post<Info>(trond.solidUrl, '/walletsolidity/gettransactioninfobyid', { value: payment.id })
    return info.id === payment.id
  }
  for (let further = 0; further < 18; further++) {
    assert.equal(await isSolid(), false, `after ${further}`)
    await trond.node.mine(1)
  }
  assert.equal(await isSolid(), true)
  assert.equal(trond.node.chain.solid.number, number)
  await trond.node.mine(100)
  assert.equal(trond.node.chain.solid.number, number + 100)
})

test('TROND-BLOCK-002: while 9 of the 27 witnesses are offline nothing becomes solid, and with 8 it does', async () => {
  await using trond = await startTrond()
  await trond.node.mine(60)
  trond.node.setOffline(9)
  await trond.node.mine(40)
  const stalled = trond.node.chain.solid.number
  await trond.node.mine(100)
  assert.equal(trond.node.chain.solid.number, stalled)
  trond.node.setOffline(8)
  await trond.node.mine(40)
  assert.equal(trond.node.chain.solid.number, trond.node.chain.head.number - 18)
})

test('TROND-BLOCK-003: the solidity port has only solid blocks, transactions and balances, and takes no transactions', async () => {
  await using trond = await world()
  await trond.node.mine(30)
  const payment = call(trond, trond.token, 'transfer', [bob.address, 7_000_000n])
  await trond.node.submit(payment)
  await trond.node.submit(pay(trond, bob.address, 5_000_000))
  await trond.node.mine(1)
  const { number, id } = trond.node.chain.head
  const hash = `0x${id}`
  const reads = async (url: string) => ({
    tokens: await tokens(url, trond.token, bob.address),
    sun: await post(url, '/walletsolidity/getaccount', { address: bob.address }).then(({ balance }) => balance),
    balance: (await rpc<string>(url, 'eth_getBalance', [`0x${bob.address.slice(2)}`, 'latest'])).result,
    block: (await rpc<{ hash: string } | null>(url, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])).result?.hash,
    byHash: (await rpc<{ hash: string } | null>(url, 'eth_getBlockByHash', [hash, false])).result?.hash,
    receipt: (await rpc<{ status: string } | null>(url, 'eth_getTransactionReceipt', [`0x${payment.id}`])).result?.status,
    logs: (await rpc<unknown[]>(url, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: `0x${number.toString(16)}` }])).result.length,
  })
  const before = { tokens: 0n, sun: undefined, balance: '0x0', block: undefined, byHash: undefined, receipt: undefined, logs: 0 }
  const after = { tokens: 7_000_000n, sun: 5_000_000, balance: '0x4c4b40', block: hash, byHash: hash, receipt: '0x1', logs: 1 }
  assert.deepEqual(await reads(trond.solidUrl), before)
  assert.deepEqual(await reads(trond.url), { ...after, sun: 5_000_000 })
  await trond.node.mine(18)
  assert.deepEqual(await reads(trond.solidUrl), after)
  assert.equal((await fetch(`${trond.solidUrl}/wallet/broadcasthex`, { method: 'POST', body: '{}' })).status, 404)
})

test('TROND-BLOCK-004: by the clock a block comes every few milliseconds without being asked', async () => {
  await using trond = await startTrond({ blockMs: 20 })
  const payment = pay(trond, alice.address, 5_000_000)
  assert.equal((await send(trond, payment)).result, true)
  while ((await infoOf(trond, payment)).id === undefined || trond.node.chain.solid.number < 3) await trond.node.alone(pause)
  const { chain } = trond.node
  for (let number = 2; number <= chain.head.number; number++) {
    assert.ok((chain.block(number)?.time ?? 0) > (chain.block(number - 1)?.time ?? 0))
  }
})

test('TROND-FORK-001: a fork takes back its blocks and all that they changed; their transactions vanish or come into other blocks', async () => {
  await using trond = await world()
  await trond.node.mine(20)
  const payments = [1n, 2n, 4n, 8n].map((value) => call(trond, trond.token, 'transfer', [bob.address, value * 1_000_000n]))
  for (const payment of payments) {
    await trond.node.submit(payment)
    await trond.node.mine(1)
  }
  const first = await Promise.all(payments.map((payment) => infoOf(trond, payment)))
  const old = trond.node.chain.head

  await trond.node.fork({ depth: 2, keep: 'all', blocks: 3 })
  assert.equal(trond.node.chain.head.number, old.number + 1)
  assert.notEqual(trond.node.chain.block(old.number)?.id, old.id)
  assert.equal(trond.node.chain.blockById(old.id), undefined)
  assert.equal(await tokens(trond.url, trond.token, bob.address), 15_000_000n)
  assert.equal((await infoOf(trond, payments[3])).blockNumber, (first[3].blockNumber ?? 0) - 1)

  await trond.node.fork({ depth: 5, keep: { without: [payments[1].id] }, blocks: 6 })
  assert.equal(await tokens(trond.url, trond.token, bob.address), 13_000_000n)
  assert.deepEqual(await infoOf(trond, payments[1]), {})
  assert.equal((await send(trond, payments[1])).result, true)

  await trond.node.fork({ depth: 6, keep: 'none', blocks: 1 })
  assert.equal(await tokens(trond.url, trond.token, bob.address), 2_000_000n)
  assert.equal((await infoOf(trond, payments[1])).id, payments[1].id)
})

test('TROND-FORK-002: a solid block never goes', async () => {
  await using trond = await startTrond()
  await trond.node.mine(40)
  const { head, solid } = trond.node.chain
  await assert.rejects(trond.node.fork({ depth: 19, keep: 'all', blocks: 20 }), /solid/)
  assert.equal(trond.node.chain.head.id, head.id)
  await trond.node.fork({ depth: 18, keep: 'all', blocks: 19 })
  assert.equal(trond.node.chain.block(solid.number)?.id, solid.id)
})

test('TROND-FORK-003: after any order of payments, blocks and forks, balances are the sums of the logs on the chain', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('pay' as const),
        to: fc.integer({ min: 1, max: 4 }),
        value: fc.integer({ min: 1, max: 999 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 12 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('fork' as const),
        depth: fc.integer({ min: 1, max: 18 }),
        keep: fc.constantFrom('all', 'none'),
      }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await using trond = await world()
      const { chain } = trond.node
      await trond.node.mine(20)
      for (const one of steps) {
        const room = chain.head.number - chain.solid.number
        if (one.kind === 'pay') await trond.node.submit(call(trond, trond.token, 'transfer', [keysOf(one.to).address, BigInt(one.value)]))
        else if (one.kind === 'mine') await trond.node.mine(one.blocks)
        else if (one.depth <= room) await trond.node.fork({ depth: one.depth, keep: one.keep as 'all' | 'none', blocks: one.depth + 1 })
      }
      for (const url of [trond.url, trond.solidUrl]) {
        const top = url === trond.url ? chain.head.number : chain.solid.number
        for (const number of [1, 2, 3, 4]) {
          const { address } = keysOf(number)
          let sum = 0n
          for (let at = 1; at <= top; at++) {
            for (const { logs } of chain.block(at)?.receipts ?? []) {
              for (const { topics, data } of logs) if (topics[2]?.endsWith(address.slice(2))) sum += BigInt(`0x${data}`)
            }
          }
          assert.equal(await tokens(url, trond.token, address), sum)
        }
      }
    }),
    { numRuns: 12 },
  )
})

test('TROND-CONTRACT-001: a contract made by CREATE2 is at the address that hashes 41 where Ethereum hashes ff', async () => {
  await using trond = await world()
  // Creates what it is called with, with salt 0, and returns the address.
  const factory = '600f80600b6000396000f3365f5f375f365f5ff55f5260205ff3'
  const creation = transactionOf(trond, 'CreateSmartContract', {
    new_contract: { origin_address: root.address, bytecode: factory, consume_user_resource_percent: 100 },
  })
  await trond.node.submit(creation)
  await trond.node.mine(1)
  const { contract = '' } = trond.node.chain.find(creation.id)?.receipt ?? {}
  // A contract of one STOP.
  const code = '6001600c60003960016000f300'
  await trond.node.submit(transactionOf(trond, 'TriggerSmartContract', { contract_address: contract, data: code }))
  await trond.node.mine(1)
  const { receipts } = trond.node.chain.head
  assert.equal(receipts[0].result, 'SUCCESS')
  const made = `41${Buffer.from(receipts[0].output).toString('hex').slice(24)}`
  const expected = keccak(fromHex(`41${contract.slice(2)}${'00'.repeat(32)}${toHex(keccak(fromHex(code)))}`))
  assert.equal(made, `41${toHex(expected).slice(24)}`)
  assert.notEqual(trond.node.chain.state.contract(made), undefined)
})

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
