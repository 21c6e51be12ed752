import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NoticeKind, WirePushTarget } from '@candor/core/protocol/wire/notices.ts'
import { quickWorld } from '../../identity/test/quick-world.ts'
import { good, refused } from '../../identity/test/world.ts'
import { Seal } from '../../identity/seal.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import { renderMail } from '../../messages/render.ts'
import type { Message, Session } from '../../ports.ts'
import { addNotice } from '../../store/notices.ts'
import { Sender } from '../../webhooks/sender.ts'
import { Dispatcher, frequentPerHour } from '../dispatcher.ts'
import { Push, subscriptionsMax } from '../push.ts'
import { type PushService, startPushService } from './push-service.ts'

const { world, rows, sessionOf, login, reset, ask, tokenIn } = quickWorld()
const keys = ServerKeys.of(Buffer.alloc(32, 7))
const seals = { target: new Seal(keys, 'push-target'), key: new Seal(keys, 'push-key') }
let service: PushService
let push: Push
const senders: Sender[] = []
const sent: Message[] = []
let mailFault: Error | undefined
let onMail = (): void => undefined
before(async () => {
  service = await startPushService()
})
beforeEach(() => {
  push ??= made({ hasLoopback: true })
})
after(async () => {
  for (const sender of senders) sender[Symbol.dispose]()
  await service[Symbol.asyncDispose]()
})
afterEach(async () => {
  await world().store.pool.query('delete from notice_sends')
  service.forget()
  sent.length = 0
  service.answer = (response) => response.writeHead(201).end()
})

function made(rules: { readonly hasLoopback: boolean }): Push {
  const sender = new Sender({ rules, timeoutMs: 5_000 })
  senders.push(sender)
  return new Push({ store: world().store, seals, sender, rules, contact: 'mailto:ops@example.com', clock: world().clock })
}

/** Sends everything that is due now. */
async function dispatch(): Promise<void> {
  const { store, clock, identity } = world()
  await using _dispatcher = new Dispatcher({
    ...{ pool: store.pool, clock, pollMs: 5 },
    messages: {
      send: async (message) => {
        if (mailFault !== undefined) throw mailFault
        sent.push(message)
        onMail()
      },
    },
    phraseOf: (account) => identity.phrases.of(account),
    mayText: (account, kind) => identity.mayText(account, kind),
    freezeLink: (account) => identity.freezeLinks.next(account),
    push: (to) => push.send(to),
    onFault: () => undefined,
  })
  while ((await waiting(clock())) > 0) await sleep(5)
}
const waiting = async (now: number): Promise<number> =>
  ((await rows('select count(*) from notice_sends where next_at <= $1', now))[0] as { count: number }).count

let events = 0
const tell = (account: string, kind: NoticeKind, values = {}) =>
  addNotice(world().store.db, { account, kind, values, event: `e${++events}`, at: world().clock() })

async function customer(): Promise<{ readonly to: string; readonly account: string; readonly session: Session }> {
  const { to, token, account } = await world().customer()
  return { to, account, session: await sessionOf(token) }
}

test('NOTICE-SEND-001: notices go by mail and text message to the addresses of the account, each once', async () => {
  const { to, account } = await customer()
  await tell(account, 'login-failed', { device: 'Chrome · Android', ip: '203.0.113.7' })
  await tell(account, 'new-device', { device: 'Chrome · Android', ip: '203.0.113.7' })
  await tell(account, 'futures-liquidated', { symbol: 'BTCUSDTPERP' })
  await dispatch()
  await dispatch()
  assert.deepEqual(
    sent.map(({ channel, to: address, template }) => [channel, address, template]),
    [
      ['email', to, 'login-failed'],
      ['email', to, 'futures-liquidated'],
    ],
    'what the login itself wrote to the owner is not sent twice, and there is no phone',
  )
  assert.equal(sent[0]?.values['time'], String(world().clock()))
  await world().store.pool.query("update accounts set phone = '+4915112345678', lang = 'de' where id = $1", [account])
  await tell(account, 'key-used', { label: 'bot', ip: '203.0.113.7' })
  await dispatch()
  assert.deepEqual(
    sent
      .slice(2)
      .map(({ channel, to: address, lang }) => [channel, address, lang])
      .sort(),
    [
      ['email', to, 'de'],
      ['phone', '+4915112345678', 'de'],
    ],
  )
})

