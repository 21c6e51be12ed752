import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import { wrongTokensMax } from '../deposits/finder.ts'
import type { DepositState } from '../deposits/tables.ts'
import type { AuditedReader } from '../ports.ts'
import { dollars, evmWorlds } from './evm-world.ts'
import { type DepositWorld, token } from './world.ts'

const evm = evmWorlds()

const states = async (made: DepositWorld): Promise<readonly (readonly [DepositState, string | null])[]> =>
  (await made.deposits()).map(({ state, why }) => [state, why])

test('DEPOSIT-CREDIT-001: a transfer is shown in its block, credited after its confirmations and final when the block is', async () => {
  const { pay, address, start } = await evm.chainWith()
  await using made = await start()
  await made.customer(7, address(7))
  const txid = await pay(address(7), 25_000_000n)
  await evm.anvil.mine()
  await made.settle()
  const [deposit] = await made.deposits()
  assert.deepEqual(
    [deposit!.txid, deposit!.state, deposit!.raw, deposit!.user_no, deposit!.ordinal],
    [txid, 'confirming', '25000000', 7, 0],
  )
  await evm.anvil.mine()
  await made.settle()
  assert.equal(made.core.balance(7), 0)
  await evm.anvil.mine()
  await made.settle()
  assert.deepEqual(
    (await made.deposits()).map(({ state, amount, credit }) => [state, amount, credit]),
    [['credited', 25_000_000, 1]],
  )
  assert.deepEqual([made.core.balance(7), made.core.unfinal(7)], [25_000_000, 25_000_000])
  await evm.anvil.mine(8)
  await made.settle()
  assert.equal((await made.deposits())[0]!.state, 'final')
  assert.deepEqual([made.core.balance(7), made.core.unfinal(7)], [25_000_000, 0])
})

test('DEPOSIT-CREDIT-002: without confirmations a deposit is credited when its block is final, and is final then', async () => {
  const { pay, address, start } = await evm.chainWith()
  await using made = await start({ confirmations: 0 })
  await made.customer(7, address(7))
  await pay(address(7), dollars(5))
  await evm.anvil.mine(8)
  await made.settle()
  assert.deepEqual([await states(made), made.core.balance(7)], [[['confirming', null]], 0])
  await evm.anvil.mine()
  await made.settle()
  assert.deepEqual([await states(made), made.core.balance(7), made.core.unfinal(7)], [[['final', null]], 5_000_000, 0])
  assert.equal(made.core.carried.length, 1)
})

test('DEPOSIT-FAKE-001: failed and undone transfers, transfers of nothing and from an address are no deposits', async () => {
  const { usdt, pay, address, start } = await evm.chainWith()
  const spam = await evm.anvil.deploy('TestSpam', [])
  await using made = await start()
  await made.customer(7, address(7))
  await pay(address(7), 10n ** 30n)
  await evm.anvil.call(usdt, 'TestToken', 'transfer', [spam, dollars(50)])
  await evm.anvil.call(spam, 'TestSpam', 'undo', [usdt, address(7), dollars(40)])
  await pay(address(7), 0n)
  await evm.anvil.call(usdt, 'TestToken', 'transferFrom', [address(7), spam, 0n])
  await evm.anvil.call(usdt, 'TestToken', 'transferFrom', [spam, address(7), 0n])
  await evm.anvil.mine(12)
  await made.settle()
  assert.deepEqual([await made.deposits(), made.core.carried], [[], []])
})

test('DEPOSIT-FAKE-002: a transfer of an unlisted token is kept for the staff and never credited, and no more than twenty for one address', async () => {
  const { pay, address, start } = await evm.chainWith()
  const spam = await evm.anvil.deploy('TestSpam', [])
  await using made = await start()
  await made.customer(7, address(7))
  for (let time = 0; time < wrongTokensMax + 5; time++) await evm.anvil.call(spam, 'TestSpam', 'pretend', [address(7), dollars(1_000)])
  await pay(address(7), dollars(3))
  await evm.anvil.mine(12)
  await made.settle()
  const found = await states(made)
  assert.equal(found.filter(([state]) => state === 'wrong-token').length, wrongTokensMax)
  assert.deepEqual(found.at(-1), ['final', null])
  assert.equal(made.core.balance(7), 3_000_000)
})

