import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ppm } from '@candor/core/money/brand.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { outcomeOf, pointsOf } from '@candor/core/proof/second.ts'
import { tapeFault } from '@candor/core/proof/tape.ts'
import type { WireOption, WireTape, WireTapeTick } from '@candor/core/protocol/wire/option.ts'
import { type RawData, WebSocket } from 'ws'
import { firstOptionTerms } from '../../main/first-option.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { openOption, option, optionFigures, optionMe, optionTerms } from '../option/schema.ts'
import { line as tapeLine, tape } from '../proof/schema.ts'

const right = { answers: { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 } }
const rates = [{ seconds: 4, profitPpm: 840_000 as Ppm }]
const terms: OptionTerms = { ...firstOptionTerms('sandbox'), rates, limitWaitMs: 3_600_000 }

let exchange: TestExchange

before(async () => {
  exchange = await startExchange({ seed: 'option' })
  // Four seconds are a short wait for a test, and long enough for strike and window.
  const outcome = await exchange.link.submit({ type: 'option.setTerms', terms })
  assert.equal(outcome.refusal, undefined)
})
after(() => exchange[Symbol.asyncDispose]())

async function trader(amount = 100): Promise<TestUser> {
  const user = await exchange.user({ funds: { USDT: String(amount) }, class: 'bench' })
  await exchange.link.submit({ type: 'user.certify', user: user.id, isCertified: true })
  const moved = await user.call('POST', '/transfer', { clientId: 't', asset: 'USDT', from: 'spot', to: 'option', amount: String(amount) })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  return user
}

const order = (clientId: string, more: object = {}) => ({ clientId, symbol: 'BTCUSDT', direction: 'up', stake: '10', seconds: 4, ...more })

async function settled(user: TestUser, id: string): Promise<WireOption> {
  for (let tries = 0; tries < 2_400; tries++) {
    const { body } = await user.call('GET', `/option/orders/${id}`)
    if (body.status === 'settled') return body
    await sleep(25)
  }
  throw new Error(`order ${id} is not settled`)
}

function numbers(ticks: readonly WireTapeTick[]) {
  return ticks.map((tick) => ({
    ...tick,
    prices: tick.prices.map((one) => ({
      ...one,
      price: Number(one.price),
      quotes: one.quotes.map((quote) => ({ ...quote, price: Number(quote.price) })),
    })),
  }))
}

test('OPTION-TERMS-001: everybody sees durations, rates with their break-even, and the markets', async () => {
  const { body } = await request(exchange.url, 'GET', '/option/terms')
  optionTerms.parse(body)
  assert.deepEqual(body.rates, [{ seconds: 4, profit: '84', breakEven: '54.3', windowMs: 400 }])
  assert.equal(body.isOpen, true)
  assert.equal(body.markets.length, 12)
  assert.ok(body.markets.every(({ symbol, isPaused }: { symbol: string; isPaused: boolean }) => symbol.endsWith('USDT') && !isPaused))
})

test('OPTION-ADMIT-001: only a verified user who answers every question correctly may open an order', async () => {
  const user = await exchange.user({ funds: { USDT: '100' }, class: 'bench' })
  await exchange.link.submit({ type: 'user.certify', user: user.id, isCertified: false })
  await user.call('POST', '/transfer', { clientId: 't', asset: 'USDT', from: 'spot', to: 'option', amount: '100' })
  const open = async (clientId: string) => (await user.call('POST', '/option/orders', order(clientId))).body.code
  assert.equal(await open('a'), 'NOT_CERTIFIED')
  await exchange.link.submit({ type: 'user.certify', user: user.id, isCertified: true })
  assert.equal(await open('b'), 'NOT_ADMITTED')
  const { body: asked } = await request(exchange.url, 'GET', '/option/knowledge')
  assert.deepEqual(asked.questions[0], { id: 'q1', answers: 3 })
  assert.equal(JSON.stringify(asked).includes('right'), false)
  for (const wrong of [
    {},
    { ...right.answers, q5: 0 },
    { ...right.answers, q6: 0 },
    { q1: 0, q2: 1, q3: 2, q4: 0 },
    { ...right.answers, q1: 1 },
  ]) {
    const { status, body } = await user.call('POST', '/option/knowledge', { answers: wrong })
    assert.deepEqual([status, body.code], [400, 'KNOWLEDGE_WRONG'])
  }
  assert.equal(await open('c'), 'NOT_ADMITTED')
  const admitted = await user.call('POST', '/option/knowledge', right)
  assert.equal(admitted.body.isAdmitted, true)
  assert.equal((await user.call('POST', '/option/orders', order('d'))).status, 200)
})

