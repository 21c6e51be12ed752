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

test('REVIEW-AUTO-002: requests of one day that are small one by one wait for as many members as their sum', async () => {
  const { scene, clara, tom } = await begin()
  const customer = await scene.customer()
  const ids = []
  for (let n = 0; n < 3; n++) ids.push(await scene.reviewed(customer, 60 * whole))
  assert.deepEqual(await Promise.all(ids.map((id) => scene.stateOf(id))), ['approved', 'requested', 'requested'])
  // 1,080 in parts that one member may approve alone.
  const last = await scene.reviewed(customer, 900 * whole)
  assert.equal((await detail(clara, last)).flags.find(({ what }: Flag) => what === 'day').amount, '1080')
  await send(clara, last, 'claim')
  assert.deepEqual((await send(clara, last, 'approve')).body, { state: 'open' })
  await send(tom, last, 'claim')
  assert.deepEqual((await send(tom, last, 'approve')).body, { state: 'done' })
  assert.equal(await scene.stateOf(last), 'approved')
  // What was taken back doesn't count.
  const other = await scene.customer()
  await scene.do({ type: 'withdraw.cancel', user: other.user, withdrawal: await scene.request(other, 80 * whole) })
  assert.equal(await scene.stateOf(await scene.reviewed(other, 80 * whole)), 'approved')
})

