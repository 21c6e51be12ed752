/** Tests what is stored, listed and logged of API keys, and changes that cross each other. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireKeyChange, WireNewKey } from '@candor/core/protocol/wire/keys.ts'
import type { Refused } from '../../refused.ts'
import { keysPerDay } from '../key-terms.ts'
import type { KeyHolder } from '../keys.ts'
import { QuickArgon } from './people.ts'
import { elsewhere, good, phone, startWorld, type World } from './world.ts'

let world: World
/** The time of the world. */
let now = 0
before(async () => {
  world = await startWorld(new QuickArgon())
})
after(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  now = world.clock()
})

const day = 86_400_000
const form = (given: Partial<WireNewKey> = {}): WireNewKey => ({ label: 'bot', scopes: ['read'], ips: [], password: good, ...given })
const holder = async (): Promise<KeyHolder> => ({ account: (await world.customer()).account, visitor: elsewhere() })

test('API-KEY-008: the wait after a hundred keys lasts until the first of them is a day old', async () => {
  const who = await holder()
  const { keys } = world.identity
  const { password: _, ...granted } = form()
  const made = async (): Promise<void> => {
    const { key } = await keys.grant(granted, who)
    await keys.delete(key.id, who)
  }
  await made()
  world.pass(1_500)
  for (let n = 1; n < keysPerDay; n++) await made()
  await assert.rejects(keys.grant(granted, who), { refusal: 'TOO_MANY_TRIES', retryAfter: 86_399 })
  world.pass(day - 1_501)
  await assert.rejects(keys.create(form(), who), { refusal: 'TOO_MANY_TRIES', retryAfter: 1 })
  world.pass(1)
  await made()
})

test('API-KEY-001: a key is listed with all its terms, and found with all that a gateway needs', async () => {
  const who = await holder()
  world.pass(1_000)
  now += 1_000
  const { keys } = world.identity
  const { key, secret } = await keys.create(form({ label: ' bot ', ips: ['192.0.2.1'], expiresAt: now + day }), who)
  const { id } = key
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(key, {
    ...{ id, key: key.key, label: 'bot', kind: 'hmac', scopes: ['read'], ips: ['192.0.2.1'], createdAt: now, expiresAt: now + day },
  })
  assert.deepEqual(await keys.list(who.account), { keys: [key], keysMax: 30, ipsMax: 20, needsIps: false })
  const found = (await keys.find(key.key))!
  const [{ core_user: user, uid }] = (await world.store.pool.query('select core_user, uid from accounts where id = $1', [who.account])).rows
  assert.deepEqual(found, {
    ...{ number: found.number, key: key.key, kind: 'hmac', material: secret, scopes: ['read'], ips: ['192.0.2.1'], createdAt: now },
    ...{ expiresAt: now + day, account: who.account, user, uid, class: 'retail', restUntil: 0 },
  })
  assert.equal(await keys.find('unknown'), undefined)
  await world.store.pool.query('update accounts set core_user = null where id = $1', [who.account])
  assert.equal(await keys.find(key.key), undefined)
})

test('API-KEY-005: a change that another one overtakes is judged by the key as it then is', async () => {
  const who = await holder()
  const { keys } = world.identity
  /** Makes the change while another one, which then takes effect, holds the key's row. */
  const overtaken = async (id: string, other: string, change: WireKeyChange): Promise<unknown> => {
    const client = await world.store.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update api_keys set ${other} where id = $1`, [id])
      const came = keys.change(id, change, who).then(
        () => 'done',
        ({ refusal, field }: Refused) => [refusal, field],
      )
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      while ((await world.store.pool.query(waiting)).rowCount === 0) await sleep(5)
      await client.query('commit')
      return await came
    } finally {
      client.release()
    }
  }
  const narrower = "scopes = '{read}'"
  const { key } = await keys.create(form({ scopes: ['trade'] }), who)
  assert.deepEqual(await overtaken(key.id, narrower, { scopes: ['trade'] }), ['FIELD_MISSING', 'password'])
  assert.deepEqual((await keys.list(who.account)).keys, [{ ...key, scopes: ['read'] }])
  assert.equal(await overtaken(key.id, narrower, { label: 'renamed' }), 'done')
  assert.deepEqual(await overtaken(key.id, `deleted_at = ${now}, secret = null`, { label: 'again' }), ['NOT_FOUND', undefined])
})

test('API-KEY-005: a change of one term leaves the others, even where they would no longer be accepted', async () => {
  const who = await holder()
  const { keys } = world.identity
  const { key } = await keys.create(form({ scopes: ['trade'], ips: ['192.0.2.1'], expiresAt: now + 1_000 }), who)
  world.pass(1_000)
  const renamed = await keys.change(key.id, { label: ' renamed ' }, who)
  assert.deepEqual(renamed, { ...key, label: 'renamed' })
  for (const change of [{ scopes: ['read'] as const }, { ips: ['192.0.2.1'] }])
    await assert.rejects(keys.change(key.id, change, who), { refusal: 'FIELD_INVALID', field: 'expiresAt' })
  const longer = await keys.change(key.id, { expiresAt: now + 9_000, password: good }, who)
  assert.deepEqual(longer, { ...renamed, expiresAt: now + 9_000 })
  await assert.rejects(keys.change(key.id, { ips: [] }, who), { refusal: 'FIELD_MISSING', field: 'password' })
})

test('API-KEY-011: the log has all terms of a key, and the session that changed it', async () => {
  const { account, token } = await world.customer()
  const { id: session } = (await world.identity.session(token))!
  const { keys } = world.identity
  const { key } = await keys.create(form({ ips: ['192.0.2.1', '192.0.2.2'] }), { account, session, visitor: phone })
  const { number } = (await keys.find(key.key))!
  await keys.change(key.id, { expiresAt: now + day }, { account, visitor: phone })
  const text = "select session, detail from audit_log where account = $1 and action like 'key-%' order by id"
  const detail = { number, label: 'bot', kind: 'hmac', scopes: 'read', ips: '192.0.2.1,192.0.2.2', expiresAt: 'never' }
  assert.deepEqual((await world.store.pool.query(text, [account])).rows, [
    { session, detail },
    { session: null, detail: { ...detail, expiresAt: now + day } },
  ])
})

test('API-KEY-012: a use is noted with its address, an older one and one of an unknown key not', async () => {
  const who = await holder()
  const { keys } = world.identity
  const { key } = await keys.create(form({ label: 'noted' }), who)
  const { number } = (await keys.find(key.key))!
  await keys.used(number, now + 5, '192.0.2.1')
  await keys.used(number, now + 5, '192.0.2.2')
  const [listed] = (await keys.list(who.account)).keys
  assert.deepEqual([listed!.lastUsedAt, listed!.lastIp], [now + 5, '192.0.2.2'])
  await keys.used(2 ** 31 - 1, now, '192.0.2.3')
  const { rows } = await world.store.pool.query(
    "select ip, device, detail from audit_log where account = $1 and action = 'key-used' order by id",
    [who.account],
  )
  assert.deepEqual(rows, [
    { ip: '192.0.2.1', device: '—', detail: { number, label: 'noted', isFirst: true } },
    { ip: '192.0.2.2', device: '—', detail: { number, label: 'noted' } },
  ])
})
