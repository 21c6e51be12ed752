import assert from 'node:assert/strict'
import { test } from 'node:test'
import { post } from './tools.ts'
import { hexOf, infoOf, keysOf, pay, root, send, sunPerTrx, tokens, call, world, type Answer, transactionOf } from './world.ts'
import { transactionJson } from '../wire/transaction.ts'
import { fromHex } from '../wire/bytes.ts'

const [alice, bob] = [keysOf(1), keysOf(2)]

test('TROND-SEND-001: a transaction whose content or signature was changed is refused as SIGERROR', async () => {
  await using trond = await world()
  const good = pay(trond, alice.address, 5_000_000)
  const json = JSON.parse(JSON.stringify(transactionJson(good, false))) as {
    raw_data: { contract: { parameter: { value: { amount: number } } }[] }
  }
  json.raw_data.contract[0].parameter.value.amount = 6_000_000
  assert.equal((await post<Answer>(trond.url, '/wallet/broadcasttransaction', json)).code, 'SIGERROR')

  const hex = hexOf(good)
  const bytes = fromHex(hex)
  for (let place = 0; place < bytes.length; place += 3) {
    const changed = new Uint8Array(bytes)
    changed[place] ^= 1
    const answer = await post<Answer>(trond.url, '/wallet/broadcasthex', { transaction: Buffer.from(changed).toString('hex') })
    assert.notEqual(answer.result, true, `byte ${place}`)
  }
  assert.equal((await send(trond, { ...good, signatures: [] })).code, 'SIGERROR')
  assert.equal((await send(trond, pay(trond, alice.address, 1, { keys: [bob.key] }))).code, 'SIGERROR')
  assert.equal((await send(trond, good)).result, true)
})

test('TROND-SEND-002: a transaction refers to one of the last 65,536 blocks by number and hash, or is refused as TAPOS_ERROR', async () => {
  await using trond = await world()
  const { head } = trond.node.chain
  const wrong = { refHash: '00'.repeat(8) }
  const future = { refBytes: (head.number + 9).toString(16).padStart(4, '0') }
  for (const terms of [wrong, future]) assert.equal((await send(trond, pay(trond, alice.address, 1, terms))).code, 'TAPOS_ERROR')
  const newest = { refBytes: head.id.slice(12, 16), refHash: head.id.slice(16, 32) }
  const onNewest = pay(trond, alice.address, 5_000_000, newest)
  assert.equal((await send(trond, onNewest)).result, true)
  // After a fork the block is another one: the transaction that referred to it is void, one that referred to a solid block isn't.
  const onSolid = pay(trond, bob.address, 5_000_000)
  assert.equal((await send(trond, onSolid)).result, true)
  await trond.node.fork({ depth: 1, keep: 'all', blocks: 2 })
  assert.equal((await infoOf(trond, onNewest)).id, undefined)
  assert.equal(trond.node.whyDropped(onNewest.id)?.code, 'TAPOS_ERROR')
  assert.equal((await infoOf(trond, onSolid)).id, onSolid.id)
})

test('TROND-SEND-003: a transaction expires by the time of the newest block and at most 24 hours ahead, in the pool too', async () => {
  await using trond = await world()
  const { time } = trond.node.chain.head
  for (const expiration of [time, time - 1, time + 86_400_001]) {
    assert.equal((await send(trond, pay(trond, alice.address, 1, { expiration }))).code, 'TRANSACTION_EXPIRATION_ERROR')
  }
  const last = pay(trond, alice.address, 5_000_000, { expiration: time + 1 })
  const late = pay(trond, bob.address, 5_000_000, { expiration: time + 2 })
  assert.equal((await send(trond, last)).result, true)
  await trond.node.mine(1)
  assert.equal((await infoOf(trond, last)).id, last.id)
  const waits = pay(trond, bob.address, 5_000_000, { expiration: trond.node.chain.head.time + 3_000 })
  assert.equal((await send(trond, waits)).result, true)
  await trond.node.mine(1, true)
  await trond.node.mine(1)
  assert.equal((await infoOf(trond, waits)).id, undefined)
  assert.equal(trond.node.whyDropped(waits.id)?.code, 'TRANSACTION_EXPIRATION_ERROR')
  assert.equal((await send(trond, late)).code, 'TRANSACTION_EXPIRATION_ERROR')
})

test('TROND-SEND-004: a transaction that waits or is in a block is refused as DUP_TRANSACTION_ERROR', async () => {
  await using trond = await world()
  const payment = pay(trond, alice.address, 5_000_000)
  assert.equal((await send(trond, payment)).result, true)
  assert.equal((await send(trond, payment)).code, 'DUP_TRANSACTION_ERROR')
  await trond.node.mine(1)
  assert.equal((await send(trond, payment)).code, 'DUP_TRANSACTION_ERROR')
  await trond.node.mine(30)
  assert.equal((await send(trond, payment)).code, 'TRANSACTION_EXPIRATION_ERROR')
})

test('TROND-SEND-005: transfers to oneself, of nothing, above the balance or to a contract are refused as CONTRACT_VALIDATE_ERROR', async () => {
  await using trond = await world()
  await trond.node.submit(pay(trond, alice.address, 5_000_000))
  await trond.node.mine(1)
  const all: readonly [string, number, typeof root][] = [
    [root.address, 1, root],
    [alice.address, 0, root],
    [alice.address, -5, root],
    [bob.address, 4_800_000, alice],
    [root.address, 5_000_001, alice],
    [trond.token, 1, root],
  ]
  for (const [to, sun, from] of all)
    assert.equal((await send(trond, pay(trond, to, sun, { from }))).code, 'CONTRACT_VALIDATE_ERROR', `${to} ${sun}`)
  const noContract = transactionOf(trond, 'TriggerSmartContract', { contract_address: alice.address, data: '' })
  assert.equal((await send(trond, noContract)).code, 'CONTRACT_VALIDATE_ERROR')
})

test('TROND-SEND-006: an accepted transaction is not yet carried out: a call that reverts is accepted and fails in its block', async () => {
  await using trond = await world()
  const payment = call(trond, trond.token, 'transfer', [alice.address, 10_000_000_000_000n])
  assert.equal((await send(trond, payment)).result, true)
  await trond.node.mine(1)
  const info = await infoOf(trond, payment)
  assert.equal(info.result, 'FAILED')
  assert.equal(info.receipt.result, 'REVERT')
  assert.equal(info.log, undefined)
  assert.equal(await tokens(trond.url, trond.token, alice.address), 0n)
  assert.ok((info.fee ?? 0) < 100 * sunPerTrx)
})