test('OPTION-API-001: an order is opened, runs and settles, and its owner can recompute it from the public tape', async () => {
  const user = await trader()
  const other = await trader()
  await user.call('POST', '/option/knowledge', right)
  const told: { readonly e: string; readonly order?: WireOption }[] = []
  const ws = new WebSocket(`${exchange.url.replace('http', 'ws')}/app/v1/stream`, { headers: { cookie: user.cookie } })
  const isSubscribed = new Promise<void>((done) => {
    ws.on('message', (data: RawData) => {
      const message = JSON.parse(String(data))
      if (message.stream === 'user') told.push(message.data)
      if (message.id === 1) done()
    })
  })
  await new Promise((done, fail) => ws.once('open', done).once('error', fail))
  ws.send('{"method":"SUBSCRIBE","params":["user"],"id":1}')
  await isSubscribed

  const body = openOption.parse(order('mine', { guard: '5' }))
  const opened = await user.call('POST', '/option/orders', body)
  assert.equal(opened.status, 200, JSON.stringify(opened.body))
  option.parse(opened.body.order)
  const { id } = opened.body.order
  assert.deepEqual([opened.body.isRepeat, opened.body.order.status, opened.body.order.guardPpm], [false, 'placed', 50_000])
  const again = await user.call('POST', '/option/orders', body)
  assert.deepEqual([again.body.isRepeat, again.body.order.id], [true, id])
  assert.deepEqual((await user.call('GET', '/option/orders/open')).body.orders.length, 1)
  const { body: held } = await user.call('GET', '/balances')
  const account = held.accounts.find(({ kind }: { kind: string }) => kind === 'option')
  assert.deepEqual(account.balances, [{ asset: 'USDT', available: '90', held: '10' }])
  assert.equal((await user.call('GET', '/option/me')).body.openStakes, '10')
  assert.equal((await other.call('GET', `/option/orders/${id}`)).status, 404, 'nobody else sees it')
  assert.equal((await other.call('GET', '/option/orders/open')).body.orders.length, 0)

  const done = await settled(user, id)
  option.parse(done)
  const { body: history } = await user.call('GET', '/option/orders/history?symbol=BTCUSDT')
  assert.deepEqual(history.items, [done])
  assert.deepEqual(
    told.filter(({ e }) => e === 'option').map((one) => one.order!.status),
    ['placed', 'running', 'settled'],
  )
  assert.deepEqual(told.filter(({ e }) => e === 'option').at(-1)!.order, done)
  ws.close()

  const me = optionMe.parse((await user.call('GET', '/option/me')).body)
  const net = done.settleProfit
  assert.deepEqual([me.openStakes, me.net], ['0', net])
  const expected = { win: '8.4', lose: '-10', tie: '0', void: '0' }[done.result!]
  assert.equal(net, expected)

  const piece = (await request(exchange.url, 'GET', `/proof/tape?at=${done.strikeFrom - 6_000}&until=${done.settledAt! + 1}&limit=1000`))
    .body as WireTape
  tape.parse(piece)
  const ticks = numbers(piece.ticks)
  assert.equal(tapeFault(piece.before, ticks), undefined)
  const market = piece.markets.find(({ symbol }) => symbol === 'BTCUSDT')!.id
  const found = outcomeOf(pointsOf(ticks, market), { ...done, reference: Math.round(Number(done.reference) * 1e8) })!
  assert.deepEqual(
    [found.result, found.price, found.strike?.tick],
    [done.result, Math.round(Number(done.settlePrice ?? 0) * 1e8), done.strikeTick],
  )
})

test('OPTION-LIMITS-001: a lower loss limit applies at once, a higher one after the wait; a cool-off can only be extended', async () => {
  const user = await trader()
  await user.call('POST', '/option/knowledge', right)
  const set = async (body: object) => (await user.call('POST', '/option/limits', body)).body
  assert.deepEqual(pick(await set({ lossMax: '25' })), ['25', null, null])
  assert.equal((await user.call('POST', '/option/orders', order('a'))).status, 200)
  assert.equal((await user.call('POST', '/option/orders', order('b', { stake: '15' }))).status, 200)
  assert.equal((await user.call('POST', '/option/orders', order('c', { stake: '5' }))).body.code, 'LOSS_LIMIT')
  const raised = await set({ lossMax: '50' })
  assert.deepEqual([raised.lossMax, raised.nextLossMax], ['25', '50'])
  assert.ok(raised.nextAt > Date.now())
  assert.deepEqual(pick(await set({ lossMax: '20' })), ['20', null, null])
  await proves(user)
  const paused = await set({ lossMax: '20', coolOffHours: 2 })
  assert.ok(paused.coolOffUntil > Date.now() + 7_100_000)
  assert.equal((await set({ lossMax: '20', coolOffHours: 1 })).code, 'LIMIT_INVALID')
  assert.equal((await set({ lossMax: '-1' })).code, 'FIELD_INVALID')
  const off = await set({ lossMax: null })
  assert.deepEqual([off.lossMax, off.nextLossMax], ['20', null])
  assert.ok(off.nextAt > Date.now(), 'lifting the limit waits as well')
})

