import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { WireNewKey } from '@candor/core/protocol/wire/keys.ts'
import { Identity } from '../identity.ts'
import { ipsMax, keysMax, keysPerDay } from '../key-terms.ts'
import type { KeyHolder } from '../keys.ts'
import { SealFault } from '../seal.ts'
import { ServerKeys } from '../server-keys.ts'
import { QuickArgon } from './people.ts'
import { elsewhere, good, outcomes, phone, refused, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld(new QuickArgon())
})
after(() => world[Symbol.asyncDispose]())

const day = 86_400_000
/** The time of the world. */
let now = 0
beforeEach(() => {
  now = world.clock()
})
const form = (given: Partial<WireNewKey> = {}): WireNewKey => ({ label: 'bot', scopes: ['read'], ips: [], password: good, ...given })
const holder = async (): Promise<KeyHolder> => ({ account: (await world.customer()).account, visitor: elsewhere() })
const pem = (type: 'ed25519' | 'rsa' | 'x25519', half: 'public' | 'private' = 'public', rsa = { modulusLength: 2_048 }): string => {
  const pair = type === 'rsa' ? generateKeyPairSync('rsa', rsa) : generateKeyPairSync(type as 'ed25519')
  const { privateKey, publicKey } = pair
  return half === 'public'
    ? publicKey.export({ type: 'spki', format: 'pem' }).toString()
    : privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

test('API-KEY-001: a key has 64 letters and digits; its secret is in the answer that creates it and in no other', async () => {
  const who = await holder()
  const { key, secret } = await world.identity.keys.create(form({ scopes: ['trade'] }), who)
  assert.match(key.key, /^[A-Za-z0-9]{64}$/)
  assert.match(secret ?? '', /^[A-Za-z0-9]{64}$/)
  assert.deepEqual(key.scopes, ['read', 'trade'], 'every key may read')
  assert.ok(!('expiresAt' in key))
  const list = await world.identity.keys.list(who.account)
  assert.deepEqual(list.keys, [key])
  assert.ok(!JSON.stringify(list).includes(secret as string))
  const found = await world.identity.keys.find(key.key)
  assert.equal(found?.material, secret)
  assert.equal(found?.account, who.account)
})

test('API-KEY-002: no secret in the database can be read without the server key, or after a move to another row', async () => {
  const who = await holder()
  const [one, two] = [await world.identity.keys.create(form(), who), await world.identity.keys.create(form(), who)]
  const { rows } = await world.store.pool.query('select key, secret, t::text as whole from api_keys t where account = $1', [who.account])
  for (const { secret } of [one, two]) for (const row of rows) assert.ok(!row.whole.includes(secret) && !row.secret.includes(secret))
  await world.store.pool.query('update api_keys set secret = (select secret from api_keys where key = $1) where key = $2', [
    one.key.key,
    two.key.key,
  ])
  const faults: unknown[] = []
  const options = {
    store: world.store,
    submit: world.core.submit,
    openOrders: world.core.openOrders,
    messages: { send: () => Promise.resolve() },
    mode: 'sandbox',
  } as const
  const onFault = (cause: unknown): void => void faults.push(cause)
  await using same = new Identity({ ...options, serverKeys: ServerKeys.of(Buffer.alloc(32, 7)), onFault })
  assert.equal(await same.keys.find(two.key.key), undefined)
  assert.equal((await same.keys.find(one.key.key))?.material, one.secret)
  await using other = new Identity({ ...options, serverKeys: ServerKeys.of(Buffer.alloc(32, 8)), onFault })
  assert.equal(await other.keys.find(one.key.key), undefined)
  assert.deepEqual([faults.length, faults.every((fault) => fault instanceof SealFault)], [2, true])
})

test('API-KEY-003: the exchange stores the public half of an Ed25519 or RSA key; a private half, other kinds and weak keys are refused', async () => {
  const who = await holder()
  const publicKey = pem('ed25519')
  const made = await world.identity.keys.create(form({ publicKey: `  ${publicKey.replaceAll('\n', '\r\n')}` }), who)
  assert.deepEqual(Object.keys(made), ['key'])
  assert.equal(made.key.kind, 'ed25519')
  assert.deepEqual((await world.identity.keys.find(made.key.key))?.material, publicKey)
  const wrong = [
    pem('ed25519', 'private'),
    pem('rsa', 'private'),
    pem('rsa', 'public', { modulusLength: 1_024 }),
    pem('rsa', 'public', { modulusLength: 2_048, publicExponent: 3 } as { modulusLength: number }),
    pem('x25519'),
    'ssh-ed25519 AAAA',
    '',
    `${publicKey}${publicKey}`,
    publicKey.slice(0, 60),
  ]
  for (const text of wrong) await assert.rejects(world.identity.keys.create(form({ publicKey: text }), who), refused('PUBLIC_KEY_INVALID'))
  const rsa = await world.identity.keys.create(form({ publicKey: pem('rsa') }), who)
  assert.deepEqual([rsa.key.kind, rsa.secret], ['rsa', undefined])
  assert.equal((await world.identity.keys.list(who.account)).keys.length, 2)
})

test('API-KEY-004: creating a key needs the password, with the limits of a login', async () => {
  const who = await holder()
  for (let wrong = 0; wrong < 5; wrong++) {
    await assert.rejects(world.identity.keys.create(form({ password: 'not this one' }), who), refused('CREDENTIALS_WRONG'))
  }
  await assert.rejects(world.identity.keys.create(form(), who), refused('TOO_MANY_TRIES'))
  assert.deepEqual((await world.identity.keys.list(who.account)).keys, [])
})

test('API-KEY-005: more scopes, other addresses or a later expiry need the password; narrowing a key does not', async () => {
  const who = await holder()
  const { keys } = world.identity
  const begins = { scopes: ['read', 'trade'], ips: ['192.0.2.1', '198.51.100.0/24'], expiresAt: now + 10 * day } as const
  const { key } = await keys.create(form(begins), who)
  const wider = [
    { scopes: ['read', 'trade', 'withdraw'] },
    { ips: [] },
    { ips: ['192.0.2.1', '203.0.113.9'] },
    { ips: ['0.0.0.0/0'] },
    { expiresAt: null },
    { expiresAt: now + 11 * day },
    { scopes: ['read'], expiresAt: null },
  ] as const
  for (const change of wider) {
    await assert.rejects(keys.change(key.id, change, who), refused('FIELD_MISSING'))
    await assert.rejects(
      keys.change(key.id, { ...change, password: 'not this one' }, { ...who, visitor: elsewhere() }),
      refused('CREDENTIALS_WRONG'),
    )
    assert.deepEqual((await keys.list(who.account)).keys, [key])
    await keys.change(key.id, { ...change, password: good }, who)
    await keys.change(key.id, { ...begins, password: good }, who)
  }
  const narrower = { label: ' still a bot ', scopes: ['read'], ips: ['192.0.2.1'], expiresAt: now + day } as const
  const changed = await keys.change(key.id, narrower, who)
  assert.deepEqual(changed, { ...key, ...narrower, label: 'still a bot' })
  assert.deepEqual((await keys.find(key.key))?.ips, ['192.0.2.1'])
})

test('API-KEY-006: by the policy, a key that withdraws needs a list of addresses, and one without a list an expiry within 90 days', async () => {
  const who = await holder()
  const { keys } = world.production
  await assert.rejects(keys.create(form({ scopes: ['withdraw'], expiresAt: now + day }), who), refused('KEY_NEEDS_IPS'))
  await assert.rejects(keys.create(form(), who), refused('KEY_NEEDS_EXPIRY'))
  await assert.rejects(keys.create(form({ expiresAt: now + 91 * day }), who), refused('KEY_NEEDS_EXPIRY'))
  for (const ips of [['0.0.0.0/0'], ['::/0'], ['192.0.2.1', '0.0.0.0/1', '128.0.0.0/1']]) {
    await assert.rejects(keys.create(form({ scopes: ['withdraw'], ips, expiresAt: now + day }), who), refused('KEY_NEEDS_IPS'), ips.join())
    await assert.rejects(keys.create(form({ ips }), who), refused('KEY_NEEDS_EXPIRY'), ips.join())
  }
  const { key } = await keys.create(form({ scopes: ['withdraw'], ips: ['192.0.2.1'] }), who)
  await assert.rejects(keys.change(key.id, { ips: [], password: good }, who), refused('KEY_NEEDS_IPS'))
  await keys.create(form({ expiresAt: now + 90 * day }), who)
  const { needsIps, expiryMaxMs } = await keys.list(who.account)
  assert.deepEqual([needsIps, expiryMaxMs], [true, 90 * day])
  await world.identity.keys.create(form({ scopes: ['withdraw'] }), who)
})

test('API-KEY-007: an invalid address or expiry is refused, and equal addresses count once', async () => {
  const who = await holder()
  const bad = [
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
    '::1/129',
    'fe80::1%eth0',
  ]
  for (const ip of bad) await assert.rejects(world.identity.keys.create(form({ ips: [ip] }), who), refused('FIELD_INVALID'))
  const many = Array.from({ length: ipsMax + 1 }, (_, n) => `192.0.2.${n}`)
  await assert.rejects(world.identity.keys.create(form({ ips: many }), who), refused('FIELD_INVALID'))
  for (const expiresAt of [0, now - 1, now]) {
    await assert.rejects(world.identity.keys.create(form({ expiresAt }), who), refused('FIELD_INVALID'))
  }
  const { key } = await world.identity.keys.create(form({ ips: [' 192.0.2.1', '192.0.2.1', '2001:DB8::/32'] }), who)
  assert.deepEqual(key.ips, ['192.0.2.1', '2001:db8::/32'])
})

test('API-KEY-008: an account has at most 30 keys and creates at most 100 a day, however many requests come at once', async () => {
  const who = await holder()
  const { keys } = world.identity
  const { password: _, ...granted } = form()
  const came = await outcomes(Array.from({ length: keysMax + 10 }, () => keys.grant(granted, who)))
  assert.deepEqual([came.filter((one) => one === 'done').length, came.filter((one) => one === 'KEY_LIMIT').length], [keysMax, 10])
  await assert.rejects(keys.create(form({ password: 'not this one' }), who), refused('KEY_LIMIT'), 'the password is not even compared')
  const [first] = (await keys.list(who.account)).keys
  for (let made = keysMax, id = first!.id; made < keysPerDay; made++) {
    await keys.delete(id, who)
    id = (await keys.grant(granted, who)).key.id
  }
  await keys.delete((await keys.list(who.account)).keys[0]!.id, who)
  await assert.rejects(keys.grant(granted, who), refused('TOO_MANY_TRIES'))
})

test('API-KEY-009: a deleted key is refused and keeps no secret; its number stays with its owner', async () => {
  const who = await holder()
  const { keys } = world.identity
  const { key } = await keys.create(form(), who)
  const number = (await keys.find(key.key))?.number
  const heard: string[] = []
  const stop = keys.onChanged((changed) => heard.push(changed))
  await keys.change(key.id, { label: 'another' }, who)
  await keys.delete(key.id, who)
  stop()
  await keys.delete((await keys.create(form(), who)).key.id, who)
  assert.deepEqual(heard, [key.key, key.key])
  assert.equal(await keys.find(key.key), undefined)
  assert.deepEqual((await keys.list(who.account)).keys, [])
  const { rows } = await world.store.pool.query('select account, secret from api_keys where number = $1', [number])
  assert.deepEqual(rows, [{ account: who.account, secret: null }])
  await assert.rejects(keys.delete(key.id, who), refused('NOT_FOUND'))
  await assert.rejects(keys.change(key.id, { label: 'back' }, who), refused('NOT_FOUND'))
})

test('API-KEY-010: nobody sees, changes or deletes the key of another', async () => {
  const [alice, bob] = [await holder(), await holder()]
  const { keys } = world.identity
  const { key } = await keys.create(form(), alice)
  assert.deepEqual((await keys.list(bob.account)).keys, [])
  await assert.rejects(keys.change(key.id, { label: 'mine' }, bob), refused('NOT_FOUND'))
  await assert.rejects(keys.delete(key.id, bob), refused('NOT_FOUND'))
  assert.deepEqual((await keys.list(alice.account)).keys, [key])
})

test('API-KEY-011: each change is logged with user, address and terms, without the secret', async () => {
  const who = { ...(await holder()), visitor: phone }
  const { keys } = world.identity
  const { key, secret } = await keys.create(form({ scopes: ['trade'], ips: ['192.0.2.1'] }), who)
  await keys.change(key.id, { scopes: ['read'] }, who)
  await keys.delete(key.id, who)
  const { rows } = await world.store.pool.query(
    "select action, ip, detail::text as text, detail->>'scopes' as scopes from audit_log where account = $1 and action like 'key-%' order by id",
    [who.account],
  )
  assert.deepEqual(
    rows.map(({ action, ip, scopes }) => [action, ip, scopes]),
    [
      ['key-created', phone.ip, 'read,trade'],
      ['key-changed', phone.ip, 'read'],
      ['key-deleted', phone.ip, 'read'],
    ],
  )
  for (const { text } of rows) assert.ok(!text.includes(secret) && text.includes('192.0.2.1'))
})

test('API-KEY-012: the last use of a key is shown with its address; an older use does not replace it', async () => {
  const who = await holder()
  const { keys } = world.identity
  const { key } = await keys.create(form(), who)
  const number = (await keys.find(key.key))?.number as number
  await keys.used(number, now + 1_000, '192.0.2.7')
  await keys.used(number, now, '192.0.2.8')
  assert.deepEqual((await keys.list(who.account)).keys, [{ ...key, lastUsedAt: now + 1_000, lastIp: '192.0.2.7' }])
})

test('API-KEY-017: the owner gets a mail when a key is created or widened, and not when it is narrowed', async () => {
  const { account, to } = await world.customer()
  const who: KeyHolder = { account, visitor: phone }
  const { keys } = world.identity
  const mails = async (): Promise<number> => {
    await world.identity.settled()
    return (await world.inbox.list(to)).filter(({ subject }) => subject === 'An API key can act for your account').length
  }
  const { key } = await keys.create(form({ scopes: ['trade'] }), who)
  assert.equal(await mails(), 1)
  await keys.change(key.id, { scopes: ['read'] }, who)
  assert.equal(await mails(), 1)
  await keys.change(key.id, { scopes: ['trade'], password: good }, who)
  assert.equal(await mails(), 2)
  assert.match((await world.inbox.list(to))[0]?.text ?? '', /IP address: 203\.0\.113\.7/)
})

test('API-KEY-019: the first use of a key from an address in a day is written to the log', async () => {
  const who = await holder()
  const { key } = await world.identity.keys.create(form(), who)
  const number = (await world.identity.keys.find(key.key))?.number as number
  const logged = async (): Promise<readonly string[]> => {
    const text = "select ip from audit_log where account = $1 and action = 'key-used' order by id"
    return (await world.store.pool.query(text, [who.account])).rows.map(({ ip }) => ip)
  }
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']) await world.identity.keys.used(number, now, ip)
  assert.deepEqual(await logged(), ['192.0.2.1', '192.0.2.2'])
  world.pass(day)
  await world.identity.keys.used(number, now + day, '192.0.2.1')
  assert.deepEqual(await logged(), ['192.0.2.1', '192.0.2.2', '192.0.2.1'])
})
