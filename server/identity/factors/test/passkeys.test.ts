/** Tests what a browser is asked for a passkey, and which of its answers make one. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { stranger } from '../../test/people.ts'
import { minute } from '../../test/quick-world.ts'
import { refused } from '../../test/world.ts'
import type { PasskeyJson } from '../passkeys.ts'
import { factorWorld, origin } from './factor-world.ts'
import { withRevocationAt } from './hostile-attestation.ts'
import { type Bent, SoftPasskey } from './soft-passkey.ts'

const { world, rows, factors, customer, proveByCode, withPasskey } = factorWorld()

/** A customer whose session has just proved itself. */
async function proven() {
  const one = await customer()
  await proveByCode(one)
  return one
}

const asked = async (account?: string) => ({ options: await factors().passkeys.ask(account, origin) })

test('USER-FACTOR-006: a new passkey is asked for with the person’s check, with each kind of key that a device may have', async () => {
  const { person, account, to } = await proven()
  const { challenge, ...options } = await factors().beginPasskey(person)
  assert.match(String(challenge), /^[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(options, {
    rp: { name: 'Candor', id: 'candor.example' },
    user: { id: Buffer.from(account.replaceAll('-', ''), 'hex').toString('base64url'), name: to, displayName: '' },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
    timeout: minute,
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required', requireResidentKey: true },
    extensions: { credProps: true },
    hints: [],
  })
  const { options: login } = await asked()
  assert.deepEqual([login['rpId'], login['userVerification'], login['allowCredentials']], ['candor.example', 'required', []])
})

test('USER-FACTOR-006: the known ways to reach a passkey are kept, and told to the browser that is asked for it', async () => {
  const { person, account } = await proven()
  const made = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
  const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
  const response = { ...(made['response'] as object), transports: [...transports, 'pigeon'].toReversed() }
  await factors().addPasskey('x', { ...made, response }, person)
  const told = [{ id: made['id'], type: 'public-key', transports }]
  assert.deepEqual((await factors().beginPasskey(person))['excludeCredentials'], told)
  assert.deepEqual((await asked(account)).options['allowCredentials'], told)
})

test('USER-FACTOR-006: a new passkey may sign for itself; a signature of another key is refused', async () => {
  const { person, account } = await proven()
  const add = async (passkey: SoftPasskey, bent: Bent) =>
    factors().addPasskey('x', passkey.create({ options: await factors().beginPasskey(person) }, bent), person)
  await assert.rejects(add(new SoftPasskey(origin), { signedBy: 'another' }), refused('PASSKEY_WRONG'))
  const passkey = new SoftPasskey(origin)
  await add(passkey, { signedBy: 'itself' })
  const started = await world().identity.logins.byPasskey(passkey.sign(await asked()), origin, stranger())
  assert.equal(started.session.account, account)
})

test('USER-FACTOR-006: a statement that can not be checked is refused before the challenge is used up', async () => {
  const { person } = await proven()
  const made = new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) })
  const response = made['response'] as Readonly<Record<string, string>>
  const object = Buffer.from(response['attestationObject']!, 'base64url')
  object.write('nine', object.indexOf('none'))
  const unknown: PasskeyJson = { ...made, response: { ...response, attestationObject: object.toString('base64url') } }
  const nowhere = 'http://127.0.0.1:9/'
  for (const hostile of [withRevocationAt(nowhere, made), withRevocationAt(nowhere, made, 'packed'), unknown])
    await assert.rejects(factors().addPasskey('x', hostile, person), refused('PASSKEY_WRONG'))
  await factors().addPasskey('x', made, person)
})

test('USER-INPUT-001: the public key of a passkey has at most 1024 bytes', async () => {
  const { person, account } = await proven()
  // {1: 3, 3: -257, -1: modulus, -2: 65537}
  const rsa = (length: number): Buffer => {
    const modulus = randomBytes(length - 16)
    const size = Buffer.of(modulus.length >> 8, modulus.length & 255)
    return Buffer.concat([
      Buffer.from('a4010303390100', 'hex'),
      Buffer.from('2059', 'hex'),
      size,
      modulus,
      Buffer.from('2143010001', 'hex'),
    ])
  }
  const add = async (length: number) => {
    const options = await factors().beginPasskey(person)
    return factors().addPasskey('x', new SoftPasskey(origin).create({ options }, { publicKey: rsa(length) }), person)
  }
  await assert.rejects(add(1_025), refused('PASSKEY_WRONG'))
  await add(1_024)
  assert.deepEqual(await rows('select length(public_key) as length from passkeys where account = $1', account), [{ length: 1_024 }])
})

test('USER-FACTOR-008: a passkey that never counts signs again and again; one that has counted must go on', async () => {
  const { person, account } = await proven()
  const passkey = new SoftPasskey(origin)
  const made = passkey.create({ options: await factors().beginPasskey(person) }, { counter: 0 })
  await factors().addPasskey('x', made, person)
  const prove = async (counter: number) =>
    factors().prove({ way: 'passkey', response: passkey.sign(await asked(account), { counter }) }, person)
  for (const counter of [0, 0, 5]) await prove(counter)
  await assert.rejects(prove(0), refused('PASSKEY_WRONG'))
})

test('USER-FACTOR-008: the list has the oldest passkey first, and when each was last used', async () => {
  const { person, account, passkey } = await withPasskey()
  const created = world().clock()
  world().pass(minute)
  await factors().addPasskey('another', new SoftPasskey(origin).create({ options: await factors().beginPasskey(person) }), person)
  await factors().prove({ way: 'passkey', response: passkey.sign(await asked(account)) }, person)
  const { passkeys } = await factors().of(person.session)
  assert.deepEqual(
    passkeys.map(({ id, ...rest }) => (assert.ok(id), rest)),
    [
      { label: 'my phone', isSynced: false, createdAt: created, lastUsedAt: created + minute },
      { label: 'another', isSynced: false, createdAt: created + minute, lastUsedAt: null },
    ],
  )
})

test('USER-FACTOR-006: passkeys belong to pages: a program has none', async () => {
  const { person } = await proven()
  const { session, visitor } = person
  for (const one of [
    { session, visitor },
    { session, visitor, origin: 'no address' },
  ])
    await assert.rejects(factors().beginPasskey(one), refused('ORIGIN_REFUSED'))
})