test('DEPOSIT-FAKE-003: the sum that arrived counts, after the token’s own fee and whatever its transfer answers', async () => {
  const taking = await evm.chainWith()
  await evm.anvil.call(taking.usdt, 'TestToken', 'setParams', [100n, dollars(1_000)])
  await using made = await taking.start()
  await made.customer(7, taking.address(7))
  await taking.pay(taking.address(7), dollars(200))
  await evm.anvil.mine(12)
  await made.settle()
  assert.equal(made.core.balance(7), 198_000_000)
  assert.equal((await made.deposits())[0]!.ordinal, 1)
  const refusing = await evm.chainWith('TestTokenFalse')
  await using other = await refusing.start()
  await other.customer(7, refusing.address(7))
  await refusing.pay(refusing.address(7), dollars(9))
  await evm.anvil.mine(12)
  await other.settle()
  assert.equal(other.core.balance(7), 9_000_000)
})

test('DEPOSIT-SMALL-001: deposits below the minimum wait and are credited together when they reach it', async () => {
  const { pay, address, start } = await evm.chainWith()
  await using made = await start()
  for (const user of [7, 8]) await made.customer(user, address(user))
  for (const sum of [0.3, 0.4]) await pay(address(7), dollars(sum))
  await pay(address(8), dollars(0.9))
  await evm.anvil.mine(12)
  await made.settle()
  assert.deepEqual([await states(made), made.core.carried], [Array.from({ length: 3 }, () => ['small', null]), []])
  await pay(address(7), dollars(0.3))
  await evm.anvil.mine(12)
  await made.settle()
  assert.deepEqual([made.core.balance(7), made.core.balance(8)], [1_000_000, 0])
  assert.deepEqual(
    (await made.deposits()).map(({ user_no, state, amount }) => [user_no, state, amount]),
    [...[0.3, 0.4].map((sum) => [7, 'final', sum * 1e6]), [8, 'small', null], [7, 'final', 300_000]],
  )
})

test('NOTICE-FUNDS-004: a deposit below the minimum makes a notice with what is missing, one a day for each network and asset', async () => {
  const { pay, address, start } = await evm.chainWith()
  await using made = await start()
  const account = await made.customer(7, address(7))
  for (const sum of [0.3, 0.4, 0.1, 0.2]) {
    await pay(address(7), dollars(sum))
    await evm.anvil.mine(12)
    await made.settle()
    if (sum !== 0.3) made.now += 86_400_000
  }
  const about = { asset: 'USDT', network: 'ethereum', min: '1' }
  const told = await made.run<{ data: object }>('select data from notices where account = $1 order by number', account)
  assert.deepEqual(told, [{ data: { ...about, quantity: '0.3', missing: '0.7' } }, { data: { ...about, quantity: '0.1', missing: '0.2' } }])
})

test('DEPOSIT-SMALL-002: what is less than a unit of the exchange counts with the next deposit', async () => {
  const { usdt, pay, address, start } = await evm.chainWith('TestToken', 8)
  await using made = await start({ tokens: [token(usdt, { unit: 100n })] })
  await made.customer(7, address(7))
  for (const raw of [200_000_060n, 200_000_030n, 200_000_011n, 200_000_099n]) {
    await pay(address(7), raw)
    await evm.anvil.mine(3)
    await made.settle()
  }
  assert.deepEqual(
    (await made.deposits()).map(({ amount, rest }) => [amount, rest]),
    [
      ...[
        [2_000_000, '60'],
        [2_000_000, '30'],
      ],
      ...[
        [2_000_001, '-89'],
        [2_000_001, '-1'],
      ],
    ],
  )
  await evm.anvil.mine(9)
  await made.settle()
  assert.equal(made.core.balance(7), 8_000_002)
})

test('DEPOSIT-NODE-001: a transfer that a node invents is never credited', async () => {
  const { usdt, address, start } = await evm.chainWith()
  const at = (await evm.honest.head()) + 1
  const txid = `0x${'ab'.repeat(32)}`
  const liar: AuditedReader = {
    ...evm.honest,
    transfers: async (contracts, where) => {
      const block = 'blockHash' in where ? await evm.honest.block({ hash: where.blockHash }) : await evm.honest.block(at)
      const told = await evm.honest.transfers(contracts, where)
      if (block?.number !== at) return told
      const about = { contract: usdt, from: evm.anvil.owner, to: address(7), value: dollars(1e6), block: at, blockHash: block.hash }
      return [...told, { txid, ordinal: 0, ...about }]
    },
  }
  await using made = await start({ readers: [liar] })
  await made.customer(7, address(7))
  await evm.anvil.mine(4)
  await made.settle()
  assert.deepEqual([await states(made), made.core.carried], [[['confirming', null]], []])
  await evm.anvil.mine(8)
  await made.settle()
  assert.deepEqual([await states(made), made.core.carried], [[['held', 'no-receipt']], []])
})

