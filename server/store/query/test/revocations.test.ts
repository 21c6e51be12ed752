import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { forgetRevocations, revokedSince } from '../revocations.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

let users = 0

async function addAccount(pool: pg.Pool): Promise<string> {
  const id = randomUUID()
  users++
  await pool.query(
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     values ($1, $2, $3, $4, 'x', 0, 'en', $2, 'retail', 0)`,
    [id, String(100_000_000 + users), users, `${users}@example.com`],
  )
  return id
}

async function addSession(pool: pg.Pool, account: string): Promise<string> {
  const id = randomUUID()
  await pool.query(
    `insert into sessions (id, account, token, token_since, device, device_key, ip, created_at, last_seen_at, logged_in_at)
     values ($1, $2, sha256($3::bytea), 0, 'x', sha256('x'), 'x', 0, 0, 0)`,
    [id, account, Buffer.from(id)],
  )
  return id
}

test('GATEWAY-REVOKED-001: ended sessions, changed keys, deleted listen keys and changed rights are noted with their change, and nothing else is', async () => {
  await using store = await server.store()
  const { pool } = store
  const account = await addAccount(pool)
  const session = await addSession(pool, account)
  const key = 'k'.repeat(64)
  await pool.query(
    `insert into api_keys (id, account, key, label, kind, secret, scopes, ips, created_at) values ($1, $2, $3, 'x', 'hmac', 'x', '{read}', '{}', 0)`,
    [randomUUID(), account, key],
  )
  await pool.query(
    `insert into listen_keys (hash, seed, api_key, core_user, stream, market, is_token, expires_at)
     values (sha256('l'), sha256('s'), 1, 1, 'spot', 0, false, 9)`,
  )
  const firm = randomUUID()
  await pool.query(`insert into firms (id, name, registration, country, applied_by, applied_at) values ($1, 'Firm', 'R1', 'DE', $2, 0)`, [
    firm,
    account,
  ])
  await pool.query(
    `insert into firm_members (id, firm, account, label, role, state, invited_at, joined_at) values ($1, $2, $3, 'x', 'trader', 'active', 0, 0)`,
    [randomUUID(), firm, account],
  )
  const { next } = await revokedSince(pool, undefined)
  await pool.query('update sessions set last_seen_at = 5')
  await pool.query('update api_keys set last_used_at = 5')
  await pool.query('update listen_keys set expires_at = 10')
  await pool.query(`update firm_members set label = 'y'`)
  assert.deepEqual((await revokedSince(pool, next)).rows, [])

  await pool.query('update sessions set revoked_at = 5')
  await pool.query(`update api_keys set ips = '{192.0.2.1}'`)
  await pool.query('delete from listen_keys')
  await pool.query(`update firm_members set role = 'viewer'`)
  const { rows } = await revokedSince(pool, next)
  const none = { account: null, session: null, key: null, listenKey: null }
  const [{ hash }] = (await pool.query(`select encode(sha256('l'), 'hex') as hash`)).rows as [{ hash: string }]
  const plain = rows.map(({ account: of, session: ended, key: changed, listenKey }) => ({
    account: of,
    session: ended,
    key: changed,
    listenKey,
  }))
  assert.deepEqual(plain, [
    { ...none, account, session },
    { ...none, key },
    { ...none, listenKey: hash },
    { ...none, account },
  ])
  await forgetRevocations(pool)
  assert.equal((await pool.query('select from revocations')).rowCount, 4)
  await pool.query(`update revocations set made_at = now() - interval '2 hours'`)
  await forgetRevocations(pool)
  assert.equal((await pool.query('select from revocations')).rowCount, 0)
})

test('GATEWAY-REVOKED-001: a revocation whose transaction commits after a later one is read as well', async () => {
  await using store = await server.store()
  const { pool } = store
  const account = await addAccount(pool)
  const [slow, quick] = [await addSession(pool, account), await addSession(pool, account)]
  let { next } = await revokedSince(pool, undefined)
  const seen: (string | null)[] = []
  const read = async (): Promise<void> => {
    const found = await revokedSince(pool, next)
    next = found.next
    seen.push(...found.rows.map(({ session }) => session))
  }
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('update sessions set revoked_at = 1 where id = $1', [slow])
    await pool.query('update sessions set revoked_at = 1 where id = $1', [quick])
    await read()
    assert.deepEqual(seen, [quick])
    await client.query('commit')
  } finally {
    client.release()
  }
  await read()
  assert.ok(seen.includes(slow))
  await read()
  assert.equal(seen.filter((session) => session === slow).length, 1)
})
