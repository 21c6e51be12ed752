import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { solidAfter, TronLab } from './tron-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('PAYOUT-TRON-001: a payment on TRON is paid once its block is solid', async () => {
  await using lab = await TronLab.open(server)
  lab.approve(1)
  const payout = lab.payout()
  await payout.pass()
  const [row] = await lab.rows<{ state: string; trouble: string | null }>('select * from payouts')
  assert.deepEqual({ state: row?.state, trouble: row?.trouble }, { state: 'signed', trouble: null })
  await lab.mine(1)
  await payout.pass()
  assert.equal(lab.core.ended.has(1), false)
  await lab.mine(solidAfter)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[1, true]])
  assert.deepEqual([...(await lab.paid())], [[1_000_001n, 1]])
})

test('PAYOUT-TRON-002: a transaction that its node lost is replaced only once it is dead by a solid block, and the payment is made once', async () => {
  await using lab = await TronLab.open(server)
  lab.approve(1)
  const payout = lab.payout({ times: { resendMs: 10_000_000, retryMs: 0 } })
  const signed = async () => (await lab.rows<{ fate: string }>('select fate from payout_attempts order by n')).map(({ fate }) => fate)
  await lab.arm('lose')
  await payout.pass()
  await lab.mine(60)
  await payout.pass()
  assert.deepEqual(await signed(), ['open'])
  await lab.mine(40)
  await lab.signing.beat()
  await payout.pass()
  assert.deepEqual(await signed(), ['dead', 'open'])
  await lab.mine(solidAfter + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[1, true]])
  assert.deepEqual([...(await lab.paid())], [[1_000_001n, 1]])
})

/** State and trouble of each payout, in the order of their numbers. */
const standing = async (lab: TronLab): Promise<readonly (readonly [string, string | null])[]> =>
  (await lab.rows<{ state: string; trouble: string | null }>('select state, trouble from payouts order by withdrawal')).map(
    ({ state, trouble }) => [state, trouble],
  )

test('PAYOUT-OTHERS-002: TRX to a contract, which no block of TRON takes, is not signed, and takes nobody’s place', async () => {
  await using lab = await TronLab.open(server)
  lab.approveCoin(1, { to: lab.contract })
  lab.approveCoin(2)
  const payout = lab.payout()
  await payout.pass()
  assert.deepEqual(await standing(lab), [
    ['taken', 'WOULD_FAIL'],
    ['signed', null],
  ])
  await lab.mine(solidAfter + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended], [[2, true]])
})

test('PAYOUT-OTHERS-003: a withdrawal on TRON whose transactions are all dead takes no place among those under way', async () => {
  await using lab = await TronLab.open(server)
  const chain = Object.defineProperty(lab.chain(), 'inFlightMax', { value: 1 })
  const payout = lab.payout({ chain, times: { resendMs: 10_000_000, retryMs: 0 } })
  lab.approve(1)
  await lab.arm('lose')
  await payout.pass()
  await lab.trond.asRoot('/wallet/triggersmartcontract', {
    ...{ contract_address: lab.contract, function_selector: 'setPaused(bool)', parameter: '1'.padStart(64, '0'), fee_limit: 100_000_000 },
  })
  await lab.mine(200)
  await lab.signing.beat()
  await payout.pass()
  lab.approveCoin(2)
  await payout.pass()
  assert.deepEqual(await standing(lab), [
    ['signed', 'WOULD_FAIL'],
    ['signed', null],
  ])
})

test('PAYOUT-OTHERS-006: TRX to an address that has no account yet is signed only with what making the account costs', async () => {
  await using lab = await TronLab.open(server)
  const has = await lab.chain().balance(undefined)
  lab.approveCoin(1, { value: has - 1_000_000n })
  lab.approve(2)
  const payout = lab.payout()
  await payout.pass()
  assert.deepEqual(await standing(lab), [
    ['taken', 'HOT_EMPTY'],
    ['signed', null],
  ])
})