/** Lets the sessions of a user have proved who they are. */
const proves = (user: TestUser): Promise<unknown> =>
  exchange.store.pool.query('update sessions set proven_at = $1 from accounts where accounts.id = account and core_user = $2', [
    Date.now(),
    user.id,
  ])

test('OPTION-LIMITS-005: a break needs a proof, a loss limit none', async () => {
  const user = await trader()
  const set = async (body: object) => (await user.call('POST', '/option/limits', body)).body
  assert.equal((await set({ lossMax: null, coolOffHours: 1008 })).code, 'PROOF_NEEDED')
  assert.equal((await set({ lossMax: '30' })).coolOffUntil, null)
  await proves(user)
  assert.ok((await set({ lossMax: '30', coolOffHours: 1 })).coolOffUntil > Date.now())
})

function pick({ lossMax, nextLossMax, nextAt }: { lossMax: string; nextLossMax: string; nextAt: number }) {
  return [lossMax, nextLossMax, nextAt]
}

test('OPTION-API-002: an invalid order is refused by name and holds nothing', async () => {
  const user = await trader()
  await user.call('POST', '/option/knowledge', right)
  const cases = [
    [{ seconds: 5 }, 'DURATION_UNKNOWN'],
    [{ stake: '4.999999' }, 'STAKE_TOO_SMALL'],
    [{ stake: '100.000001' }, 'INSUFFICIENT_BALANCE'],
    [{ stake: '10.0000001' }, 'TOO_MANY_DIGITS'],
    [{ symbol: 'ETHBTC' }, 'MARKET_UNKNOWN'],
    [{ symbol: 'NONE' }, 'MARKET_UNKNOWN'],
    [{ guard: '0' }, 'FIELD_INVALID'],
    [{ guard: '100.1' }, 'FIELD_INVALID'],
    [{ guard: '0.00001' }, 'TOO_MANY_DIGITS'],
    [{ direction: 'left' }, 'FIELD_INVALID'],
  ] as const
  for (const [i, [change, code]] of cases.entries()) {
    const answer = await user.call('POST', '/option/orders', order(`x${i}`, change))
    assert.equal(answer.body.code, code, JSON.stringify(change))
  }
  assert.equal((await user.call('GET', '/option/me')).body.openStakes, '0')
})

test('OPTION-FIGURES-002: the figures of all customers are public', async () => {
  const { body } = await request(exchange.url, 'GET', '/option/figures')
  optionFigures.parse(body)
})

test('TAPE-PUBLISHED-003: the tape as lines equals the tape in pieces, and continues every 250 ms', async () => {
  const piece = (await request(exchange.url, 'GET', '/proof/tape?from=1&limit=12')).body as WireTape
  const response = await fetch(`${exchange.url}/app/v1/proof/tape.ndjson?from=1&limit=12`)
  assert.match(response.headers.get('content-type')!, /^application\/x-ndjson/)
  const [head, ...lines] = (await response.text()).trimEnd().split('\n')
  const { ticks, head: _, ...rest } = piece
  const { head: __, ...read } = JSON.parse(head!)
  assert.deepEqual(read, rest)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    ticks,
  )
  assert.deepEqual(piece.venues.slice(4), ['simulated-1', 'simulated-2', 'simulated-3', 'simulated-4'])
  assert.ok(ticks.every(({ prices }) => prices.every(({ sources, quotes }) => sources === quotes.length && sources >= 2)))
  const newest = (await request(exchange.url, 'GET', '/proof/tape?limit=2')).body as WireTape
  assert.equal(newest.ticks.at(-1)!.tick, newest.head.tick)
  assert.equal((await request(exchange.url, 'GET', '/proof/tape?from=1&at=1')).body.code, 'FIELD_INVALID')
})

