import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { factorWorld } from '../../identity/factors/test/factor-world.ts'
import { stranger } from '../../identity/test/people.ts'
import { elsewhere, good, phone, refused } from '../../identity/test/world.ts'
import { anna, type PapersWorld, startPapersWorld } from '../../papers/test/papers-world.ts'
import { Webhooks } from '../../webhooks/webhooks.ts'
import { Notices } from '../notices.ts'

const { world, customer, proveByCode, codeOf, withApp, waiting, byCode, login, reset, tokenIn, ask, circumstances } = factorWorld()
let papers: PapersWorld
before(async () => {
  papers = await startPapersWorld()
})
after(() => papers[Symbol.asyncDispose]())

const listed = async (account: string) => (await new Notices(world().store).list(account)).notices
const kinds = async (account: string): Promise<readonly string[]> => (await listed(account)).map(({ kind }) => kind).reverse()

test('NOTICE-SECURITY-001: each security event makes one notice, and what fails makes none', async () => {
  const { to, account, person } = await customer()
  assert.deepEqual(await kinds(account), [], 'the registration is no news')
  const one = stranger()
  const { deviceKey } = await login(to, good, one)
  await login(to, good, { ...one, deviceKey })
  assert.deepEqual(await kinds(account), ['new-device'], 'the device is known then')
  const { device, ip } = circumstances(one)
  assert.deepEqual((await listed(account))[0]?.values, { device, ip })

  await proveByCode({ to, person })
  const { secret } = await world().identity.factors.beginAuthenticator(person)
  const { recoveryCodes } = await world().identity.factors.confirmAuthenticator(codeOf(secret), person)
  await byCode(await waiting(to), recoveryCodes![0]!)
  await assert.rejects(byCode(await waiting(to), recoveryCodes![0]!), refused('CODE_WRONG'))
  assert.deepEqual(await kinds(account), ['new-device', 'factor-added', 'recovery-used', 'new-device', 'factor-failed'])

  const { keys, factors } = world().identity
  const who = { account, session: person.session.id, visitor: person.visitor }
  await assert.rejects(keys.create({ label: 'bot', scopes: ['read'], ips: [], password: 'wrong' }, who), refused('CREDENTIALS_WRONG'))
  const { key } = await keys.create({ label: 'bot', scopes: ['read'], ips: [], password: good }, who)
  await keys.change(key.id, { label: 'robot' }, who)
  await keys.change(key.id, { scopes: ['trade'], password: good }, who)
  await factors.removeAuthenticator(person)
  await ask(to, 'reset')
  await reset(await tokenIn(to))
  assert.deepEqual((await kinds(account)).slice(5), ['key-widened', 'key-widened', 'factor-removed', 'password-changed'])
  assert.deepEqual((await listed(account)).find(({ kind }) => kind === 'key-widened')?.values['label'], 'robot')
})

test('NOTICE-SECURITY-001: a new webhook and one that was switched off each make one notice', async () => {
  const { account, person } = await customer()
  using webhooks = new Webhooks({
    ...{ store: world().store, clock: world().clock, rules: { hasLoopback: false }, owners: world().identity.owners },
    seal: (secret) => Buffer.from(secret),
    onFault: (cause) => {
      throw cause
    },
  })
  const who = { account, user: person.session.user, session: person.session.id, visitor: person.visitor }
  const url = 'https://hooks.example.com/candor'
  const { webhook } = await webhooks.create({ url, kinds: ['spot.fill'], password: good }, who)
  await world().store.pool.query("update webhooks set off_at = 5, off_by = 'failing' where id = $1", [webhook.id])
  await webhooks.tellOwners()
  await webhooks.tellOwners()
  assert.deepEqual(
    (await listed(account)).map(({ kind, values }) => [kind, values['url']]),
    [
      ['webhook-off', url],
      ['webhook-created', url],
    ],
  )
})

test('NOTICE-SECURITY-002: five wrong passwords within an hour make one notice, at most one in each hour of the clock', async () => {
  const { to, account } = await customer()
  const fail = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await assert.rejects(login(to, 'a wrong password', elsewhere()), refused('CREDENTIALS_WRONG'))
  }
  await fail(4)
  assert.deepEqual(await kinds(account), [])
  await fail(4)
  assert.deepEqual(await kinds(account), ['login-failed'])
  world().pass(3_600_000)
  await fail(4)
  assert.deepEqual(await kinds(account), ['login-failed'])
  await Promise.all([fail(1), fail(1), fail(1)])
  assert.deepEqual(await kinds(account), ['login-failed', 'login-failed'])
  const { rows } = await world().store.pool.query("select count(*) from notices where kind = 'login-failed' and account <> $1", [account])
  assert.deepEqual(rows, [{ count: 0 }])
  await assert.rejects(login('nobody@example.com', 'a wrong password', phone), refused('CREDENTIALS_WRONG'))
})

test('NOTICE-SECURITY-003: the first use of an API key makes one notice, later uses from elsewhere too make none', async () => {
  const { account, person } = await customer()
  const { keys } = world().identity
  const { key } = await keys.create({ label: 'bot', scopes: ['read'], ips: [], password: good }, { account, visitor: person.visitor })
  const { number } = (await keys.find(key.key))!
  await keys.used(number, world().clock(), '203.0.113.9')
  await keys.used(number, world().clock(), '203.0.113.10')
  world().pass(3 * 86_400_000)
  await keys.used(number, world().clock(), '203.0.113.9')
  const [used, ...rest] = await listed(account)
  assert.deepEqual([used?.kind, used?.values], ['key-used', { label: 'bot', ip: '203.0.113.9' }])
  assert.deepEqual(
    rest.map(({ kind }) => kind),
    ['key-widened'],
  )
})

test('NOTICE-SECURITY-004: notices of the review of an identity check name no address and no device of the staff', async () => {
  const { reviews } = papers.office
  const { id, who } = await papers.waiting()
  await reviews.claim(id, anna)
  await reviews.certify(id, anna)
  const [told, ...more] = (await new Notices(papers.world.store).list(who.account)).notices
  assert.deepEqual([told?.kind, told?.values, more], ['papers-verified', {}, []])
})

test('NOTICE-SECURITY-001: of parallel codes the used recovery code makes one notice', async () => {
  const { to, account, recoveryCodes } = await withApp()
  const steps = [await waiting(to), await waiting(to), await waiting(to)]
  const results = await Promise.allSettled(steps.map((step) => byCode(step, recoveryCodes[1]!)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await kinds(account)).filter((kind) => kind === 'recovery-used').length, 1)
})
