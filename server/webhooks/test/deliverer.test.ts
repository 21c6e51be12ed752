import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireDelivery } from '@candor/core/protocol/wire/webhooks.ts'
import { isSigned, startReceiver } from './receiver.ts'
import { password, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const soon = { delayMs: 60, delayMaxMs: 400, pollMs: 20 }
const made = async (url: string) => {
  const who = await world.person()
  const { webhook, secret } = await world.make({ url, kinds: ['spot.fill'], password }, who)
  const list = async (): Promise<readonly WireDelivery[]> =>
    [...(await world.webhooks.deliveries.list(who.account, webhook.id)).deliveries].reverse()
  const until = async (fits: (all: readonly WireDelivery[]) => boolean): Promise<readonly WireDelivery[]> => {
    for (let attempt = 0; attempt < 3_000; attempt++) {
      const all = await list()
      if (fits(all)) return all
      await sleep(10)
    }
    throw new Error(JSON.stringify(await list()))
  }
  const states = (state: string) => until((all) => all.length > 0 && all.every((one) => one.state === state))
  return { who, id: webhook.id, account: who.account, secret, list, until, states }
}

test('API-HOOK-006: a waiting delivery is posted as JSON, signed, with an id and a counting number, and is then delivered', async () => {
  await using receiver = await startReceiver()
  const { id, secret, states } = await made(receiver.url)
  await using _deliverer = world.deliverer(soon)
  await world.happened(id, 'spot.fill', '{"tradeId":1,"note":"a \\"b\\" ü"}', '{"tradeId":2}')
  const posts = await receiver.until(2)
  for (const post of posts) {
    assert.ok(isSigned(post, secret))
    assert.ok(!isSigned(post, 'whsec_another'))
    assert.equal(post.headers['content-type'], 'application/json')
    assert.equal(post.headers['candor-event-id'], post.event.id)
    assert.equal(post.event.type, 'spot.fill')
  }
  assert.deepEqual(posts.map(({ event }) => [event.sequence, event.data.tradeId]).sort(), [
    [1, 1],
    [2, 2],
  ])
  assert.equal(posts.find(({ event }) => event.sequence === 1)?.event.data.note, 'a "b" ü')
  const rows = await states('delivered')
  assert.deepEqual(
    rows.map(({ tries, status, answer, problem, nextTryAt }) => [tries, status, answer, problem, nextTryAt]),
    [
      [1, 200, 'ok', undefined, undefined],
      [1, 200, 'ok', undefined, undefined],
    ],
  )
  assert.equal(rows[0]?.body, posts.find(({ event }) => event.sequence === 1)?.text)
})

test('API-HOOK-007: after an error, a closed connection or silence a delivery is retried, later each time, with the same id and body', async () => {
  await using receiver = await startReceiver()
  const { id, secret, states, until } = await made(receiver.url)
  await using _deliverer = world.deliverer(soon, 800)
  receiver.answer = (response) => {
    const tries = receiver.posts.length
    if (tries === 1) response.writeHead(500, { connection: 'close' }).end('broken <b>')
    else if (tries === 2) response.socket?.destroy()
    else if (tries === 4) response.writeHead(302, { location: receiver.url }).end()
    else if (tries > 4) response.end()
  }
  await world.happened(id, 'spot.fill', '{}')
  await receiver.until(1)
  const [first] = await until(([one]) => one?.tries === 1)
  assert.deepEqual([first?.state, first?.problem, first?.status, first?.answer], ['waiting', 'status', 500, 'broken <b>'])
  assert.ok((first?.nextTryAt ?? 0) > (first?.lastTryAt ?? 0))
  const problems = new Set<string | undefined>()
  await until(([one]) => {
    problems.add(one?.problem)
    return one?.tries === 5
  })
  assert.ok(problems.has('connection') && problems.has('timeout'), [...problems].join())
  const posts = await receiver.until(5)
  assert.equal(new Set(posts.map(({ text }) => text)).size, 1)
  assert.equal(new Set(posts.map(({ headers }) => headers['candor-event-id'])).size, 1)
  assert.ok(posts.every((post) => isSigned(post, secret)))
  const gaps = posts.slice(1).map(({ at }, index) => at - posts[index]!.at)
  assert.ok(gaps[0]! >= 45 && gaps[1]! >= 120 && gaps[3]! >= 300, gaps.join())
  const [row] = await states('delivered')
  assert.deepEqual([row?.tries, row?.status, row?.problem], [5, 200, undefined])
  assert.equal((await world.webhooks.list((await made(receiver.url)).account)).webhooks[0]?.failingSince, undefined)
})

test('API-HOOK-007: tries end after three days; the owner may send the delivery again, with the same id', async () => {
  await using receiver = await startReceiver()
  const { id, account, states, until } = await made(receiver.url)
  receiver.answer = (response) => response.writeHead(503).end()
  await using deliverer = world.deliverer({ ...soon, offMs: Number.POSITIVE_INFINITY })
  await world.happened(id, 'spot.fill', '{"tradeId":1}')
  await until(([one]) => (one?.tries ?? 0) >= 2 && one?.state === 'waiting')
  world.pass(3 * 86_400_000)
  await states('failed')
  assert.notEqual((await world.webhooks.list(account)).webhooks[0]?.failingSince, undefined)
  const before = receiver.posts.length

  receiver.answer = (response) => response.end()
  assert.equal((await world.webhooks.deliveries.again(account, id, 1)).state, 'waiting')
  deliverer.poke()
  await until(([one]) => one?.state === 'delivered')
  assert.equal(receiver.posts.length, before + 1)
  assert.equal(receiver.posts.at(-1)?.text, receiver.posts[0]?.text)
  assert.equal((await world.webhooks.list(account)).webhooks[0]?.failingSince, undefined)
})

test('API-HOOK-008: all deliveries since a time are sent again; those of others and unknown ones are not found', async () => {
  await using receiver = await startReceiver()
  const { id, account, states } = await made(receiver.url)
  const stranger = await world.person()
  await using deliverer = world.deliverer(soon)
  await world.happened(id, 'spot.fill', '{"n":1}')
  await sleep(5)
  const since = world.now()
  await world.happened(id, 'spot.fill', '{"n":2}', '{"n":3}')
  await states('delivered')
  await world.webhooks.deliveries.test(account, id)
  await receiver.until(4)
  await states('delivered')
  assert.equal(await world.webhooks.deliveries.againSince(account, id, since), 2)
  deliverer.poke()
  const again = (await receiver.until(6)).slice(4)
  assert.deepEqual(again.map(({ event }) => event.data.n).sort(), [2, 3])
  const first = receiver.posts.slice(0, 4).map(({ event }) => event.id)
  assert.ok(again.every(({ event }) => first.includes(event.id)))
  const { deliveries } = world.webhooks
  for (const call of [
    () => deliveries.again(stranger.account, id, 1),
    () => deliveries.again(account, id, 99),
    () => deliveries.againSince(stranger.account, id, 0),
    () => deliveries.list(stranger.account, id),
    () => deliveries.test(stranger.account, id),
    () => world.webhooks.change(id, { isOn: false }, stranger),
    () => world.webhooks.renewSecret(id, password, stranger),
    () => world.webhooks.delete(id, stranger),
  ])
    await assert.rejects(call, { refusal: 'NOT_FOUND' })
})

test('API-HOOK-011: a webhook that fails for three days is switched off and its owner told once; switched on, it gets new events', async () => {
  await using receiver = await startReceiver()
  const { id, account, states, who } = await made(receiver.url)
  receiver.answer = (response) => response.writeHead(404).end()
  await using deliverer = world.deliverer({ ...soon, delayMs: 30, giveUpMs: 60_000, offMs: 250 })
  await world.happened(id, 'spot.fill', '{"n":1}', '{"n":2}')
  await states('failed')
  const [hook] = (await world.webhooks.list(account)).webhooks
  assert.equal(hook?.off?.by, 'failing')
  for (let attempt = 0; attempt < 3_000 && !told(account).includes('webhook-off'); attempt++) await sleep(10)
  await world.webhooks.tellOwners()
  assert.deepEqual(told(account), ['webhook-created', 'webhook-off'])
  await assert.rejects(world.webhooks.deliveries.again(account, id, 1), { refusal: 'WEBHOOK_OFF' })
  await assert.rejects(world.webhooks.deliveries.againSince(account, id, 0), { refusal: 'WEBHOOK_OFF' })
  await assert.rejects(world.webhooks.deliveries.test(account, id), { refusal: 'WEBHOOK_OFF' })

  receiver.answer = (response) => response.end()
  const on = await world.webhooks.change(id, { isOn: true }, who)
  assert.deepEqual([on.off, on.failingSince], [undefined, undefined])
  const before = receiver.posts.length
  assert.equal(await world.webhooks.deliveries.againSince(account, id, 0), 2)
  deliverer.poke()
  await states('delivered')
  assert.equal(receiver.posts.length, before + 2)
})
const told = (account: string): readonly string[] => world.told.filter((one) => one.account === account).map(({ template }) => template)

test('API-HOOK-007: a delivery in flight when the process ended is sent after the next start', async () => {
  await using receiver = await startReceiver()
  const { id, states } = await made(receiver.url)
  receiver.answer = () => undefined
  const first = world.deliverer(soon, 60_000)
  await world.happened(id, 'spot.fill', ...Array.from({ length: 10 }, (_, n) => `{"n":${n}}`))
  await receiver.until(4)
  await first[Symbol.asyncDispose]()
  assert.equal(receiver.posts.length, 4, 'no more than four at once')
  receiver.answer = (response) => response.end()
  await using _second = world.deliverer(soon)
  const rows = await states('delivered')
  assert.deepEqual(
    rows.map(({ tries }) => tries),
    Array.from({ length: 10 }, () => 1),
  )
  assert.equal(new Set(receiver.posts.map(({ event }) => event.id)).size, 10)
})

test('API-HOOK-012: receivers that never answer delay nobody else', async () => {
  await using dead = await startReceiver()
  await using receiver = await startReceiver()
  dead.answer = () => undefined
  const slow = await Promise.all(Array.from({ length: 20 }, () => made(dead.url)))
  const quick = await made(receiver.url)
  for (const { id } of slow) await world.happened(id, 'spot.fill', '{}', '{}', '{}', '{}', '{}', '{}')
  const often = { ...soon, delayMs: 5, delayMaxMs: 10 }
  const first = world.deliverer(often, 500)
  // By then all of them are known to fail, and have more deliveries waiting than there are slots.
  for (const { account } of slow) while ((await world.webhooks.list(account)).webhooks[0]?.failingSince === undefined) await sleep(20)
  await first[Symbol.asyncDispose]()
  // From now on a request without an answer keeps its slot for longer than the test waits.
  await using _second = world.deliverer(often, 600_000)
  await dead.until(dead.posts.length + 1)
  await world.happened(quick.id, 'spot.fill', ...Array.from({ length: 20 }, (_, n) => `{"n":${n}}`))
  await quick.states('delivered')
  for (const { id, who } of slow) await world.webhooks.delete(id, who)
})

test('API-HOOK-005: for a day after a new secret both sign; after that the previous one is gone', async () => {
  await using receiver = await startReceiver()
  const { id, who, account, secret, states } = await made(receiver.url)
  await using _deliverer = world.deliverer(soon)
  await assert.rejects(world.webhooks.renewSecret(id, 'not it', who), { refusal: 'CREDENTIALS_WRONG' })
  const renewed = await world.webhooks.renewSecret(id, password, who)
  assert.match(renewed.secret, /^whsec_[A-Za-z0-9_-]{43}$/)
  assert.notEqual(renewed.secret, secret)
  await world.happened(id, 'spot.fill', '{}')
  const [both] = await receiver.until(1)
  assert.ok(isSigned(both!, secret, world.now()) && isSigned(both!, renewed.secret, world.now()))
  await states('delivered')
  world.pass(86_400_001)
  assert.equal((await world.webhooks.list(account)).webhooks[0]?.oldSecretUntil, undefined)
  await world.happened(id, 'spot.fill', '{}')
  const post = (await receiver.until(2))[1]!
  const [time = '', ...marks] = String(post.headers['candor-signature']).split(',')
  assert.deepEqual(marks, [
    `v1=${createHmac('sha256', renewed.secret)
      .update(`${time.slice(2)}.${post.text}`)
      .digest('hex')}`,
  ])
})

test('API-HOOK-002: a secret is in one answer alone, in the tables only encrypted, and deleted with its webhook', async () => {
  await using receiver = await startReceiver()
  const { id, who, account, secret } = await made(receiver.url)
  assert.ok(!JSON.stringify(await world.webhooks.list(account)).includes(secret))
  const row = async () => (await world.store.pool.query('select * from webhooks where id = $1', [id])).rows[0]
  assert.ok(!JSON.stringify(await row()).includes(secret) && !(await row()).secret.toString('latin1').includes(secret))
  await world.happened(id, 'spot.fill', '{}')
  await world.webhooks.delete(id, who)
  assert.deepEqual([(await row()).secret, (await row()).old_secret], [null, null])
  assert.deepEqual((await world.store.pool.query('select * from webhook_deliveries where webhook = $1', [(await row()).number])).rows, [])
  await assert.rejects(world.webhooks.delete(id, who), { refusal: 'NOT_FOUND' })
  await using _deliverer = world.deliverer(soon)
  await sleep(100)
  assert.equal(receiver.posts.length, 0)
  const own = world.logged.filter((one) => one.account === account)
  assert.deepEqual(
    own.map(({ action }) => action),
    ['webhook-created', 'webhook-deleted'],
  )
  assert.ok(!JSON.stringify(own).includes(secret))
})

test('API-HOOK-004: an account has at most ten webhooks, however many requests come at once, and creates a hundred a day', async () => {
  const who = await world.person()
  const create = () => world.webhooks.create({ url: 'https://hooks.example.com/', kinds: ['spot.fill'], password }, who)
  const outcomes = await Promise.allSettled(Array.from({ length: 14 }, create))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10)
  assert.ok(outcomes.every((one) => one.status === 'fulfilled' || one.reason.refusal === 'WEBHOOK_LIMIT'))
  for (let count = 10; count < 100; count++) {
    const [first] = (await world.webhooks.list(who.account)).webhooks
    await world.webhooks.delete(first!.id, who)
    await create()
  }
  await world.webhooks.delete((await world.webhooks.list(who.account)).webhooks[0]!.id, who)
  await assert.rejects(create, { refusal: 'TOO_MANY_TRIES' })
  world.pass(86_400_001)
  await create()
})

