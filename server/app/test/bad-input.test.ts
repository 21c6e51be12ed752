import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { nasty } from './nasty.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
}
type Operation = {
  parameters?: { name: string; in: 'query' | 'path'; required?: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

let exchange: TestExchange
let alice: TestUser
let document: Document

before(async () => {
  exchange = await startExchange({ seed: 'bad' })
  alice = await exchange.user({ funds: { USDT: '100000', BTC: '1' }, class: 'bench' })
  document = (await (await fetch(`${exchange.url}/openapi.json`)).json()) as Document
})
after(() => exchange[Symbol.asyncDispose]())

const signalTerms = { symbols: ['BTCUSDT'], maxQuote: '1', perMinute: 1, perDay: 1, maxAgeSeconds: 1, ips: [] }

const samples: Readonly<Record<string, object>> = {
  'post /app/v1/spot/orders': { clientId: 'ok', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '0.00001' },
  'post /app/v1/spot/orders/oco': { clientId: 'ok', symbol: 'BTCUSDT', side: 'buy', quantity: '0.00001', limitPrice: '1', stopPrice: '2' },
  'patch /app/v1/spot/orders/{id}': { clientId: 'ok', symbol: 'BTCUSDT', quantity: '0.00001' },
  'post /app/v1/algo/orders': {
    ...{ clientId: 'ok', symbol: 'BTCUSDT', side: 'buy', quantity: '0.00002', parts: 2 },
    plan: { kind: 'twap', seconds: 300 },
  },
  'post /app/v1/transfer': { clientId: 'ok', asset: 'USDT', from: 'spot', to: 'spot', amount: '1' },
  'post /app/v1/perp/orders': { clientId: 'ok', symbol: 'BTCUSDTPERP', side: 'buy', type: 'limit', price: '1', quantity: '0.00001' },
  'patch /app/v1/perp/orders/{id}': { clientId: 'ok', symbol: 'BTCUSDTPERP', quantity: '0.00001' },
  'post /app/v1/perp/reverse': { clientId: 'ok', symbol: 'BTCUSDTPERP' },
  'post /app/v1/perp/leverage': { symbol: 'BTCUSDTPERP', leverage: 5 },
  'post /app/v1/perp/margin-mode': { symbol: 'BTCUSDTPERP', mode: 'cross' },
  'post /app/v1/perp/hedge-mode': { hedge: true },
  'post /app/v1/perp/margin': { clientId: 'ok', symbol: 'BTCUSDTPERP', amount: '1' },
  'post /app/v1/margin/borrow': { clientId: 'ok', symbol: 'BTCUSDT', asset: 'USDT', amount: '1' },
  'post /app/v1/margin/repay': { clientId: 'ok', symbol: 'BTCUSDT', asset: 'USDT', amount: 'all' },
  'post /app/v1/lend/supply': { clientId: 'ok', asset: 'USDT', amount: '1' },
  'post /app/v1/lend/withdraw': { clientId: 'ok', asset: 'USDT', amount: '1' },
  'post /app/v1/convert/quotes': { clientId: 'ok', from: 'USDT', to: 'BTC', give: '1' },
  'post /app/v1/convert/quotes/{id}/accept': {},
  'post /app/v1/explanations': { kind: 'fill', symbol: 'BTCUSDT', tradeId: '1', role: 'taker' },
  'post /app/v1/convert/hedge': { clientId: 'ok', asset: 'USDT', amount: '1', direction: 'take' },
  'post /app/v1/presales/{number}/subscriptions': { clientId: 'ok', amount: '0' },
  'post /app/v1/option/orders': { clientId: 'ok', symbol: 'BTCUSDT', direction: 'up', stake: '10', seconds: 30, guard: '1' },
  'post /app/v1/option/knowledge': { answers: { q1: 9 } },
  'post /app/v1/option/limits': { lossMax: '0', coolOffHours: 0 },
  'post /app/v1/sandbox/faucet': { clientId: 'ok', asset: 'NONE' },
  'post /app/v1/auth/code': { purpose: 'register', channel: 'email', to: 'nobody', lang: 'en' },
  'post /app/v1/auth/register': {
    channel: 'email',
    to: 'x@test.example',
    code: '000000',
    password: 'a long password',
    passwordAgain: 'another password',
    agreement: true,
    ...{ country: 'DE', isOfAge: true },
    lang: 'en',
  },
  'post /app/v1/auth/login': { channel: 'email', to: 'nobody@test.example', password: 'wrong password', lang: 'en' },
  'post /app/v1/auth/reset/code': { channel: 'email', to: 'nobody@test.example', code: '000000' },
  'post /app/v1/auth/reset': { token: 'none', password: 'a long password', passwordAgain: 'another password' },
  'post /app/v1/auth/login/code': { code: '000000' },
  'post /app/v1/auth/regain': { channel: 'email', code: '000000' },
  'post /app/v1/auth/regain/send': { kind: 'passport', country: 'HK', name: 'CHAN TAI MAN', born: '1990-02-28', number: 'A123456' },
  'post /app/v1/auth/regain/finish': { token: 'none', password: 'a long password', passwordAgain: 'another password' },
  'put /app/v1/auth/allow-list': { isOn: true },
  'put /app/v1/limits': { kind: 'no-such-kind', value: '100' },
  'post /app/v1/limits/confirm': { kind: 'loss-day' },
  'put /app/v1/limits/check': { minutes: 60 },
  'post /app/v1/limits/rest': { cause: 'cool-off', hours: 24 },
  'post /app/v1/auth/passkey': { response: {} },
  'post /app/v1/auth/authenticator/confirm': { code: '000000' },
  'post /app/v1/auth/passkeys': { label: 'phone', response: {} },
  'post /app/v1/auth/proof': { way: 'authenticator', code: '000000' },
  'post /app/v1/auth/addresses/code': { channel: 'email', to: 'nobody' },
  'put /app/v1/auth/addresses': { channel: 'email', to: 'nobody@test.example', code: '000000' },
  'put /app/v1/auth/payment-password': { digits: '111111' },
  'post /app/v1/auth/freeze/link': { token: 'none' },
  'put /app/v1/auth/phrase': { phrase: 'seven green bottles' },
  'post /app/v1/auth/password': { current: 'wrong', password: 'a long password', passwordAgain: 'another password' },
  'patch /app/v1/me': { lang: 'xx' },
  'put /app/v1/me/residence': { country: 'DE', isOfAge: true },
  'post /app/v1/deletion': { givesUp: true },
  'post /app/v1/me/agreement': { version: '1' },
  'post /app/v1/keys': { label: 'bot', scopes: ['read'], ips: ['192.0.2.1'], password: 'wrong password' },
  'patch /app/v1/keys/{id}': { label: 'bot' },
  'post /app/v1/keys/{id}/signal': { terms: signalTerms, password: 'wrong password' },
  'patch /app/v1/keys/{id}/signal': { isOn: false },
  'post /app/v1/keys/{id}/signal/try': { terms: signalTerms, text: '{}' },
  'post /app/v1/webhooks': { url: 'https://hooks.example.com/', kinds: ['spot.fill'], password: 'wrong password' },
  'patch /app/v1/webhooks/{id}': { isOn: true },
  'post /app/v1/webhooks/{id}/secret': { password: 'wrong password' },
  'post /app/v1/webhooks/{id}/replay': { since: 0 },
  'post /app/v1/withdrawal-addresses': { network: 'tron', address: 'T', label: 'wallet', owner: 'own' },
  'patch /app/v1/withdrawal-addresses/{id}': { label: 'wallet' },
  'post /app/v1/sandbox/deposits': { network: 'tron', asset: 'USDT', amount: '1' },
  'post /app/v1/debts/repay': { asset: 'NONE' },
  'post /app/v1/withdrawals/prepare': { clientId: 'ok', asset: 'USDT', network: 'tron', address: 'x', amount: '10', fee: '1' },
  'post /app/v1/withdrawals': {
    ...{ clientId: 'ok', asset: 'USDT', network: 'tron', address: 'x', amount: '10', fee: '1' },
    paymentPassword: '111111',
  },
  // The picture is nobody's, so that no ticket is opened whatever its text is.
  'post /app/v1/support/tickets': {
    ...{ clientId: 'ok', topic: 'other', subject: 'Hello', text: 'Hello', about: { kind: 'order', id: '1' } },
    images: ['00000000-0000-4000-8000-000000000000'],
  },
  'post /app/v1/support/tickets/{id}/messages': { clientId: 'ok', text: 'Hello' },
  'post /app/v1/support/tickets/{id}/read': { upTo: 0 },
  'post /app/v1/notices/read': { upTo: 0 },
  'patch /app/v1/notices/preferences': { kind: 'order-filled', channel: 'push', isOn: false },
  'put /app/v1/notices/push': { endpoint: 'http://127.0.0.1/', keys: { p256dh: 'x', auth: 'x' } },
  'patch /app/v1/papers': { kind: 'passport', country: 'DE', name: 'Erika Mustermann', born: '1984-02-29', number: 'C01X00T47' },
  'post /app/v1/alerts': {
    ...{ symbol: 'NOSUCH', condition: 'above', source: 'last', level: '1', rearm: '1', note: '' },
    ...{ isOn: true, isReachedFine: true },
  },
  'put /app/v1/alerts/{id}': {
    symbol: 'NOSUCH',
    condition: 'above',
    source: 'last',
    level: '1',
    note: '',
    isOn: true,
    isReachedFine: true,
  },
  'patch /app/v1/alerts/{id}': { isOn: true },
  // Nobody without a certificate applies, and the firm is nobody's.
  'post /app/v1/firms': { name: 'Acme Capital', registration: 'HRB 1', country: 'DE' },
  'post /app/v1/firms/{id}/accounts': { label: 'Desk' },
  'patch /app/v1/firms/{id}/accounts/{account}': { label: 'Desk' },
  'post /app/v1/firms/{id}/moves': {
    ...{ clientId: 'ok', asset: 'USDT', amount: '1' },
    ...{ from: '00000000-0000-4000-8000-000000000000', to: '00000000-0000-4000-8000-000000000001' },
  },
  'post /app/v1/firms/{id}/members': { uid: '123456789', label: 'Trader', role: 'trader', accounts: null },
  'patch /app/v1/firms/{id}/members/{member}': { label: 'Trader' },
  'post /app/v1/firms/{id}/requests': {
    ...{ clientId: 'ok', kind: 'rule', rule: { bands: [{ upTo: null, people: 1 }], addressPeople: 1 } },
  },
  'post /app/v1/firms/{id}/requests/{request}/approve': {},
  'post /app/v1/firms/{id}/requests/{request}/refuse': {},
  'post /app/v1/firms/{id}/requests/{request}/cancel': {},
  'put /app/v1/charts/{symbol}': { revision: 0, value: { version: 2 } },
  'put /app/v1/preferences/chart-grid': { revision: 0, value: { count: 3, isLinked: true, charts: [] } },
  'put /app/v1/preferences/favourites': { revision: 0, value: { symbols: ['NOSUCH'] } },
  'put /app/v1/preferences/guide': { revision: 7, value: { tours: ['casino'], hasChecked: 'yes' } },
  'put /app/v1/preferences/home': { revision: 7, value: { cards: ['casino'], actions: [] } },
  'put /app/v1/preferences/layout': {
    ...{ revision: 7, value: { book: 'above', charts: ['spot'], unasked: ['everything'], desk: 'casino', textSize: 'normal' } },
  },
  'put /app/v1/preferences/terminal': { revision: 7, value: { layout: { places: ['casino'] }, named: [] } },
  'put /app/v1/preferences/market-sort': { revision: 7, value: { by: 'colour', isRising: true } },
} // prettier-ignore

/** Fields of free text: a text that looks strange may be valid. */
const freeTexts = new Set([
  'password',
  'passwordAgain',
  'current',
  'code',
  'token',
  'invitation',
  'to',
  'label',
  'text',
  'subject',
  'name',
  'number',
  'address',
  'exchange',
  'beneficiary',
  'middle',
  'note',
])

async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(exchange.url + path, {
    method: method.toUpperCase(),
    headers: { cookie: alice.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

function assertRefused(
  { status, type, text }: { status: number; type: string; text: string },
  what: string,
): { code: string; field?: string } {
  assert.ok(status >= 400 && status < 500, `${what}: answered ${status} ${text.slice(0, 300)}`)
  assert.match(type, /^application\/json/, what)
  const body = JSON.parse(text) as { code: string; message: string; requestId: string }
  assert.match(body.code, /^[A-Z_]+$/, what)
  assert.ok(body.message.length > 0 && body.requestId.length > 0, what)
  assert.equal(text.includes('    at '), false, `${what}: shows its insides`)
  return body
}

async function state(): Promise<string> {
  const user = alice.id
  const [balances, orders] = await Promise.all([exchange.link.ask.balances(user), exchange.link.ask.openOrders(user)])
  const { rows } = await exchange.store.pool.query(
    'select (select count(*) from accounts) as accounts, (select count(*) from preferences) as preferences',
  )
  return JSON.stringify([balances, orders, rows, (await alice.call('GET', '/me')).status])
}

const resolve = (schema: Schema): Schema => (schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema)

function operations(): { readonly key: string; readonly method: string; readonly path: string; readonly operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method} ${path}`, method, path, operation })),
  )
}

const filled = (path: string): string => path.replace('{symbol}', 'BTCUSDT').replace('{id}', '999999999').replace('{number}', '999999999')

test('the description lists every operation with its errors', () => {
  const all = operations()
  assert.ok(all.length >= 25, `only ${all.length} operations`)
  for (const { key, operation } of all) {
    assert.ok(operation.responses['400'] && operation.responses['429'] && operation.responses['503'], `${key} has no errors`)
    if (operation.requestBody) assert.ok(samples[key], `${key} needs a sample here`)
  }
})

test('GATEWAY-INPUT-001: a bad value in any field of any body is refused with a clear error and changes nothing', async () => {
  const before = await state()
  for (const { key, method, path, operation } of operations()) {
    if (!operation.requestBody) continue
    const sample = samples[key]!
    const schema = resolve(operation.requestBody.content['application/json'].schema)
    for (const field of Object.keys(schema.properties ?? {})) {
      const values = freeTexts.has(field) ? nasty.filter((value) => !/^"[ -~]{1,128}"$/.test(value) || value === '""') : nasty
      for (const value of values) {
        const { type } = resolve(schema.properties![field]!)
        if ((type === 'array' && value === '[]') || (type === 'boolean' && value === 'true')) continue
        const rest = Object.entries(sample).filter(([name]) => name !== field)
        const body = `{${[...rest.map(([name, given]) => `${JSON.stringify(name)}:${JSON.stringify(given)}`), `${JSON.stringify(field)}:${value}`].join(',')}}`
        assertRefused(await send(method, filled(path), body), `${key} ${field}=${value.slice(0, 60)}`)
      }
    }
  }
  assert.equal(await state(), before)
})

test('GATEWAY-INPUT-002: a body that is not one well-formed object with known keys is refused', async () => {
  const before = await state()
  for (const { key, method, path, operation } of operations()) {
    if (!operation.requestBody) continue
    const sample = JSON.stringify(samples[key]!)
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '1',
      '"x"',
      `${sample}x`,
      `{"a":${'['.repeat(10_000)}`,
      `[${sample}]`,
      sample.replace('{', '{"isAdmin":true,'),
      sample.replace('{', '{"__proto__":{"x":1},'),
    ]
    for (const body of bodies) assertRefused(await send(method, filled(path), body), `${key} ${body.slice(0, 40)}`)
    const doubled = sample.replace('{', `{${sample.slice(1, -1).split(',')[0]},`)
    assert.equal(assertRefused(await send(method, filled(path), doubled), `${key} doubled`).code, 'BODY_MALFORMED')
    assert.equal(
      assertRefused(await send(method, filled(path), sample, { 'content-type': 'text/plain' }), key).code,
      'MEDIA_TYPE_UNSUPPORTED',
    )
    assert.equal(assertRefused(await send(method, filled(path), sample, { origin: 'https://evil.example' }), key).code, 'ORIGIN_REFUSED')
    assert.equal(assertRefused(await send(method, filled(path), `{"x":"${'a'.repeat(300_000)}"}`), key).code, 'BODY_TOO_LARGE')
  }
  const bytes = await fetch(`${exchange.url}/app/v1/transfer`, {
    method: 'POST',
    headers: { cookie: alice.cookie, 'content-type': 'application/json' },
    body: Buffer.concat([Buffer.from('{"clientId":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]),
  })
  assert.equal(bytes.status, 400)
  assert.equal(await state(), before)
})

test('GATEWAY-INPUT-003: a bad value of any parameter is refused, and so are unknown and repeated ones', async () => {
  const before = await state()
  const values = [
    '',
    ' ',
    '-1',
    '1e3',
    '1.5',
    '99999999999999999999',
    '%00',
    '%ff',
    '%F0%9F%92%A9',
    "'--",
    '<b>',
    'x'.repeat(500),
    '../..',
    'NOSUCH',
    '%D9%A1',
  ]
  for (const { key, method, path, operation } of operations()) {
    if (method !== 'get' && !path.startsWith('/app/v1/spot')) continue
    const body = operation.requestBody ? JSON.stringify(samples[key]) : undefined
    const parameters = operation.parameters ?? []
    const required = parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name }) => `${name}=${name === 'interval' ? '1m' : 'BTCUSDT'}`)
    for (const { name, in: place } of parameters) {
      for (const value of values) {
        const others = required.filter((one) => !one.startsWith(`${name}=`))
        const target = place === 'path' ? path.replace(`{${name}}`, value === '' || value === '../..' ? '%20' : value) : path
        const query = place === 'path' ? required : [...others, `${name}=${value}`]
        const answer = await send(method, `${filled(target)}?${query.join('&')}`, body)
        // `code` of an invitation is free text; %ff is not valid UTF-8 and is read unchanged.
        assertRefused(answer, `${key} ${place} ${name}=${value.slice(0, 40)}`)
      }
      if (place === 'query') {
        const good = name === 'interval' ? '1m' : name === 'symbol' ? 'BTCUSDT' : '5'
        const others = required.filter((one) => !one.startsWith(`${name}=`))
        assertRefused(
          await send(method, `${filled(path)}?${[...others, `${name}=${good}`, `${name}=${good}`].join('&')}`, body),
          `${key} ${name} twice`,
        )
      }
    }
    assertRefused(await send(method, `${filled(path)}?${[...required, 'nosuch=1'].join('&')}`, body), `${key} unknown parameter`)
  }
  assert.equal(await state(), before)
})

test('GATEWAY-INPUT-004: wrong paths and methods are answered in JSON', async () => {
  for (const path of [
    '/app/v1/nosuch',
    '/nosuch',
    '/app/v1/%zz',
    '/app/v1//config',
    '/app/v1/config/',
    '/APP/V1/config',
    '/..%2f..%2fetc/passwd',
    '/assets/../index.html%00',
  ]) {
    assertRefused(await send('get', path), path)
  }
  const wrong = await fetch(`${exchange.url}/app/v1/config`, { method: 'DELETE' })
  assert.equal(wrong.status, 405)
  assert.match(wrong.headers.get('allow') ?? '', /GET/)
})

test('GATEWAY-INPUT-005: bytes that are not HTTP, and endless headers, are answered or cut off, and the server keeps running', async () => {
  const { port } = new URL(exchange.url)
  const raw = (bytes: string): Promise<string> =>
    new Promise((done) => {
      let answer = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => (answer += chunk))
      socket.on('error', () => undefined)
      socket.on('close', () => done(answer))
    })
  assert.match(await raw('\x16\x03\x01\x02\x00garbage\r\n\r\n'), /^HTTP\/1.1 400[\s\S]*"code":"BODY_MALFORMED"/)
  assert.match(
    await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`),
    /^HTTP\/1.1 431[\s\S]*"code":"BODY_TOO_LARGE"/,
  )
  assert.match(
    await raw('POST /app/v1/transfer HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    /^HTTP\/1.1 400/,
  )
  assert.equal((await fetch(`${exchange.url}/app/v1/config`)).status, 200)
})
