/** Requests for withdrawals: what is found about them, and who decides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecideWithdrawal } from '@candor/core/protocol/command/chain.ts'
import type { Flag } from '@candor/core/protocol/wire/console/withdrawals.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'
import { whole, WithdrawalScene } from './withdrawal-scene.ts'

const world = consoleWorld()
const people: Member[] = []
let scene: WithdrawalScene

/** Three members who decide, logged in, and terms of withdrawals. */
async function begin() {
  if (people.length === 0) {
    scene = new WithdrawalScene(world())
    await scene.leaveRoom()
    await scene.setTerms()
    for (const role of ['compliance', 'treasury', 'risk'] as const) people.push(await world().hire(role))
  }
  world().pass(60_000)
  for (const one of people) await world().logIn(one)
  const [clara, tom, rita] = people as [Member, Member, Member]
  return { clara, tom, rita, scene }
}

const send = ({ browser }: Pick<Member, 'browser'>, id: number, deed: string, body?: object) =>
  browser.send('POST', `/withdrawals/${id}/${deed}`, body)
const detail = async ({ browser }: Member, id: number) => (await browser.send('GET', `/withdrawals/${id}`)).body
const rejection = { reason: 'not-asked', note: 'the owner called and knows nothing of it' }
const decisions = () => world().core.sent.filter((command): command is DecideWithdrawal => command.type === 'withdraw.decide')
const numberOf = async ({ id }: Member): Promise<number> => (await world().rows('select number from staff where id = $1', id))[0]!['number']

test('REVIEW-AUTO-001: a small request without a flag is approved at once by nobody, and one above the limit of its terms waits', async () => {
  const { scene, clara } = await begin()
  const customer = await scene.customer()
  const small = await scene.reviewed(customer, 100 * whole)
  assert.equal(await scene.stateOf(small), 'approved')
  assert.deepEqual([decisions().at(-1)!.first, decisions().at(-1)!.second], [0, 0])
  const large = await scene.reviewed(customer, 101 * whole)
  assert.equal(await scene.stateOf(large), 'requested')
  const { withdrawals, counts } = (await clara.browser.send('GET', '/withdrawals?view=requested')).body
  const row = withdrawals.find(({ id }: { id: number }) => id === large)
  assert.deepEqual(
    [row.uid, row.asset, row.amount, row.fee, row.worthUsdt, row.network, row.people, row.flags],
    [customer.uid, 'USDT', '101', '1', '101', 'TRC20', 1, []],
  )
  assert.equal(counts.requested >= 1 && counts.late === 0, true)
})

test('REVIEW-PEOPLE-001: one member claims and approves; the core hears the member’s number, and the log has each step', async () => {
  const { scene, clara, tom } = await begin()
  const id = await scene.reviewed(await scene.customer(), 150 * whole)
  const before = await world().newest()
  assert.equal(codeIn(await send(clara, id, 'approve')), '409 CLAIMED')
  assert.equal(codeIn(await send(clara, id, 'claim')), '204')
  assert.equal(codeIn(await send(tom, id, 'claim')), '409 CLAIMED')
  assert.equal((await detail(tom, id)).claimedBy, clara.email)
  assert.deepEqual((await send(clara, id, 'approve')).body, { state: 'done' })
  assert.equal(await scene.stateOf(id), 'approved')
  const { withdrawal, isApproved, first, second } = decisions().at(-1)!
  assert.deepEqual([withdrawal, isApproved, first, second], [id, true, await numberOf(clara), 0])
  const log = (await world().log(before)).filter(({ action }) => action.startsWith('withdrawal'))
  assert.deepEqual(
    log.map(({ staff, action, subject }) => [staff, action, subject]),
    [
      [clara.id, 'withdrawal-claimed', String(id)],
      [tom.id, 'withdrawal-opened', String(id)],
      [clara.id, 'withdrawal-approved', String(id)],
    ],
  )
  assert.equal(codeIn(await send(tom, id, 'claim')), '409 WITHDRAWAL_STATE')
})