test('DEPOSIT-NODE-002: above the limit two nodes must tell the same, or a person looks', async () => {
  const { usdt, pay, address, start } = await evm.chainWith()
  const tokens = [token(usdt, { agreeAbove: 100_000_000 as Units })]
  await pay(address(7), dollars(100))
  const large = await pay(address(7), dollars(100.000001))
  await evm.anvil.mine(12)
  const without: AuditedReader = {
    ...evm.honest,
    transfers: async (contracts, where) => (await evm.honest.transfers(contracts, where)).filter(({ txid }) => txid !== large),
  }
  const reverted: AuditedReader = {
    ...evm.honest,
    receipt: async (txid) => ({ ...(await evm.honest.receipt(txid))!, isSuccess: txid !== large }),
  }
  for (const [readers, why] of [
    [[evm.honest], 'one-node'],
    [[evm.honest, without], 'nodes-disagree'],
    [[evm.honest, reverted], 'nodes-disagree'],
    [[evm.honest, evm.honest], null],
  ] as const) {
    await using made = await start({ readers, tokens })
    await made.customer(7, address(7))
    await made.settle()
    assert.deepEqual(await states(made), [['final', null], why === null ? ['final', null] : ['held', why]])
    assert.equal(made.core.balance(7), why === null ? 200_000_001 : 100_000_000)
  }
})

test('DEPOSIT-NODE-003: a transfer that the logs of a node do not have is found by the audit, credited and reported', async () => {
  const { pay, address, start } = await evm.chainWith()
  const blind: AuditedReader = { ...evm.honest, transfers: async () => [] }
  await using made = await start({ readers: [blind] })
  await made.customer(7, address(7))
  await pay(address(7), dollars(12))
  await evm.anvil.mine(12)
  await made.settle()
  assert.deepEqual([await states(made), made.core.balance(7), made.core.unfinal(7)], [[['final', null]], 12_000_000, 0])
  assert.match(made.log.join(), /audit of block \d+ of ethereum found 1 transfers/)
})

test('DEPOSIT-NODE-004: a transaction that a node calls failed is not credited, whatever its logs say', async () => {
  const { pay, address, start } = await evm.chainWith()
  const failing: AuditedReader = { ...evm.honest, receipt: async (txid) => ({ ...(await evm.honest.receipt(txid))!, isSuccess: false }) }
  await using made = await start({ readers: [failing] })
  await made.customer(7, address(7))
  await pay(address(7), dollars(12))
  await evm.anvil.mine(4)
  await made.settle()
  assert.deepEqual([await states(made), made.core.carried], [[['failed', 'reverted']], []])
})

test('DEPOSIT-NODE-006: a deposit that its node called failed is found by the audit, and credited once as soon as both ways of reading agree', async () => {
  const { pay, address, start } = await evm.chainWith()
  for (const hasOther of [false, true]) {
    let isLying = true
    const liar: AuditedReader = {
      ...evm.honest,
      receipt: async (txid) => ({ ...(await evm.honest.receipt(txid))!, ...(isLying ? { isSuccess: false } : {}) }),
    }
    await using made = await start({ readers: [liar, ...(hasOther ? [evm.honest] : [])], from: (await evm.honest.head()) + 1 })
    await made.customer(7, address(7))
    await pay(address(7), dollars(12))
    await evm.anvil.mine(4)
    await made.settle()
    assert.deepEqual([await states(made), made.core.carried], [[['failed', 'reverted']], []])
    isLying = false
    await evm.anvil.mine(8)
    for (let time = 0; time < 2; time++) await made.settle()
    assert.deepEqual([await states(made), made.core.balance(7), made.core.carried.length], [[['final', null]], 12_000_000, 1])
    assert.match(made.log.join(), /found 1 transfers that its logs did not have, or that a node called failed/)
  }
})

test('DEPOSIT-NODE-007: where one node still calls a final deposit failed and the other does not, a person decides; released it is credited once', async () => {
  const { pay, address, start } = await evm.chainWith()
  const liar: AuditedReader = { ...evm.honest, receipt: async (txid) => ({ ...(await evm.honest.receipt(txid))!, isSuccess: false }) }
  // With confirmations it is called failed before its block is final, without them only then.
  for (const [confirmations, readers, ends] of [
    [3, [liar, evm.honest], ['final', null]],
    [0, [liar, evm.honest], ['final', null]],
    [3, [liar], ['held', 'nodes-disagree']],
  ] as const) {
    await using made = await start({ readers, confirmations, from: (await evm.honest.head()) + 1 })
    await made.customer(7, address(7))
    await pay(address(7), dollars(12))
    await evm.anvil.mine(4)
    await made.settle()
    assert.deepEqual(await states(made), [confirmations === 0 ? ['confirming', null] : ['failed', 'reverted']])
    await evm.anvil.mine(8)
    await made.settle()
    assert.deepEqual([await states(made), made.core.carried], [[['held', 'nodes-disagree']], []])
    await made.store.pool.query('alter table deposits disable trigger deposits_released')
    await made.store.pool.query("update deposits set state = 'confirming', released_at = 1")
    for (let time = 0; time < 2; time++) await made.settle()
    assert.deepEqual(await states(made), [ends])
    assert.deepEqual([made.core.balance(7), made.core.carried.length], ends[0] === 'final' ? [12_000_000, 1] : [0, 0])
  }
})

