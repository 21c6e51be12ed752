import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { EvmLab, finality } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('PAYOUT-PAID-001: an approved withdrawal is signed by the signer’s process, sent, and paid once its block is final', async () => {
  await using lab = await EvmLab.open(server)
  lab.approve(1)
  const payout = lab.payout()
  assert.equal(await payout.pass(), true)
  const [row] = await lab.rows<{ state: string; nonce: number; trouble: string | null }>('select * from payouts')
  assert.deepEqual({ state: row?.state, nonce: row?.nonce, trouble: row?.trouble }, { state: 'signed', nonce: 0, trouble: null })
  await lab.anvil.mine(1)
  await payout.pass()
  assert.equal(lab.core.ended.has(1), false)
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[1, true]])
  assert.deepEqual([...(await lab.paid())], [[1_000_001n, 1]])
  const [{ state, fate, fee }] = (await lab.rows<{ state: string; fate: string; fee: string }>('select * from payouts')) as [never]
  assert.deepEqual({ state, fate }, { state: 'done', fate: 'paid' })
  assert.ok(BigInt(fee) > 0n)
})
