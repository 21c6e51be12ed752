import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { logIn, request, startExchange } from '../../main/test/exchange.ts'

test('USER-RESET-009: after a reset, keys and webhooks of the month before are listed, and deleted at once', async () => {
  await using exchange = await startExchange({ seed: 'recent', hasFeeds: false })
  const alice = await exchange.user()
  const { email: to, password } = alice
  const key = (label: string) => ({ label, scopes: ['read'], ips: [], password })
  const made = (await alice.call('POST', '/keys', key('a thief’s'))).body.key
  const old = (await alice.call('POST', '/keys', key('an old one'))).body.key
  await exchange.store.pool.query('update api_keys set created_at = created_at - 31 * 86400000::bigint where id = $1', [old.id])
  const webhook = (await alice.call('POST', '/webhooks', { url: 'https://thief.example/', kinds: ['spot.fill'], password })).body.webhook
  assert.deepEqual((await alice.call('GET', '/auth/recent')).body, { keys: [], webhooks: [] })

  assert.equal((await request(exchange.url, 'POST', '/auth/code', { purpose: 'reset', channel: 'email', to, lang: 'en' })).status, 202)
  let token: string | undefined
  while (token === undefined) {
    await sleep(20)
    const { messages } = (await (await fetch(`${exchange.url}/inbox.json?to=${to}`)).json()) as { messages: { text: string }[] }
    token = messages.map(({ text }) => /\/#\/password\?token=([A-Za-z0-9_-]{22})\s/.exec(text)?.[1]).find((found) => found !== undefined)
  }
  const form = { token, password: 'a wholly new password', passwordAgain: 'a wholly new password' }
  assert.equal((await request(exchange.url, 'POST', '/auth/reset', form)).status, 204)
  const cookie = await logIn(exchange.url, to, form.password)
  const later = (await request(exchange.url, 'POST', '/keys', { ...key('my own'), password: form.password }, cookie)).body.key

  const listed = (await request(exchange.url, 'GET', '/auth/recent', undefined, cookie)).body
  assert.deepEqual(
    [listed.keys.map((one: { id: string }) => one.id), listed.webhooks.map((one: { id: string }) => one.id)],
    [[made.id], [webhook.id]],
  )
  assert.deepEqual((await request(exchange.url, 'DELETE', '/auth/recent', undefined, cookie)).body, { keys: 1, webhooks: 1 })
  const left = (await request(exchange.url, 'GET', '/keys', undefined, cookie)).body.keys.map((one: { id: string }) => one.id)
  assert.deepEqual(left.toSorted(), [old.id, later.id].toSorted())
  assert.deepEqual((await request(exchange.url, 'GET', '/webhooks', undefined, cookie)).body.webhooks, [])
  assert.equal((await request(exchange.url, 'GET', '/auth/recent')).status, 401)
})