test('DEPOSIT-NODE-008: a transaction that failed on both ways of reading stays failed, also once its block is final', async () => {
  const { pay, address, start } = await evm.chainWith()
  const failing: AuditedReader = {
    ...evm.honest,
    receipt: async (txid) => ({ ...(await evm.honest.receipt(txid))!, isSuccess: false }),
    audit: async () => [],
  }
  await using made = await start({ readers: [failing], from: (await evm.honest.head()) + 1 })
  await made.customer(7, address(7))
  await pay(address(7), dollars(12))
  await evm.anvil.mine(12)
  for (let time = 0; time < 2; time++) await made.settle()
  assert.deepEqual([await states(made), made.core.carried], [[['failed', 'reverted']], []])
})

test('DEPOSIT-NODE-005: a block with many deposits is asked for its receipts once, and each counts for its own transaction', async () => {
  const { pay, address, start } = await evm.chainWith()
  const failed = new Set<string>()
  const asked = { together: 0, alone: 0 }
  const reader: AuditedReader = {
    ...evm.honest,
    receipt: (txid) => (asked.alone++, evm.honest.receipt(txid)),
    receipts: async (block) => {
      asked.together++
      const receipts = await evm.honest.receipts!(block)
      return new Map([...receipts].map(([txid, receipt]) => [txid, { ...receipt, isSuccess: !failed.has(txid) }]))
    },
  }
  await using made = await start({ readers: [reader] })
  for (let place = 1; place <= 9; place++) await made.customer(place, address(place))
  for (let place = 1; place <= 9; place++) {
    const txid = await pay(address(place), dollars(12))
    if (place === 3) failed.add(txid)
  }
  await evm.anvil.mine(4)
  await made.settle()
  assert.deepEqual(asked, { together: 1, alone: 0 })
  const found = new Map((await made.deposits()).map(({ user_no, state }) => [user_no, state]))
  assert.deepEqual([found.get(3), found.get(4), made.core.carried.length], ['failed', 'credited', 8])
})

test('DEPOSIT-HELD-001: a deposit that screening stops, or whose address is not signed for the customer, waits for a person', async () => {
  const { pay, address, start } = await evm.chainWith()
  await pay(address(7), dollars(12))
  await evm.anvil.mine(4)
  for (const [more, why] of [
    [{ screen: async () => 'sanctions' }, 'sanctions'],
    [{ isAddressGood: async () => false }, 'address'],
  ] as const) {
    await using made = await start(more)
    await made.customer(7, address(7))
    await made.settle()
    assert.deepEqual([await states(made), made.core.carried], [[['held', why]], []])
  }
})

test('REVIEW-HELD-004: a released deposit is checked again: screening is answered, a wrong address holds it once more', async () => {
  const { pay, address, start } = await evm.chainWith()
  await pay(address(7), dollars(12))
  await evm.anvil.mine(12)
  for (const [more, ends] of [
    [{ screen: async () => 'sanctions' }, ['final', null]],
    [{ isAddressGood: async () => false }, ['held', 'address']],
  ] as const) {
    await using made = await start(more)
    await made.customer(7, address(7))
    await made.settle()
    assert.equal((await states(made))[0]![0], 'held')
    await made.store.pool.query('alter table deposits disable trigger deposits_released')
    await made.store.pool.query("update deposits set state = 'confirming', released_at = 1")
    await made.settle()
    assert.deepEqual(await states(made), [ends])
  }
})

test('DEPOSIT-HELD-002: a credit that the core refuses is held with its reason', async () => {
  const { pay, address, start } = await evm.chainWith()
  await using made = await start()
  await made.customer(7, address(7))
  made.core.refuse = () => 'USER_UNKNOWN'
  await pay(address(7), dollars(12))
  await evm.anvil.mine(4)
  await made.settle()
  assert.deepEqual(await states(made), [['held', 'core: USER_UNKNOWN']])
  assert.match(made.log.join(), /The core refused credit of deposit 1: USER_UNKNOWN/)
})
