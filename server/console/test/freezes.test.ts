import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form, good } from '../../identity/test/world.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const day = 86_400_000
const officers: Member[] = []

/** Two members who may open accounts, and a customer whose account somebody froze. */
async function scene(of?: { readonly to: string; readonly account: string }) {
  while (officers.length < 2) officers.push(await world().hire('compliance'))
  const [anna, ben] = officers as [Member, Member]
  for (const one of [anna, ben]) await world().logIn(one)
  const { to, account } = of ?? (await world().papers.world.customer())
  const [{ uid }] = (await world().rows('select uid from accounts where id = $1', account)) as [{ uid: string }]
  assert.equal(codeIn(await anna.browser.send('POST', '/freezes', { uid, reason: 'a call from the owner' })), '204')
  const [shown] = (await anna.browser.send('GET', '/freezes')).body.freezes
  assert.equal(shown.uid, uid)
  return { anna, ben, to, account, uid, id: shown.id as number }
}

async function propose({ browser }: Member, id: number): Promise<number> {
  const answer = await browser.send('POST', `/freezes/${id}/lift`, { reason: 'the owner came by' })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}
const approve = async ({ browser }: Pick<Member, 'browser'>, lift: number): Promise<string> =>
  codeIn(await browser.send('POST', `/freezes/lifts/${lift}/approve`))
const frozenAt = async (account: string) => (await world().rows('select frozen_at from accounts where id = $1', account))[0]!['frozen_at']
const login = (to: string) => {
  const { identity } = world().papers.world
  return identity.login({ ...form(to, ''), channel: 'email', to, password: good }, { ip: '198.51.100.77', userAgent: 'curl/8' })
}

test('CONSOLE-FREEZE-001: one member freezes a customer with a reason, and the customer is told without an address of the staff', async () => {
  const support = await world().hire('support')
  await world().logIn(support)
  const before = await world().newest()
  const { to, account } = await world().papers.world.customer()
  const [{ uid }] = (await world().rows('select uid from accounts where id = $1', account)) as [{ uid: string }]
  const freeze = (given: object) => support.browser.send('POST', '/freezes', given)
  assert.equal(codeIn(await freeze({ uid: '100000000', reason: 'x' })), '404 USER_UNKNOWN')
  assert.equal(codeIn(await freeze({ uid })), '400 FIELD_MISSING')
  assert.equal(codeIn(await freeze({ uid, reason: 'a call from the owner' })), '204')
  assert.equal(codeIn(await freeze({ uid, reason: 'again' })), '409 STAFF_EXISTS')
  assert.notEqual(await frozenAt(account), null)
  await assert.rejects(login(to), { refusal: 'USER_FROZEN' })
  const written = (await world().log(before)).map(({ staff, action, subject, why }) => [staff, action, subject, why])
  assert.deepEqual(written, [[support.id, 'customer-frozen', uid, 'a call from the owner']])
  await world().papers.world.identity.settled()
  const told = world().papers.world.sent.findLast((message) => message.to === to)!
  assert.deepEqual([told.template, told.values['ip'], told.values['device']], ['account-frozen', '—', '—'])
  const own = await world().rows("select ip, device, detail from audit_log where account = $1 and action = 'account-frozen'", account)
  assert.deepEqual(own, [{ ip: '—', device: '—', detail: { by: 'staff' } }])
  const [shown] = (await support.browser.send('GET', '/freezes')).body.freezes
  assert.deepEqual(
    [shown.uid, shown.by, shown.officer, shown.reason, shown.lift],
    [uid, 'staff', support.email, 'a call from the owner', null],
  )
  assert.deepEqual((await support.browser.send('GET', `/freezes?before=${shown.id}`)).body.freezes.length, 0)
})

