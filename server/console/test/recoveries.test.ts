import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { form, good } from '../../identity/test/world.ts'
import { whole } from '../../papers/test/papers-world.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const minute = 60_000
const day = 86_400_000
const fresh = 'a lamp in the old harbour'
const reviewers: Member[] = []
const visitor = { ip: '198.51.100.78', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
let documents = 0

/** A certified customer with an authenticator app, and two reviewers. */
async function scene() {
  while (reviewers.length < 2) reviewers.push(await world().hire('compliance'))
  const [anna, ben] = reviewers as [Member, Member]
  const { identity } = world().papers.world
  const { to, account, token } = await world().papers.world.customer()
  const session = (await identity.session(token))!
  const { document, papers } = await certify(account, anna)
  // Sent after the answer: it must not arrive after the code that is read next.
  await told(to, 'papers-verified')
  world().pass(minute)
  await addApp(to, token)
  const uid = session.uid
  return { anna, ben, to, account, uid, document, papers }
}

/** Sends a document of its own, which a reviewer certifies. */
async function certify(account: string, anna: Member) {
  const document = { ...whole, number: `C${++documents}00000` }
  const who = { account, visitor }
  await world().papers.office.papers.save(who, document)
  for (const side of ['front', 'back'] as const) await world().papers.office.papers.addPhoto(who, side, world().papers.photo)
  await world().papers.office.papers.send(who)
  const [{ id }] = (await world().rows('select id from papers where account = $1', account)) as [{ id: string }]
  await logIn(anna)
  await anna.browser.send('POST', `/papers/${id}/claim`)
  assert.equal(codeIn(await anna.browser.send('POST', `/papers/${id}/certify`)), '204')
  return { document, papers: id }
}

async function addApp(to: string, token: string): Promise<void> {
  const { identity, codeOf } = world().papers.world
  const person = { session: (await identity.session(token))!, visitor, origin: 'https://candor.example' }
  await identity.sendProofCode(person)
  await identity.factors.prove({ way: 'code', code: await codeOf(to), password: good }, person)
  const { secret } = await identity.factors.beginAuthenticator(person)
  const code = generateSync({ secret, epoch: Math.floor(world().clock() / 1_000) })
  await identity.factors.confirmAuthenticator(code, person)
}
type Scene = Awaited<ReturnType<typeof scene>>

const logIn = (one: Member) => world().logIn(one)
const regains = () => world().papers.office.regains

/** Resolves when a message of this kind has arrived. */
async function told(address: string, kind: string): Promise<void> {
  const { identity, sent: mail } = world().papers.world
  while (!mail.some(({ to, template }) => to === address && template === kind)) await new Promise((resolve) => setImmediate(resolve))
  await identity.settled()
}

/** Begins a request as whoever knows the password and reads the mail. Returns the token of its browser. */
async function begin({ to }: Pick<Scene, 'to'>): Promise<string> {
  const { identity, codeOf } = world().papers.world
  world().pass(minute)
  const error = await identity.login({ ...form(to, ''), password: good }, visitor).catch((cause: unknown) => cause)
  const { step } = error as { readonly step: string }
  await identity.regains.sendCode(step, visitor)
  const { token } = await identity.regains.prove(step, { channel: 'email', code: await codeOf(to) }, visitor)
  return token!
}

/** A request whose document was sent. */
async function sent(one: Scene, given: object = {}) {
  const token = await begin(one)
  for (const side of ['front', 'back'] as const) await regains().addPhoto(token, side, world().papers.photo)
  await regains().send(token, { ...one.document, ...given }, visitor)
  for (const member of [one.anna, one.ben]) await logIn(member)
  const list = (await one.anna.browser.send('GET', '/recoveries')).body.recoveries
  const shown = list.find(({ uid }: { uid: string }) => uid === one.uid)
  return { token, id: shown.id as string }
}
const post = async ({ browser }: Member, id: string, what: string, reason?: string) =>
  codeIn(await browser.send('POST', `/recoveries/${id}/${what}`, reason === undefined ? undefined : { reason }))
const stateOf = async (id: string) => (await world().rows('select * from regains where id = $1', id))[0]!

test('USER-REGAIN-011: a certified customer shows the document again, and nobody is told whether it matches', async () => {
  const one = await scene()
  const token = await begin(one)
  assert.equal((await regains().of(token)).state, 'draft')
  await assert.rejects(regains().send(token, one.document, visitor), { refusal: 'PAPERS_INCOMPLETE' })
  await regains().addPhoto(token, 'front', world().papers.photo)
  await regains().addPhoto(token, 'front', world().papers.photo)
  await regains().addPhoto(token, 'back', world().papers.photo)
  const right = await regains().send(token, one.document, visitor)
  const other = await scene()
  const wrong = await regains()
    .addPhoto(await begin(other), 'front', world().papers.photo)
    .then(async () => right)
  assert.deepEqual([right.state, right.photos.length, wrong.state], ['sent', 2, 'sent'])
  await assert.rejects(regains().send(token, one.document, visitor), { refusal: 'REGAIN_OVER' })
  await assert.rejects(regains().addPhoto(token, 'front', world().papers.photo), { refusal: 'REGAIN_OVER' })
  await assert.rejects(regains().of('x'.repeat(43)), { refusal: 'REGAIN_OVER' })
  const [row] = await world().rows('select fields, tag, token from regains where account = $1', one.account)
  assert.equal(row!['fields'].includes('CHAN'), false)
  assert.equal(row!['token'].equals(Buffer.from(token)), false)
  const twenty = await begin(other)
  await world().rows('update regains set photos_added = 20 where account = $1', other.account)
  await assert.rejects(regains().addPhoto(twenty, 'back', world().papers.photo), { refusal: 'TOO_MANY_TRIES' })
})

test('USER-REGAIN-012: two reviewers give access: one proposes with a reason, a different one approves, then the time runs', async () => {
  const one = await scene()
  const { id, token: browser } = await sent(one)
  const before = await world().newest()
  const shown = (await one.anna.browser.send('GET', `/recoveries/${id}`)).body
  assert.deepEqual(shown.matches, { document: true, name: true, born: true })
  assert.deepEqual(
    [shown.now.fields.number, shown.original.fields.number, shown.original.photos.length],
    [one.document.number, one.document.number, 2],
  )
  for (const which of ['now', 'original']) {
    const photo = await one.anna.browser.send('GET', `/recoveries/${id}/photos/${which}/front`)
    assert.deepEqual([photo.status, photo.headers['content-type']], [200, 'image/jpeg'])
  }
  assert.equal(await post(one.anna, id, 'approve'), '409 PROPOSAL_CLOSED')
  assert.equal(await post(one.anna, id, 'propose', 'the same card and face'), '204')
  assert.equal(await post(one.ben, id, 'propose', 'me too'), '409 STAFF_EXISTS')
  assert.equal(await post(one.anna, id, 'approve'), '403 SECOND_PERSON_NEEDED')
  assert.equal(await post(one.ben, id, 'approve'), '204')
  assert.equal(await post(one.ben, id, 'approve'), '404 NOT_FOUND')
  assert.equal(await post(one.ben, id, 'reject', 'late'), '404 NOT_FOUND')
  const row = await stateOf(id)
  assert.deepEqual([row['state'], Number(row['due_at']) - world().clock()], ['waiting', day])
  assert.deepEqual(
    (await world().log(before)).map(({ action }) => action),
    ['regain-opened', 'regain-seen', 'regain-seen', 'regain-proposed', 'refused', 'regain-approved'],
  )
  assert.equal((await one.anna.browser.send('GET', `/recoveries/${id}/photos/now/front`)).status, 404)
  const { identity, sent: mail } = world().papers.world
  await identity.regainEnds.deliver()
  world().pass(day)
  await identity.regainEnds.deliver()
  await identity.settled()
  const message = mail.findLast(({ to, template }) => to === one.to && template === 'regain-link')!
  const token = message.values['link']!.split('token=')[1]!
  await identity.regainEnds.finish(browser, { token, password: fresh, passwordAgain: fresh }, visitor)
  assert.equal((await stateOf(id))['state'], 'done')
  assert.equal((await identity.login({ ...form(one.to, ''), password: fresh }, visitor)).session.account, one.account)
})

test('USER-REGAIN-013: another document gives no access, not even by two reviewers or the gateway’s user of the database', async () => {
  const one = await scene()
  const foreign = await scene()
  const { id } = await sent(one, { number: foreign.document.number })
  const shown = (await one.anna.browser.send('GET', `/recoveries/${id}`)).body
  assert.deepEqual(shown.matches, { document: false, name: true, born: true })
  assert.equal(await post(one.anna, id, 'propose', 'looks fine'), '409 REGAIN_DIFFERS')
  const [anna, ben] = reviewers as [Member, Member]
  await world().rows("update regains set proposed_by = $2, proposer = 'a', proposed_at = 1, reason = 'x' where id = $1", id, anna.id)
  const give = "update regains set state = 'waiting', due_at = 10, decided_by = $2, decider = 'b', decided_at = 2 where id = $1"
  await assert.rejects(world().rows(give, id, ben.id), /certified document/)
  await assert.rejects(world().rows(give, id, anna.id), /two reviewers/)
  assert.equal(await post(ben, id, 'approve'), '409 REGAIN_DIFFERS')
  assert.equal(await post(ben, id, 'reject', 'another card'), '204')
  await told(one.to, 'regain-rejected')
  const named = await scene()
  const { id: other } = await sent(named, { name: 'CHAN SIU MING' })
  assert.equal(await post(named.anna, other, 'propose', 'looks fine'), '409 REGAIN_DIFFERS')
})

test('USER-REGAIN-013: one member alone gives no access: not from two tabs, in parallel, or after the other’s role has ended', async () => {
  const one = await scene()
  const { id } = await sent(one)
  assert.equal(await post(one.anna, id, 'propose', 'the same card'), '204')
  const tab = { ...one.anna, browser: world().browser() }
  await world().logIn(one.anna, tab.browser)
  const answers = await Promise.all([one.anna, tab, one.anna].map((who) => post(who, id, 'approve')))
  assert.deepEqual(new Set(answers), new Set(['403 SECOND_PERSON_NEEDED']))
  const both = await Promise.all([post(one.ben, id, 'approve'), post(one.ben, id, 'reject', 'no')])
  assert.deepEqual(both.sort(), ['204', '404 NOT_FOUND'])
  const next = await scene()
  const { id: lapsed } = await sent(next)
  assert.equal(await post(next.anna, lapsed, 'propose', 'the same card'), '204')
  world().pass(16 * minute)
  assert.equal(await post(next.ben, lapsed, 'approve'), '403 SESSION_NOT_FRESH')
  const [ann, admin] = await world().administrators()
  const { body } = await ann.browser.send('POST', '/staff/proposals', {
    kind: 'role',
    role: 'risk',
    staff: next.anna.id,
    reason: 'a good reason',
  })
  assert.equal(codeIn(await admin.browser.send('POST', `/staff/proposals/${body.id}/approve`)), '200')
  await logIn(next.ben)
  assert.equal(await post(next.ben, lapsed, 'approve'), '409 PROPOSAL_CLOSED')
  reviewers.shift()
})

test('USER-REGAIN-014: a freeze stops a request; of a frozen account the document is confirmed and no link goes out', async () => {
  const one = await scene()
  const { id } = await sent(one)
  await one.anna.browser.send('POST', '/freezes', { uid: one.uid, reason: 'a call from the owner' })
  assert.deepEqual([(await stateOf(id))['state'], (await stateOf(id))['ended_by']], ['stopped', 'freeze'])
  const again = await sent(one)
  const shown = (await one.anna.browser.send('GET', `/recoveries/${again.id}`)).body
  assert.equal(shown.isFrozen, true)
  assert.equal(await post(one.anna, again.id, 'propose', 'the same card'), '204')
  assert.equal(await post(one.ben, again.id, 'approve'), '204')
  assert.equal((await stateOf(again.id))['state'], 'confirmed')
  const { identity, sent: mail } = world().papers.world
  world().pass(2 * day)
  await identity.regainEnds.deliver()
  await identity.settled()
  assert.equal(
    mail.some(({ to, template }) => to === one.to && template === 'regain-link'),
    false,
  )
  assert.equal((await world().rows('select frozen_at from accounts where id = $1', one.account))[0]!['frozen_at'] === null, false)
})

test('USER-REGAIN-015: nobody decides about the request of a customer with the own address, and photos are deleted in time', async () => {
  const one = await scene()
  const { id } = await sent(one)
  await world().rows('update accounts set email = $2 where id = $1', one.account, one.anna.email)
  assert.equal(codeIn(await one.anna.browser.send('GET', `/recoveries/${id}`)), '403 FORBIDDEN')
  assert.equal(codeIn(await one.anna.browser.send('GET', `/recoveries/${id}/photos/now/front`)), '403 FORBIDDEN')
  assert.equal(await post(one.anna, id, 'propose', 'me'), '403 FORBIDDEN')
  assert.equal(await post(one.ben, id, 'reject', 'no'), '204')
  const files = world().papers.objects.files.size
  world().pass(91 * day)
  await world().papers.office.forget()
  world().pass(2 * 3_600_000)
  await world().papers.office.forget()
  assert.equal((await world().rows('select 1 from regain_photos where regain = $1', id)).length, 0)
  assert.ok(world().papers.objects.files.size <= files - 2)
})

test('USER-REGAIN-016: a request that began without a document ends when the account is verified', async () => {
  while (reviewers.length < 2) reviewers.push(await world().hire('compliance'))
  const { identity, customer } = world().papers.world
  const { to, account, token } = await customer()
  await addApp(to, token)
  const { production } = world().papers.world
  world().pass(minute)
  const error = await identity.login({ ...form(to, ''), password: good }, visitor).catch((cause: unknown) => cause)
  const { step } = error as { readonly step: string }
  await production.regains.sendCode(step, visitor)
  await production.regains.prove(step, { channel: 'email', code: await world().papers.world.codeOf(to) }, visitor)
  const before = (await world().rows('select * from regains where account = $1', account))[0]!
  assert.deepEqual([before['state'], before['has_papers']], ['waiting', false])
  world().pass(3 * day)
  await certify(account, reviewers[0]!)
  const row = await stateOf(before['id'])
  assert.deepEqual([row['state'], row['ended_by']], ['stopped', 'staff'])
  world().pass(4 * day)
  await production.regainEnds.deliver()
  await production.settled()
  assert.ok(!world().papers.world.sent.some((message) => message.to === to && message.template === 'regain-link'))
  const entries = await world().rows("select ip from audit_log where account = $1 and action = 'regain-stopped'", account)
  assert.deepEqual(entries, [{ ip: '—' }])
})

test('USER-REGAIN-016: a request by a document ends when its certificate is revoked', async () => {
  const one = await scene()
  const { id } = await sent(one)
  assert.equal(await post(one.anna, id, 'propose', 'the same card'), '204')
  assert.equal(await post(one.ben, id, 'approve'), '204')
  const revoke = `/papers/${one.papers}/revocation`
  const { body } = await one.anna.browser.send('POST', revoke, { reason: 'the card is forged' })
  assert.equal(codeIn(await one.ben.browser.send('POST', `/revocations/${body.id}/approve`)), '204')
  assert.deepEqual([(await stateOf(id))['state'], (await stateOf(id))['ended_by']], ['stopped', 'staff'])
})

test('CONSOLE-CUSTOMER-008: the timeline has what the staff decided about a request for access, and who declared the account as the own', async () => {
  const one = await scene()
  const { id } = await sent(one)
  assert.equal(await post(one.anna, id, 'propose', 'the same card'), '204')
  assert.equal(await post(one.ben, id, 'approve'), '204')
  const sam = await world().hire('support')
  assert.equal(codeIn(await sam.browser.send('POST', '/auth/account', { uid: one.uid })), '204')
  const { moments } = (await sam.browser.send('GET', `/customers/${one.uid}/timeline`)).body
  assert.deepEqual(
    moments
      .filter(({ of, action }: Record<string, string>) => of === 'staff' && /^(regain|account)-/.test(action!))
      .map(({ action, by, why }: Record<string, string | null>) => [action, by, why]),
    [
      ['account-declared', sam.email, null],
      ['regain-approved', one.ben.email, 'the same card'],
      ['regain-proposed', one.anna.email, 'the same card'],
    ],
  )
})
