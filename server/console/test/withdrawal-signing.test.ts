/** Members sign payments above the signer's limit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalDigest, type Payment } from '../../chains/signer/statement.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'
import { type Customer, whole, WithdrawalScene } from './withdrawal-scene.ts'

const world = consoleWorld()
let scene: WithdrawalScene | undefined

async function begin(): Promise<WithdrawalScene> {
  if (scene !== undefined) return scene
  scene = new WithdrawalScene(world())
  await scene.leaveRoom()
  await scene.setTerms()
  return scene
}

/** An approved payment that waits for operators. */
async function waiting(scene: WithdrawalScene, customer: Customer): Promise<{ readonly id: number; readonly challenge: string }> {
  const id = await scene.reviewed(customer, 1_500 * whole)
  await scene.do({ type: 'withdraw.decide', withdrawal: id, isApproved: true, first: 1, second: 2, reason: 'approved' })
  await scene.project()
  const [destination] = await world().rows('select address from withdrawal_addresses where number = $1', customer.destination)
  const payment: Payment = {
    ...{ withdrawal: id, user: customer.user, clientId: `c${id}`, network: 'tron', chainId: 1, contract: 'TUSDT' },
    to: destination!['address'],
    value: 1_499_000_000n,
  }
  await world().rows(
    `insert into payout_warrants (withdrawal, network, payment, engine, signed_at) values ($1, 'tron', $2, 'aa', 0)`,
    ...[id, JSON.stringify({ ...payment, value: String(payment.value) })],
  )
  await world().rows(
    `insert into payouts (withdrawal, network, chain_id, user_no, client_id, recipient, value, proofs, state, trouble, taken_at)
     values ($1, 'tron', 1, $2, 'a', 'T2', 1499000000, '{}', 'taken', 'APPROVALS_MISSING', 0)`,
    ...[id, customer.user],
  )
  return { id, challenge: approvalDigest(payment).toString('base64url') }
}

async function list(member: Member, operator: string): Promise<Member> {
  await world().rows(
    'insert into payout_operators (key, operator) select credential, $2 from staff_passkeys where account = $1',
    ...[member.id, operator],
  )
  return member
}

const signing = async ({ browser }: Member, id: number) => (await browser.send('GET', `/withdrawals/${id}`)).body.signing
const asked = ({ browser }: Member, id: number) => browser.send('POST', `/withdrawals/${id}/sign/options`)

async function sign(member: Member, id: number): Promise<string> {
  const { body } = await asked(member, id)
  return codeIn(await member.browser.send('POST', `/withdrawals/${id}/sign`, { response: member.passkey.sign(body) }))
}

test('REVIEW-SIGN-001: members whose passkeys are in the signer’s policy sign the very payment, each once, and the log names them', async () => {
  const scene = await begin()
  const tom = await list(await world().hire('treasury'), 'tom')
  const rita = await list(await world().hire('risk'), 'rita')
  const { id, challenge } = await waiting(scene, await scene.customer())
  assert.deepEqual(await signing(tom, id), { by: [], isOperator: true })
  const before = await world().newest()
  const { options } = (await asked(tom, id)).body
  assert.equal(options.challenge, challenge)
  assert.deepEqual(
    options.allowCredentials.map((one: { id: string }) => one.id),
    [tom.passkey.id.toString('base64url')],
  )
  assert.equal(await sign(tom, id), '204')
  assert.equal(codeIn(await asked(tom, id)), '403 SECOND_PERSON_NEEDED')
  assert.equal(await sign(rita, id), '204')
  const { by } = await signing(tom, id)
  assert.deepEqual(
    by.map((one: { by: string }) => one.by),
    [tom.email, rita.email],
  )
  const rows = await world().rows('select operator, approval from payout_approvals where withdrawal = $1 order by operator', id)
  assert.deepEqual(
    rows.map(({ operator, approval }) => [operator, approval.kind, approval.operator, Object.keys(approval.assertion).length]),
    [
      ['rita', 'passkey', 'rita', 4],
      ['tom', 'passkey', 'tom', 4],
    ],
  )
  const log = (await world().log(before)).filter(({ action }) => action === 'withdrawal-signed')
  assert.deepEqual(
    log.map(({ staff, subject, after }) => [staff, subject, after]),
    [
      [tom.id, String(id), { operator: 'tom' }],
      [rita.id, String(id), { operator: 'rita' }],
    ],
  )
})

