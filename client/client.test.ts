import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import test from 'node:test'
import type { WireNewAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { createClient, type Client } from './client.ts'
import { ApiError, OfflineError } from './errors.ts'
import { createCookieJar } from './node/cookie.ts'
import { startLoopback } from './test/loopback.ts'

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string | string[]> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const login = { channel: 'email', to: 'a@example.com', password: 'p', lang: 'en' } as const
const registration = {
  channel: 'phone',
  to: '+49151',
  code: '1',
  password: 'p',
  passwordAgain: 'p',
  agreement: true,
  country: 'DE',
  isOfAge: true,
  lang: 'de',
} as const
const order = { clientId: 'c1', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' } as const

const newKey = { label: 'bot', scopes: ['read', 'trade'], ips: ['192.0.2.1'], password: 'p' } as const

const contract = { clientId: 'c1', symbol: 'BTCUSDTPERP', side: 'sell', type: 'market', quantity: '1' } as const

const newAlert: WireNewAlert = {
  symbol: 'BTCUSDT',
  condition: 'above',
  source: 'last',
  level: '70000',
  note: '',
  isOn: true,
  isReachedFine: false,
}

/** Every endpoint of docs/app-api.md: the call, and the request that it must send. */
const endpoints: readonly [call: (client: Client) => Promise<unknown>, line: string, body?: unknown][] = [
  [(c) => c.market.config(), 'GET /config'],
  [(c) => c.market.tickers(), 'GET /tickers'],
  [(c) => c.market.tickers({ sparkline: true }), 'GET /tickers?sparkline=1'],
  [(c) => c.market.volume(), 'GET /volume'],
  [
    (c) => c.market.candles('BTCUSDT', { interval: '1m', endTime: 5, limit: 10 }),
    'GET /markets/BTCUSDT/candles?interval=1m&endTime=5&limit=10',
  ],
  [(c) => c.market.depth('BTCUSDT', { limit: 50 }), 'GET /markets/BTCUSDT/depth?limit=50'],
  [(c) => c.market.trades('BTC/../x'), 'GET /markets/BTC%2F..%2Fx/trades'],
  [
    (c) => c.user.requestCode({ purpose: 'reset', channel: 'email', to: 'a', lang: 'en' }),
    'POST /auth/code',
    { purpose: 'reset', channel: 'email', to: 'a', lang: 'en' },
  ],
  [(c) => c.user.register(registration), 'POST /auth/register', registration],
  [(c) => c.user.login(login), 'POST /auth/login', login],
  [(c) => c.user.logout(), 'POST /auth/logout'],
  [(c) => c.user.resetCode({ channel: 'email', to: 'a', code: '1' }), 'POST /auth/reset/code', { channel: 'email', to: 'a', code: '1' }],
  [
    (c) => c.user.reset({ token: 't', password: 'p', passwordAgain: 'p' }),
    'POST /auth/reset',
    { token: 't', password: 'p', passwordAgain: 'p' },
  ],
  [
    (c) => c.user.changePassword({ current: 'o', password: 'p', passwordAgain: 'p' }),
    'POST /auth/password',
    { current: 'o', password: 'p', passwordAgain: 'p' },
  ],
  [(c) => c.user.invitation('A&B'), 'GET /auth/invitation?code=A%26B'],
  [(c) => c.user.declareResidence({ country: 'DE', isOfAge: true }), 'PUT /me/residence', { country: 'DE', isOfAge: true }],
  [(c) => c.user.acceptAgreement('2'), 'POST /me/agreement', { version: '2' }],
  [(c) => c.user.sessions(), 'GET /auth/sessions'],
  [(c) => c.factors.list(), 'GET /auth/factors'],
  [(c) => c.factors.loginByCode('1'), 'POST /auth/login/code', { code: '1' }],
  [(c) => c.factors.loginOptions(), 'POST /auth/passkey/options'],
  [(c) => c.factors.loginByPasskey({ response: { id: 'p' } }), 'POST /auth/passkey', { response: { id: 'p' } }],
  [(c) => c.factors.newAuthenticator(), 'POST /auth/authenticator'],
  [(c) => c.factors.confirmAuthenticator('1'), 'POST /auth/authenticator/confirm', { code: '1' }],
  [(c) => c.factors.removeAuthenticator(), 'DELETE /auth/authenticator'],
  [(c) => c.factors.renewRecoveryCodes(), 'POST /auth/recovery-codes'],
  [(c) => c.factors.newPasskeyOptions(), 'POST /auth/passkeys/options'],
  [(c) => c.factors.addPasskey({ label: 'l', response: {} }), 'POST /auth/passkeys', { label: 'l', response: {} }],
  [(c) => c.factors.removePasskey('p/1'), 'DELETE /auth/passkeys/p%2F1'],
  [(c) => c.factors.sendProofCode(), 'POST /auth/proof/code'],
  [(c) => c.factors.proofOptions(), 'POST /auth/proof/passkey'],
  [(c) => c.factors.prove({ way: 'authenticator', code: '1' }), 'POST /auth/proof', { way: 'authenticator', code: '1' }],
  [(c) => c.factors.setPhrase('p'), 'PUT /auth/phrase', { phrase: 'p' }],
  [(c) => c.factors.removePhrase(), 'DELETE /auth/phrase'],
  [(c) => c.factors.accesses(), 'GET /auth/accesses'],
  [(c) => c.factors.accesses(7), 'GET /auth/accesses?before=7'],
  [(c) => c.papers.mine(), 'GET /papers'],
  [(c) => c.papers.save({ kind: 'passport' }), 'PATCH /papers', { kind: 'passport' }],
  [(c) => c.papers.removePhoto('back'), 'DELETE /papers/photos/back'],
  [(c) => c.papers.send(), 'POST /papers/send'],
  [(c) => c.keys.list(), 'GET /keys'],
  [(c) => c.keys.create(newKey), 'POST /keys', newKey],
  [(c) => c.keys.change('k1', { expiresAt: null, password: 'p' }), 'PATCH /keys/k1', { expiresAt: null, password: 'p' }],
  [(c) => c.keys.remove('k1'), 'DELETE /keys/k1'],
  [(c) => c.user.endSession('s1'), 'DELETE /auth/sessions/s1'],
  [(c) => c.user.endOtherSessions(), 'DELETE /auth/sessions'],
  [(c) => c.activity.list({ kind: 'order', to: 5 }), 'GET /activity?kind=order&to=5'],
  [(c) => c.safety.deletion(), 'GET /deletion'],
  [(c) => c.safety.requestDeletion({ givesUp: true }), 'POST /deletion', { givesUp: true }],
  [(c) => c.safety.myData(), 'POST /me/data'],
  [(c) => c.safety.recentAccess(), 'GET /auth/recent'],
  [(c) => c.safety.revokeRecent(), 'DELETE /auth/recent'],
  [(c) => c.user.me(), 'GET /me'],
  [(c) => c.user.setLang('de'), 'PATCH /me', { lang: 'de' }],
  [(c) => c.user.certify(), 'POST /sandbox/certify'],
  [(c) => c.funds.balances(), 'GET /balances'],
  [(c) => c.funds.records({ type: 'trade', before: '10-1' }), 'GET /records?type=trade&before=10-1'],
  [
    (c) => c.funds.transfer({ clientId: 'c', asset: 'USDT', from: 'spot', to: 'perp', amount: '1' }),
    'POST /transfer',
    { clientId: 'c', asset: 'USDT', from: 'spot', to: 'perp', amount: '1' },
  ],
  [(c) => c.funds.faucet({ clientId: 'c', asset: 'USDT' }), 'POST /sandbox/faucet', { clientId: 'c', asset: 'USDT' }],
  [(c) => c.spot.place(order), 'POST /spot/orders', order],
  [
    (c) => c.spot.placeOco({ clientId: 'c', symbol: 'BTCUSDT', side: 'sell', quantity: '1', limitPrice: '2', stopPrice: '1' }),
    'POST /spot/orders/oco',
    { clientId: 'c', symbol: 'BTCUSDT', side: 'sell', quantity: '1', limitPrice: '2', stopPrice: '1' },
  ],
  [
    (c) => c.spot.amend('7', { clientId: 'c', symbol: 'BTCUSDT', price: '2' }),
    'PATCH /spot/orders/7',
    { clientId: 'c', symbol: 'BTCUSDT', price: '2' },
  ],
  [(c) => c.spot.cancel('7', 'BTCUSDT'), 'DELETE /spot/orders/7?symbol=BTCUSDT'],
  [(c) => c.spot.cancelAll(), 'DELETE /spot/orders'],
  [(c) => c.spot.cancelAll('BTCUSDT'), 'DELETE /spot/orders?symbol=BTCUSDT'],
  [(c) => c.spot.cancelAll(undefined, 'margin'), 'DELETE /spot/orders?only=margin'],
  [(c) => c.spot.openOrders(), 'GET /spot/orders/open'],
  [(c) => c.spot.history({ side: 'buy', limit: 5 }), 'GET /spot/orders/history?side=buy&limit=5'],
  [(c) => c.spot.order('7'), 'GET /spot/orders/7'],
  [(c) => c.spot.fills({ orderId: '7' }), 'GET /spot/fills?orderId=7'],
  [
    (c) => c.funds.transferPreview({ from: 'spot', to: 'perp', asset: 'USDT', amount: '1.5' }),
    'GET /transfer/preview?from=spot&to=perp&asset=USDT&amount=1.5',
  ],
  [(c) => c.funds.profit({ days: 30 }), 'GET /profit?days=30'],
  [(c) => c.perp.prices(), 'GET /perp/prices'],
  [(c) => c.perp.fundingRates({ symbol: 'BTCUSDTPERP', limit: 5 }), 'GET /perp/funding-rates?symbol=BTCUSDTPERP&limit=5'],
  [(c) => c.perp.insurance(), 'GET /perp/insurance'],
  [(c) => c.perp.account(), 'GET /perp/account'],
  [(c) => c.perp.place(contract), 'POST /perp/orders', contract],
  [
    (c) => c.perp.amend('7', { clientId: 'c', symbol: 'BTCUSDTPERP', price: '2' }),
    'PATCH /perp/orders/7',
    { clientId: 'c', symbol: 'BTCUSDTPERP', price: '2' },
  ],
  [(c) => c.perp.cancel('7', 'BTCUSDTPERP'), 'DELETE /perp/orders/7?symbol=BTCUSDTPERP'],
  [(c) => c.perp.cancelAll(), 'DELETE /perp/orders'],
  [(c) => c.perp.openOrders('BTCUSDTPERP'), 'GET /perp/orders/open?symbol=BTCUSDTPERP'],
  [(c) => c.perp.history({ status: 'filled' }), 'GET /perp/orders/history?status=filled'],
  [(c) => c.perp.order('7'), 'GET /perp/orders/7'],
  [(c) => c.perp.fills({ orderId: '7' }), 'GET /perp/fills?orderId=7'],
  [(c) => c.perp.reverse({ clientId: 'c', symbol: 'BTCUSDTPERP' }), 'POST /perp/reverse', { clientId: 'c', symbol: 'BTCUSDTPERP' }],
  [(c) => c.perp.setLeverage({ symbol: 'BTCUSDTPERP', leverage: 5 }), 'POST /perp/leverage', { symbol: 'BTCUSDTPERP', leverage: 5 }],
  [
    (c) => c.perp.setMarginMode({ symbol: 'BTCUSDTPERP', mode: 'isolated' }),
    'POST /perp/margin-mode',
    { symbol: 'BTCUSDTPERP', mode: 'isolated' },
  ],
  [(c) => c.perp.setHedgeMode({ hedge: true }), 'POST /perp/hedge-mode', { hedge: true }],
  [
    (c) => c.perp.adjustMargin({ clientId: 'c', symbol: 'BTCUSDTPERP', amount: '-5' }),
    'POST /perp/margin',
    { clientId: 'c', symbol: 'BTCUSDTPERP', amount: '-5' },
  ],
  [(c) => c.perp.closedPositions({ from: 1, to: 2 }), 'GET /perp/positions/closed?from=1&to=2'],
  [(c) => c.perp.funding({ before: 'x' }), 'GET /perp/funding?before=x'],
  [(c) => c.perp.liquidation('12'), 'GET /perp/liquidations/12'],
  [(c) => c.margin.terms(), 'GET /margin/terms'],
  [(c) => c.margin.accounts(), 'GET /margin/accounts'],
  [(c) => c.margin.accounts('BTCUSDT'), 'GET /margin/accounts?symbol=BTCUSDT'],
  [
    (c) => c.margin.borrow({ clientId: 'c', symbol: 'BTCUSDT', asset: 'BTC', amount: '1' }),
    'POST /margin/borrow',
    { clientId: 'c', symbol: 'BTCUSDT', asset: 'BTC', amount: '1' },
  ],
  [
    (c) => c.margin.repay({ clientId: 'c', asset: 'BTC', amount: 'all' }),
    'POST /margin/repay',
    { clientId: 'c', asset: 'BTC', amount: 'all' },
  ],
  [(c) => c.margin.loans({ asset: 'BTC', limit: 5 }), 'GET /margin/loans?asset=BTC&limit=5'],
  [(c) => c.margin.liquidations({ before: 'x' }), 'GET /margin/liquidations?before=x'],
  [(c) => c.margin.pools(), 'GET /lend/pools'],
  [(c) => c.margin.rates({ asset: 'USDT', limit: 24 }), 'GET /lend/rates?asset=USDT&limit=24'],
  [(c) => c.margin.claims(), 'GET /lend/claims'],
  [
    (c) => c.margin.supply({ clientId: 'c', asset: 'USDT', amount: '1' }),
    'POST /lend/supply',
    { clientId: 'c', asset: 'USDT', amount: '1' },
  ],
  [
    (c) => c.margin.withdraw({ clientId: 'c', asset: 'USDT', amount: '1' }),
    'POST /lend/withdraw',
    { clientId: 'c', asset: 'USDT', amount: '1' },
  ],
  [(c) => c.margin.cancelWithdraw({ asset: 'USDT', clientId: 'c' }), 'DELETE /lend/withdraw?asset=USDT&clientId=c'],
  [(c) => c.support.desk(), 'GET /support'],
  [(c) => c.support.tickets(), 'GET /support/tickets'],
  [
    (c) => c.support.open({ clientId: 'c', topic: 'other', subject: 's', text: 't' }),
    'POST /support/tickets',
    { clientId: 'c', topic: 'other', subject: 's', text: 't' },
  ],
  [(c) => c.support.thread('a/b', { before: 5 }), 'GET /support/tickets/a%2Fb?before=5'],
  [(c) => c.support.write('a', { clientId: 'c', text: 't' }), 'POST /support/tickets/a/messages', { clientId: 'c', text: 't' }],
  [(c) => c.support.read('a', 7), 'POST /support/tickets/a/read', { upTo: 7 }],
  [(c) => c.support.close('a'), 'POST /support/tickets/a/close'],
  [(c) => c.support.reopen('a'), 'POST /support/tickets/a/reopen'],
  [(c) => c.support.image('a'), 'GET /support/images/a'],
  [(c) => c.convert.terms(), 'GET /convert/terms'],
  [(c) => c.convert.standing(), 'GET /convert/standing'],
  [
    (c) => c.convert.quote({ clientId: 'c', from: 'USDT', to: 'BTC', give: '1' }),
    'POST /convert/quotes',
    { clientId: 'c', from: 'USDT', to: 'BTC', give: '1' },
  ],
  [(c) => c.convert.accept('7'), 'POST /convert/quotes/7/accept', {}],
  [(c) => c.convert.conversion('7'), 'GET /convert/conversions/7'],
  [(c) => c.referral.terms(), 'GET /referral/terms'],
  [(c) => c.referral.landing('ABCD2345'), 'GET /referral/landing?code=ABCD2345'],
  [(c) => c.referral.me(), 'GET /referral'],
  [(c) => c.referral.earnings({ days: 7 }), 'GET /referral/earnings?days=7'],
  [(c) => c.convert.conversions({ before: 'x', limit: 5 }), 'GET /convert/conversions?before=x&limit=5'],
  [(c) => c.daily.profit('2026-11'), 'GET /daily/profit?month=2026-11'],
  [(c) => c.daily.statement('2026-11-27'), 'GET /daily/statement?day=2026-11-27'],
  [(c) => c.alerts.alerts(), 'GET /alerts'],
  [(c) => c.alerts.createAlert(newAlert), 'POST /alerts', newAlert],
  [(c) => c.alerts.replaceAlert('a', newAlert), 'PUT /alerts/a', newAlert],
  [(c) => c.alerts.switchAlert('a', false), 'PATCH /alerts/a', { isOn: false }],
  [(c) => c.alerts.deleteAlert('a'), 'DELETE /alerts/a'],
  [(c) => c.preferences.preference('favourites'), 'GET /preferences/favourites'],
  [(c) => c.preferences.preference('home'), 'GET /preferences/home'],
  [(c) => c.preferences.preference('market-sort'), 'GET /preferences/market-sort'],
  [
    (c) => c.preferences.setPreference('favourites', { revision: 1, value: { symbols: ['BTCUSDT'] } }),
    'PUT /preferences/favourites',
    { revision: 1, value: { symbols: ['BTCUSDT'] } },
  ],
  [
    (c) => c.preferences.setPreference('home', { revision: 0, value: { cards: [], actions: [] } }),
    'PUT /preferences/home',
    { revision: 0, value: { cards: [], actions: [] } },
  ],
  [
    (c) => c.preferences.setPreference('market-sort', { revision: 0, value: { by: null, isRising: true } }),
    'PUT /preferences/market-sort',
    { revision: 0, value: { by: null, isRising: true } },
  ],
  [(c) => c.presale.list({ lang: 'de' }), 'GET /presales?lang=de'],
  [(c) => c.presale.detail(3, { lang: 'hk' }), 'GET /presales/3?lang=hk'],
  [(c) => c.presale.subscribe(3, { clientId: 'c', amount: '1' }), 'POST /presales/3/subscriptions', { clientId: 'c', amount: '1' }],
  [(c) => c.presale.mine({ lang: 'en' }), 'GET /presales/subscriptions?lang=en'],
  [(c) => c.presale.schedule(3), 'GET /presales/3/subscription'],
]

test('each endpoint asks with its method, address and body, as JSON', async () => {
  const seen: { line: string; body: string; type: string | undefined }[] = []
  await using exchange = await startLoopback({
    request(request, body, response) {
      seen.push({ line: `${request.method} ${request.url?.replace('/app/v1', '')}`, body, type: request.headers['content-type'] })
      json(response, 200, {})
    },
  })
  const client = createClient({ baseUrl: exchange.url })
  for (const [call, line, body] of endpoints) {
    await call(client)
    const last = seen.at(-1)
    assert.equal(last?.line, line)
    assert.equal(last?.body, body === undefined ? '' : JSON.stringify(body), line)
    assert.equal(last?.type, body === undefined ? undefined : 'application/json', line)
  }
})

test('a file is sent as it is with its own type, and comes as a file; a refusal of it is an ApiError', async () => {
  const seen: unknown[] = []
  await using exchange = await startLoopback({
    request(request, body, response) {
      seen.push(`${request.method} ${request.url}`, request.headers['content-type'], body)
      if (request.url?.endsWith('/back')) json(response, 404, { code: 'NOT_FOUND', message: 'm', requestId: 'r' })
      else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(request.method === 'GET' ? 'photo' : '{"state":"draft"}')
    },
  })
  const { papers } = createClient({ baseUrl: exchange.url })
  assert.equal((await papers.putPhoto('front', new Blob(['bytes'], { type: 'image/png' }))).state, 'draft')
  assert.equal(await (await papers.photo('front')).text(), 'photo')
  await assert.rejects(papers.photo('back'), { code: 'NOT_FOUND' })
  const path = '/app/v1/papers/photos'
  assert.deepEqual(seen.slice(0, 3), [`PUT ${path}/front`, 'image/png', 'bytes'])
  assert.deepEqual(seen.slice(3), [`GET ${path}/front`, undefined, '', `GET ${path}/back`, undefined, ''])
})

test('a call may be sent by a function of its own', async () => {
  const client = createClient({ baseUrl: 'https://candor.invalid' })
  const fetch = (): Promise<Response> => Promise.resolve(Response.json({ state: 'waiting' }))
  assert.equal((await client.papers.send({ fetch })).state, 'waiting')
})

test('lists come without their envelope, and an answer of 204 is nothing', async () => {
  await using exchange = await startLoopback({
    request(request, _body, response) {
      if (request.method === 'POST') response.writeHead(204).end()
      else json(response, 200, { orders: [{ id: '1' }] })
    },
  })
  const client = createClient({ baseUrl: `${exchange.url}/` })
  assert.deepEqual(await client.spot.openOrders(), [{ id: '1' }])
  assert.equal(await client.user.logout(), undefined)
})

test('a refusal arrives as an ApiError with everything that the answer says, and onError sees it', async () => {
  await using exchange = await startLoopback({
    request(_request, _body, response) {
      json(response, 400, { code: 'PRICE_INVALID', message: 'The price has to be a multiple of 0.1.', field: 'price', requestId: 'r-1' })
    },
  })
  const seen: unknown[] = []
  const client = createClient({ baseUrl: exchange.url, onError: (error) => seen.push(error) })
  const error = await client.spot.place(order).then(
    () => assert.fail('placed'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError)
  assert.deepEqual(
    [error.code, error.field, error.requestId, error.status, error.retryAfter],
    ['PRICE_INVALID', 'price', 'r-1', 400, undefined],
  )
  assert.deepEqual(seen, [error])
})

test('retryAfter comes from the body, else from the header', async () => {
  let body: object = { code: 'RATE_LIMITED', message: 'm', retryAfter: 3, requestId: 'r' }
  await using exchange = await startLoopback({
    request(_request, _body, response) {
      json(response, 429, body, { 'retry-after': '9' })
    },
  })
  const client = createClient({ baseUrl: exchange.url })
  await assert.rejects(client.market.volume(), { retryAfter: 3 })
  body = { code: 'RATE_LIMITED', message: 'm', requestId: 'r' }
  await assert.rejects(client.market.volume(), { retryAfter: 9 })
})

test('what is not the exchange is an OfflineError: no host, another host, no answer in time', async (t) => {
  await t.test('unreachable', async () => {
    let url = ''
    {
      await using gone = await startLoopback({})
      url = gone.url
    }
    await assert.rejects(createClient({ baseUrl: url }).market.volume(), (e) => e instanceof OfflineError && e.reason === 'unreachable')
  })
  for (const [status, body] of [
    [502, '<html>Bad gateway</html>'],
    [500, 'null'],
    [503, '{"error":"no"}'],
    [200, '<html>hotel login</html>'],
  ] as const) {
    await t.test(`unreadable: ${status} ${body}`, async () => {
      await using proxy = await startLoopback({ request: (_q, _b, response) => void response.writeHead(status).end(body) })
      await assert.rejects(
        createClient({ baseUrl: proxy.url }).market.volume(),
        (e) => e instanceof OfflineError && e.reason === 'unreadable',
      )
    })
  }
  await t.test('timeout', async () => {
    await using slow = await startLoopback({ request: () => undefined })
    const client = createClient({ baseUrl: slow.url, timeoutMs: 30 })
    await assert.rejects(client.market.volume(), (e) => e instanceof OfflineError && e.reason === 'timeout')
  })
  await t.test('the caller’s own abort is passed on', async () => {
    await using slow = await startLoopback({ request: () => undefined })
    const abort = new AbortController()
    const asked = createClient({ baseUrl: slow.url }).market.volume({ signal: abort.signal })
    abort.abort(new Error('left the screen'))
    await assert.rejects(asked, { message: 'left the screen' })
  })
})

test('the cookie jar keeps the session and says its own origin; a removed cookie is gone', async () => {
  const seen: (string | undefined)[][] = []
  await using exchange = await startLoopback({
    request(request, _body, response) {
      seen.push([request.headers.cookie, request.headers.origin])
      if (request.url?.endsWith('login')) json(response, 200, {}, { 'set-cookie': ['sid=a=b; Path=/; HttpOnly', 'x=1; Max-Age=60'] })
      else if (request.url?.endsWith('logout')) json(response, 200, {}, { 'set-cookie': 'sid=; Max-Age=0' })
      else json(response, 200, {})
    },
  })
  const client = createClient({ baseUrl: exchange.url, cookie: createCookieJar() })
  await client.user.login(login)
  await client.user.me()
  await client.user.logout()
  await client.user.me()
  assert.deepEqual(seen, [
    [undefined, exchange.url],
    ['sid=a=b; x=1', exchange.url],
    ['sid=a=b; x=1', exchange.url],
    ['x=1', exchange.url],
  ])
})
