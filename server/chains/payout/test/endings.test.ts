/** Withdrawals that two members ended, with the signer's own process: each is paid or given back, never both. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { SignerRefused } from '../../signer/reasons.ts'
import { Key } from '../../signer/test/custody.ts'
import { Endings, type EndingsOptions } from '../endings.ts'
import { EvmLab, finality } from './evm-lab.ts'
import { Random } from './fuzz.ts'
import { endByTwo, hireTwo } from './people.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

class Killed extends Error {}

/** A lab in which the payouts see only what `show` names: the engine has signed for nothing else. */
async function open() {
  const lab = await EvmLab.open(server)
  const { pool } = lab.store
  const staff = await hireTwo(pool)
  const shown = new Set<number>()
  const log: string[] = []
  const approved = async () => (await lab.core.approved()).filter(({ payment }) => shown.has(payment.withdrawal))
  return {
    ...{ lab, pool, shown, log },
    payout: (onStep?: Parameters<EvmLab['payout']>[0]) => lab.payout({ approved, ...onStep }),
    endings: (onStep: Partial<EndingsOptions> = {}) =>
      new Endings({
        ...{ pool, signer: lab.signing.link, finish: lab.core.finish, clock: () => 5, log: ({ message }) => void log.push(message) },
        ...onStep,
      }),
    end: async (withdrawal: number): Promise<void> => {
      await endByTwo(pool, withdrawal, staff)
      await lab.signEnding(withdrawal)
    },
    rows: () => lab.rows<{ state: string; trouble: string | null }>('select state, trouble from payouts order by withdrawal'),
  }
}

test('PAYOUT-ENDED-002: a withdrawal that never became a payment ends at each kill: the signer promises first, and a payment that begins later is refused', async () => {
  const { lab, pool, shown, payout, endings, end, rows } = await open()
  await using _ = lab
  lab.approve(1)
  await endings().turn()
  assert.equal(lab.core.ended.size, 0)
  await assert.rejects(lab.signEnding(1), /no two members ended/)
  await end(1)
  const stopped = new Killed()
  for (const at of ['promised', 'finished'] as const) {
    await assert.rejects(endings({ onStep: (step) => (step === at ? Promise.reject(stopped) : undefined) }).turn(), stopped)
    assert.equal(lab.core.ended.size, at === 'promised' ? 0 : 1)
  }
  const { payment, proofs } = lab.signing.approve(lab.payment(1))
  const slot = { kind: 'evm', nonce: 0, gas: '90000', maxFee: '2000000000', maxTip: '1000000000' } as const
  const asked = { payment: { ...payment, value: String(payment.value) }, slot, ...proofs, approvals: [] }
  const [answer] = await lab.signing.link.signAll([asked])
  assert.ok(answer instanceof SignerRefused && answer.reason === 'ENDED')
  // The engine signs for the payment after all, before the end is noted.
  shown.add(1)
  lab.core.ended.clear()
  await payout().pass()
  assert.deepEqual([[...lab.core.ended], await rows()], [[[1, false]], [{ state: 'done', trouble: null }]])
  await pool.query('delete from payouts')
  await endings().turn()
  const told = lab.core.told
  await endings().turn()
  assert.deepEqual([lab.core.told, (await lab.paid()).size], [told, 0])
})

test('PAYOUT-ENDED-003: a withdrawal that the signer may have signed is not ended, also where its payment is not in the tables any more', async () => {
  const { lab, pool, shown, payout, endings, end, log } = await open()
  await using _ = lab
  lab.approve(1)
  shown.add(1)
  await payout().pass()
  await end(1)
  await pool.query('truncate payouts, payout_attempts')
  const one = endings()
  for (let time = 0; time < 2; time++) await one.turn()
  assert.deepEqual([lab.core.ended.size, log], [0, ['The signer does not end withdrawal 1']])
  await lab.anvil.mine(finality + 2)
  assert.equal((await lab.paid()).get(1_000_001n), 1)
})

test('PAYOUT-ENDED-004: after a change of the engine’s key, payments that the earlier key signed can be ended', async () => {
  const { lab, shown, payout, end, rows } = await open()
  await using _ = lab
  lab.approve(1)
  shown.add(1)
  const engine = new Key()
  lab.signing.custody.changePolicy((policy) => void (policy.engine = engine.public))
  await lab.signing.again()
  await payout().pass()
  assert.deepEqual(await rows(), [{ state: 'taken', trouble: 'ENGINE_SIGNATURE' }])
  await end(1)
  await payout().pass()
  assert.deepEqual([lab.core.ended.size, await rows()], [0, [{ state: 'taken', trouble: 'ENGINE_SIGNATURE' }]])
  await lab.signEnding(1, engine)
  await payout().pass()
  assert.deepEqual([[...lab.core.ended], await rows()], [[[1, false]], [{ state: 'done', trouble: null }]])
})

test('PAYOUT-ENDED-005: however payments, ends and kills fall together, each withdrawal is paid or given back, never both', async () => {
  const { lab, shown, payout, endings, end } = await open()
  await using _ = lab
  const random = new Random(20_260_101)
  const count = 24
  const decided = new Set<number>()
  for (let withdrawal = 1; withdrawal <= count; withdrawal++) lab.approve(withdrawal)
  const any = () => 1 + random.below(count)
  const unlessKilled = (cause: unknown) => assert.ok(cause instanceof Killed, String(cause))
  const perhaps = () => (random.below(6) === 0 ? Promise.reject(new Killed()) : undefined)
  const acts: readonly (() => unknown)[] = [
    () => shown.add(any()),
    async () => {
      const one = any()
      if (!decided.has(one)) await end(one)
      decided.add(one)
    },
    () => payout({ onStep: perhaps }).pass().catch(unlessKilled),
    () => endings({ onStep: perhaps }).turn().catch(unlessKilled),
    () => Promise.all([payout({ onStep: perhaps }).pass(), endings({ onStep: perhaps }).turn()]).catch(unlessKilled),
    () => lab.anvil.mine(1),
  ]
  for (let left = 150; left > 0; left--) await acts[random.below(acts.length)]!()
  await lab.signing.again()
  for (let withdrawal = 1; withdrawal <= count; withdrawal++) if (!decided.has(withdrawal)) shown.add(withdrawal)
  for (let left = 60; left > 0 && lab.core.ended.size < count; left--) {
    await payout().pass()
    await endings().turn()
    await lab.anvil.mine(finality + 2)
  }
  const paid = await lab.paid()
  const isPaid = (withdrawal: number): boolean => paid.get(lab.payment(withdrawal).value) === 1
  const wrong = [...lab.core.ended].filter(([withdrawal, wasPaid]) => isPaid(withdrawal) !== wasPaid)
  assert.deepEqual(wrong, [])
  assert.ok([...paid.values()].every((times) => times === 1))
  const ends = [...lab.core.ended.values()]
  assert.equal(ends.length, count)
  assert.ok(ends.includes(true) && ends.includes(false))
})