test('CONSOLE-FREEZE-002: two members open the account again: one proposes with a reason, a different one approves', async () => {
  const { anna, ben, to, account, id } = await scene()
  const before = await world().newest()
  assert.equal(codeIn(await anna.browser.send('POST', `/freezes/${id}/lift`, {})), '400 FIELD_MISSING')
  const lift = await propose(anna, id)
  const [shown] = (await ben.browser.send('GET', '/freezes')).body.freezes
  assert.deepEqual([shown.lift.id, shown.lift.reason, shown.lift.proposedBy], [lift, 'the owner came by', anna.email])
  const { told } = world().papers.world.core
  told.length = 0
  assert.equal(await approve(ben, lift), '204')
  assert.equal(await frozenAt(account), null)
  assert.deepEqual(
    told.map((command) => 'isFrozen' in command && command.isFrozen),
    [false],
  )
  assert.deepEqual(
    (await world().log(before)).map(({ staff, action, subject, why }) => [staff, action, subject, why]),
    [
      [anna.id, 'lift-proposed', String(id), 'the owner came by'],
      [ben.id, 'lift-approved', String(id), 'the owner came by'],
    ],
  )
  assert.equal((await login(to)).session.account, account)
  await world().papers.world.identity.settled()
  const message = world().papers.world.sent.findLast((one) => one.to === to && one.template === 'account-unfrozen')!
  assert.deepEqual([message.closesWithdrawals, message.values['ip']], [true, '—'])
  const { withdrawalsClosedUntil } = await world().papers.world.identity.safety(account)
  assert.equal(withdrawalsClosedUntil, world().clock() + day)
  assert.equal(codeIn(await anna.browser.send('POST', `/freezes/${id}/lift`, { reason: 'again' })), '404 NOT_FOUND')
})

test('CONSOLE-FREEZE-002: a proposal ends after a day or when it is declined', async () => {
  const { anna, ben, account, id } = await scene()
  const late = await propose(anna, id)
  world().pass(day)
  for (const one of [anna, ben]) await world().logIn(one)
  assert.equal(await approve(ben, late), '409 PROPOSAL_CLOSED')
  const declined = await propose(anna, id)
  assert.equal(codeIn(await anna.browser.send('POST', `/freezes/${id}/lift`, { reason: 'twice' })), '409 STAFF_EXISTS')
  assert.equal(codeIn(await ben.browser.send('POST', `/freezes/lifts/${declined}/decline`, { reason: 'not sure' })), '204')
  assert.equal(await approve(ben, declined), '409 PROPOSAL_CLOSED')
  assert.equal(await approve(ben, 999_999), '404 NOT_FOUND')
  assert.notEqual(await frozenAt(account), null)
})

test('USER-FREEZE-011: API keys rest while the staff keep an account frozen, and work again once it is open', async () => {
  const { to, account } = await world().papers.world.customer()
  const { keys } = world().papers.world.identity
  const made = await keys.grant({ label: 'bot', scopes: ['read'], ips: [] }, { account, visitor: { ip: '198.51.100.77', userAgent: '' } })
  const { anna, ben, id } = await scene({ to, account })
  assert.equal(await keys.find(made.key.key), undefined)
  assert.equal(await approve(ben, await propose(anna, id)), '204')
  assert.equal((await keys.find(made.key.key))?.account, account)
})

test('CONSOLE-FREEZE-003: nobody approves the own proposal, from no tab, late, or after the other’s role has ended', async () => {
  const { anna, ben, account, id } = await scene()
  const first = await propose(anna, id)
  const tab = { browser: world().browser() }
  await world().logIn(anna, tab.browser)
  const answers = await Promise.all([anna, tab, anna, tab].map((one) => approve(one, first)))
  assert.deepEqual(new Set(answers), new Set(['403 SECOND_PERSON_NEEDED']))
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
  assert.notEqual(await frozenAt(account), null)
  await world().logIn(anna)
  const second = await propose(anna, id)
  const both = await Promise.all([approve(ben, second), approve(ben, second)])
  assert.deepEqual(both.sort(), ['204', '409 PROPOSAL_CLOSED'])
  assert.equal(await frozenAt(account), null)
})

test('CONSOLE-FREEZE-003: the database refuses what one member, or nobody, decided', async () => {
  const { anna, account, id } = await scene()
  const [ann] = await world().administrators()
  const lift = await propose(anna, id)
  const decide = "update freeze_lifts set state = 'approved', decided_by = $2, decided_at = 1 where id = $1"
  await assert.rejects(world().rows(decide, lift, anna.id), /two people|violates check/)
  await assert.rejects(world().rows(decide, lift, ann.id), /two people/)
  await assert.rejects(world().rows("update freeze_lifts set reason = 'other' where id = $1", lift), /does not change/)
  const forged = `insert into freeze_lifts (freeze_id, reason, proposed_by, proposer, proposed_at, expires_at, state, decided_by, decided_at)
    values ($1, 'x', $2, 'x', 0, 9, 'approved', $3, 1)`
  await assert.rejects(world().rows(forged, id, anna.id, ann.id), /begins open/)
  await assert.rejects(world().rows('update freezes set lifted_at = 1 where id = $1', id), /approved lift/)
  await assert.rejects(world().rows('update accounts set frozen_at = null where id = $1', account), /approved lift/)
  await assert.rejects(world().rows('update accounts set frozen_at = 1 where id = $1', account), /approved lift/)
})

