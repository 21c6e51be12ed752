import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prune } from '../prune.ts'
import { type People, startPeople, stranger } from './people.ts'

let people: People
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())

const day = 86_400_000

test('USER-PRUNE-001: each kind of data stays to the last millisecond in which it can change an answer', async () => {
  const { db } = people
  const { id } = await people.person()
  await people.sessions.start(id, stranger())
  const now = people.clock()
  for (const table of ['reset_tokens', 'codes', 'code_counts', 'login_tries']) await people.rows(`delete from ${table}`)
  const bytes = Buffer.alloc(32)
  await db
    .insertInto('reset_tokens')
    .values({ token: bytes, account: id, expires_at: now + day })
    .execute()
  const code = { channel: 'email', hash: bytes, tries: 0, sent_at: now, used_at: null } as const
  await db
    .insertInto('codes')
    .values({ ...code, target: 'a', purpose: 'reset', expires_at: now })
    .execute()
  for (const subject of ['reset:email:a', 'guesses:reset:email:a'])
    await db.insertInto('code_counts').values({ subject, since: now, sent: 1 }).execute()
  for (const [subject, until] of [
    ['short', now],
    ['long', now + 40 * day],
  ] as const)
    await db.insertInto('login_tries').values({ subject, tries: 1, last_at: now, blocked_until: until }).execute()
  const left = async (): Promise<readonly string[]> => {
    const names = await people.rows(`select 'token' as name from reset_tokens union all select 'code' from codes
      union all select subject from code_counts union all select subject from login_tries
      union all select 'session' from sessions where account = '${id}'`)
    return names.map(({ name }) => String(name)).sort()
  }
  let expected = ['code', 'guesses:reset:email:a', 'long', 'reset:email:a', 'session', 'short', 'token']
  for (const [at, ...gone] of [
    [day, 'token', 'code', 'reset:email:a'],
    [30 * day, 'guesses:reset:email:a', 'short'],
    [40 * day, 'long'],
    [365 * day, 'session'],
  ] as readonly (readonly [number, ...string[]])[]) {
    await prune(db, now + at - 1)
    assert.deepEqual(await left(), expected, `a millisecond before ${at / day} days`)
    await prune(db, now + at)
    expected = expected.filter((name) => !gone.includes(name))
    assert.deepEqual(await left(), expected, `after ${at / day} days`)
  }
})
