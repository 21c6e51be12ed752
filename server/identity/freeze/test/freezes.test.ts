/** Tests of frozen accounts: what a freeze ends, what it refuses and to whom it is told, and its links. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { fresh, minute } from '../../test/quick-world.ts'
import { good, outcomes, refused } from '../../test/world.ts'

const {
  world,
  rows,
  sent,
  log,
  customer,
  proveByCode,
  withApp,
  withPasskey,
  codeOf,
  codeIn,
  tokenIn,
  ask,
  login,
  reset,
  waiting,
  byCode,
  made,
} = factorWorld()
const hour = 3_600_000
type Customer = Awaited<ReturnType<typeof customer>>

const freezes = () => world().identity.freezes
const freeze = ({ person }: Customer) => freezes().byOwner(person.session, stranger())
const frozenAt = async ({ account }: Customer) => (await rows('select frozen_at from accounts where id = $1', account))[0]!['frozen_at']
/** The token of the link in the newest message of this kind. */
async function linkIn(to: string, template: string): Promise<string> {
  const message = (await sent(to)).findLast((one) => one.template === template)
  return message!.freezeLink!.split('token=')[1]!
}
async function key({ account }: Customer): Promise<string> {
  const made = await world().identity.keys.grant({ label: 'bot', scopes: ['read'], ips: [] }, { account, visitor: stranger() })
  return made.key.key
}

test('USER-FREEZE-001: the owner freezes the account from any session without a proof, and all sessions end', async () => {
  const one = await customer()
  const other = await login(one.to)
  const heard: unknown[] = []
  const stop = world().identity.sessions.onRevoked((revoked) => heard.push(revoked))
  await freeze(one)
  stop()
  assert.equal(heard.length, 1)
  for (const token of [one.token, other.token]) assert.equal(await world().identity.session(token), undefined)
  assert.equal(await frozenAt(one), world().clock())
  const [told] = (await sent(one.to)).slice(-1)
  assert.deepEqual([told!.template, told!.freezeLink], ['account-frozen', undefined])
  assert.deepEqual((await log(one.account)).at(-1), ['account-frozen', one.person.session.id, { by: 'owner' }])
  await assert.rejects(freeze(one), refused('UNAUTHENTICATED'))
})

test('USER-FREEZE-002: a login learns of the freeze once every factor was right, and not before', async () => {
  const one = await customer()
  await freeze(one)
  await assert.rejects(login(one.to, 'wrong password'), refused('CREDENTIALS_WRONG'))
  await assert.rejects(login(one.to), refused('USER_FROZEN'))
  const app = await withApp()
  const step = await waiting(app.to)
  await freeze(app)
  await assert.rejects(byCode(step, codeOf(app.secret)), refused('TOKEN_EXPIRED'))
  await assert.rejects(login(app.to, 'wrong password'), refused('CREDENTIALS_WRONG'))
  const again = await waiting(app.to)
  await assert.rejects(byCode(again, codeOf(app.secret, 9)), refused('CODE_WRONG'))
  world().pass(minute)
  await assert.rejects(byCode(again, codeOf(app.secret)), refused('USER_FROZEN'))
  const keyed = await withPasskey()
  await freeze(keyed)
  const { factors, logins } = world().identity
  const response = keyed.passkey.sign({ options: await factors.passkeys.ask(undefined, 'https://candor.example') })
  await assert.rejects(logins.byPasskey(response, 'https://candor.example', stranger()), refused('USER_FROZEN'))
})

test('USER-FREEZE-003: API keys of a frozen account are unknown, and each is announced', async () => {
  const one = await customer()
  const name = await key(one)
  assert.notEqual(await world().identity.keys.find(name), undefined)
  const heard: string[] = []
  const stop = world().identity.keys.onChanged((changed) => heard.push(changed))
  await freeze(one)
  stop()
  assert.deepEqual(heard, [name])
  assert.equal(await world().identity.keys.find(name), undefined)
})

test('USER-FREEZE-011: a freeze by the owner or by a link ends API keys and webhooks for good', async () => {
  const [one, byLink, other] = [await customer(), await customer(), await customer()]
  await login(byLink.to)
  const all = [one.account, byLink.account, other.account]
  for (const each of [one, byLink, other]) await key(each)
  for (const account of all)
    await rows(
      `insert into webhooks (id, account, user_id, url, kinds, secret, created_at)
       values (gen_random_uuid(), $1, 1, 'https://example.com/hook', '{}', '\\x00', 1)`,
      account,
    )
  await freeze(one)
  await freezes().byLink(await linkIn(byLink.to, 'new-device'), stranger())
  for (const table of ['api_keys', 'webhooks']) {
    const left = await rows(`select account from ${table} where account = any($1) and deleted_at is null`, all)
    assert.deepEqual(
      left.map((row) => row['account']),
      [other.account],
      table,
    )
  }
})

test('USER-FREEZE-012: no browser stays a known device of a frozen account', async () => {
  const one = await customer()
  const { deviceKey } = await login(one.to)
  const known = () => world().identity.sessions.knownDevice(one.account, { ...stranger(), deviceKey })
  assert.notEqual(await known(), undefined)
  await freeze(one)
  assert.equal(await known(), undefined)
})

