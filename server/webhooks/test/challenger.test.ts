import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { WireWebhook } from '@candor/core/protocol/wire/webhooks.ts'
import { answers } from '../challenger.ts'
import type { WebhookHolder } from '../webhooks.ts'
import { isSigned, startReceiver } from './receiver.ts'
import { password, startWorld, type World } from './world.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

const create = async (url: string, who?: WebhookHolder) => {
  const holder = who ?? (await world.person())
  const { webhook, secret } = await world.webhooks.create({ url, kinds: ['spot.fill'], password }, holder)
  const now = async (): Promise<WireWebhook> => (await world.webhooks.list(holder.account)).webhooks.find(({ id }) => id === webhook.id)!
  const until = async (fits: (webhook: WireWebhook) => boolean): Promise<WireWebhook> => {
    for (;;) {
      const one = await now()
      if (fits(one)) return one
      await sleep(10)
    }
  }
  return { who: holder, webhook, secret, now, until, ask: () => world.webhooks.challenge(webhook.id, holder.account) }
}
const soon = { delayMs: 60, delayMaxMs: 400, pollMs: 20 }

test('API-HOOK-015: a new URL is sent a signed random value, and gets nothing else before it answers with it', async () => {
  await using receiver = await startReceiver()
  receiver.answerChallenge = (response) => response.end('ok')
  const { webhook, secret, until, ask, now, who } = await create(receiver.url)
  assert.deepEqual(webhook.pending, { isDue: true })
  await using _deliverer = world.deliverer(soon)
  await using challenger = world.challenger()
  const missed = await until(({ pending }) => pending?.triedAt !== undefined)
  assert.deepEqual({ ...missed.pending, triedAt: 0 }, { isDue: false, triedAt: 0, problem: 'challenge', status: 200, answer: 'ok' })
  await world.happened(webhook.id, 'spot.fill', '{"tradeId":1}')
  const { deliveries } = world.webhooks
  await assert.rejects(deliveries.test(who.account, webhook.id), { refusal: 'WEBHOOK_PENDING' })
  await assert.rejects(deliveries.again(who.account, webhook.id, 1), { refusal: 'WEBHOOK_PENDING' })
  await assert.rejects(deliveries.againSince(who.account, webhook.id, 0), { refusal: 'WEBHOOK_PENDING' })

  receiver.answerChallenge = (response, value) => response.end(JSON.stringify({ challenge: value }))
  assert.equal((await ask()).pending?.isDue, true)
  challenger.poke()
  assert.equal((await until(({ pending }) => pending === undefined)).pending, undefined)
  // The row was written just before; the deliverer has been running all the while.
  const [first] = await receiver.until(1)
  assert.equal(first?.event.data.tradeId, 1)
  const [one, two] = receiver.challenges
  assert.equal(receiver.challenges.length, 2)
  assert.ok(isSigned(one!, secret) && isSigned(two!, secret) && first!.at >= two!.at)
  const bodies = receiver.challenges.map(({ text }) => JSON.parse(text))
  for (const body of bodies) {
    assert.deepEqual(Object.keys(body), ['id', 'type', 'createdAt', 'challenge'])
    assert.match(body.challenge, /^[A-Za-z0-9_-]{43}$/)
  }
  assert.notEqual(bodies[0].challenge, bodies[1].challenge)
  await ask()
  challenger.poke()
  assert.deepEqual([(await now()).pending, receiver.challenges.length], [undefined, 2])
})

test('API-HOOK-015: only the value itself counts, not an echo of the request, and no redirect is followed', async () => {
  const value = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE'
  for (const text of [value, `{"challenge":"${value}"}`, `{ "challenge" : "${value}" }`]) assert.ok(answers(text, value), text)
  const echo = `{"id":"challenge-1","type":"challenge","createdAt":1,"challenge":"${value}"}`
  for (const text of [
    '',
    'ok',
    echo,
    `${value}${value}`,
    `"${value}"`,
    `["${value}"]`,
    `<p>${value}</p>`,
    `{"challenge":["${value}"]}`,
    'null',
    '{',
  ])
    assert.ok(!answers(text, value), text)

  await using receiver = await startReceiver()
  await using elsewhere = await startReceiver()
  await using _challenger = world.challenger(500)
  for (const [answer, problem] of [
    [(response) => response.writeHead(404).end('no'), 'status'],
    [(response) => response.writeHead(302, { location: elsewhere.url }).end(), 'status'],
    [(response) => response.socket?.destroy(), 'connection'],
    [() => undefined, 'timeout'],
    [(response, _value, post) => response.end(post.text), 'challenge'],
    [(response, sent) => response.writeHead(500).end(sent), 'status'],
  ] as readonly [typeof receiver.answerChallenge, string][]) {
    receiver.answerChallenge = answer
    const { until } = await create(receiver.url)
    assert.equal((await until(({ pending }) => pending?.triedAt !== undefined)).pending?.problem, problem)
  }
  assert.equal(elsewhere.challenges.length, 0)
})

