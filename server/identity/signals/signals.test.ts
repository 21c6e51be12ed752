import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prune } from '../prune.ts'
import { type People, startPeople } from '../test/people.ts'

let people: People
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())

test('SIGNAL-LIMIT-006: calls of signal addresses are deleted after 30 days', async () => {
  const { id } = await people.person()
  const now = people.clock()
  await people.rows(`
    with key as (
      insert into api_keys (id, account, key, label, kind, public_key, scopes, ips, created_at)
      values (gen_random_uuid(), '${id}', '${'k'.repeat(64)}', 'bot', 'ed25519', 'pem', '{read,trade}', '{}', 0) returning number),
    signal as (
      insert into key_signals (key, account, hash, is_on, made_at, symbols, max_quote, per_minute, per_day, max_age_s, ips)
      select number, '${id}', decode('${'ab'.repeat(32)}', 'hex'), true, 0, '{BTCUSDT}', '1', 1, 1, 1, '{}' from key returning key)
    select key from signal`)
  const limit = now - 30 * 86_400_000
  await people.rows(`
    insert into key_signal_calls (key, at, ip, text, result)
    select key, at, 'x', at::text, 'placed' from key_signals, unnest(array[${limit}, ${limit + 1}, ${now}]) as at returning id`)
  const left = async () => (await people.rows('select text from key_signal_calls order by id')).map(({ text }: any) => text)
  assert.deepEqual(await left(), [limit, limit + 1, now].map(String))
  await prune(people.db, now)
  assert.deepEqual(await left(), [limit + 1, now].map(String))
})