test('REVIEW-SIGN-002: nobody signs for their own account, twice under two names, with another challenge, or without a key in the policy', async () => {
  const scene = await begin()
  const tom = await list(await world().hire('treasury'), 'tim')
  const clara = await world().hire('compliance')
  const customer = await scene.customer()
  const { id } = await waiting(scene, customer)
  assert.equal(codeIn(await asked(clara, id)), '403 OPERATOR_UNKNOWN')
  assert.deepEqual(await signing(clara, id), { by: [], isOperator: false })
  const other = await waiting(scene, customer)
  const elsewhere = (await asked(tom, other.id)).body
  const send = () => tom.browser.send('POST', `/withdrawals/${id}/sign`, { response: tom.passkey.sign(elsewhere) })
  assert.equal(codeIn(await send()), '400 PASSKEY_WRONG')
  assert.equal(codeIn(await tom.browser.send('POST', `/withdrawals/${id}/sign`, { response: {} })), '400 PASSKEY_WRONG')
  const answers = await Promise.all([sign(tom, id), sign(tom, id)])
  assert.deepEqual(answers.toSorted()[0], '204')
  await assert.rejects(
    world().rows(
      `insert into payout_approvals (withdrawal, operator, approval, signed_at, staff) values ($1, 'another', '{}', 0, $2)`,
      ...[id, tom.id],
    ),
    /payout_approvals_member/,
  )
  await world().rows(
    `insert into staff_marks (account, staff, cause, marked_at) values ($1, $2, 'declared', 0)`,
    ...[customer.account, tom.id],
  )
  assert.equal(codeIn(await asked(tom, other.id)), '403 FORBIDDEN')
  assert.equal((await signing(tom, other.id)).isOperator, false)
  await assert.rejects(
    world().rows(
      `insert into payout_approvals (withdrawal, operator, approval, signed_at, staff) values ($1, 'tim', '{}', 0, $2)`,
      ...[other.id, tom.id],
    ),
    /not for the own withdrawal/,
  )
  await world().rows(`update payouts set trouble = null where withdrawal = $1`, other.id)
  assert.equal(codeIn(await asked(tom, other.id)), '409 WITHDRAWAL_STATE')
})

test('REVIEW-SIGN-003: nobody signs what is not on the page, whatever the database says that the engine signed', async () => {
  const scene = await begin()
  const tom = await list(await world().hire('treasury'), 'tam')
  const [harmless, thief] = [await waiting(scene, await scene.customer()), await waiting(scene, await scene.customer())]
  // The payment of a thief, for which there is a signature of the engine, on the page of somebody else's withdrawal.
  const paymentOf = async (id: number): Promise<object> =>
    (await world().rows('select payment from payout_warrants where withdrawal = $1', id))[0]!['payment']
  const write = (payment: object) =>
    world().rows('update payout_warrants set payment = $2 where withdrawal = $1', harmless.id, JSON.stringify(payment))
  const payment = await paymentOf(harmless.id)
  for (const bent of [
    await paymentOf(thief.id),
    { to: 'T2' },
    { value: '14990000000' },
    { user: 1 },
    { contract: 'TOTHER' },
    { network: 'ethereum' },
    { withdrawal: thief.id },
  ]) {
    await write({ ...payment, ...bent })
    assert.equal(codeIn(await asked(tom, harmless.id)), '409 WITHDRAWAL_STATE', JSON.stringify(bent))
  }
  await write(payment)
  assert.equal(await sign(tom, harmless.id), '204')
})