test('NOTICE-FUNDS-003: a message about a requested withdrawal names amount and address, and its link freezes the account', async () => {
  const { to, account } = await customer()
  const facts = { asset: 'USDT', network: 'TRC20', quantity: '10', fee: '1', received: '9', destination: 'TQ5abc', withdrawal: '40' }
  await tell(account, 'withdrawal-requested', facts)
  await tell(account, 'withdrawal-rejected', { ...facts, reason: 'unclear' })
  await tell(account, 'withdrawal-paid', { ...facts, txid: 'ab'.repeat(32) })
  await dispatch()
  const [requested, rejected, paid] = (['withdrawal-requested', 'withdrawal-rejected', 'withdrawal-paid'] as const).map(
    (kind) => sent.find(({ template }) => template === kind)!,
  ) as [Message, Message, Message]
  assert.deepEqual([requested.to, rejected.freezeLink, paid.freezeLink], [to, undefined, undefined])
  const { text } = renderMail(requested)
  for (const part of ['10 USDT', '9 USDT', 'TRC20', 'TQ5abc', requested.freezeLink!]) assert.ok(text.includes(part), part)
  assert.match(renderMail(rejected).text, /Reason: Its purpose is not clear to us\./)
  assert.ok(renderMail({ ...rejected, lang: 'de' }).text.includes('Ihr Zweck ist für uns nicht klar.'))
  assert.ok(renderMail(paid).text.includes('ab'.repeat(32)))
  const token = /token=(.+)$/.exec(requested.freezeLink!)?.[1]
  assert.equal(await world().identity.freezeLinks.accountOf(token!), account)
})

test('NOTICE-SEND-003: an account gets so many messages about price alerts in an hour, and nobody else fewer', async () => {
  const [busy, other] = [await customer(), await customer()]
  const { store } = world()
  const alerts = async (account: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await tell(account, 'price-alert', { symbol: 'BTCUSDT', reached: '66000', note: '' })
  }
  await alerts(busy.account, frequentPerHour + 20)
  await alerts(other.account, 1)
  await tell(busy.account, 'futures-liquidated', { symbol: 'BTCUSDTPERP' })
  await dispatch()
  const counted = (address: string): number => sent.filter(({ to }) => to === address).length
  assert.deepEqual([counted(busy.to), counted(other.to)], [frequentPerHour + 1, 1])
  const { rows: kept } = await store.pool.query('select count(*) from notices where account = $1', [busy.account])
  assert.equal(kept[0].count, frequentPerHour + 21)
})

test('NOTICE-SEND-001: a mail that fails is tried five times within a day', async () => {
  const { account } = await customer()
  await tell(account, 'margin-warning')
  mailFault = new Error('the mail server is away')
  const tries = async () => rows('select tries from notice_sends')
  for (let round = 1; round <= 4; round++) {
    await dispatch()
    assert.deepEqual(await tries(), [{ tries: round }])
    await dispatch()
    assert.deepEqual(await tries(), [{ tries: round }], 'not before its time')
    world().pass(30_000 * 4 ** (round - 1))
  }
  await dispatch()
  assert.deepEqual(await tries(), [])
  mailFault = undefined
  await tell(account, 'margin-liquidated')
  world().pass(86_400_001)
  await dispatch()
  assert.deepEqual([await tries(), sent], [[], []])
})

test('USER-MESSAGE-006: the first uses of any number of keys send five text messages a day, and every mail', async () => {
  const { to, account } = await customer()
  await rows("update accounts set phone = '+4915112345679' where id = $1", account)
  for (let key = 0; key < 8; key++) await tell(account, 'key-used', { label: `bot ${key}`, ip: '203.0.113.7' })
  await tell(account, 'login-failed', { device: 'curl', ip: '203.0.113.7' })
  await dispatch()
  const texts = sent.filter(({ channel }) => channel === 'phone').map(({ template }) => template)
  assert.deepEqual([...texts].sort(), [...Array.from({ length: 5 }, () => 'key-used'), 'login-failed'])
  assert.equal(sent.filter((message) => message.to === to).length, 9)
})

test('NOTICE-PUSH-005: a push message about an order whose rest was cancelled does not say that the order was filled', async () => {
  const trader = await customer()
  await push.subscribe(trader.session, service.browser().target)
  await rows("insert into notice_preferences values ($1, 'order-filled', 'push', true)", trader.account)
  await tell(trader.account, 'order-filled', { rest: 'ioc' })
  await tell(trader.account, 'order-filled')
  await dispatch()
  await service.until(2)
  const bodies = service.pushed.map(({ payload }) => payload.body)
  assert.deepEqual(bodies.sort().toReversed(), ['An order was partly filled', 'An order was filled'])
})

