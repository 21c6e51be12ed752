import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { fuzz, Random, verdictOf } from './fuzz.ts'
import { TronLab } from './tron-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

const withdrawals = 16
const seed = 20_261_128
const clean = { twice: [], lost: [], foreign: 0 }

test('PAYOUT-ONCE-002: kills at every step, forks and nodes that lie: each withdrawal is paid once on TRON', async (t) => {
  await using lab = await TronLab.open(server)
  const tally = await fuzz(lab, { random: new Random(seed), withdrawals })
  t.diagnostic(JSON.stringify(tally))
  assert.deepEqual(await verdictOf(lab), clean)
  const [dead] = await lab.rows<{ count: number }>(`select count(*) from payout_attempts where fate = 'dead'`)
  t.diagnostic(`dead attempts: ${dead?.count}`)
  assert.ok(tally.kills > withdrawals / 2 && tally.reorgs > 0)
})