test('API-HOOK-016: an owner may repeat the challenge, twenty times an hour for all webhooks together', async () => {
  await using receiver = await startReceiver()
  receiver.answerChallenge = (response) => response.end('no')
  const first = await create(receiver.url)
  const second = await create(receiver.url, first.who)
  await using challenger = world.challenger()
  const asked = async ({ ask, until }: typeof first): Promise<void> => {
    await until(({ pending }) => pending?.isDue === false)
    await ask()
    challenger.poke()
  }
  for (let n = 0; n < 9; n++) for (const one of [first, second]) await asked(one)
  for (const one of [first, second]) await assert.rejects(asked(one), { refusal: 'RATE_LIMITED' })
  world.pass(3_600_001)
  await asked(first)
  await first.until(({ pending }) => pending?.isDue === false)
  assert.equal(receiver.challenges.length, 21)
  await assert.rejects(world.webhooks.challenge(first.webhook.id, (await world.person()).account), { refusal: 'NOT_FOUND' })
})

test('API-HOOK-016: URLs that never answer delay no other account, and a challenge in flight at the end is sent again', async () => {
  await using silent = await startReceiver()
  await using receiver = await startReceiver()
  silent.answerChallenge = () => undefined
  const crowd = await world.person()
  for (let n = 0; n < 10; n++) await create(silent.url, crowd)
  {
    await using _challenger = world.challenger(60_000)
    while (silent.challenges.length === 0) await sleep(5)
    await (await create(receiver.url)).until(({ pending }) => pending === undefined)
    assert.equal(silent.challenges.length, 1)
  }
  assert.ok((await world.webhooks.list(crowd.account)).webhooks.every(({ pending }) => pending?.isDue))
  silent.answerChallenge = (response, value) => response.end(value)
  await using _again = world.challenger()
  while ((await world.webhooks.list(crowd.account)).webhooks.some(({ pending }) => pending !== undefined)) await sleep(10)
})

test('API-HOOK-016: a switched-off webhook gets no challenge before it is on again, and a deleted one never', async () => {
  await using receiver = await startReceiver()
  const [off, gone] = [await create(receiver.url), await create(receiver.url)]
  await world.webhooks.change(off.webhook.id, { isOn: false }, off.who)
  await assert.rejects(off.ask(), { refusal: 'WEBHOOK_OFF' })
  await world.webhooks.delete(gone.webhook.id, gone.who)
  const other = await create(receiver.url)
  await using challenger = world.challenger()
  await other.until(({ pending }) => pending === undefined)
  assert.equal(receiver.challenges.length, 1)
  await world.webhooks.change(off.webhook.id, { isOn: true }, off.who)
  challenger.poke()
  await off.until(({ pending }) => pending === undefined)
})

test('API-HOOK-017: earlier webhooks that accepted a delivery stay active, and the others are challenged', async () => {
  const { up } = await import('../../store/migrations/079-webhook-challenge.ts')
  await using receiver = await startReceiver()
  const [good, bad, fresh] = [await create(receiver.url), await create(receiver.url), await create(receiver.url)]
  for (const { webhook } of [good, bad]) await world.happened(webhook.id, 'spot.fill', '{}')
  const { pool, db } = world.store
  const status = 'update webhook_deliveries set status = $2 where webhook = (select number from webhooks where id = $1)'
  await pool.query(status, [good.webhook.id, 204])
  await pool.query(status, [bad.webhook.id, 500])
  await pool.query(
    `alter table webhooks drop confirmed_at, drop challenge_due, drop challenged_at, drop challenge_problem, drop challenge_status,
       drop challenge_answer, drop challenges, drop challenges_since`,
  )
  await up(db as unknown as Kysely<unknown>)
  assert.deepEqual(await Promise.all([good, bad, fresh].map(async ({ now }) => (await now()).pending?.isDue)), [undefined, true, true])
})
