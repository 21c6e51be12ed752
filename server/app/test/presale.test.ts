import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import type {
  WirePresale,
  WirePresaleDetail,
  WirePresales,
  WirePresaleSchedule,
  WirePresaleSubscriptions,
} from '@candor/core/protocol/wire/presale.ts'
import { PresaleTexts } from '../../presales/presales.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

const dayMs = 86_400_000
/** By this much the exchange's clock is ahead of the machine's. */
let aheadMs = 0
let exchange: TestExchange
before(async () => {
  const time = { wall: () => Date.now() + aheadMs, steady: () => performance.now() + aheadMs }
  exchange = await startExchange({ seed: 'presale', time, settings: { mode: 'sandbox' } })
})
after(() => exchange[Symbol.asyncDispose]())

const read = async <T>(path: string): Promise<T> => (await fetch(`${exchange.url}/app/v1${path}`)).json() as Promise<T>
const subscribe = (user: TestUser, number: number, amount: string, clientId: string = randomUUID()) =>
  user.call('POST', `/presales/${number}/subscriptions`, { clientId, amount })

const customer = () => exchange.user({ funds: { USDT: '1000' }, isCertified: true })

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('PRESALE-FIRST-001: a sandbox begins with two practice presales, one of which has begun', async () => {
  const { presales } = await until(async () => {
    const found = await read<WirePresales>('/presales?lang=de')
    return found.presales.length === 2 ? found : undefined
  })
  assert.deepEqual(
    presales.map(({ title, state, symbol, price, supply }) => [title, state, symbol, price, supply]),
    [
      ['Übungstoken: zweite Runde', 'upcoming', 'PRACT', '0.05', '2000000'],
      ['Übungstoken: erste Runde', 'subscribing', 'PRACT', '0.05', '2000000'],
    ],
  )
  const user = await customer()
  assert.equal((await subscribe(user, presales[0]!.number, '10')).body.code, 'PRESALE_STATE')
})

