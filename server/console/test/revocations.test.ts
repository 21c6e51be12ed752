import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn, consoleWorld, type Member } from './console-world.ts'
import { whole } from '../../papers/test/papers-world.ts'

const world = consoleWorld()
const day = 86_400_000
const reviewers: Member[] = []

/** Two reviewers and a certified customer. */
async function scene() {
  while (reviewers.length < 2) reviewers.push(await world().hire('compliance'))
  const [anna, ben] = reviewers as [Member, Member]
  for (const one of [anna, ben]) await world().logIn(one)
  const { id, who } = await world().papers.waiting()
  assert.equal((await anna.browser.send('POST', `/papers/${id}/claim`)).status, 204)
  assert.equal((await anna.browser.send('POST', `/papers/${id}/certify`)).status, 204)
  return { anna, ben, id, who }
}

async function propose({ browser }: Member, id: string): Promise<number> {
  const answer = await browser.send('POST', `/papers/${id}/revocation`, { reason: 'a forged document' })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}
const approve = async ({ browser }: Pick<Member, 'browser'>, id: number): Promise<string> =>
  codeIn(await browser.send('POST', `/revocations/${id}/approve`))
const stateOf = async (id: string): Promise<unknown[]> => {
  const text = 'select p.state, a.certification from papers p join accounts a on a.id = p.account where p.id = $1'
  const [row] = await world().rows(text, id)
  return [row!['state'], row!['certification']]
}

test('CONSOLE-REVOKE-001: one reviewer proposes with a reason, another approves, and the products close', async () => {
  const { anna, ben, id, who } = await scene()
  assert.equal(codeIn(await anna.browser.send('POST', `/papers/${id}/revocation`, {})), '400 FIELD_MISSING')
  const before = await world().newest()
  const revocation = await propose(anna, id)
  const [shown] = (await ben.browser.send('GET', '/revocations')).body.revocations
  assert.deepEqual([shown.id, shown.papers, shown.reason, shown.proposedBy], [revocation, id, 'a forged document', anna.email])
  assert.deepEqual(await stateOf(id), ['certified', 'certified'])
  const told = world().papers.revoked.length
  assert.equal(await approve(ben, revocation), '204')
  assert.deepEqual(await stateOf(id), ['revoked', 'none'])
  assert.equal(world().papers.revoked.length, told + 1)
  assert.deepEqual(
    (await world().log(before)).map(({ staff, action, subject, why }) => [staff, action, subject, why]),
    [
      [anna.id, 'revocation-proposed', id, 'a forged document'],
      [ben.id, 'revocation-approved', id, 'a forged document'],
    ],
  )
  const own = await world().rows("select detail from audit_log where account = $1 and action = 'certificate-revoked'", who.account)
  assert.deepEqual(own, [{ detail: { papers: id, by: ben.email } }])
  const second = await scene()
  const late = await propose(anna, second.id)
  world().pass(day)
  for (const one of [anna, ben]) await world().logIn(one)
  assert.equal(await approve(ben, late), '409 PROPOSAL_CLOSED')
  const declined = await propose(anna, second.id)
  assert.equal((await ben.browser.send('POST', `/revocations/${declined}/decline`, { reason: 'no' })).status, 204)
  assert.equal(await approve(ben, declined), '409 PROPOSAL_CLOSED')
  assert.equal(await approve(ben, 999_999), '404 NOT_FOUND')
  assert.equal(codeIn(await anna.browser.send('POST', `/papers/${id}/revocation`, { reason: 'again' })), '404 NOT_FOUND')
})

