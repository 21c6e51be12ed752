/** Tests of requests for access without the second factors, from the login to the link, with a clock that tests move. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factorWorld, origin } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { fresh, minute } from '../../test/quick-world.ts'
import { good, otherThan, outcomes, refused } from '../../test/world.ts'
import { requestsMax } from '../policy.ts'

const { world, rows, sent, customer, withApp, withPasskey, codeOf, codeIn, tokenIn, ask, login, reset, waiting, byCode } = factorWorld()
const hour = 60 * minute
const day = 24 * hour
type Lost = { readonly to: string; readonly account: string }

const regains = () => world().identity.regains
const ends = () => world().identity.regainEnds
const stateOf = async ({ account }: Lost) => (await rows('select * from regains where account = $1 order by created_at desc', account))[0]
const templates = async (to: string) => (await sent(to)).map(({ template }) => template)
async function regainCode(step: string, to: string): Promise<string> {
  await regains().sendCode(step, stranger())
  return codeIn(to)
}
/** Begins a request as whoever knows the password and reads the mail. Returns the token of its browser. */
async function begin(one: Lost, needs: 'SECOND_FACTOR_NEEDED' | 'PASSKEY_NEEDED' = 'SECOND_FACTOR_NEEDED', password = good) {
  const step = await waiting(one.to, needs, password)
  const { token } = await regains().prove(step, { channel: 'email', code: await regainCode(step, one.to) }, stranger())
  assert.ok(token !== undefined)
  return token
}
async function linkOf(to: string): Promise<string> {
  const message = (await sent(to)).findLast(({ template }) => template === 'regain-link')
  return /token=([A-Za-z0-9_-]{22})$/.exec(message!.values['link']!)![1]!
}
async function ready(one: Lost): Promise<string> {
  world().pass(2 * minute)
  await ends().deliver()
  return linkOf(one.to)
}
/** `browser`: the token of the request. */
const finish = (token: string, browser: string | undefined, password = fresh) =>
  ends().finish(browser, { token, password, passwordAgain: password }, stranger())

test('USER-REGAIN-001: only a login whose password was right leads to a request, and the code goes to an address of the account', async () => {
  const one = await withApp()
  await assert.rejects(regains().sendCode(undefined, stranger()), refused('TOKEN_EXPIRED'))
  await assert.rejects(regains().sendCode('x'.repeat(43), stranger()), refused('TOKEN_EXPIRED'))
  const step = await waiting(one.to)
  const answer = await regains().sendCode(step, stranger())
  assert.deepEqual([answer.channel, answer.step, answer.steps, answer.to.includes('•')], ['email', 1, 1, true])
  const code = await codeIn(one.to)
  const again = await regains().sendCode(step, stranger())
  assert.ok(again.resendAfter > 0 && again.resendAfter <= 60)
  await assert.rejects(regains().prove(step, { channel: 'email', code: otherThan(code) }, stranger()), refused('CODE_WRONG'))
  await assert.rejects(regains().prove(step, { channel: 'phone', code }, stranger()), refused('CODE_EXPIRED'))
  assert.equal(await stateOf(one), undefined)
  const { token } = await regains().prove(step, { channel: 'email', code }, stranger())
  assert.match(token!, /^[A-Za-z0-9_-]{43}$/)
  assert.equal((await stateOf(one))!['state'], 'waiting')
  await assert.rejects(regains().prove(step, { channel: 'email', code }, stranger()), refused('TOKEN_EXPIRED'))
})

test('USER-REGAIN-001: a login that waits for a passkey leads to a request as well, and five wrong codes end it', async () => {
  const one = await withPasskey()
  const step = await waiting(one.to, 'PASSKEY_NEEDED')
  const code = await regainCode(step, one.to)
  const tries = Array.from({ length: 7 }, () => regains().prove(step, { channel: 'email', code: otherThan(code) }, stranger()))
  const answers = await outcomes(tries)
  assert.equal(answers.filter((answer) => answer === 'CODE_WRONG').length, 5)
  await assert.rejects(regains().prove(step, { channel: 'email', code }, stranger()), refused('TOKEN_EXPIRED'))
  assert.equal(await stateOf(one), undefined)
})

