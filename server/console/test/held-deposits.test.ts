/** Held deposits: released or refused by two members. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn, consoleWorld, type Member } from './console-world.ts'
import { heldDeposit } from './withdrawal-scene.ts'

const world = consoleWorld()
const people: Member[] = []

async function scene() {
  if (people.length === 0) for (const role of ['compliance', 'treasury', 'risk'] as const) people.push(await world().hire(role))
  world().pass(60_000)
  for (const one of people) await world().logIn(one)
  const [clara, tom, rita] = people as [Member, Member, Member]
  const { account } = await world().papers.customer()
  return { clara, tom, rita, account }
}

const post = ({ browser }: Member, path: string, body?: object) => browser.send('POST', `/deposits/${path}`, body)
const wish = (isReleased: boolean) => ({ isReleased, reason: 'both explorers show it' })
const rowOf = async (id: number) => (await world().rows('select state, released_at from deposits where id = $1', id))[0]!
async function propose(member: Member, id: number, isReleased: boolean): Promise<number> {
  const answer = await post(member, `${id}/propose`, wish(isReleased))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}

test('REVIEW-HELD-001: one member proposes to release a held deposit with a reason, another approves, and it is checked again', async () => {
  const { clara, tom, account } = await scene()
  const id = await heldDeposit(world(), account)
  const before = await world().newest()
  const answer = await propose(clara, id, true)
  const [shown] = (await tom.browser.send('GET', '/deposits?view=held')).body.deposits
  assert.deepEqual(
    [shown.id, shown.amount, shown.asset, shown.network, shown.why, shown.url, shown.proposal.proposedBy, shown.proposal.isReleased],
    [id, '25', 'USDT', 'TRC20', 'one-node', `https://tron.example/${shown.txid}`, clara.email, true],
  )
  assert.equal(codeIn(await post(tom, `${id}/propose`, wish(false))), '409 PROPOSAL_OPEN')
  assert.equal(codeIn(await post(clara, `decisions/${answer}/approve`)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await rowOf(id))['state'], 'held')
  assert.equal(codeIn(await post(tom, `decisions/${answer}/approve`)), '204')
  assert.deepEqual(await rowOf(id), { state: 'confirming', released_at: world().clock() })
  assert.equal(codeIn(await post(tom, `decisions/${answer}/approve`)), '409 PROPOSAL_CLOSED')
  const log = (await world().log(before)).filter(({ action }) => action.startsWith('deposit'))
  assert.deepEqual(
    log.map(({ staff, action, subject, why }) => [staff, action, subject, why]),
    [
      [clara.id, 'deposit-proposed', String(id), 'both explorers show it'],
      [tom.id, 'deposit-approved', String(id), 'both explorers show it'],
    ],
  )
})

test('REVIEW-HELD-002: two members refuse a held deposit for good; it stays in the list of refused ones with both names', async () => {
  const { clara, tom, account } = await scene()
  const id = await heldDeposit(world(), account)
  const declined = await propose(tom, id, false)
  assert.equal(codeIn(await post(clara, `decisions/${declined}/decline`, { reason: 'ask the sender first' })), '204')
  const answer = await propose(tom, id, false)
  assert.equal(codeIn(await post(clara, `decisions/${answer}/approve`)), '204')
  assert.equal((await rowOf(id))['state'], 'refused')
  const { deposits, counts } = (await clara.browser.send('GET', '/deposits?view=refused')).body
  assert.deepEqual([deposits[0].id, deposits[0].last.by, counts.refused], [id, [tom.email, clara.email], 1])
  assert.equal(codeIn(await post(clara, `${id}/propose`, wish(true))), '404 NOT_FOUND')
})

test('REVIEW-HELD-003: nobody releases a deposit alone, about the own account, after a day, or by the gateway’s user of the database', async () => {
  const { clara, tom, rita, account } = await scene()
  const id = await heldDeposit(world(), account)
  assert.equal(codeIn(await post(rita, `${id}/propose`, wish(true))), '403 FORBIDDEN')
  await assert.rejects(world().rows("update deposits set state = 'confirming' where id = $1", id), /two members/)
  await assert.rejects(world().rows("update deposits set state = 'refused' where id = $1", id), /two members/)
  const answer = await propose(clara, id, true)
  await assert.rejects(
    world().rows("update deposit_decisions set state = 'approved', decided_by = proposed_by, decided_at = 1 where id = $1", answer),
    /check/,
  )
  await assert.rejects(
    world().rows("update deposit_decisions set state = 'approved', decided_by = $2, decided_at = 1 where id = $1", answer, rita.id),
    /two members/,
  )
  await world().rows(`insert into staff_marks (account, staff, cause, marked_at) values ($1, $2, 'declared', 0)`, account, tom.id)
  assert.equal(codeIn(await post(tom, `decisions/${answer}/approve`)), '403 FORBIDDEN')
  world().pass(25 * 3_600_000)
  const other = await world().hire('treasury')
  assert.equal(codeIn(await post(other, `decisions/${answer}/approve`)), '409 PROPOSAL_CLOSED')
  assert.equal((await rowOf(id))['state'], 'held')
})