test('REVIEW-PEOPLE-002: a large request needs two different members; the core hears of it with the second', async () => {
  const { scene, clara, tom } = await begin()
  const id = await scene.reviewed(await scene.customer(), 1_500 * whole)
  const sent = decisions().length
  await send(clara, id, 'claim')
  assert.deepEqual((await send(clara, id, 'approve')).body, { state: 'open' })
  assert.equal(decisions().length, sent)
  assert.deepEqual((await detail(tom, id)).approvals, [clara.email])
  assert.equal(codeIn(await send(clara, id, 'claim')), '403 SECOND_PERSON_NEEDED')
  assert.equal(await scene.stateOf(id), 'requested')
  await send(tom, id, 'claim')
  assert.deepEqual((await send(tom, id, 'approve')).body, { state: 'done' })
  assert.equal(await scene.stateOf(id), 'approved')
  assert.deepEqual([decisions().at(-1)!.first, decisions().at(-1)!.second], [await numberOf(clara), await numberOf(tom)])
})

test('REVIEW-PEOPLE-003: one member rejects with a reason for the customer and a note for the staff, and the amount is available again', async () => {
  const { scene, clara, tom } = await begin()
  const id = await scene.reviewed(await scene.customer(), 1_500 * whole)
  await send(clara, id, 'claim')
  await send(clara, id, 'approve')
  await send(tom, id, 'claim')
  assert.equal(codeIn(await send(tom, id, 'reject', { reason: 'not-asked' })), '400 FIELD_MISSING')
  assert.equal(codeIn(await send(tom, id, 'reject', { ...rejection, reason: 'because' })), '400 FIELD_INVALID')
  assert.deepEqual((await send(tom, id, 'reject', rejection)).body, { state: 'done' })
  assert.equal(await scene.stateOf(id), 'rejected')
  const { isApproved, first, second, reason } = decisions().at(-1)!
  assert.deepEqual([isApproved, first, second, reason], [false, await numberOf(tom), 0, 'not-asked'])
  const { verdicts, reason: told } = await detail(clara, id)
  assert.deepEqual([told, verdicts.at(-1).note, verdicts.at(-1).by], ['not-asked', rejection.note, tom.email])
})

test('REVIEW-PEOPLE-004: a request that its customer cancels meanwhile can’t be decided any more, and the answer says so', async () => {
  const { scene, clara } = await begin()
  const customer = await scene.customer()
  const id = await scene.reviewed(customer, 150 * whole)
  await send(clara, id, 'claim')
  await scene.do({ type: 'withdraw.cancel', user: customer.user, withdrawal: id })
  assert.equal(codeIn(await send(clara, id, 'approve')), '409 WITHDRAWAL_STATE')
  assert.equal(await scene.stateOf(id), 'cancelled')
  assert.equal(codeIn(await send(clara, id, 'claim')), '409 WITHDRAWAL_STATE')
})

test('REVIEW-FLAGS-001: what is found is kept with the request, and a flag lets even a small one wait for a member', async () => {
  const { scene, clara } = await begin()
  const customer = await scene.customer()
  await world().rows(
    `insert into audit_log (account, action, at, ip, device, detail) values
       ($1, 'password-changed', $2, '-', '-', '{}'), ($1, 'login', $2, '-', '-', '{"isNewDevice":true}')`,
    ...[customer.account, world().clock() - 3_600_000],
  )
  const id = await scene.reviewed(customer, 50 * whole)
  assert.equal(await scene.stateOf(id), 'requested')
  const { flags, people } = await detail(clara, id)
  assert.deepEqual(
    flags.map(({ kind, what, isHeavy }: Flag) => [kind, what, isHeavy]),
    [
      ['protection', 'password-changed', true],
      ['new-device', 'login', true],
    ],
  )
  assert.equal(people, 1)
  await send(clara, id, 'claim')
  assert.deepEqual((await send(clara, id, 'approve')).body, { state: 'done' })
  assert.equal(decisions().at(-1)!.first, await numberOf(clara))
})
