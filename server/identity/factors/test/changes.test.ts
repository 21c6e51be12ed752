/** Tests what a change of second factors leaves behind: codes, proofs, limits and lines of the log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf } from '../../secret.ts'
import { stranger } from '../../test/people.ts'
import { minute } from '../../test/quick-world.ts'
import { good, refused } from '../../test/world.ts'
import { factorWorld, origin } from './factor-world.ts'
import { SoftPasskey } from './soft-passkey.ts'

const { world, rows, log, factors, customer, proveByCode, codeOf, withApp, withPasskey, waiting, byCode, provenUntil } = factorWorld()

test('USER-FACTOR-005: recovery codes stay while the account has another factor, and are no way once they are used up', async () => {
  const { to, person, account, recoveryCodes } = await withPasskey()
  const { secret } = await factors().beginAuthenticator(person)
  assert.deepEqual(await factors().confirmAuthenticator(codeOf(secret), person), {})
  const { passkeys } = await factors().of(person.session)
  await factors().removePasskey(passkeys[0]!.id, person)
  await byCode(await waiting(to), recoveryCodes[0]!)
  await rows('delete from recovery_codes where account = $1', account)
  const { ways, recoveryCodesLeft } = await factors().of(person.session)
  assert.deepEqual([ways, recoveryCodesLeft], [['authenticator'], 0])
})

test('USER-FACTOR-005: a recovery code with six digits at its begin or end, typed without hyphens, is one', async () => {
  const { to, account } = await withApp()
  for (const code of ['234567ABCDEFGHJK', 'ABCDEFGHJK234567']) {
    await rows('insert into recovery_codes (account, hash) values ($1, $2)', account, hashOf(code))
    assert.equal((await byCode(await waiting(to), code)).session.account, account)
  }
})

test('USER-FACTOR-003: wrong codes for one account delay nobody at another', async () => {
  const [one, other] = [await withApp(), await withApp()]
  const visitor = stranger()
  const wrong = codeOf(one.secret, 9)
  for (let n = 0; n < 5; n++) assert.equal(await factors().takesCode(one.account, wrong, visitor), false)
  await assert.rejects(factors().takesCode(one.account, wrong, visitor), { refusal: 'TOO_MANY_TRIES', retryAfter: 1 })
  assert.equal(await factors().takesCode(other.account, codeOf(other.secret), visitor), true)
})

test('USER-PROOF-001: a proof holds to the millisecond; an account without a factor needs none for a key', async () => {
  const one = await customer()
  const { person, account } = one
  assert.deepEqual(await world().identity.sendProofCode(person), { resendAfter: 60, expiresIn: 600 })
  const until = await proveByCode(one)
  world().pass(15 * minute - 1)
  assert.equal(await provenUntil(person), until)
  world().pass(1)
  assert.equal(await provenUntil(person), null)
  await assert.rejects(factors().beginAuthenticator(person), refused('PROOF_NEEDED'))
  await world().identity.owners.confirm({ account, session: person.session.id, visitor: person.visitor }, good, 'key-create')
})

test('USER-ACCESS-001: the log has each change of the factors with its session', async () => {
  const { person, account } = await withApp()
  const made = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
  await factors().addPasskey('x', made, person)
  await factors().renewRecoveryCodes(person)
  await factors().removeAuthenticator(person)
  const { passkeys } = await factors().of(person.session)
  await factors().removePasskey(passkeys[0]!.id, person)
  const { id } = person.session
  const changes = ['authenticator-added', 'passkey-added', 'recovery-codes-renewed', 'authenticator-removed', 'passkey-removed']
  assert.deepEqual(
    (await log(account)).slice(-5),
    changes.map((action) => [action, id, {}]),
  )
})