test('USER-FREEZE-004: a reset answers as ever and changes nothing, with codes and links from before the freeze as well', async () => {
  const one = await customer()
  await ask(one.to, 'reset')
  const [code, token] = [await codeIn(one.to), await tokenIn(one.to)]
  await freeze(one)
  await assert.rejects(reset(token), refused('TOKEN_EXPIRED'))
  await assert.rejects(world().identity.resetCode({ channel: 'email', to: one.to, code }, stranger()), refused('CODE_WRONG'))
  world().pass(minute)
  const unknown = await ask(world().address(), 'reset')
  assert.deepEqual(await ask(one.to, 'reset'), unknown)
  const [told] = (await sent(one.to)).slice(-1)
  assert.deepEqual([told!.template, told!.values], ['frozen-note', {}])
  await assert.rejects(world().identity.resetCode({ channel: 'email', to: one.to, code: '000000' }, stranger()), refused('CODE_WRONG'))
  await assert.rejects(login(one.to), refused('USER_FROZEN'))
  await assert.rejects(login(one.to, fresh), refused('CREDENTIALS_WRONG'))
})

test('USER-FREEZE-005: a message about a change has a link that freezes the account once, within 72 hours', async () => {
  const one = await customer()
  await login(one.to)
  const token = await linkIn(one.to, 'new-device')
  const [{ bytes }] = (await rows('select length(token) as bytes from freeze_links where account = $1', one.account)) as [{ bytes: number }]
  assert.equal(bytes, 32)
  const both = await outcomes([freezes().byLink(token, stranger()), freezes().byLink(token, stranger())])
  assert.deepEqual([...both].sort(), ['TOKEN_EXPIRED', 'done'])
  assert.notEqual(await frozenAt(one), null)
  assert.deepEqual((await log(one.account)).at(-1), ['account-frozen', null, { by: 'link' }])

  const late = await customer()
  await login(late.to)
  const old = await linkIn(late.to, 'new-device')
  world().pass(72 * hour)
  await assert.rejects(freezes().byLink(old, stranger()), refused('TOKEN_EXPIRED'))
  await assert.rejects(freezes().byLink('A'.repeat(22), stranger()), refused('TOKEN_EXPIRED'))
  assert.equal(await frozenAt(late), null)
})

test('USER-FREEZE-005: each message and each address has a link of its own; a freeze ends the others', async () => {
  const one = await customer()
  await login(one.to)
  await login(one.to)
  const links = (await sent(one.to)).flatMap(({ freezeLink }) => (freezeLink === undefined ? [] : [freezeLink.split('token=')[1]!]))
  assert.equal(new Set(links).size, 2)
  await freezes().byLink(links[0]!, stranger())
  await assert.rejects(freezes().byLink(links[1]!, stranger()), refused('TOKEN_EXPIRED'))
})

test('USER-FREEZE-006: the core takes no more orders of the user and cancels the open ones; told later if it was away', async () => {
  const one = await customer()
  const { user } = one.person.session
  const { told, failures } = world().core
  told.length = 0
  await freeze(one)
  assert.deepEqual(told, [
    { type: 'user.set', user, isFrozen: true },
    { type: 'spot.cancelAll', user, clientId: '', market: 0, only: 'spot' },
    { type: 'spot.cancelAll', user, clientId: '', market: 0, only: 'margin' },
  ])
  const two = await customer()
  await rows(
    "insert into core_users (user_id, class, referrer, is_frozen, tier) values ($1, 'retail', 0, false, 0)",
    two.person.session.user,
  )
  const faults: unknown[] = []
  const onFault = (cause: unknown): void => void faults.push(cause)
  await using identity = made({ onFault })
  failures.push({ isLost: false })
  told.length = 0
  await identity.freezes.byOwner(two.person.session, stranger())
  assert.deepEqual([told.length, faults.length], [0, 1])
  assert.notEqual(await frozenAt(two), null)
  await identity.coreFreezes.finish()
  assert.deepEqual(told[0], { type: 'user.set', user: two.person.session.user, isFrozen: true })
  await rows('update core_users set is_frozen = true where user_id = $1', two.person.session.user)
  told.length = 0
  await identity.coreFreezes.finish()
  assert.deepEqual(told, [])
  await rows('delete from core_users')
})

test('USER-FREEZE-007: changes in flight at the freeze are refused: key, password, address, payment password', async () => {
  const one = await customer()
  await proveByCode(one)
  const { identity } = world()
  const who = { account: one.account, session: one.person.session.id, visitor: stranger() }
  const to = world().address()
  await identity.sendAddressCode({ channel: 'email', to }, one.person)
  const code = await codeIn(to)
  await freeze(one)
  await assert.rejects(identity.keys.create({ label: 'bot', scopes: ['read'], ips: [], password: good }, who), refused('UNAUTHENTICATED'))
  const form = { current: good, password: fresh, passwordAgain: fresh }
  await assert.rejects(identity.changePassword(form, one.person.session, one.token, one.person.visitor), refused('CREDENTIALS_WRONG'))
  await assert.rejects(identity.contacts.set({ channel: 'email', to, code }, one.person), refused('PROOF_NEEDED'))
  await assert.rejects(identity.paymentPasswords.set({ digits: '802946' }, one.person), refused('PROOF_NEEDED'))
  assert.deepEqual(await rows('select key from api_keys where account = $1', one.account), [])
})

test('USER-FREEZE-001: of a freeze and a login at the same moment, no session stays', async () => {
  const one = await customer()
  for (let n = 0; n < 4; n++) {
    const two = await customer()
    const [, started] = await Promise.allSettled([freeze(two), login(two.to)])
    if (started.status === 'fulfilled') assert.equal(await world().identity.session(started.value.token), undefined)
  }
  assert.notEqual(await world().identity.session(one.token), undefined)
})