test('CONSOLE-REVOKE-001: a core that is away learns of the revocation later', async () => {
  const { anna, ben, id } = await scene()
  const revocation = await propose(anna, id)
  world().papers.failures.push(Object.assign(new Error('not taken'), { refusal: 'UNAVAILABLE' }))
  assert.equal(await approve(ben, revocation), '503 UNAVAILABLE')
  assert.deepEqual(await stateOf(id), ['revoked', 'none'])
  const told = world().papers.revoked.length
  await world().rows(
    `insert into core_users (user_id, class, referrer, is_frozen, tier, is_certified) select core_user, 'retail', 0, false, 0, true
      from accounts a join papers p on p.account = a.id where p.id = $1`,
    id,
  )
  await world().papers.office.finish()
  assert.equal(world().papers.revoked.length, told + 1)
  await world().rows('update core_users set is_certified = false')
  await world().papers.office.finish()
  assert.equal(world().papers.revoked.length, told + 1)
})

test('CONSOLE-REVOKE-002: nobody approves the own proposal, from no tab, late, or after the other’s role has ended', async () => {
  const { anna, ben, id } = await scene()
  const first = await propose(anna, id)
  const tab = { browser: world().browser() }
  await world().logIn(anna, tab.browser)
  const answers = await Promise.all([anna, tab, anna, tab].map((one) => approve(one, first)))
  assert.deepEqual(new Set(answers), new Set(['403 SECOND_PERSON_NEEDED']))
  assert.equal(codeIn(await tab.browser.send('POST', `/papers/${id}/revocation`, { reason: 'again' })), '409 STAFF_EXISTS')
  world().pass(16 * 60_000)
  assert.equal(await approve(ben, first), '403 SESSION_NOT_FRESH')

  const [ann, admin] = await world().administrators()
  const decided = async (wish: object): Promise<void> => {
    const { body } = await ann.browser.send('POST', '/staff/proposals', { staff: anna.id, reason: 'a good reason', ...wish })
    assert.equal(codeIn(await admin.browser.send('POST', `/staff/proposals/${body.id}/approve`)), '200')
  }
  for (const role of ['risk', 'compliance']) await decided({ kind: 'role', role })
  await world().logIn(ben)
  assert.equal(await approve(ben, first), '409 PROPOSAL_CLOSED')
  await world().logIn(anna)
  const second = await propose(anna, id)
  const both = await Promise.all([approve(ben, second), approve(ben, second)])
  assert.deepEqual(both.sort(), ['204', '409 PROPOSAL_CLOSED'])
  assert.deepEqual(await stateOf(id), ['revoked', 'none'])
})

test('CONSOLE-REVOKE-002: the database refuses what one reviewer, or nobody, decided', async () => {
  const { anna, id } = await scene()
  const [ann] = await world().administrators()
  const revocation = await propose(anna, id)
  const decide = "update paper_revocations set state = 'approved', decided_by = $2, decided_at = 1 where id = $1"
  await assert.rejects(world().rows(decide, revocation, anna.id), /two reviewers|violates check/)
  await assert.rejects(world().rows(decide, revocation, ann.id), /two reviewers/)
  await assert.rejects(world().rows("update paper_revocations set reason = 'other' where id = $1", revocation), /does not change/)
  for (const state of ['revoked', 'rejected', 'waiting'])
    await assert.rejects(world().rows('update papers set state = $2 where id = $1', id, state), /by an approved revocation/)
  await assert.rejects(
    world().rows("update papers set tag = decode(repeat('00', 32), 'hex') where id = $1", id),
    /by an approved revocation/,
  )
})

test('CONSOLE-REVOKE-003: the customer sends a new check, and the document may certify another account', async () => {
  const { anna, ben, id, who } = await scene()
  const { fields } = (await anna.browser.send('GET', `/papers/${id}`)).body
  assert.equal(await approve(ben, await propose(anna, id)), '204')
  const other = await world().papers.waiting({ ...whole, number: fields.number })
  assert.equal((await ben.browser.send('POST', `/papers/${other.id}/claim`)).status, 204)
  assert.equal(codeIn(await ben.browser.send('POST', `/papers/${other.id}/certify`)), '204')
  const { papers } = world().papers.office
  assert.equal((await papers.of(who.account)).state, 'none')
  const { state, number } = await papers.save(who, { ...whole, number: 'Z900000' })
  assert.deepEqual([state, number], ['draft', 'Z900000'])
})