test('USER-REGAIN-002: a password that came from a message proves nothing beside the mailbox, so each address needs its code', async () => {
  const one = await withApp()
  const number = '+4915112345678'
  await rows('update accounts set phone = $2 where id = $1', one.account, number)
  await ask(one.to, 'reset')
  await reset(await tokenIn(one.to))
  world().pass(minute)
  const step = await waiting(one.to, 'SECOND_FACTOR_NEEDED', fresh)
  const first = await regains().sendCode(step, stranger())
  assert.deepEqual([first.channel, first.step, first.steps], ['email', 1, 2])
  const half = await regains().prove(step, { channel: 'email', code: await codeIn(one.to) }, stranger())
  assert.equal(half.token, undefined)
  assert.equal(await stateOf(one), undefined)
  const second = await regains().sendCode(step, stranger())
  assert.deepEqual([second.channel, second.step, second.steps], ['phone', 2, 2])
  const whole = await regains().prove(step, { channel: 'phone', code: await codeIn(number) }, stranger())
  assert.notEqual(whole.token, undefined)
})

test('USER-REGAIN-003: an account that was never certified waits seven days in production, and no document helps', async () => {
  const one = await withApp()
  const step = await waiting(one.to)
  const production = world().production
  await production.regains.sendCode(step, stranger())
  const code = await codeIn(one.to)
  await production.regains.prove(step, { channel: 'email', code }, stranger())
  const row = (await stateOf(one))!
  assert.deepEqual([row['state'], row['has_papers'], Number(row['due_at']) - world().clock()], ['waiting', false, 7 * day])
  await production.regainEnds.deliver()
  world().pass(7 * day - 1)
  await production.regainEnds.deliver()
  assert.equal((await stateOf(one))!['state'], 'waiting')
  world().pass(1)
  await production.regainEnds.deliver()
  await production.settled()
  assert.equal((await stateOf(one))!['state'], 'ready')
})

test('USER-REGAIN-004: every address is told at the beginning and each two days, with a link that freezes the account', async () => {
  const one = await withApp()
  await rows('update accounts set phone = $2 where id = $1', one.account, '+4915112345679')
  const step = await waiting(one.to)
  const { production } = world()
  await production.regains.sendCode(step, stranger())
  await production.regains.prove(step, { channel: 'email', code: await codeIn(one.to) }, stranger())
  await production.settled()
  const told = async () => {
    await production.settled()
    const both = [...(await sent(one.to)), ...(await sent('+4915112345679'))]
    return both.filter(({ template }) => template === 'regain-begun')
  }
  assert.equal((await told()).length, 2)
  for (let days = 2; days < 7; days += 2) {
    world().pass(2 * day)
    await Promise.all([production.regainEnds.deliver(), production.regainEnds.deliver()])
    assert.equal((await told()).length, days + 2)
  }
  const newest = (await told()).at(-1)!
  assert.equal(newest.values['until'], String((await stateOf(one))!['due_at']))
  await world().identity.freezes.byLink(newest.freezeLink!.split('token=')[1]!, stranger())
  const row = (await stateOf(one))!
  assert.deepEqual([row['state'], row['ended_by']], ['stopped', 'freeze'])
  world().pass(day)
  await production.regainEnds.deliver()
  assert.equal((await stateOf(one))!['state'], 'stopped')
})

test('USER-REGAIN-005: a login or a proof with a real factor stops the request, also after the link went out', async () => {
  const one = await withApp()
  await begin(one)
  await byCode(await waiting(one.to), codeOf(one.secret))
  assert.deepEqual([(await stateOf(one))!['state'], (await stateOf(one))!['ended_by']], ['stopped', 'login'])
  assert.equal((await rows("select 1 from audit_log where account = $1 and action = 'regain-stopped'", one.account)).length, 1)
  world().pass(minute)
  const browser = await begin(one)
  const link = await ready(one)
  await world().identity.factors.prove({ way: 'authenticator', code: codeOf(one.secret) }, one.person)
  await assert.rejects(finish(link, browser), refused('TOKEN_EXPIRED'))
  world().pass(minute)
  const keyed = await withPasskey()
  await begin(keyed, 'PASSKEY_NEEDED')
  const { factors, logins } = world().identity
  await logins.byPasskey(keyed.passkey.sign({ options: await factors.passkeys.ask(undefined, origin) }), origin, stranger())
  assert.equal((await stateOf(keyed))!['state'], 'stopped')
})

test('USER-REGAIN-005: the owner stops it from any session, and the browser that made it withdraws it', async () => {
  const one = await withApp()
  const token = await begin(one)
  assert.notEqual((await world().identity.safety(one.account)).regain, null)
  await regains().stop(one.person)
  assert.equal((await world().identity.safety(one.account)).regain, null)
  await assert.rejects(regains().stop(one.person), refused('REGAIN_OVER'))
  await assert.rejects(regains().cancel(token, stranger()), refused('REGAIN_OVER'))
  world().pass(minute)
  const next = await begin(one)
  await assert.rejects(regains().cancel('x'.repeat(43), stranger()), refused('REGAIN_OVER'))
  await regains().cancel(next, stranger())
  assert.equal((await stateOf(one))!['ended_by'], 'asker')
})