test('REVIEW-FLAGS-007: an address whose last payment failed is like one that was never paid', async () => {
  const { scene, clara } = await begin()
  const customer = await scene.customer()
  await scene.paid(customer, 10 * whole, false)
  const id = await scene.reviewed(customer, 20 * whole)
  assert.equal(await scene.stateOf(id), 'requested')
  assert.deepEqual(
    (await detail(clara, id)).flags.map(({ kind, what }: Flag) => [kind, what]),
    [['new-address', 'unpaid']],
  )
  await scene.paid(customer, 10 * whole)
  assert.equal(await scene.stateOf(await scene.reviewed(customer, 20 * whole)), 'approved')
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

test('REVIEW-ROUND-001: a decision that the core refuses begins another round, in which a member looks again', async () => {
  const { scene, clara, tom } = await begin()
  const customer = await scene.customer()
  await scene.do({ type: 'user.set', user: customer.user, isFrozen: false })
  const id = await scene.reviewed(customer, 150 * whole)
  await send(clara, id, 'claim')
  await scene.do({ type: 'user.set', user: customer.user, isFrozen: true })
  assert.equal(codeIn(await send(clara, id, 'approve')), '403 USER_FROZEN')
  const shown = await detail(tom, id)
  assert.deepEqual([shown.state, shown.approvals, shown.refusal, shown.isSending], ['requested', [], 'USER_FROZEN', false])
  await scene.do({ type: 'user.set', user: customer.user, isFrozen: false })
  await send(clara, id, 'claim')
  assert.deepEqual((await send(clara, id, 'approve')).body, { state: 'done' })
  assert.equal(await scene.stateOf(id), 'approved')
})

test('REVIEW-SEND-001: a decision whose command got lost or was not confirmed is sent again, and counts once', async () => {
  const { scene, clara } = await begin()
  const customer = await scene.customer()
  for (const isLost of [true, false]) {
    const id = await scene.reviewed(customer, 150 * whole)
    await send(clara, id, 'claim')
    world().core.failures.push({ isLost })
    assert.deepEqual((await send(clara, id, 'approve')).body, { state: 'waits' })
    assert.equal((await detail(clara, id)).isSending, true)
    assert.equal(codeIn(await send(clara, id, 'claim')), '409 WITHDRAWAL_STATE')
    await world().reviews.pass()
    await world().reviews.pass()
    assert.equal(await scene.stateOf(id), 'approved')
    assert.equal((await detail(clara, id)).isSending, false)
  }
})

test('REVIEW-PEOPLE-005: nobody decides alone what two must, twice in two tabs, about the own account, without a claim or with another role', async () => {
  const { scene, clara, tom } = await begin()
  const customer = await scene.customer()
  const id = await scene.reviewed(customer, 1_500 * whole)
  const tab = { browser: world().browser() }
  await world().logIn(clara, tab.browser)
  await send(clara, id, 'claim')
  const answers = await Promise.all([clara, tab, clara, tab].map((one) => send(one, id, 'approve')))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  assert.equal(codeIn(await send(tab, id, 'claim')), '403 SECOND_PERSON_NEEDED')
  assert.equal(codeIn(await send(tom, id, 'reject', rejection)), '409 CLAIMED')
  const support = await world().hire('support')
  assert.equal(codeIn(await send(support, id, 'claim')), '403 FORBIDDEN')
  await world().rows(`insert into staff_marks (account, staff, cause, marked_at) values ($1, $2, 'declared', 0)`, customer.account, tom.id)
  assert.equal(codeIn(await send(tom, id, 'claim')), '403 FORBIDDEN')
  assert.equal(await scene.stateOf(id), 'requested')
})

test('REVIEW-PEOPLE-006: the database refuses verdicts and decisions that no such members gave, and every change of them', async () => {
  const { scene, clara, tom } = await begin()
  const customer = await scene.customer()
  const id = await scene.reviewed(customer, 1_500 * whole)
  const [first, second] = [await numberOf(clara), await numberOf(tom)]
  const decide = (approved: boolean, one: number, other: number) =>
    world().rows(
      `insert into withdrawal_decisions (withdrawal, round, is_approved, first, second, reason, decided_at) values ($1, 0, $2, $3, $4, 'x', 0)`,
      ...[id, approved, one, other],
    )
  const say = (staff: string, member: number) =>
    world().rows(
      'insert into withdrawal_verdicts (withdrawal, round, staff, member, is_approved, at) values ($1, 0, $2, $3, true, 0)',
      ...[id, staff, member],
    )
  for (const [one, other] of [
    [0, 0],
    [first, second],
    [first, 0],
  ] as const)
    await assert.rejects(decide(true, one, other), /verdicts of its members/)
  await assert.rejects(decide(false, 0, 0), /verdicts of its members/)
  await assert.rejects(say(clara.id, second), /whose role may/)
  await assert.rejects(say((await world().hire('support')).id, first), /whose role may/)
  await say(clara.id, first)
  await assert.rejects(decide(true, first, 0), /verdicts of its members/)
  await assert.rejects(decide(true, first, second), /verdicts of its members/)
  for (const table of ['reviews', 'verdicts']) await assert.rejects(world().rows(`delete from withdrawal_${table}`), /only grow/)
  await assert.rejects(world().rows(`update withdrawal_reviews set people = 0`), /only grow/)
  await say(tom.id, second)
  await decide(true, first, second)
  await assert.rejects(world().rows('update withdrawal_decisions set first = 9 where withdrawal = $1', id), /does not change/)
  const fresh = await scene.request(customer, 1_200 * whole)
  await scene.project()
  const review = `insert into withdrawal_reviews (withdrawal, account, people, flags, made_at) values ($1, $2, 1, '[]', 0)`
  await assert.rejects(world().rows(review, fresh, customer.account), /as many people/)
})

test('REVIEW-PEOPLE-007: approving needs a login of the last 15 minutes and a claim of the last 30; rejecting needs no new login', async () => {
  const { scene, clara, tom } = await begin()
  const id = await scene.reviewed(await scene.customer(), 150 * whole)
  await send(clara, id, 'claim')
  world().pass(15 * 60_000 + 1)
  assert.equal(codeIn(await send(clara, id, 'approve')), '403 SESSION_NOT_FRESH')
  assert.equal(codeIn(await send(tom, id, 'claim')), '409 CLAIMED')
  world().pass(15 * 60_000)
  await world().logIn(clara)
  assert.equal(codeIn(await send(clara, id, 'approve')), '409 CLAIMED', 'the claim is over')
  assert.equal((await detail(tom, id)).claimedBy, null)
  assert.equal(codeIn(await send(tom, id, 'claim')), '204')
  assert.equal(codeIn(await send(tom, id, 'release')), '204')
  assert.equal(codeIn(await send(clara, id, 'claim')), '204')
  world().pass(16 * 60_000)
  assert.deepEqual((await send(clara, id, 'reject', rejection)).body, { state: 'done' })
})

test('REVIEW-PEOPLE-008: an approval of a member who has left counts no more, and one member holds ten requests at most', async () => {
  const { scene, clara, tom } = await begin()
  const leaver = await world().hire('risk')
  const id = await scene.reviewed(await scene.customer(), 1_500 * whole)
  await send(leaver, id, 'claim')
  assert.deepEqual((await send(leaver, id, 'approve')).body, { state: 'open' })
  await world().rows('alter table staff disable trigger all')
  await world().rows("update staff set role = 'support' where id = $1", leaver.id)
  await world().rows('alter table staff enable trigger all')
  await send(clara, id, 'claim')
  assert.deepEqual((await send(clara, id, 'approve')).body, { state: 'open' })
  await send(tom, id, 'claim')
  assert.deepEqual((await send(tom, id, 'approve')).body, { state: 'done' })
  assert.deepEqual([decisions().at(-1)!.first, decisions().at(-1)!.second], [await numberOf(clara), await numberOf(tom)])
  const customer = await scene.customer()
  const many: number[] = []
  for (let at = 0; at < 11; at++) many.push(await scene.reviewed(customer, 150 * whole))
  world().pass(60_000)
  const claims = await Promise.all(many.map((one) => send(tom, one, 'claim')))
  assert.deepEqual(claims.map(({ status }) => status).toSorted(), [...Array.from({ length: 10 }, () => 204), 429])
})