test('PRESALE-APP-001: everybody reads a presale in their language, with its schedule, and both files that its terms name by hash', async () => {
  const detail = await read<WirePresaleDetail>('/presales/1?lang=fr')
  assert.equal(detail.lang, 'fr')
  assert.match(detail.risks, /valeur/)
  const chinese = await Promise.all(['hk', 'hk-hans'].map((lang) => read<WirePresaleDetail>(`/presales/1?lang=${lang}`)))
  assert.deepEqual(
    chinese.map(({ lang, title }) => [lang, title]),
    [
      ['hk', '練習代幣：第一輪'],
      ['hk-hans', '练习代币：第一轮'],
    ],
  )
  assert.deepEqual(detail.release, { kind: 'linear', atListingPercent: '20', lockDays: 30, steps: [] })
  assert.deepEqual([detail.schedule.length, detail.schedule.at(-1)], [31, { day: 30, at: detail.endsAt + 30 * dayMs, percent: '100' }])
  for (const [path, hash, type] of [
    [`/presales/papers/${detail.paper}`, detail.paper, 'application/pdf'],
    [`/presales/texts/${detail.detailsHash}`, detail.detailsHash, 'application/json; charset=utf-8'],
  ] as const) {
    const answer = await fetch(`${exchange.url}/app/v1${path}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.equal(createHash('sha256').update(bytes).digest('hex'), hash)
    const header = (name: string): string | null => answer.headers.get(name)
    assert.deepEqual([answer.status, header('content-type'), header('x-content-type-options')], [200, type, 'nosniff'])
    assert.match(header('content-disposition')!, /^attachment; filename=/)
    assert.match(header('cache-control')!, /immutable/)
  }
  const prepared = await new PresaleTexts(exchange.store.pool, Date.now).addPaper(Buffer.from('%PDF-1.7 not decided %%EOF'), null)
  for (const hash of ['0'.repeat(64), prepared]) assert.equal((await fetch(`${exchange.url}/app/v1/presales/papers/${hash}`)).status, 404)
  assert.equal((await fetch(`${exchange.url}/app/v1/presales/9?lang=en`)).status, 404)
})

test('PRESALE-APP-002: wrong requests are refused by name, and nobody reads the subscription of another customer', async () => {
  const [user, other] = [await customer(), await customer()]
  const stranger = await exchange.user({ funds: { USDT: '1000' }, isCertified: false })
  const codeOf = async (asked: ReturnType<typeof subscribe>): Promise<string> => (await asked).body.code
  assert.equal(await codeOf(subscribe(user, 9, '10')), 'PRESALE_UNKNOWN')
  assert.equal(await codeOf(subscribe(user, 1, '9')), 'AMOUNT_TOO_SMALL')
  assert.equal(await codeOf(subscribe(user, 1, '10.0000001')), 'TOO_MANY_DIGITS')
  assert.equal(await codeOf(subscribe(user, 1, '0')), 'AMOUNT_NOT_POSITIVE')
  assert.equal(await codeOf(subscribe(user, 1, '1001')), 'INSUFFICIENT_BALANCE')
  assert.equal(await codeOf(subscribe(stranger, 1, '10')), 'NOT_CERTIFIED')
  const clientId = randomUUID()
  assert.equal((await subscribe(user, 1, '10.5', clientId)).status, 201)
  assert.equal((await subscribe(user, 1, '10.5', clientId)).body.amount, '10.5')
  assert.equal((await subscribe(user, 1, '11', clientId)).status, 409)
  const own = async (one: TestUser) => (await one.call('GET', '/presales/subscriptions?lang=it')).body as WirePresaleSubscriptions
  const { subscriptions } = await own(user)
  assert.deepEqual(
    subscriptions.map(({ title, amount, state, allocated }) => [title, amount, state, allocated]),
    [['Token di prova: primo turno', '10.5', 'subscribing', null]],
  )
  assert.deepEqual((await own(other)).subscriptions, [])
  assert.equal((await other.call('GET', '/presales/1/subscription')).status, 404)
  assert.equal((await read<WirePresale>('/presales/1?lang=en')).subscribed, '10.5')
  // No balance shows the sum, but its owner must be there at the end.
  const standing = async (one: TestUser): Promise<number> => (await one.call('GET', '/deletion')).body.presales
  assert.deepEqual([await standing(user), await standing(other)], [1, 0])
})

test('PRESALE-RACE-001: of 200 subscriptions at once each counts once, no token is sold twice, and locked tokens become free by the clock', async () => {
  const users: TestUser[] = []
  for (let n = 0; n < 8; n++) users.push(await exchange.user({ funds: { USDT: '10000' }, isCertified: true }))
  const { assets } = await exchange.link.ask.listing()
  const pract = assets.find(({ symbol }) => symbol === 'PRACT')!.id
  const [now] = [Date.now()]
  const terms = {
    ...{ token: pract, pay: 1, price: { pay: 3, per: 7 }, supply: 1_000_003, purchaseLimit: 300_000, subscriptionMin: 1 },
    ...{ subscriptionMax: 10_000_000_000, softCap: 0, startsAt: now - 60_000, endsAt: now + dayMs },
    release: { atListingPpm: 100_000, kind: 'linear', lockDays: 3, steps: [] },
    ...{ documentHash: '', detailsHash: '' },
  }
  const set = { type: 'presale.set', presale: 7, terms } as unknown as Command
  assert.equal((await exchange.link.submit(set)).refusal, undefined)
  await until(async () => ((await read<{ number?: number }>('/presales/7?lang=en')).number === 7 ? true : undefined))
  const asked = Array.from({ length: 200 }, (_, n) => {
    const clientId = `race-${n}`
    const user = users[n % users.length]!
    // Each is sent twice.
    return [0, 1].map(() => subscribe(user, 7, `${1 + (n % 8)}.00000${n % 10}`, clientId))
  })
  const answers = await Promise.all(asked.flat())
  const statuses = new Set(answers.map(({ status }) => status))
  assert.ok(
    [...statuses].every((status) => status === 201 || status === 429),
    [...statuses].join(),
  )
  const sums = users.map((_, at) =>
    asked.reduce((sum, _pair, n) => (n % users.length === at && isTaken(n) ? sum + (1 + (n % 8)) * 1e6 + (n % 10) : sum), 0),
  )
  function isTaken(n: number): boolean {
    return answers[2 * n]!.status === 201 || answers[2 * n + 1]!.status === 201
  }
  const schedules = () =>
    Promise.all(users.map(async (user) => (await user.call('GET', '/presales/7/subscription')).body as WirePresaleSchedule))
  const units = (text: string | null, scale = 6): number => Math.round(Number(text) * 10 ** scale)
  assert.deepEqual(
    (await schedules()).map(({ subscription }) => units(subscription.amount)),
    sums,
  )

  aheadMs = dayMs + 60_000
  const ended = await until(async () => {
    const found = await read<WirePresale>('/presales/7?lang=en')
    return found.state === 'locked' ? found : undefined
  })
  assert.deepEqual([ended.sold, ended.outcome], ['1.000003', 'allocated'])
  const allotted = await schedules()
  assert.equal(
    allotted.reduce((sum, { subscription }) => sum + units(subscription.allocated), 0),
    1_000_003,
  )
  for (const [n, { subscription, releases }] of allotted.entries()) {
    assert.equal(units(subscription.cost) + units(subscription.refunded), sums[n])
    assert.ok(units(subscription.allocated) <= 300_000)
    assert.equal(units(subscription.released) + units(subscription.locked), units(subscription.allocated))
    assert.deepEqual(
      [releases.length, releases.at(-1)!.total, releases[0]!.isFree, releases[1]!.isFree],
      [4, subscription.allocated, true, false],
    )
    assert.deepEqual(subscription.next, { at: terms.endsAt + dayMs, amount: releases[1]!.amount })
  }

  for (let day = 1; day <= 3; day++) {
    aheadMs = (1 + day) * dayMs + 60_000
    const free = await until(async () => {
      const found = await schedules()
      return found.every(({ releases }) => releases[day]!.isFree) ? found : undefined
    })
    for (const { subscription, releases } of free) assert.equal(subscription.released, releases[day]!.total)
  }
  await until(async () => ((await read<WirePresale>('/presales/7?lang=en')).state === 'released' ? true : undefined))
  const { accounts } = (await users[0]!.call('GET', '/balances')).body
  const balance = accounts[0].balances.find(({ asset }: { readonly asset: string }) => asset === 'PRACT')
  assert.deepEqual([balance.available, balance.held], [allotted[0]!.subscription.allocated, '0'])
  const records = (await users[0]!.call('GET', '/records?asset=PRACT')).body.items as readonly WireRecord[]
  const freed = allotted[0]!.releases.slice(1)
  assert.deepEqual(
    records.map(({ type, amount, balance, released }) => [type, amount, balance, released]),
    [
      ...freed.map(({ amount }) => ['presale-release', '0', balance.available, amount]).toReversed(),
      ['presale-allocate', balance.available, balance.available, undefined],
    ],
  )
  const moved = (await users[0]!.call('GET', '/records/sums?asset=PRACT')).body
  assert.deepEqual(moved, [{ asset: 'PRACT', in: balance.available, out: '0' }])
})