test('TAPE-PUBLISHED-004: the line of a market has its prices at every tick of the tape', async () => {
  const piece = (await request(exchange.url, 'GET', '/proof/tape?from=1&limit=60')).body as WireTape
  const market = piece.markets.find(({ symbol }) => symbol === 'BTCUSDT')!.id
  const points = pointsOf(numbers(piece.ticks), market)
  const middle = points.length >> 1
  const until = points.at(-1)!.at + 1
  const line = await request(exchange.url, 'GET', `/proof/line?symbol=BTCUSDT&at=${points[middle]!.at}&until=${until}&limit=4000`)
  tapeLine.parse(line.body)
  assert.deepEqual(
    line.body.points,
    points.slice(middle).map(({ at, price, isGood }) => [at, formatUnits(price, 8), isGood]),
  )
  const newest = (await request(exchange.url, 'GET', '/proof/line?symbol=BTCUSDT&limit=3')).body
  assert.equal(newest.points.length, 3)
  for (const [query, code] of [
    ['symbol=BTCUSDT&limit=4001', 'FIELD_INVALID'],
    ['limit=3', 'FIELD_MISSING'],
    ['symbol=BTCUSDTPERP', 'MARKET_UNKNOWN'],
    ['symbol=BTCUSDT&from=1', 'FIELD_UNKNOWN'],
  ] as const)
    assert.equal((await request(exchange.url, 'GET', `/proof/line?${query}`)).body.code, code, query)
})

test('TAPE-STREAM-001: the index of a market is sent with every tick of the tape', async () => {
  const told: { tick: number; p: string; s: string; isGood: boolean }[] = []
  const ws = new WebSocket(`${exchange.url.replace('http', 'ws')}/stream?streams=btcusdt@index`)
  ws.on('message', (data: RawData) => told.push(JSON.parse(String(data)).data))
  await new Promise((done, fail) => ws.once('open', done).once('error', fail))
  while (told.length < 6) await sleep(50)
  ws.close()
  assert.deepEqual(
    told.map(({ tick }) => tick - told[0]!.tick),
    told.map((_, i) => i),
  )
  const piece = (await request(exchange.url, 'GET', `/proof/tape?from=${told[0]!.tick}&limit=${told.length}`)).body as WireTape
  const points = pointsOf(numbers(piece.ticks), 1)
  for (const { tick, price } of points) {
    const one = told.find((message) => message.tick === tick)!
    assert.deepEqual([one.s, Math.round(Number(one.p) * 1e8)], ['BTCUSDT', price])
  }
})

test('OPTION-FAIR-004: no request to the exchange can name a result, a price or a rate of an order', async () => {
  type Schema = { readonly properties?: Readonly<Record<string, unknown>>; readonly $ref?: string }
  const document = (await (await fetch(`${exchange.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<
      Record<
        string,
        Readonly<Record<string, { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } }>>
      >
    >
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }
  const writes: Record<string, readonly string[]> = {}
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!/^\/app\/v1\/(option|proof)\//.test(path)) continue
    for (const [method, { requestBody }] of Object.entries(methods)) {
      if (method === 'get') continue
      const schema = requestBody!.content['application/json']!.schema
      const named = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema
      writes[`${method} ${path.slice('/app/v1'.length)}`] = Object.keys(named.properties ?? {}).sort()
    }
  }
  assert.deepEqual(writes, {
    'post /option/knowledge': ['answers'],
    'post /option/limits': ['coolOffHours', 'lossMax'],
    'post /option/orders': ['clientId', 'direction', 'guard', 'seconds', 'stake', 'symbol'],
  })
})

test('OPTION-VERIFY-004: the script finds no difference in the tape and a customer’s orders of a running exchange', async () => {
  const user = await trader()
  await user.call('POST', '/option/knowledge', right)
  const ids: string[] = []
  for (const direction of ['up', 'down', 'up']) {
    const { body } = await user.call('POST', '/option/orders', order(`v${ids.length}`, { direction }))
    ids.push(body.order.id)
  }
  for (const id of ids) await settled(user, id)
  const child = spawn(process.execPath, [new URL('../../../tools/verify-options.ts', import.meta.url).pathname, exchange.url], {
    env: { ...process.env, CANDOR_COOKIE: user.cookie },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const code = await new Promise((done) => child.once('exit', done))
  assert.match(said, /^[0-9]+ ticks, 3 settled orders, 0 differences\n$/)
  assert.equal(code, 0)
})

test('OPTION-FIRST-001: the sandbox starts open, with a funded house; production starts closed, and a higher limit waits', async () => {
  const { terms: now, fund } = await exchange.link.ask.optionTerms()
  assert.ok(fund > 999_000_000_000 && fund < 1_001_000_000_000, String(fund))
  assert.equal(now?.houseFloor, 100_000_000_000)
  assert.equal(firstOptionTerms('sandbox').isOpen, true)
  assert.equal(firstOptionTerms('sandbox').limitWaitMs, 0)
  assert.equal(firstOptionTerms('production').isOpen, false)
  assert.equal(firstOptionTerms('production').limitWaitMs, 86_400_000)
})
