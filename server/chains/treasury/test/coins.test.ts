import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseEther } from 'viem'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { forwarderPlace } from '../../evm/forwarder.ts'
import { canonical } from '../own.ts'
import { EvmTreasuryLab, thief } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

async function openLab(): Promise<EvmTreasuryLab> {
  const lab = await EvmTreasuryLab.open(server)
  lab.coin = { asset: 'ETH', decimals: 18, depositMin: '0.01', sweepMin: '0.5' }
  await lab.customers(3)
  await lab.work()
  await lab.treasury().turn()
  return lab
}

const coinsOf = (lab: EvmTreasuryLab, address: string): Promise<bigint> =>
  lab.anvil.client.getBalance({ address: address as `0x${string}` })
const brief = async (lab: EvmTreasuryLab) => (await lab.findings()).map(({ kind, holder, amount }) => [kind, holder, amount])
const stops = async (lab: EvmTreasuryLab) => (await lab.findings()).filter((each) => each.stops)

async function jobs(lab: EvmTreasuryLab) {
  const { rows } = await lab.store.pool.query<{ contract: string; fate: string; places: number[] }>(
    'select contract, fate, places from treasury_jobs order by job',
  )
  return rows
}

test('TREASURY-COIN-001: ETH is deposited, withdrawn and swept beside a token, and no stage leaves a difference', async () => {
  await using lab = await openLab()
  const treasury = lab.treasury()
  const before = await coinsOf(lab, lab.network.sink)
  await lab.anvil.pay(lab.address(1), parseEther('0.75'))
  await lab.anvil.pay(lab.address(2), parseEther('0.49'))
  await lab.anvil.pay(lab.address(3), parseEther('2'))
  await lab.deposit(1, 50_000_000n)
  lab.approve(1, parseEther('0.3'), true)
  lab.approve(2, 9_000_000n)
  for (let round = 0; round < 12; round++) {
    await lab.work()
    await treasury.turn()
    const found = (await lab.findings()).filter(({ kind }) => kind !== 'in-flight')
    assert.deepEqual(found, [], `round ${round}`)
    await lab.mine(2)
  }
  assert.deepEqual(
    (await jobs(lab)).map(({ contract, fate, places }) => [contract === '', fate, places]),
    [
      [false, 'done', [1]],
      [true, 'done', [1, 3]],
    ],
  )
  assert.equal((await coinsOf(lab, lab.network.sink)) - before, parseEther('2.75'))
  assert.equal([...lab.withdrawals.ended].length, 2)
  const { rows } = await lab.store.pool.query<{ address: string }>('select address from deposits where swept_block is null')
  assert.deepEqual(rows, [{ address: lab.address(2) }])
  const { rows: balances } = await lab.store.pool.query<{ role: string; balance: string }>(
    `select role, balance::text from treasury_balances where contract = '' order by role`,
  )
  assert.deepEqual(
    balances.map(({ role }) => role),
    ['deposits', 'gas', 'hot', 'sink'],
  )
  assert.equal(balances[0]!.balance, String(parseEther('0.49')))
})

test('TREASURY-COIN-003: coins that leave the hot wallet, the gas address or the sink without an order stop the signer', async () => {
  await using lab = await openLab()
  const { custody } = lab.signing
  const { hot, gas, sink } = lab.network
  const keys = [
    [hot, custody.evmKey],
    [gas, custody.gasKeys.ethereum],
    [sink, lab.sinkKey],
  ] as const
  for (const [holder, key] of keys) {
    const txid = await lab.stealCoin(key, parseEther('1'), thief)
    await lab.settle()
    await lab.treasury().turn()
    const found = (await stops(lab)).find((each) => each.txid === txid)
    assert.deepEqual([found?.kind, found?.holder, found?.amount], ['unexplained', canonical('evm', holder), String(-parseEther('1'))])
    // The operator deals with it: its fee is settled with it.
    lab.settled = [...lab.settled, txid]
    await lab.treasury().turn()
    assert.deepEqual(
      (await stops(lab)).filter(({ kind }) => kind === 'unexplained'),
      [],
    )
  }
})

