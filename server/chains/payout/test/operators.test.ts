/** Payments above the signer's limit, with the signer's own process. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { SoftPasskey } from '../../../identity/factors/test/soft-passkey.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { SignerRefused } from '../../signer/reasons.ts'
import { approvalDigest } from '../../signer/statement.ts'
import { assertion, page, passkeyOf, type PolicyJson } from '../../signer/test/custody.ts'
import { Operators } from '../../worker/operators.ts'
import { EvmLab, finality } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

/** Operators of the policy. Each is a member with a passkey. */
type Crew = Readonly<Record<'dora' | 'emil', SoftPasskey>>
const crew = (): Crew => ({ dora: new SoftPasskey(page), emil: new SoftPasskey(page) })

/** A limit of one dollar. */
const limited = (passkeys: Crew) => (policy: PolicyJson) => {
  policy.approvalAbove = 100
  for (const [name, soft] of Object.entries(passkeys)) policy.operators.push({ name, keys: [{ kind: 'passkey', ...passkeyOf(soft) }] })
}

async function hire(lab: EvmLab, passkeys: Crew) {
  const { pool } = lab.store
  const staff = new Map<string, string>()
  // Two administrators approve each member otherwise.
  await pool.query('alter table staff disable trigger user')
  for (const name of Object.keys(passkeys)) {
    const id = randomUUID()
    staff.set(name, id)
    await pool.query(
      `insert into staff (id, email, name, role, state, password, created_at) values ($1, $2, $3, 'treasury', 'active', 'a', 0)`,
      [id, `${name}@staff.example`, name],
    )
  }
  const operators = new Operators(pool, lab.signing.link)
  const sign = async (withdrawal: number, name: keyof typeof passkeys): Promise<void> => {
    const approval = {
      ...{ kind: 'passkey', operator: name },
      assertion: assertion(passkeys[name], approvalDigest(lab.payment(withdrawal))),
    }
    await pool.query('insert into payout_approvals (withdrawal, operator, approval, signed_at, staff) values ($1, $2, $3, 0, $4)', [
      ...[withdrawal, name, JSON.stringify(approval), staff.get(name)],
    ])
  }
  const states = async () =>
    (await lab.rows<{ state: string; trouble: string | null }>('select state, trouble from payouts order by withdrawal')).map(
      ({ state, trouble }) => [state, trouble],
    )
  return { operators, sign, states, staff }
}

test('PAYOUT-OPERATORS-001: above the signer’s limit a payment waits for two operators, lets others pass, and goes on by itself once they signed', async () => {
  const passkeys = crew()
  await using lab = await EvmLab.open(server, limited(passkeys))
  const { operators, sign, states } = await hire(lab, passkeys)
  lab.approve(1)
  lab.approve(2, { value: 1_000_000n })
  const payout = lab.payout()
  await payout.pass()
  await payout.pass()
  assert.deepEqual(await states(), [
    ['taken', 'APPROVALS_MISSING'],
    ['signed', null],
  ])
  assert.equal((await lab.rows('select from payout_attempts where withdrawal = 1')).length, 1)
  await operators.turn()
  await sign(1, 'dora')
  await payout.pass()
  assert.deepEqual((await states())[0], ['taken', 'APPROVALS_MISSING'])
  await sign(1, 'emil')
  await payout.pass()
  assert.deepEqual((await states())[0], ['signed', null])
  await lab.anvil.mine(finality + 2)
  await payout.pass()
  assert.deepEqual([...lab.core.ended].toSorted(), [
    [1, true],
    [2, true],
  ])
  assert.equal((await lab.paid()).get(1_000_001n), 1)
})

test('PAYOUT-OPERATORS-002: the signature of a member who left, or whose key is not in the policy any more, does not count', async () => {
  const passkeys = crew()
  await using lab = await EvmLab.open(server, limited(passkeys))
  const { operators, sign, states, staff } = await hire(lab, passkeys)
  lab.approve(1)
  const payout = lab.payout()
  await payout.pass()
  await operators.turn()
  await sign(1, 'dora')
  await sign(1, 'emil')
  const { pool } = lab.store
  await pool.query(`update staff set state = 'deactivated' where id = $1`, [staff.get('emil')])
  await payout.pass()
  assert.deepEqual(await states(), [['taken', 'APPROVALS_MISSING']])
  await pool.query(`update staff set state = 'active' where id = $1`, [staff.get('emil')])
  await pool.query(`delete from payout_operators where operator = 'emil'`)
  await payout.pass()
  assert.deepEqual(await states(), [['taken', 'APPROVALS_MISSING']])
  await pool.query(`insert into payout_operators (key, operator) values ('gone', 'emil')`)
  await operators.turn()
  assert.equal((await lab.rows(`select from payout_operators where key = 'gone'`)).length, 0)
  await payout.pass()
  assert.deepEqual(await states(), [['signed', null]])
})

test('PAYOUT-ENDED-001: a payment that two members ended fails without a transaction, the core is told once, and the signer never signs for it', async () => {
  const passkeys = crew()
  await using lab = await EvmLab.open(server, limited(passkeys))
  const { states, staff } = await hire(lab, passkeys)
  lab.approve(1)
  const payout = lab.payout()
  await payout.pass()
  assert.deepEqual(await states(), [['taken', 'APPROVALS_MISSING']])
  const { pool } = lab.store
  await pool.query(
    `insert into chain_decisions (kind, withdrawal, reason, proposed_by, proposed_at, expires_at) values ('ending', 1, 'a', $1, 0, 10)`,
    [staff.get('dora')],
  )
  await payout.pass()
  assert.equal(lab.core.ended.size, 0)
  await pool.query(`update chain_decisions set state = 'approved', decided_by = $1, decided_at = 1`, [staff.get('emil')])
  await payout.pass()
  assert.deepEqual([lab.core.ended.size, (await states())[0]?.[0]], [0, 'taken'])
  await lab.signEnding(1)
  for (const at of ['settled', 'finished'] as const) {
    // The process ends between each two steps.
    const stop = new Error('the end')
    await assert.rejects(lab.payout({ onStep: (step) => (step === at ? Promise.reject(stop) : undefined) }).pass(), stop)
  }
  await payout.pass()
  assert.deepEqual([[...lab.core.ended], await states()], [[[1, false]], [['done', null]]])
  const { payment, proofs } = lab.signing.approve(lab.payment(1))
  const slot = { kind: 'evm', nonce: 0, gas: '90000', maxFee: '2000000000', maxTip: '1000000000' } as const
  const asked = { payment: { ...payment, value: String(payment.value) }, slot, ...proofs, approvals: [] }
  const [answer] = await lab.signing.link.signAll([asked])
  assert.ok(answer instanceof SignerRefused && answer.reason === 'ENDED')
})