test('NOTICE-SEND-002: many fills of one customer hold up no warning of another', async () => {
  const [trader, other] = [await customer(), await customer()]
  await push.subscribe(trader.session, service.browser().target)
  await rows("insert into notice_preferences values ($1, 'order-filled', 'push', true)", trader.account)
  for (let fill = 0; fill < 60; fill++) await tell(trader.account, 'order-filled')
  await tell(other.account, 'futures-warning', { symbol: 'BTCUSDTPERP' })
  let before = -1
  onMail = () => {
    before = service.pushed.length
  }
  await dispatch()
  onMail = () => undefined
  assert.deepEqual(
    sent.map(({ to }) => to),
    [other.to],
  )
  assert.ok(before >= 0 && before < 20, `${before} fills were sent before the warning`)
  await service.until(60)
})

test('NOTICE-PUSH-001: a push message is encrypted, signed, in the language of the account, and names no amounts', async () => {
  const { account, session } = await customer()
  await world().store.pool.query("update accounts set lang = 'de' where id = $1", [account])
  const { publicKey, isOn } = await push.of(session)
  assert.equal(isOn, false)
  const browser = service.browser()
  assert.deepEqual(await push.subscribe(session, browser.target), { publicKey, isOn: true })
  assert.deepEqual(await made({ hasLoopback: true }).of(session), { publicKey, isOn: true }, 'the key stays')
  await tell(account, 'futures-liquidated', { symbol: 'BTCUSDTPERP', price: '67412.5' })
  await dispatch()
  const [told, ...more] = service.pushed
  assert.equal(more.length, 0)
  const { tag, ...payload } = told!.payload
  assert.deepEqual(payload, { title: 'Candor', body: 'Eine Futures-Position wird liquidiert', url: '/#/notices', lang: 'de-DE' })
  assert.match(tag, /^notice-\d+$/)
  assert.ok(!told!.bytes.toString('latin1').includes('Futures') && !JSON.stringify(payload).includes('67412'))
  assert.deepEqual([told!.signer.key, told!.signer.aud, told!.signer.sub], [publicKey, service.url, 'mailto:ops@example.com'])
  assert.deepEqual([told!.headers['ttl'], told!.headers['urgency'], told!.headers['content-encoding']], ['86400', 'high', 'aes128gcm'])
  const stored = JSON.stringify(await rows('select target::text, endpoint::text from push_subscriptions'))
  assert.ok(!stored.includes(browser.path) && !stored.includes(Buffer.from(browser.path).toString('hex')))
  const kept = JSON.stringify(await rows('select key::text from push_keys'))
  assert.ok(!kept.includes(publicKey))
})

test('NOTICE-PUSH-002: a subscription ends with its session: by logout, password, reset, or from elsewhere', async () => {
  const stop = world().identity.sessions.onRevoked(({ sessions }) => void push.endOf(sessions))
  const ends: readonly ((one: { to: string; session: Session; token: string }) => Promise<unknown>)[] = [
    ({ session }) => world().identity.logout(session, visitor),
    async ({ to }) => {
      await ask(to, 'reset')
      await reset(await tokenIn(to))
    },
    async ({ to }) => {
      const other = await login(to)
      await world().identity.endOtherSessions(other.session, visitor)
    },
    ({ session }) => world().store.pool.query('update sessions set revoked_at = 1 where id = $1', [session.id]),
  ]
  for (const end of ends) {
    const { to, token, account } = await world().customer()
    const session = await sessionOf(token)
    await push.subscribe(session, service.browser().target)
    await end({ to, session, token })
    await tell(account, 'key-used', { label: 'bot', ip: '203.0.113.7' })
  }
  await dispatch()
  assert.equal(service.pushed.length, 0)
  const { to, token, account } = await world().customer()
  const own = await sessionOf(token)
  const other = await login(to)
  await push.subscribe(own, service.browser().target)
  await push.subscribe(other.session, service.browser().target)
  const change = { current: good, password: 'another long password', passwordAgain: 'another long password' }
  await world().identity.changePassword(change, own, token, visitor)
  await tell(account, 'key-used', { label: 'bot', ip: '203.0.113.7' })
  await dispatch()
  assert.deepEqual(
    service.pushed.map(({ payload }) => payload.body).sort(),
    ['An API key was used for the first time', 'Your password was changed'],
    'only the browser that changed it',
  )
  await push.unsubscribe(own)
  assert.equal((await push.of(own)).isOn, false)
  stop()
})
const visitor = { ip: '203.0.113.7', userAgent: 'Firefox' }

