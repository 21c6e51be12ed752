import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { rotateKeys } from '../commands/keys.ts'
import { readSettings } from '../settings.ts'
import { request, startExchange } from './exchange.ts'

test('API-KEY-022: keys, webhooks and authenticator apps continue to work through a rotation, before and after a restart', {
  timeout: 300_000,
}, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-'))
  const start = () => startExchange({ settings: { dataFolder } })
  const settings = readSettings({ CANDOR_DATA: dataFolder }, dataFolder)
  const rotate = async () =>
    (await rotateKeys.run({ settings, operands: [], options: {} })).json as { readonly key: string; readonly renewed: number }

  let exchange = await start()
  t.after(async () => {
    await exchange[Symbol.asyncDispose]()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  const user = await exchange.user()
  const make = async () => {
    const { status, body } = await user.call('POST', '/keys', { label: 'bot', scopes: ['read'], ips: [], password: user.password })
    assert.equal(status, 201, JSON.stringify(body))
    return { key: body.key.key as string, secret: body.secret as string }
  }
  const works = async ({ key, secret }: { readonly key: string; readonly secret: string }) => {
    const query = `timestamp=${Date.now()}`
    const signature = createHmac('sha256', secret).update(query).digest('hex')
    const answer = await fetch(`${exchange.url}/api/v3/account?${query}&signature=${signature}`, { headers: { 'x-mbx-apikey': key } })
    assert.equal(answer.status, 200, await answer.text())
  }

  const first = await make()
  await works(first)
  const { key, renewed } = await rotate()
  assert.equal(renewed, 1)
  await works(first)
  const second = await make()
  await works(second)
  const sealedBy = async () => {
    const { rows } = await exchange.store.pool.query<{ id: string }>(
      `select distinct encode(substring(secret from 2 for 4), 'hex') as id from api_keys`,
    )
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await sealedBy(), [key])
  await exchange.store.pool.query('update sessions set proven_at = $1', [Date.now()])
  const { body: app } = await user.call('POST', '/auth/authenticator')
  const again = await rotate()
  assert.equal(again.renewed, 3)
  assert.deepEqual(await sealedBy(), [again.key])

  await exchange[Symbol.asyncDispose]()
  exchange = await start()
  await works(first)
  await works(second)
  const code = generateSync({ secret: app.secret as string })
  const confirmed = await request(exchange.url, 'POST', '/auth/authenticator/confirm', { code }, user.cookie)
  assert.equal(confirmed.status, 200)
})

test('USER-FACTOR-010: a secret that a code puts in force during a rotation is encrypted with the new key', {
  timeout: 300_000,
}, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-'))
  const exchange = await startExchange({ settings: { dataFolder } })
  t.after(async () => {
    await exchange[Symbol.asyncDispose]()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  const { pool } = exchange.store
  const begun = async () => {
    const user = await exchange.user()
    await pool.query('update sessions set proven_at = $1', [Date.now()])
    return { user, secret: (await user.call('POST', '/auth/authenticator')).body.secret as string }
  }
  const [one] = [await begun(), await begun()]
  assert.equal((await one.user.call('POST', '/auth/authenticator/confirm', { code: generateSync({ secret: one.secret }) })).status, 200)
  // The other secret comes into force as soon as the first in force is encrypted anew.
  await pool.query(`create function confirm_now() returns trigger language plpgsql as $$ begin
    update authenticators set secret = next_secret, confirmed_at = next_at, next_secret = null, next_at = null where next_secret is not null;
    return null; end $$`)
  await pool.query(`create trigger confirm_now after update of secret on authenticators
    for each row when (pg_trigger_depth() = 0) execute function confirm_now()`)
  const settings = readSettings({ CANDOR_DATA: dataFolder }, dataFolder)
  const { key } = (await rotateKeys.run({ settings, operands: [], options: {} })).json as { readonly key: string }
  const { rows } = await pool.query(`select encode(substring(secret from 2 for 4), 'hex') as id from authenticators`)
  assert.deepEqual(rows, [{ id: key }, { id: key }])
})