test('USER-REGAIN-006: the link sets a password and removes every factor, ends all sessions and closes withdrawals for a day', async () => {
  const one = await withApp()
  const browser = await begin(one)
  const link = await ready(one)
  await assert.rejects(finish(link, browser, 'short'), refused('PASSWORD_TOO_SHORT'))
  await finish(link, browser)
  assert.equal(await world().identity.session(one.token), undefined)
  for (const table of ['authenticators', 'passkeys', 'recovery_codes'])
    assert.equal((await rows(`select 1 from ${table} where account = $1`, one.account)).length, 0, table)
  assert.equal((await world().identity.safety(one.account)).withdrawalsClosedUntil, world().clock() + day)
  await assert.rejects(login(one.to), refused('CREDENTIALS_WRONG'))
  await login(one.to, fresh)
  const [told] = (await sent(one.to)).filter(({ template }) => template === 'regained')
  assert.deepEqual([told!.closesWithdrawals, told!.freezeLink === undefined], [true, false])
})

test('USER-REGAIN-006: the link works once, for 24 hours, and of several at once one only', async () => {
  const one = await withApp()
  const browser = await begin(one)
  const link = await ready(one)
  const both = await outcomes([finish(link, browser), finish(link, browser, 'another long password'), finish(link, browser)])
  assert.deepEqual([...both].sort(), ['TOKEN_EXPIRED', 'TOKEN_EXPIRED', 'done'])
  await assert.rejects(finish(link, browser), refused('TOKEN_EXPIRED'))
  const late = await withApp()
  const token = await begin(late)
  const first = await ready(late)
  await assert.rejects(ends().resend(token), refused('CODE_TOO_SOON'))
  world().pass(10 * minute)
  await ends().resend(token)
  const second = await linkOf(late.to)
  await assert.rejects(finish(first, token), refused('TOKEN_EXPIRED'))
  world().pass(day - 10 * minute)
  await assert.rejects(finish(second, token), refused('TOKEN_EXPIRED'))
  await assert.rejects(ends().resend(token), refused('REGAIN_OVER'))
  await ends().deliver()
  assert.equal((await stateOf(late))!['state'], 'expired')
  await byCode(await waiting(late.to), codeOf(late.secret))
})

test('USER-REGAIN-007: an account has one open request; a second login that proves the same takes it over and its time does not change', async () => {
  const one = await withApp()
  const first = await begin(one)
  const due = (await stateOf(one))!['due_at']
  world().pass(minute)
  const second = await begin(one)
  assert.equal(await regains().find(first), undefined)
  assert.equal((await regains().find(second))!.row.due_at, Number(due))
  assert.equal((await rows('select 1 from regains where account = $1', one.account)).length, 1)
  const steps = [await waiting(one.to), await waiting(one.to)]
  world().pass(minute)
  const code = await regainCode(steps[0]!, one.to)
  const both = await outcomes(steps.map((step) => regains().prove(step, { channel: 'email', code }, stranger())))
  assert.equal(both.filter((answer) => answer === 'done').length, 1)
  assert.equal((await rows("select 1 from regains where account = $1 and state = 'waiting'", one.account)).length, 1)
})

test('USER-REGAIN-007: an account begins five requests in thirty days', async () => {
  const one = await withApp()
  for (let count = 0; count < requestsMax; count++) {
    await regains().cancel(await begin(one), stranger())
    world().pass(hour)
  }
  const step = await waiting(one.to)
  const code = await regainCode(step, one.to)
  await assert.rejects(regains().prove(step, { channel: 'email', code }, stranger()), refused('TOO_MANY_TRIES'))
})

test('USER-REGAIN-008: a new password ends the login that waits, and an account without a factor or that is frozen gets no link', async () => {
  const one = await withApp()
  const step = await waiting(one.to)
  const code = await regainCode(step, one.to)
  await ask(one.to, 'reset')
  await reset(await tokenIn(one.to))
  await assert.rejects(regains().prove(step, { channel: 'email', code }, stranger()), refused('TOKEN_EXPIRED'))
  const frozen = await withApp()
  const waits = await waiting(frozen.to)
  await world().identity.freezes.byOwner(frozen.person.session, stranger())
  await assert.rejects(regains().sendCode(waits, stranger()), refused('TOKEN_EXPIRED'))
  const later = await waiting(frozen.to)
  const other = await regainCode(later, frozen.to)
  await assert.rejects(regains().prove(later, { channel: 'email', code: other }, stranger()), refused('USER_FROZEN'))
  const plain = await customer()
  await login(plain.to)
  assert.equal((await templates(plain.to)).includes('regain-code'), false)
})