test('NOTICE-PUSH-002: a browser that somebody else uses now gets their messages alone', async () => {
  const [one, two] = [await customer(), await customer()]
  const { target } = service.browser()
  await push.subscribe(one.session, target)
  await push.subscribe(two.session, target)
  assert.deepEqual([(await push.of(one.session)).isOn, (await push.of(two.session)).isOn], [false, true])
  await tell(one.account, 'futures-warning')
  await tell(two.account, 'margin-warning')
  await dispatch()
  assert.deepEqual(
    service.pushed.map(({ payload }) => payload.body),
    ['A Margin account is close to liquidation'],
  )
})

test('NOTICE-PUSH-003: a browser that has withdrawn is forgotten; other failures are tried five times', async () => {
  for (const status of [404, 410]) {
    const { account, session } = await customer()
    await push.subscribe(session, service.browser().target)
    service.answer = (response) => response.writeHead(status).end()
    await tell(account, 'futures-warning')
    await dispatch()
    assert.equal((await push.of(session)).isOn, false)
    assert.deepEqual(await rows('select tries from notice_sends'), [])
  }
  const { account, session } = await customer()
  await push.subscribe(session, service.browser().target)
  service.answer = (response) => response.writeHead(503).end()
  service.forget()
  await tell(account, 'futures-warning')
  for (let round = 0; round < 7; round++) {
    await dispatch()
    world().pass(30_000 * 4 ** round)
  }
  assert.equal(service.pushed.length, 5)
  assert.equal(new Set(service.pushed.map(({ payload }) => payload.tag)).size, 1, 'the browser shows one notice')
  assert.equal((await push.of(session)).isOn, true)
})

test('NOTICE-PUSH-004: only addresses of push services with real keys are accepted, and ten browsers of an account', async () => {
  const { session } = await customer()
  const strict = made({ hasLoopback: false })
  const { target } = service.browser()
  const bad: readonly Partial<WirePushTarget>[] = [
    {},
    { endpoint: 'http://updates.push.services.mozilla.com/1' },
    { endpoint: 'https://127.0.0.1/1' },
    { endpoint: 'https://[::1]/1' },
    { endpoint: 'https://10.0.0.7/1' },
    { endpoint: 'https://localhost/1' },
    { endpoint: 'https://user:word@updates.push.services.mozilla.com/1' },
    { endpoint: 'https://updates.push.services.mozilla.com:25/1' },
    { endpoint: 'ftp://updates.push.services.mozilla.com/1' },
    { endpoint: 'nonsense' },
    { endpoint: 'https://victim.example.com/expensive/search' },
    { endpoint: 'https://push.apple.com.example.com/1' },
    { endpoint: 'https://evilpush.apple.com/1' },
    { endpoint: 'https://web.push.apple.com:8443/1' },
    { endpoint: 'https://updates.push.services.mozilla.com/1', keys: { ...target.keys, p256dh: 'AAAA' } },
    { endpoint: 'https://updates.push.services.mozilla.com/1', keys: { ...target.keys, auth: '' } },
    { endpoint: 'https://updates.push.services.mozilla.com/1', keys: { ...target.keys, auth: '*'.repeat(22) } },
  ]
  for (const one of bad)
    await assert.rejects(strict.subscribe(session, { ...target, ...one }), refused('PUSH_REFUSED'), JSON.stringify(one))
  assert.equal((await strict.of(session)).isOn, false)
  await strict.subscribe(session, { ...target, endpoint: 'https://updates.push.services.mozilla.com/1' })

  const crowd = await customer()
  const sessions: Session[] = [crowd.session]
  while (sessions.length <= subscriptionsMax) sessions.push((await login(crowd.to)).session)
  const results = await Promise.allSettled(sessions.map((one) => push.subscribe(one, service.browser().target)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, subscriptionsMax)
  await assert.rejects(
    push.subscribe(sessions[results.findIndex(({ status }) => status === 'rejected')]!, service.browser().target),
    refused('PUSH_LIMIT'),
  )
  const subscribed = sessions[results.findIndex(({ status }) => status === 'fulfilled')]!
  await push.subscribe(subscribed, service.browser().target)
})