test('API-HOOK-013: ten slow webhooks of one account leave room for all others, in turns', async () => {
  await using slow = await startReceiver()
  await using quick = await startReceiver()
  slow.answer = () => undefined
  const crowd = await made(slow.url)
  const hooks = [crowd.id]
  for (let i = 1; i < 10; i++) {
    hooks.push((await world.make({ url: slow.url, kinds: ['spot.fill'], password }, crowd.who)).webhook.id)
  }
  const other = await made(quick.url)
  for (const id of hooks) await world.happened(id, 'spot.fill', ...Array.from({ length: 20 }, (_, n) => `{"n":${n}}`))
  await world.happened(other.id, 'spot.fill', '{"n":1}', '{"n":2}')
  await using _deliverer = world.deliverer(soon, 60_000)
  await quick.until(2)
  await other.states('delivered')
  await slow.until(8)
  await sleep(200)
  assert.equal(slow.posts.length, 8, 'no more than eight of one account at a time')
})

test('API-HOOK-014: deliveries that wait for an account, and replays, have quotas, also when requested in parallel', async () => {
  await using receiver = await startReceiver()
  const crowd = await made(receiver.url)
  const { id, account, states } = crowd
  const { id: second } = (await world.make({ url: receiver.url, kinds: ['spot.fill'], password }, crowd.who)).webhook
  const stranger = await made(receiver.url)
  const rows = async (state: string, webhook = id) =>
    (
      await world.store.pool.query<{ n: number }>(
        'select count(*)::int as n from webhook_deliveries d join webhooks w on w.number = d.webhook where w.id = $1 and state = $2',
        [webhook, state],
      )
    ).rows[0]!.n
  const fill = (webhook: string, from: number, to: number, ago = 60_000) =>
    world.store.pool.query(
      `insert into webhook_deliveries (webhook, sequence, event_id, kind, created_at, data, state, since, next_at)
       select number, n, n || '-x', 'spot.fill', $2, '{}', 'waiting', $2, $3 from webhooks, generate_series($4::int, $5::int) n where id = $1`,
      [webhook, world.now() - ago, world.now() + 3_600_000, from, to],
    )
  const setDelivered = () => world.store.pool.query("update webhook_deliveries set state = 'delivered' where state = 'waiting'")
  // The older ones of the second webhook are given up first: 5,400 of 6,000.
  await fill(id, 1, 9_400)
  await fill(second, 1, 5_400, 120_000)
  await fill(second, 5_401, 6_000, 30_000)
  await fill(stranger.id, 1, 10_000)
  {
    await using _deliverer = world.deliverer(soon)
    while ((await rows('failed', second)) < 5_400) await sleep(20)
  }
  assert.deepEqual([await rows('waiting'), await rows('waiting', second), await rows('waiting', stranger.id)], [9_400, 600, 10_000])
  await setDelivered()
  const { deliveries } = world.webhooks
  const outcomes = await Promise.allSettled([id, second, id, second].map((one) => deliveries.againSince(account, one, 0)))
  assert.deepEqual(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.refusal)).sort(), [
    5_000,
    'RATE_LIMITED',
    'RATE_LIMITED',
    'RATE_LIMITED',
  ])
  await assert.rejects(deliveries.again(account, id, 9_400), { refusal: 'RATE_LIMITED' })
  world.pass(3_600_001)
  await setDelivered()
  await world.store.pool.query(
    'update webhook_deliveries set since = $2 where sequence < 4998 and webhook = (select number from webhooks where id = $1)',
    [id, world.now()],
  )
  const single = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => deliveries.again(account, id, 9_400 - n)))
  assert.deepEqual([single.filter(({ status }) => status === 'fulfilled').length, await rows('waiting')], [3, 3])
  await setDelivered()
  await states('delivered')
})

test('API-HOOK-018: a thief’s webhook learns nothing more of a frozen account, and the deliveries wait until it is opened', async () => {
  await using receiver = await startReceiver()
  const [thief, other] = [await made(receiver.url), await made(receiver.url)]
  await world.store.pool.query('update accounts set frozen_at = 1 where id = $1', [thief.account])
  await world.happened(thief.id, 'spot.fill', '{"tradeId":1}')
  await using _deliverer = world.deliverer(soon)
  await world.happened(other.id, 'spot.fill', '{"tradeId":2}')
  await other.states('delivered')
  assert.deepEqual(
    receiver.posts.map(({ event }) => event.data.tradeId),
    [2],
  )
  assert.deepEqual(
    (await thief.list()).map(({ state, tries }) => [state, tries]),
    [['waiting', 0]],
  )
  await world.store.pool.query('update accounts set frozen_at = null where id = $1', [thief.account])
  await thief.states('delivered')
})
