import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { EvmLab } from './evm-lab.ts'
import { fuzz, naive, Random, verdictOf } from './fuzz.ts'
import { TronLab } from './tron-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

const withdrawals = 16
const seed = 20_261_128
const clean = { twice: [], lost: [], foreign: 0 }

test('PAYOUT-ONCE-001: kills at every step, reorganizations, fees that jump and nodes that lie: each withdrawal is paid once on Ethereum', async (t) => {
  await using lab = await EvmLab.open(server)
  const tally = await fuzz(lab, { random: new Random(seed), withdrawals })
  t.diagnostic(JSON.stringify(tally))
  assert.deepEqual(await verdictOf(lab), clean)
  assert.ok(tally.kills > withdrawals / 2 && tally.reorgs > 0)
})

test('PAYOUT-ONCE-002: kills at every step, forks and nodes that lie: each withdrawal is paid once on TRON', async (t) => {
  await using lab = await TronLab.open(server)
  const tally = await fuzz(lab, { random: new Random(seed), withdrawals })
  t.diagnostic(JSON.stringify(tally))
  assert.deepEqual(await verdictOf(lab), clean)
  const [dead] = await lab.rows<{ count: number }>(`select count(*) from payout_attempts where fate = 'dead'`)
  t.diagnostic(`dead attempts: ${dead?.count}`)
  assert.ok(tally.kills > withdrawals / 2 && tally.reorgs > 0)
})

test('PAYOUT-ONCE-003: the same count finds payments that are made twice when a refused transaction is built anew, on both chains', async () => {
  await using evm = await EvmLab.open(server)
  await naive(evm, { random: new Random(seed), withdrawals })
  assert.notEqual((await verdictOf(evm)).twice.length, 0)
  await using tron = await TronLab.open(server)
  await naive(tron, { random: new Random(seed), withdrawals })
  assert.notEqual((await verdictOf(tron)).twice.length, 0)
})
