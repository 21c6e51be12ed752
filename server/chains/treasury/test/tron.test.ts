import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { TronLab } from '../../payout/test/tron-lab.ts'
import { sinkTron } from '../../signer/test/custody.ts'
import { tronReader } from '../../tron/reader.ts'
import { TronTreasuryLab } from './tron-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('TREASURY-TRON-001: on TRON a deposit address gets the coins that its sweep costs, and is swept; no stage leaves a difference', async () => {
  await using lab = await TronLab.open(server)
  const world = await TronTreasuryLab.open(lab)
  const treasury = world.treasury()
  await treasury.turn()
  await world.call('transfer(address,uint256)', world.address(1), 50_000_000n)
  await world.call('transfer(address,uint256)', world.address(2), 9_000_000n)
  lab.approve(1)
  for (let round = 0; round < 10; round++) {
    await lab.mine(10)
    await world.work()
    await treasury.turn()
    assert.deepEqual(
      (await world.findings()).filter(({ kind }) => kind !== 'in-flight'),
      [],
      `round ${round}`,
    )
  }
  const jobs = await lab.rows<{ kind: string; places: number[]; fate: string }>('select kind, places, fate from treasury_jobs order by job')
  assert.deepEqual(jobs, [
    { kind: 'sweep', places: [1], fate: 'done' },
    { kind: 'fuel', places: [1], fate: 'done' },
  ])
  const reader = tronReader({ node: lab.trond.solidUrl, chainId: lab.trond.chainId })
  assert.equal(await reader.balance(sinkTron, lab.contract), 50_000_000n)
  assert.equal(await reader.balance(world.address(1), lab.contract), 0n)
  assert.deepEqual([...lab.core.ended], [[1, true]])
  assert.deepEqual(await lab.rows(`select address from deposits where swept_block is not null`), [{ address: world.address(1) }])
})

test('TREASURY-TRON-002: on TRON what leaves the hot wallet or a deposit address without an order stops the signer', async () => {
  await using lab = await TronLab.open(server)
  const world = await TronTreasuryLab.open(lab)
  const treasury = world.treasury()
  const { custody } = lab.signing
  await world.call('transfer(address,uint256)', world.address(1), 5_000_000n)
  await world.settle()
  await treasury.turn()
  assert.deepEqual(await world.findings(), [])
  await world.steal(custody.tronKey, custody.from('tron'), 7_000_000n)
  await world.settle()
  await treasury.turn()
  const found = await world.findings()
  const theft = { holder: custody.from('tron'), contract: lab.contract, amount: '-7000000' }
  assert.deepEqual(found[0], { kind: 'unexplained', ...theft, stops: true })
  lab.approve(1)
  await world.work()
  const [row] = await lab.rows<{ trouble: string }>('select trouble from payouts')
  assert.equal(row!.trouble, 'BOOKS_DIFFER')

  const key = custody.deposits.deriveChild(0).deriveChild(1).privateKey!
  await world.pay(world.address(1), 100_000_000)
  await world.steal(key, world.address(1), 5_000_000n)
  await world.settle()
  await treasury.turn()
  const holders = (await world.findings()).filter(({ stops }) => stops).map(({ holder }) => holder)
  assert.ok(holders.includes(world.address(1)))
})

const coin = { asset: 'TRX', decimals: 6, depositMin: '1' }

test('TREASURY-COIN-002: TRX that customers sent is swept to the last sun beside a token whose sweep fuel pays, and no stage leaves a difference', async () => {
  await using lab = await TronLab.open(server)
  const world = await TronTreasuryLab.open(lab, coin)
  const treasury = world.treasury()
  await treasury.turn()
  const reader = tronReader({ node: lab.trond.solidUrl, chainId: lab.trond.chainId })
  // The second has less TRX than is swept, and a token that is: its sweep burns none of it.
  await world.pay(world.address(1), 30_000_042)
  await world.pay(world.address(2), 5_000_000)
  for (const user of [1, 2]) await world.call('transfer(address,uint256)', world.address(user), 50_000_000n)
  lab.approveCoin(1, { value: 100_000_100n })
  lab.approve(2)
  for (let round = 0; round < 20; round++) {
    await lab.mine(10)
    await world.work()
    await treasury.turn()
    assert.deepEqual(
      (await world.findings()).filter(({ kind }) => kind !== 'in-flight'),
      [],
      `round ${round}`,
    )
    if (round === 8) await world.pay(world.address(1), 2_000_000)
  }
  const swept = await lab.rows<{ places: number[]; value: string; fate: string }>(
    `select places, value::text, fate from treasury_jobs where kind = 'sweep' order by contract, places`,
  )
  assert.deepEqual(swept, [
    { places: [1], value: '30000042', fate: 'done' },
    { places: [1], value: '50000000', fate: 'done' },
    { places: [2], value: '50000000', fate: 'done' },
  ])
  assert.equal(await reader.balance(sinkTron), 30_000_042n)
  assert.equal(await reader.balance(sinkTron, lab.contract), 100_000_000n)
  assert.ok((await reader.balance(world.address(1))) >= 2_000_000n)
  assert.ok((await reader.balance(world.address(2))) >= 5_000_000n)
  const left = await lab.rows(`select address, raw::text from deposits where swept_block is null order by raw`)
  assert.deepEqual(left, [
    { address: world.address(1), raw: '2000000' },
    { address: world.address(2), raw: '5000000' },
  ])
  assert.equal(lab.core.ended.size, 2)
  assert.deepEqual(await world.findings(), [])
})

test('TREASURY-COIN-003: TRX that leaves the hot wallet or a deposit address without an order stops the signer', async () => {
  await using lab = await TronLab.open(server)
  const world = await TronTreasuryLab.open(lab, coin)
  const { custody } = lab.signing
  await world.pay(world.address(1), 8_000_000)
  await world.settle()
  // What the addresses got at first is named once.
  for (let turn = 0; turn < 2; turn++) await world.treasury().turn()
  assert.deepEqual(await world.findings(), [])
  await world.steal(custody.tronKey, custody.from('tron'), 7_000_000n, true)
  await world.steal(custody.deposits.deriveChild(0).deriveChild(1).privateKey!, world.address(1), 3_000_000n, true)
  await world.settle()
  await world.treasury().turn()
  const found = (await world.findings()).filter(({ stops }) => stops).map(({ holder, amount }) => `${holder} ${amount}`)
  assert.ok(found.includes(`${custody.from('tron')} -7000000`))
  assert.ok(found.includes(`${world.address(1)} -3000000`))
})
