import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trond } from '../start.ts'
import { call, infoOf, type Keys, keysOf, pay, root, send, sunPerTrx, tokens, transactionOf, world } from './world.ts'

const [alice, bob, carol] = [keysOf(1), keysOf(2), keysOf(3)]

async function give(trond: Trond, { address }: Keys, sun: number): Promise<void> {
  await trond.node.submit(pay(trond, address, sun))
  await trond.node.mine(1)
}

function balanceOf(trond: Trond, { address }: Keys): number {
  return Number(trond.node.chain.state.account(address)?.balance ?? 0n)
}

test('TROND-FEE-001: 600 bytes a day are free, one token transfer; the next costs 1,000 sun a byte, or is BANDWITH_ERROR', async () => {
  await using trond = await world()
  await trond.node.grant({ address: alice.address, bandwidth: 0, energy: 10_000_000 })
  await trond.node.submit(call(trond, trond.token, 'transfer', [alice.address, 1_000_000n]))
  await trond.node.mine(1)
  const transfer = () => call(trond, trond.token, 'transfer', [bob.address, 1n], { from: alice })

  const first = transfer()
  assert.equal((await send(trond, first)).result, true)
  assert.equal((await send(trond, transfer())).code, 'BANDWITH_ERROR')
  await trond.node.mine(1)
  const { receipt } = await infoOf(trond, first)
  assert.ok((receipt.net_usage ?? 0) > 300 && (receipt.net_usage ?? 0) < 400, `${receipt.net_usage}`)
  assert.equal(receipt.net_fee, undefined)

  await give(trond, alice, sunPerTrx)
  const second = transfer()
  assert.equal((await send(trond, second)).result, true)
  await trond.node.mine(1)
  const paid = await infoOf(trond, second)
  assert.equal(paid.receipt.net_fee, (receipt.net_usage ?? 0) * 1_000)
  assert.equal(paid.fee, paid.receipt.net_fee)
  assert.equal(balanceOf(trond, alice), sunPerTrx - (paid.fee ?? 0))

  // Use falls evenly to zero within 24 hours: 28,800 blocks.
  await trond.node.mine(28_800)
  const third = transfer()
  assert.equal((await send(trond, third)).result, true)
  await trond.node.mine(1)
  assert.equal((await infoOf(trond, third)).receipt.net_fee, undefined)
})

test('TROND-FEE-002: a transfer that opens an account costs 1.1 TRX, and an address with nothing but tokens has no account and cannot send', async () => {
  await using trond = await world()
  const before = balanceOf(trond, root)
  const opening = pay(trond, bob.address, 5 * sunPerTrx)
  assert.equal((await send(trond, opening)).result, true)
  await trond.node.mine(1)
  assert.equal((await infoOf(trond, opening)).fee, 1_100_000)
  assert.equal(balanceOf(trond, root), before - 6_100_000)
  assert.equal(balanceOf(trond, bob), 5 * sunPerTrx)

  await trond.node.submit(call(trond, trond.token, 'transfer', [carol.address, 1_000_000n]))
  await trond.node.mine(1)
  assert.equal(await tokens(trond.url, trond.token, carol.address), 1_000_000n)
  assert.equal(trond.node.chain.state.account(carol.address), undefined)
  const sweep = call(trond, trond.token, 'transfer', [root.address, 1n], { from: carol })
  assert.equal((await send(trond, sweep)).code, 'BANDWITH_ERROR')
})

test('TROND-FEE-003: a reverted call pays the energy that it used, an exhausted one all of its limit; both stand in a block, without logs', async () => {
  await using trond = await world()
  await give(trond, alice, 100 * sunPerTrx)
  const revert = call(trond, trond.token, 'transfer', [bob.address, 1n], { from: alice })
  const exhausted = call(trond, trond.token, 'issue', [bob.address, 1n], { feeLimit: 1_000_000 })
  for (const one of [revert, exhausted]) assert.equal((await send(trond, one)).result, true)
  await trond.node.mine(1)
  const [reverted, spent] = [await infoOf(trond, revert), await infoOf(trond, exhausted)]
  assert.equal(reverted.receipt.result, 'REVERT')
  assert.equal(reverted.receipt.energy_fee, (reverted.receipt.energy_usage_total ?? 0) * 100)
  assert.ok((reverted.receipt.energy_usage_total ?? 0) < 20_000)
  assert.equal(spent.receipt.result, 'OUT_OF_ENERGY')
  assert.equal(spent.receipt.energy_usage_total, 10_000)
  assert.equal(spent.receipt.energy_fee, 1_000_000)
  for (const { log, blockNumber, result } of [reverted, spent]) {
    assert.equal(log, undefined)
    assert.equal(result, 'FAILED')
    assert.equal(blockNumber, trond.node.chain.head.number)
  }
  assert.equal(await tokens(trond.url, trond.token, bob.address), 0n)
})

test('TROND-FEE-004: staked energy and bandwidth are used first, and the fee limit caps staked energy as well', async () => {
  await using trond = await world()
  await trond.node.grant({ address: alice.address, bandwidth: 1_000, energy: 1_000_000 })
  await trond.node.submit(call(trond, trond.token, 'transfer', [alice.address, 1_000n]))
  await trond.node.mine(1)
  const capped = call(trond, trond.token, 'transfer', [bob.address, 1n], { from: alice, feeLimit: 1_000_000 })
  const free = call(trond, trond.token, 'transfer', [bob.address, 1n], { from: alice })
  for (const one of [capped, free]) assert.equal((await send(trond, one)).result, true)
  await trond.node.mine(1)
  const [first, second] = [await infoOf(trond, capped), await infoOf(trond, free)]
  assert.equal(first.receipt.result, 'OUT_OF_ENERGY')
  assert.equal(first.receipt.energy_usage_total, 10_000)
  assert.equal(second.receipt.result, 'SUCCESS')
  assert.equal(second.receipt.energy_usage, second.receipt.energy_usage_total)
  assert.equal(second.fee, undefined)
  const { free: freeUse, bandwidth } = trond.node.chain.state.account(alice.address) ?? assert.fail()
  assert.equal(freeUse.used, 0)
  assert.ok(bandwidth.used > 600)
})

test('TROND-FEE-005: a fee limit above 15,000 TRX is refused, and more signatures than one cost 1 TRX', async () => {
  await using trond = await world()
  const greedy = call(trond, trond.token, 'transfer', [bob.address, 1n], { feeLimit: 15_000 * sunPerTrx + 1 })
  assert.equal((await send(trond, greedy)).code, 'CONTRACT_VALIDATE_ERROR')
  await give(trond, alice, 200 * sunPerTrx)
  const keys = [
    { address: bob.address, weight: 1 },
    { address: carol.address, weight: 1 },
  ]
  const permissions = {
    owner: { type: 0, permission_name: 'owner', threshold: 2, keys },
    actives: [{ type: 2, permission_name: 'a', threshold: 1, operations: '02'.padEnd(64, '0'), keys }],
  }
  const update = transactionOf(trond, 'AccountPermissionUpdateContract', permissions, { from: alice })
  assert.equal((await send(trond, update)).result, true)
  await trond.node.mine(1)
  assert.equal((await infoOf(trond, update)).fee, 100 * sunPerTrx)
  const both = pay(trond, root.address, sunPerTrx, { from: alice, keys: [bob.key, carol.key] })
  assert.equal((await send(trond, both)).result, true)
  await trond.node.mine(1)
  const { fee, receipt } = await infoOf(trond, both)
  assert.equal(fee, sunPerTrx + (receipt.net_fee ?? 0))
})
