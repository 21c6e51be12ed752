import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseAbiItem } from 'viem'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { Random } from '../../payout/test/fuzz.ts'
import { EvmTreasuryLab } from './evm-lab.ts'
import { sweepSteps } from '../sweeper.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

const transferred = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** Transfers of the token to the sink. */
async function toSink(lab: EvmTreasuryLab): Promise<readonly { readonly from: string; readonly value: bigint }[]> {
  const to = lab.network.sink as `0x${string}`
  const logs = await lab.anvil.client.getLogs({ address: lab.contract, event: transferred, args: { to }, fromBlock: 0n })
  return logs.map(({ args }) => ({ from: args.from!, value: args.value! }))
}

async function jobs(lab: EvmTreasuryLab) {
  const { rows } = await lab.store.pool.query<{ state: string; fate: string; places: number[]; nonce: number; trouble: string | null }>(
    'select state, fate, places, nonce, trouble from treasury_jobs order by job',
  )
  return rows
}

test('TREASURY-SWEEP-001: what customers sent is moved to the sink from a sum on, in one transaction for many, and leaves no difference', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(4)
  const treasury = lab.treasury()
  await lab.deposit(1, 50_000_000n)
  await lab.deposit(2, 10_000_000n)
  await lab.deposit(3, 9_999_999n)
  await lab.settle()
  await treasury.turn()
  assert.deepEqual(await jobs(lab), [{ state: 'signed', fate: null, places: [1, 2], nonce: 0, trouble: null }])
  for (let round = 0; round < 6; round++) {
    await lab.mine(2)
    await lab.work()
    await treasury.turn()
    assert.deepEqual(await lab.findings(), [], `round ${round}`)
  }
  assert.deepEqual(await jobs(lab), [{ state: 'settled', fate: 'done', places: [1, 2], nonce: 0, trouble: null }])
  assert.equal(await lab.balance(lab.network.sink), 60_000_000n)
  // The third reaches the sum with another deposit; those that were swept are not looked at again.
  await lab.deposit(3, 1n)
  await lab.deposit(1, 5_000_000n)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await treasury.turn()
  }
  assert.deepEqual(await lab.findings(), [])
  assert.deepEqual(
    (await jobs(lab)).map(({ places, fate }) => [places, fate]),
    [
      [[1, 2], 'done'],
      [[3], 'done'],
    ],
  )
  assert.equal(await lab.balance(lab.network.sink), 70_000_000n)
  const { rows } = await lab.store.pool.query<{ address: string }>('select address from deposits where swept_block is null')
  assert.deepEqual(rows, [{ address: lab.address(1) }])
})

test('TREASURY-SWEEP-002: an address from which nothing moves is stuck, and is left out while the others are swept', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(2)
  const treasury = lab.treasury()
  for (const user of [1, 2]) await lab.deposit(user, 20_000_000n)
  await lab.anvil.call(lab.contract, 'TestToken', 'setBlackListed', [lab.address(2), true])
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await treasury.turn()
  }
  assert.equal(await lab.balance(lab.network.sink), 20_000_000n)
  const { rows } = await lab.store.pool.query('select place, why from treasury_stuck')
  assert.deepEqual(rows, [{ place: 2, why: 'frozen' }])
  assert.equal((await jobs(lab)).length, 1)
  assert.deepEqual(await lab.findings(), [])
})

test('TREASURY-SWEEP-003: a token that keeps a part of each transfer is swept without a difference', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  const treasury = lab.treasury()
  await lab.deposit(1, 20_000_000n)
  await lab.settle()
  await lab.anvil.call(lab.contract, 'TestToken', 'setParams', [100n, 10n ** 9n])
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await treasury.turn()
  }
  assert.equal(await lab.balance(lab.network.sink), 19_800_000n)
  assert.deepEqual(await lab.findings(), [])
  const { rows } = await lab.store.pool.query('select what, value::text from treasury_flows f order by f.value')
  assert.deepEqual(rows, [
    { what: 'fee', value: '200000' },
    { what: 'sweep', value: '19800000' },
  ])
})

class Killed extends Error {}
/** How often the process ends at each step. */
const killsOfStep = 2

test('TREASURY-SWEEP-004: however often the process ends, at whatever step, each address is swept once with one nonce for each sweep', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(8)
  const random = new Random(11)
  const at = new Map<string, number>()
  for (let round = 0, sent = 0; ; round++) {
    assert.ok(round < 120, 'the sweeps do not end')
    if (sent < 8 && random.below(3) === 0) await lab.deposit(++sent, 20_000_000n + BigInt(sent))
    const isWild = round < 20 || sent < 8
    const onStep = (step: string): void => {
      if ((at.get(step) ?? 0) >= killsOfStep) return
      at.set(step, (at.get(step) ?? 0) + 1)
      throw new Killed(step)
    }
    if (isWild && random.below(20) === 0) await lab.signing.again()
    // A new process each time.
    await lab.treasury({ sweeping: { onStep, times: { resendMs: 0, retryMs: 0 } } }).turn()
    await lab.mine(1 + random.below(4))
    await lab.work()
    const all = await jobs(lab)
    const swept = all.filter(({ fate }) => fate === 'done').flatMap(({ places }) => places)
    if (!isWild && swept.length === 8) break
  }
  for (const step of sweepSteps) assert.equal(at.get(step), killsOfStep, step)
  const moved = await toSink(lab)
  assert.deepEqual(
    moved.map(({ value }) => Number(value)).sort((a, b) => a - b),
    Array.from({ length: 8 }, (_, i) => 20_000_001 + i),
  )
  const all = await jobs(lab)
  assert.deepEqual(
    all.map(({ nonce }) => nonce).sort((a, b) => a - b),
    all.map((_, place) => place),
  )
  assert.equal(await lab.anvil.client.getTransactionCount({ address: lab.network.gas as `0x${string}` }), all.length)
  await lab.settle()
  await lab.treasury().turn()
  assert.deepEqual(await lab.findings(), [])
})

test('TREASURY-SWEEP-005: a factory that pays another address than the sink is not called', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  await lab.deposit(1, 20_000_000n)
  await lab.settle()
  const [network] = lab.config.networks
  const treasury = lab.treasury({ config: { ...lab.config, networks: [{ ...network!, sink: lab.network.gas }] } })
  await treasury.turn()
  assert.deepEqual(
    (await jobs(lab)).map(({ state, trouble }) => [state, trouble]),
    [['planned', 'SINK_WRONG']],
  )
})