test('CONSOLE-FREEZE-004: nobody freezes an account of the exchange, which would stop its markets', async () => {
  const support = await world().member('support')
  await world().logIn(support)
  const { identity } = world().papers.world
  for (const [name, kind] of [
    ['bots', 'maker'],
    ['load', 'bench'],
  ] as const) {
    const { uid, account } = await identity.createUser({ email: `${name}@candor.invalid`, password: good, class: kind })
    const answer = await support.browser.send('POST', '/freezes', { uid, reason: 'a call from the owner' })
    assert.equal(codeIn(answer), '403 ACCOUNT_OF_EXCHANGE')
    assert.equal(await frozenAt(account), null)
  }
})

test('CONSOLE-FREEZE-005: a member neither proposes nor approves to open the account that has their own address', async () => {
  const { anna, ben, account, id } = await scene()
  await world().rows('update accounts set email = $2 where id = $1', account, anna.email)
  assert.equal(codeIn(await anna.browser.send('POST', `/freezes/${id}/lift`, { reason: 'it is me' })), '403 FORBIDDEN')
  const lift = await propose(ben, id)
  assert.equal(await approve(anna, lift), '403 FORBIDDEN')
  assert.notEqual(await frozenAt(account), null)
})

test('USER-FREEZE-010: a reader of the mailbox does not freeze an account again before its owner has had time to change the address', async () => {
  const { anna, ben, to, account, id } = await scene()
  assert.equal(await approve(ben, await propose(anna, id)), '204')
  const { identity, sent } = world().papers.world
  await identity.settled()
  const link = sent.findLast((one) => one.to === to && one.template === 'account-unfrozen')!.freezeLink!
  const reader = { ip: '198.51.100.80', userAgent: 'curl/8' }
  const freeze = () => identity.freezes.byLink(link.split('token=')[1]!, reader)
  await assert.rejects(freeze, { refusal: 'FREEZE_LINK_RESTS', retryAfter: 1_800 })
  const { session } = await login(to)
  world().pass(30 * 60_000 - 1)
  await assert.rejects(freeze, { refusal: 'FREEZE_LINK_RESTS', retryAfter: 1 })
  assert.equal(await frozenAt(account), null)
  world().pass(1)
  await freeze()
  assert.notEqual(await frozenAt(account), null)
  await assert.rejects(identity.freezes.byOwner(session, reader), { refusal: 'UNAUTHENTICATED' })
})

test('USER-FREEZE-010: the owner’s session freezes the account at once after it was opened', async () => {
  const { anna, ben, to, account, id } = await scene()
  assert.equal(await approve(ben, await propose(anna, id)), '204')
  const { session } = await login(to)
  await world().papers.world.identity.freezes.byOwner(session, { ip: '198.51.100.81', userAgent: 'curl/8' })
  assert.notEqual(await frozenAt(account), null)
})

test('CONSOLE-FREEZE-006: one member freezes at most 50 accounts in a day, in parallel too', async () => {
  const support = await world().hire('support')
  await world().logIn(support)
  const { identity } = world().papers.world
  const people: { readonly uid: string; readonly account: string }[] = []
  for (let n = 0; n < 53; n++) people.push(await identity.createUser({ email: `many-${n}@example.com`, password: good }))
  const officer = { id: support.id, name: support.email, visitor: { ip: '—', userAgent: '' }, note: () => Promise.resolve() }
  for (const { uid } of people.slice(0, 48)) await identity.freezes.byStaff(uid, 'a list', officer)
  const answers = await Promise.all(
    people.slice(48, 52).map(async ({ uid }) => codeIn(await support.browser.send('POST', '/freezes', { uid, reason: 'a list' }))),
  )
  assert.deepEqual(answers.sort(), ['204', '204', '429 RATE_LIMITED', '429 RATE_LIMITED'])
  assert.equal(await frozenAt(people[52]!.account), null)
  world().pass(day)
  await world().logIn(support)
  assert.equal(codeIn(await support.browser.send('POST', '/freezes', { uid: people[52]!.uid, reason: 'a list' })), '204')
})
