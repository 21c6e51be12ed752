import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import type { WireReferral, WireReferralEarnings, WireReferralTerms } from '@candor/core/protocol/wire/referral/referral.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'referral' })
})
after(() => exchange[Symbol.asyncDispose]())

let joined = 0

/** Opens an account over the app, by invitation. `cookie`: of a browser that was here before. */
async function join(invitation: string, cookie?: string) {
  const to = `invited${++joined}@test.example`
  const asked = await request(exchange.url, 'POST', '/auth/code', { purpose: 'register', channel: 'email', to, lang: 'en' }, cookie)
  assert.equal(asked.status, 202)
  const code = await until(async () => {
    const { messages } = (await (await fetch(`${exchange.url}/inbox.json?to=${to}`)).json()) as { messages: readonly { subject: string }[] }
    return messages[0]?.subject.match(/^\d{6}/)?.[0]
  })
  const password = 'correct horse battery staple'
  const person = {
    channel: 'email',
    to,
    code,
    password,
    passwordAgain: password,
    agreement: true,
    lang: 'en',
    country: 'DE',
    isOfAge: true,
  }
  const { status, body, headers } = await request(exchange.url, 'POST', '/auth/register', { ...person, invitation }, cookie)
  assert.equal(status, 201, JSON.stringify(body))
  const own = headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!)
    .join('; ')
  const call = (method: string, path: string, sent?: unknown) => request(exchange.url, method, path, sent, own)
  const { rows } = await exchange.store.pool.query('select core_user from accounts where email = $1', [to])
  return { cookie: own, call, user: rows[0].core_user as number }
}

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const referralOf = async (user: Pick<TestUser, 'call'>): Promise<WireReferral> => (await user.call('GET', '/referral')).body

test('REFERRAL-APP-001: an inviter sees the code, the terms, how many came and what each day brought; an invitee sees who invited', async () => {
  const inviter = await exchange.user({ isCertified: true })
  const { code, ...before } = await referralOf(inviter)
  assert.match(code, /^[2-9A-HJKMNP-Z]{8}$/)
  assert.deepEqual(before, {
    ...{ mayTakePart: true, invitedBy: null, volume: '0', tier: 0, today: { limit: '10000', used: '0' } },
    ...{ invited: 0, verified: 0, trading: 0 },
  })
  const terms = (await request(exchange.url, 'GET', '/referral/terms')).body as WireReferralTerms
  assert.deepEqual(terms, {
    ...{ isOpen: true, secondPercent: '5', days: 365, inviteeDayMax: '1000', inviterDayMax: '10000' },
    tiers: [
      { volumeMin: '0', sharePercent: '20' },
      { volumeMin: '1000000', sharePercent: '25' },
      { volumeMin: '10000000', sharePercent: '30' },
      { volumeMin: '50000000', sharePercent: '40' },
    ],
  })
  const invitee = await join(code)
  assert.equal((await referralOf(invitee)).invitedBy, `u•••${inviter.email.split('@')[0]!.slice(-1)}`)
  assert.equal((await referralOf(invitee)).mayTakePart, false)
  assert.equal((await invitee.call('POST', '/sandbox/certify')).status, 200)
  assert.equal((await invitee.call('POST', '/sandbox/faucet', { clientId: randomUUID(), asset: 'USDT' })).status, 200)
  const maker = await exchange.user({ funds: { BTC: '1' }, class: 'bench' })
  const index = await until(async () => {
    const { assets } = (await maker.call('GET', '/convert/terms')).body as WireConvertTerms
    return assets.find(({ asset }) => asset === 'BTC')?.price ?? undefined
  })
  const price = Number(index).toFixed(1)
  const order = { symbol: 'BTCUSDT', type: 'limit', price, quantity: '0.01' }
  assert.equal((await maker.call('POST', '/spot/orders', { clientId: randomUUID(), side: 'sell', ...order })).status, 200)
  assert.equal((await invitee.call('POST', '/spot/orders', { clientId: randomUUID(), side: 'buy', ...order })).status, 200)
  const after = await until(async () => {
    const now = await referralOf(inviter)
    return now.trading > 0 ? now : undefined
  })
  assert.deepEqual([after.invited, after.verified, after.trading], [1, 1, 1])
  const earned = (await inviter.call('GET', '/referral/earnings?days=7')).body as WireReferralEarnings
  assert.equal(earned.days.length, 7)
  assert.deepEqual(
    earned.days.map(({ first, second }) => [first, second]).slice(0, 6),
    Array.from({ length: 6 }, () => ['0', '0']),
  )
  assert.equal(earned.days.at(-1)!.first, after.today.used)
  assert.equal(earned.total, after.today.used)
  assert.equal(earned.assets[0]?.asset, 'BTC')
  const { items } = (await inviter.call('GET', '/records?type=referral')).body
  assert.deepEqual([items.length, items[0].asset, items[0].amount, items[0].account], [1, 'BTC', earned.assets[0]!.amount, 'spot'])
  // Nothing names the invitee.
  assert.doesNotMatch(JSON.stringify([after, earned, items]), /invited\d|@/)
})

test('REFERRAL-APP-002: the page of an invitation says whether the code is valid, in one shape for every code', async () => {
  const inviter = await exchange.user()
  const { code } = await referralOf(inviter)
  const landing = async (text: string) => (await request(exchange.url, 'GET', `/referral/landing?code=${encodeURIComponent(text)}`)).body
  assert.deepEqual(await landing(code.toLowerCase()), { isValid: true, inviter: `u•••${inviter.email.split('@')[0]!.slice(-1)}` })
  assert.deepEqual(await landing('NOBODYS1'), { isValid: false, inviter: null })
  for (const wrong of ['', "' or 1=1", `${code}1`]) assert.equal((await landing(wrong)).code, 'FIELD_INVALID', wrong)
})

test('REFERRAL-OWN-001: an account that is opened with an own code on the same device has no inviter', async () => {
  const first = await join('')
  const { code } = await referralOf(first)
  const second = await join(code, first.cookie)
  assert.equal((await referralOf(second)).invitedBy, null)
  const third = await join((await referralOf(second)).code)
  assert.notEqual((await referralOf(third)).invitedBy, null)
})

test('REFERRAL-OWN-002: a bond ends before the certificate when inviter and invitee turn out to share a device', async () => {
  const first = await join('')
  const { code } = await referralOf(first)
  const second = await join(code)
  assert.notEqual((await referralOf(second)).invitedBy, null)
  await exchange.store.pool.query(
    `update sessions set device_key = (select device_key from sessions join accounts on accounts.id = account where core_user = $1 limit 1)
     where account = (select id from accounts where core_user = $2)`,
    [first.user, second.user],
  )
  assert.equal((await second.call('POST', '/sandbox/certify')).status, 200)
  const { invitedBy, mayTakePart } = await referralOf(second)
  assert.deepEqual([invitedBy, mayTakePart], [null, true])
})
