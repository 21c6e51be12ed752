import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { venueNames } from '../../feeds/venue/names.ts'
import { startExchange } from '../../main/test/exchange.ts'
import { TapeHours } from '../../store/projector/tape-hours.ts'

test('GATEWAY-LIMITS-005: a piece of the tape is charged by its size, and whole hours are prepared in advance', async () => {
  await using exchange = await startExchange({ seed: 'tape', settings: { trustedProxies: ['127.0.0.1'] } })
  const { pool } = exchange.store
  const get = (path: string, ip = '127.0.0.1') => fetch(`${exchange.url}/app/v1/proof/${path}`, { headers: { 'x-forwarded-for': ip } })
  const count = async () => (await pool.query<{ n: number }>('select count(*)::int as n from index_tape')).rows[0]!.n
  while ((await count()) < 12) await sleep(50)

  assert.equal((await get('tape.ndjson?limit=4001')).status, 400)
  assert.equal((await get('tape.ndjson?limit=4000', '203.0.113.5')).status, 200)
  const second = await get('tape.ndjson?limit=4000', '203.0.113.5')
  assert.deepEqual([second.status, Number(second.headers.get('retry-after')) > 0], [429, true])
  // The file cost more than the network may send at once. The rest is owed.
  assert.equal((await get('tape.ndjson', '203.0.113.5')).status, 429)
  const many = await Promise.all(Array.from({ length: 16 }, () => get('tape.ndjson', '203.0.113.6')))
  assert.ok(many.every(({ status }) => status === 200))
  // However the same count is written, it is charged the same.
  for (const [i, limit] of ['limit=%34000', '%6cimit=4000', 'limit=4e3', 'at=1&limit=04000'].entries()) {
    const ip = `203.0.113.${10 + i}`
    await get(`tape.ndjson?${limit}`, ip)
    assert.equal((await get('tape.ndjson?limit=4000', ip)).status, 429, limit)
  }

  // The first ticks belong to the hour before.
  const { rows } = await pool.query<{ at_ms: number }>('select at_ms from index_tape where tick = 8')
  const hour = Math.floor(rows[0]!.at_ms / 3_600_000) * 3_600_000 - 3_600_000
  await pool.query('update index_tape set at_ms = $1 + tick * 250 where tick <= 8', [hour])
  const hours = new TapeHours({
    pool,
    names: async () => ({ venues: venueNames, markets: JSON.parse(await (await get('tape?limit=1')).text()).markets }),
    onFault: (cause) => assert.fail(String(cause)),
  })
  try {
    await hours.build()
  } finally {
    await hours[Symbol.asyncDispose]()
  }
  const listed = (await (await get('tape/hours')).json()) as {
    hours: { hour: number; firstTick: number; lastTick: number; bytes: number }[]
  }
  const ready = listed.hours.find((one) => one.hour === hour)!
  assert.deepEqual([ready.firstTick, ready.lastTick], [1, 8])
  const answer = await get(`tape/hours/${hour}`)
  assert.equal(answer.headers.get('content-type'), 'application/gzip')
  const body = Buffer.from(await answer.arrayBuffer())
  assert.equal(body.length, ready.bytes)
  const [head, ...ticks] = gunzipSync(body).toString().trimEnd().split('\n')
  const [wanted, ...lines] = (await (await get(`tape.ndjson?at=${hour}&until=${hour + 3_600_000}`)).text()).trimEnd().split('\n')
  assert.deepEqual(ticks, lines)
  assert.equal(ticks.length, 8)
  assert.deepEqual({ ...JSON.parse(head!), head: 0 }, { ...JSON.parse(wanted!), head: 0 })
  assert.equal(JSON.parse(head!).head.hash, JSON.parse(ticks.at(-1)!).hash)
  assert.equal((await get(`tape/hours/${hour + 1}`)).status, 404)
  assert.equal((await get(`tape/hours/${hour + 7_200_000}`)).status, 404)
})