test('TREASURY-COIN-004: an address emptied by a stranger without the factory is swept; a deposit that is not there stops the signer', async () => {
  await using lab = await openLab()
  const before = await coinsOf(lab, lab.network.sink)
  // The forwarder is there after its first sweep.
  await lab.anvil.pay(lab.address(1), parseEther('1'))
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury().turn()
  }
  assert.deepEqual(await lab.findings(), [])
  // One by the factory, and one behind its back, before the deposit is even known.
  await lab.anvil.pay(lab.address(2), parseEther('0.6'))
  await lab.anvil.call(lab.factory, 'ForwarderFactory', 'flushCoin', [[forwarderPlace(2)]], { gas: 500_000n })
  await lab.anvil.pay(lab.address(1), parseEther('0.7'))
  await lab.anvil.call(lab.address(1), 'Forwarder', 'flushCoin', [])
  // A node that answers late lets a sweep wait for another round.
  const unswept = async () => (await lab.store.pool.query('select from deposits where swept_block is null')).rowCount
  for (let round = 0; round < 4 || (await unswept()) !== 0; round++) {
    assert.ok(round < 20, 'the sweeps do not end')
    await lab.settle()
    await lab.treasury({ sweeping: { times: { resendMs: 0, retryMs: 0 } } }).turn()
    assert.deepEqual(await stops(lab), [])
  }
  assert.deepEqual(await lab.findings(), [])
  assert.equal((await coinsOf(lab, lab.network.sink)) - before, parseEther('2.3'))
  assert.deepEqual((await lab.store.pool.query('select from deposits where swept_block is null')).rows, [])
  // The coins at the sink can't stand for one more.
  await lab.store.pool.query(
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, amount, credit, block_number, block_hash, block_at, state, seen_at)
     select network, txid, 99, asset, contract, sender, $1, account, 3, 1e16, 1000000, 77, block_number, block_hash, block_at, 'final', seen_at
     from deposits limit 1`,
    [lab.address(3)],
  )
  await lab.treasury().turn()
  assert.ok(
    (await brief(lab)).some(
      ([kind, holder, amount]) => kind === 'unexplained' && holder === lab.address(3) && amount === String(-(10n ** 16n)),
    ),
  )
})

test('TREASURY-COIN-005: coins that anybody or code on the chain sends to own and deposit addresses are named and stop nothing', async () => {
  await using lab = await openLab()
  const treasury = lab.treasury()
  const { hot } = lab.network
  const code = await lab.anvil.deploy('Forwarder', [lab.address(1)])
  await lab.anvil.pay(hot as `0x${string}`, 1n)
  await lab.anvil.pay(lab.address(1), parseEther('0.4'))
  await lab.anvil.pay(code, parseEther('0.2'))
  await lab.anvil.call(code, 'Forwarder', 'flushCoin', [])
  await lab.settle()
  await treasury.turn()
  assert.deepEqual(
    (await brief(lab)).sort(),
    [
      ['unknown-inflow', canonical('evm', hot), '1'],
      ['unknown-inflow', lab.address(1), String(parseEther('0.2'))],
    ].sort(),
  )
  // Dust is named once. What is at the address is swept with the deposits.
  await lab.anvil.pay(lab.address(1), parseEther('0.1'))
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await treasury.turn()
  }
  assert.deepEqual(await lab.findings(), [])
  assert.equal(await coinsOf(lab, lab.address(1)), 0n)
  assert.deepEqual((await lab.store.pool.query('select from deposits where swept_block is null')).rows, [])
})

test('TREASURY-COIN-006: what the sink pays for its own transactions, up to the cap of fees for each, is no difference', async () => {
  await using lab = await openLab()
  await lab.anvil.call(lab.contract, 'TestToken', 'issue', [lab.network.sink, 5_000_000n])
  await lab.settle()
  await lab.treasury().turn()
  await lab.steal(lab.sinkKey, 3_000_000n, lab.network.hot as `0x${string}`)
  await lab.mine(1)
  await lab.stealCoin(lab.sinkKey, parseEther('2'), lab.network.hot as `0x${string}`)
  for (let round = 0; round < 2; round++) {
    await lab.settle()
    await lab.treasury().turn()
    assert.deepEqual(await stops(lab), [])
  }
  // It does not cover what is missing later.
  await lab.anvil.client.setBalance({ address: lab.network.sink as `0x${string}`, value: parseEther('990') })
  await lab.settle()
  await lab.treasury().turn()
  assert.ok((await stops(lab)).some(({ kind, holder }) => kind === 'unexplained' && holder === canonical('evm', lab.network.sink)))
})

test('TREASURY-COIN-007: a sweep that may cost more than a tenth of what it moves waits until gas is cheaper', async () => {
  await using lab = await openLab()
  lab.coin = { ...lab.coin!, sweepMin: '0.1' }
  await lab.anvil.pay(lab.address(1), parseEther('0.1'))
  await lab.settle()
  await lab.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 120n * 10n ** 9n })
  await lab.mine(1)
  const sweeping = { times: { retryMs: 0 } }
  await lab.treasury({ sweeping }).turn()
  const { rows } = await lab.store.pool.query('select state, trouble from treasury_jobs')
  assert.deepEqual(rows, [{ state: 'planned', trouble: 'FEE_TOO_HIGH' }])
  await lab.mine(60)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury({ sweeping }).turn()
  }
  assert.deepEqual(
    (await jobs(lab)).map(({ fate }) => fate),
    ['done'],
  )
  assert.deepEqual(await lab.findings(), [])
})

test('TREASURY-COIN-008: sweeps of ETH that wait for cheaper gas, which anybody can make many of, keep no token from being swept', async () => {
  await using lab = await openLab()
  // From as many addresses as there are sweeps at a time.
  await lab.store.pool.query(
    `insert into treasury_jobs (network, kind, contract, places, state, trouble, retry_at, made_at)
     select 'ethereum', 'sweep', '', array[place], 'planned', 'FEE_TOO_HIGH', $1, 0 from generate_series(101, 108) place`,
    [Date.now() + 3_600_000],
  )
  await lab.deposit(1, 50_000_000n)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury().turn()
  }
  assert.deepEqual(
    (await jobs(lab)).filter(({ contract }) => contract !== '').map(({ fate, places }) => [fate, places]),
    [['done', [1]]],
  )
})