test('USER-REGAIN-009: the database lets no request skip the waiting time, the second person or its end', async () => {
  const one = await withApp()
  await begin(one)
  const { id } = (await stateOf(one)) as { id: string }
  const now = world().clock()
  const link = "link = decode(repeat('aa', 32), 'hex'), link_sent_at = $2::bigint, link_expires_at = $2::bigint + 1"
  await assert.rejects(rows(`update regains set state = 'ready', ${link} where id = $1`, id, now), /can not go/)
  await assert.rejects(rows('update regains set due_at = $2 where id = $1', id, now), /does not change/)
  await assert.rejects(rows("update regains set state = 'done', ended_at = 1, ended_by = 'link' where id = $1", id), /can not go/)
  await assert.rejects(rows("update regains set state = 'sent' where id = $1", id), /can not go|check/)
  await rows("update regains set state = 'stopped', ended_at = 1, ended_by = 'owner' where id = $1", id)
  await assert.rejects(rows("update regains set state = 'waiting', ended_at = null, ended_by = null where id = $1", id), /ends once/)
  const columns = '(id, account, state, has_papers, token, ip, device, created_at, told_at, due_at)'
  const insert = (state: string, hasPapers: boolean, due: number | null) =>
    rows(
      `insert into regains ${columns} values (gen_random_uuid(), $1, $2, $3, decode(repeat('bb', 32), 'hex'), '', '', $4, $4, $5)`,
      ...[one.account, state, hasPapers, now, due],
    )
  await assert.rejects(insert('ready', false, now), /begins|check/)
  await assert.rejects(insert('waiting', true, now + 1), /begins/)
  await assert.rejects(insert('waiting', false, now), /begins/)
  await assert.rejects(insert('draft', true, null), /begins/)
})

test('USER-REGAIN-014: the link does nothing once the account is frozen, and of a freeze and the link at once one counts', async () => {
  const one = await withApp()
  const browser = await begin(one)
  const link = await ready(one)
  await world().identity.freezes.byOwner(one.person.session, stranger())
  await assert.rejects(finish(link, browser), refused('TOKEN_EXPIRED'))
  assert.equal((await rows('select 1 from authenticators where account = $1', one.account)).length, 1)
  const other = await withApp()
  const token = await begin(other)
  const next = await ready(other)
  const both = await outcomes([world().identity.freezes.byOwner(other.person.session, stranger()), finish(next, token)])
  assert.equal(both.filter((answer) => answer === 'done').length, 1, both.join())
})

test('USER-REGAIN-002: whoever reads the mail alone gets no request for an account that has a phone number', async () => {
  const one = await withApp()
  await rows('update accounts set phone = $2 where id = $1', one.account, '+4915112345670')
  await ask(one.to, 'reset')
  await reset(await tokenIn(one.to))
  world().pass(minute)
  const step = await waiting(one.to, 'SECOND_FACTOR_NEEDED', fresh)
  await regains().prove(step, { channel: 'email', code: await regainCode(step, one.to) }, stranger())
  await assert.rejects(regains().prove(step, { channel: 'email', code: '000000' }, stranger()), refused('CODE_EXPIRED'))
  await assert.rejects(regains().prove(step, { channel: 'phone', code: '000000' }, stranger()), refused('CODE_EXPIRED'))
  assert.equal(await stateOf(one), undefined)
})

test('USER-REGAIN-017: a new password ends the open request, so that whoever reads the mail alone takes over none', async () => {
  const one = await withApp()
  await begin(one)
  await ready(one)
  await ask(one.to, 'reset')
  await reset(await tokenIn(one.to))
  assert.deepEqual([(await stateOf(one))!['state'], (await stateOf(one))!['ended_by']], ['stopped', 'owner'])
  world().pass(minute)
  await begin(one, 'SECOND_FACTOR_NEEDED', fresh)
  assert.equal((await stateOf(one))!['state'], 'waiting')
})

test('USER-REGAIN-018: the link works only in the browser that has the request; another takes it over by password and code', async () => {
  const one = await withApp()
  const browser = await begin(one)
  const link = await ready(one)
  const other = await withApp()
  const foreign = await begin(other)
  for (const wrong of [undefined, 'x'.repeat(43), foreign]) await assert.rejects(finish(link, wrong), refused('REGAIN_ELSEWHERE'))
  assert.equal((await stateOf(one))!['state'], 'ready')
  assert.equal((await rows('select 1 from authenticators where account = $1', one.account)).length, 1)
  world().pass(minute)
  const next = await begin(one)
  await assert.rejects(finish(link, browser), refused('REGAIN_ELSEWHERE'))
  await finish(link, next)
  assert.equal((await stateOf(one))!['state'], 'done')
})
