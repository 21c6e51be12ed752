/** Payments that the signer refuses, with the signer's own process. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import type { PolicyJson } from '../../signer/test/custody.ts'
import { Operators } from '../../worker/operators.ts'
import type { PayoutOptions } from '../options.ts'
import { EvmLab, recipient } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

const second = 1_000
const denied =
  (...withdrawals: readonly number[]) =>
  ({ networks: [network] }: PolicyJson): void => {
    network!.denied = withdrawals.map(recipient)
  }

/** A lab with a clock of its own for the payouts, which counts how often the signer is asked for each withdrawal. */
async function open(change: (policy: PolicyJson) => unknown) {
  const lab = await EvmLab.open(server, change)
  const asked: number[] = []
  let now = Date.now()
  const operators = new Operators(lab.store.pool, lab.signing.link)
  const signer: PayoutOptions['signer'] = {
    end: (request) => lab.signing.link.end(request),
    signAll: (requests) => {
      asked.push(...requests.map(({ payment: { withdrawal } }) => withdrawal))
      return lab.signing.link.signAll(requests)
    },
  }
  const payout = lab.payout({ signer, clock: () => now, policy: () => operators.policy })
  return {
    ...{ lab, payout, operators },
    /** Withdrawals for which a pass asked the signer. */
    pass: async (afterMs = 0): Promise<readonly number[]> => {
      now += afterMs
      await payout.pass()
      return asked.splice(0)
    },
    attempts: () => lab.rows('select withdrawal, n, fate from payout_attempts order by withdrawal, n'),
    payouts: () => lab.rows('select state, trouble, refusals from payouts order by withdrawal'),
  }
}

test('PAYOUT-REFUSED-001: a payment that the signer refuses is tried again after pauses that double up to a quarter of an hour, and keeps one attempt', async () => {
  const { lab, pass, attempts, payouts } = await open(denied(1))
  await using _ = lab
  lab.approve(1)
  assert.deepEqual(await pass(), [1])
  const pauses = [30, 60, 120, 240, 480, 900, 900, 900]
  for (const [at, pause] of pauses.entries()) {
    assert.deepEqual(await payouts(), [{ state: 'taken', trouble: 'DESTINATION_DENIED', refusals: at + 1 }])
    assert.deepEqual(await pass(), [])
    assert.deepEqual(await pass(pause * second - 1), [])
    assert.deepEqual(await pass(1), [1], `after ${pause} seconds`)
  }
  assert.deepEqual(await attempts(), [{ withdrawal: 1, n: 1, fate: 'void' }])
})

test('PAYOUT-REFUSED-002: with another policy it is tried again at once', async () => {
  const { lab, operators, pass, attempts, payouts } = await open(denied(1))
  await using _ = lab
  lab.approve(1)
  await operators.turn()
  for (const afterMs of [0, 30 * second, 60 * second]) assert.deepEqual(await pass(afterMs), [1])
  lab.signing.custody.changePolicy(denied())
  await lab.signing.again()
  assert.deepEqual(await pass(), [])
  // The link to the earlier process is broken.
  await operators.turn().catch(() => operators.turn())
  assert.deepEqual(await pass(), [1])
  assert.deepEqual(await payouts(), [{ state: 'signed', trouble: null, refusals: 0 }])
  assert.deepEqual(await attempts(), [{ withdrawal: 1, n: 1, fate: 'open' }])
})

test('PAYOUT-REFUSED-003: what waits for the statement about the books goes on with the first pass after it', async () => {
  const { lab, pass, attempts, payouts } = await open(() => undefined)
  await using _ = lab
  lab.approve(1)
  await lab.signing.beat(false)
  for (let time = 0; time < 3; time++) assert.deepEqual(await pass(), [1])
  assert.deepEqual(await payouts(), [{ state: 'bound', trouble: 'BOOKS_DIFFER', refusals: 0 }])
  await lab.signing.beat()
  assert.deepEqual(await pass(), [1])
  assert.deepEqual(await payouts(), [{ state: 'signed', trouble: null, refusals: 0 }])
  assert.deepEqual(await attempts(), [{ withdrawal: 1, n: 1, fate: 'open' }])
})

test('PAYOUT-REFUSED-004: refused payments delay no other, however many they are', async () => {
  // Caps are looked at after the nonce, so that each refusal leaves a gap for those behind it.
  const capped = ({ networks: [network] }: PolicyJson): void => void (network!.caps.payment = 1_000)
  const { lab, pass, payouts } = await open(capped)
  await using _ = lab
  const refused = 10
  for (let withdrawal = 1; withdrawal <= refused; withdrawal++) lab.approve(withdrawal, { value: 100_000_000n })
  lab.approve(refused + 1)
  await pass()
  const signed = { state: 'signed', trouble: null, refusals: 0 }
  const times = (count: number, row: object) => Array.from({ length: count }, () => row)
  const no = (refusals: number) => times(refused, { state: 'taken', trouble: 'CAP_PAYMENT', refusals })
  assert.deepEqual(await payouts(), [...no(1), signed])
  await lab.anvil.mine(1)
  for (let withdrawal = refused + 2; withdrawal <= refused + 4; withdrawal++) lab.approve(withdrawal)
  assert.deepEqual((await pass(3_600 * second)).slice(0, 3), [12, 13, 14])
  assert.deepEqual(await payouts(), [...no(2), ...times(4, signed)])
})
