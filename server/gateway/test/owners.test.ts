import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { indexOf, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { picture as drawn } from '../../papers/test/pictures.ts'
import { ask, type Fields, type Program, programOf, queryOf } from '../../programs/test/program.ts'

type Parameter = { readonly name: string; readonly in: 'query' | 'path' | 'header'; readonly required?: boolean; readonly schema: Schema }
type Schema = { readonly type?: string; readonly enum?: readonly unknown[]; readonly $ref?: string; readonly properties?: object }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } }
  readonly security?: readonly object[]
}
type Found = { readonly method: string; readonly path: string; readonly operation: Operation }

/** Texts that only Alice's objects have. */
const mark = 'alicesown'
/** An amount that nobody else has. */
const oddAmount = '0.01357'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
let aliceProgram: Program
let bobProgram: Program
/** Everything that Alice's answers name as an id. */
let ids: ReadonlySet<string>
/** Texts by which one of her objects is recognized in an answer. */
let marks: readonly string[]
/** What she sent to support. */
let picture: string

before(async () => {
  exchange = await startExchange({ seed: 'owners' })
  const funds = { USDT: '100000', BTC: '1' }
  alice = await exchange.user({ funds, class: 'bench' })
  // Without money, so that Bob's orders never meet hers.
  bob = await exchange.user({ class: 'bench', isCertified: true })
  // The core alone knows her as certified, so that her identity check stays open.
  await exchange.link.submit({ type: 'user.certify', user: alice.id, isCertified: true })
  aliceProgram = await ownEverything()
  // An account with a second factor would need a proof to own the others.
  await exchange.store.pool.query(
    `insert into passkeys (id, account, credential, public_key, counter, transports, label, is_synced, created_at)
     select gen_random_uuid(), id, $2, '', 0, '{}', $2, false, 0 from accounts where uid = $1`,
    [alice.uid, mark],
  )
  await exchange.store.pool.query(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     select gen_random_uuid(), id, 'ethereum', '0x52908400098527886E0F7030069857D2E4169EE7', $2, 'own', 0, 86400000 from accounts where uid = $1`,
    [alice.uid, mark],
  )
  bobProgram = await programOf(exchange.url, bob)
  const answers = await Promise.all((await ownReads('/openapi.json')).map(({ path }) => alice.call('GET', path.slice('/app/v1'.length))))
  const found = new Set<string>()
  for (const { body } of answers) collectIds(body, found)
  const listenKey = (await aliceProgram.done('POST', '/api/v3/userDataStream')).listenKey as string
  // The first use of her key is told a moment later, and would be a change while Bob tries.
  const isTold = async (): Promise<boolean> =>
    (await alice.call('GET', '/notices')).body.notices.some(({ kind }: { readonly kind: string }) => kind === 'key-used')
  while (!(await isTold())) await sleep(20)
  ids = found.add(listenKey).add(`${mark}-1`).add(picture)
  const { body: me } = await alice.call('GET', '/me')
  marks = [mark, oddAmount, me.uid, me.email, me.invitationCode, alice.email, aliceProgram.key, listenKey]
})
after(() => exchange[Symbol.asyncDispose]())

/** Gives Alice an object of each kind. Returns her program. */
async function ownEverything(): Promise<Program> {
  const done = async (method: string, path: string, body?: unknown): Promise<any> => {
    const { status, body: answer } = await alice.call(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const index = Math.floor(await indexOf(exchange.url))
  const order = (symbol: string, n: number) => ({
    ...{ clientId: `${mark}-${n}`, symbol, side: 'buy', type: 'limit', price: String(index - 3_000), quantity: oddAmount },
  })
  const carol = await exchange.user({ funds: { BTC: '1' }, class: 'bench' })
  await carol.call('POST', '/spot/orders', { ...order('BTCUSDT', 0), clientId: 'carols', side: 'sell', price: String(index) })
  await done('POST', '/spot/orders', { ...order('BTCUSDT', 0), price: String(index) })
  await done('POST', '/spot/orders', order('BTCUSDT', 1))
  await done('POST', '/spot/orders/oco', {
    ...{ clientId: `${mark}-2`, symbol: 'BTCUSDT', side: 'sell', quantity: oddAmount },
    ...{ limitPrice: String(index + 3_000), stopPrice: String(index - 3_000) },
  })
  const closed = await done('POST', '/spot/orders', order('BTCUSDT', 3))
  await done('DELETE', `/spot/orders/${closed.order.id}?symbol=BTCUSDT`)
  await done('POST', '/transfer', { clientId: `${mark}-4`, asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
  await done('POST', '/perp/orders', order('BTCUSDTPERP', 5))
  await done('POST', '/lend/supply', { clientId: `${mark}-6`, asset: 'USDT', amount: '1234.5' })
  await done('POST', '/alerts', {
    ...{ symbol: 'BTCUSDT', condition: 'above', source: 'last', level: '999999', note: mark },
    ...{ isOn: true, isReachedFine: false },
  })
  await done('PUT', '/preferences/favourites', { revision: 0, value: { symbols: ['ETHUSDT'] } })
  const look = { version: 1, indicators: ['EMA'], parameters: {}, lines: [], axis: 'normal', drawings: [] }
  await done('PUT', '/charts/BTCUSDT', { revision: 0, value: look })
  await done('PATCH', '/papers', { kind: 'passport', country: 'DE', name: `Alice ${mark}`, born: '1984-02-29', number: 'C01X00T47' })
  await done('PUT', '/limits', { kind: 'loss-day', value: '1234.5' })
  await done('POST', '/transfer', { clientId: `${mark}-7`, asset: 'USDT', from: 'spot', to: 'option', amount: '100' })
  await done('POST', '/option/knowledge', { answers: { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 } })
  await done('POST', '/option/orders', { clientId: `${mark}-8`, symbol: 'BTCUSDT', direction: 'up', stake: '10', seconds: 900 })
  // Its strike comes by itself, and must not look like somebody's change.
  for (;;) {
    const { orders } = await done('GET', '/option/orders/open')
    if (orders[0].status === 'running') break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await convertSomething(done, () =>
    carol.call('POST', '/spot/orders', { ...order('BTCUSDT', 9), side: 'sell', price: String(index + 50) }),
  )
  picture = await showSupport()
  await foundFirm()
  const { password } = alice
  await done('POST', '/webhooks', { url: `https://${mark}.example.com/`, kinds: ['spot.fill'], password })
  return programOf(exchange.url, alice)
}

/** Alice is the owner of a firm, whose application waits. */
async function foundFirm(): Promise<void> {
  await exchange.store.pool.query(
    `with firm as (
       insert into firms (id, name, registration, country, applied_by, applied_at)
       select gen_random_uuid(), $2, $2, 'DE', id, 0 from accounts where uid = $1 returning id, applied_by)
     insert into firm_members (id, firm, account, label, role, state, invited_at, joined_at)
     select gen_random_uuid(), id, applied_by, $2, 'owner', 'active', 0, 0 from firm`,
    [alice.uid, mark],
  )
}

/** Opens a ticket with a picture. Returns the picture's id. */
async function showSupport(): Promise<string> {
  const uploaded = await fetch(`${exchange.url}/app/v1/support/images`, {
    method: 'POST',
    headers: { origin: exchange.url, cookie: alice.cookie, 'content-type': 'image/jpeg' },
    body: new Uint8Array(await drawn(300, 200)),
  })
  const { id } = (await uploaded.json()) as { id: string }
  const ticket = { clientId: `${mark}-11`, topic: 'other', subject: `${mark} asks`, text: `${mark} writes`, images: [id] }
  assert.equal((await alice.call('POST', '/support/tickets', ticket)).status, 200)
  return id
}

/** Converts coins, and waits for the end of it: it comes by itself, and must not look like somebody's change. */
async function convertSomething(
  done: (method: string, path: string, body?: unknown) => Promise<any>,
  offer: () => Promise<unknown>,
): Promise<void> {
  await offer()
  const { id } = await done('POST', '/convert/quotes', { clientId: `${mark}-10`, from: 'USDT', to: 'BTC', give: `10${oddAmount}` })
  await done('POST', `/convert/quotes/${id}/accept`, {})
  while ((await done('GET', `/convert/conversions/${id}`)).state === 'accepted') await new Promise((resolve) => setTimeout(resolve, 50))
}

async function operations(document: string): Promise<readonly Found[]> {
  const { paths } = (await (await fetch(exchange.url + document)).json()) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** Reads of the own data that need no parameter. */
async function ownReads(document: string): Promise<readonly Found[]> {
  const isFree = ({ parameters = [] }: Operation): boolean => !parameters.some((one) => one.required === true || one.in === 'path')
  return (await operations(document)).filter(
    ({ method, operation }) => method === 'GET' && operation.security !== undefined && isFree(operation),
  )
}

function collectIds(value: unknown, found: Set<string>, name = ''): void {
  if (Array.isArray(value)) for (const one of value) collectIds(one, found, name)
  else if (typeof value === 'object' && value !== null) for (const [key, one] of Object.entries(value)) collectIds(one, found, key)
  else if (/(^|[a-z])(id|number)$/i.test(name) && value !== null && value !== undefined && value !== '') found.add(String(value))
}

/** Names of what an object is, in answers: a change of one of Alice's objects changes one of these. */
const lasting =
  /(^|[a-z])(id|label|url|state|status|symbol|side|quantity|scopes|ips|kinds?|lang|certification|name|number|isOn|leverage|mode|asset|readAt|unread)$/i

function lastingOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => lastingOf(one, name))
  if (typeof value !== 'object' || value === null) return lasting.test(name) ? value : undefined
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lastingOf(one, key)]))
}

/** What Alice owns, by the answers of all her reads. */
async function owned(): Promise<unknown> {
  // Proofs tell what happened, and more of it with each head.
  const reads = (await ownReads('/openapi.json')).filter(({ path }) => !path.startsWith('/app/v1/proof/'))
  const app = reads.map(async ({ path }) => {
    const { status, body } = await alice.call('GET', path.slice('/app/v1'.length))
    // A refusal carries the number of its request.
    return [path, status, status === 200 ? lastingOf(body) : body.code]
  })
  const open = ['/api/v3/openOrders', '/fapi/v1/openOrders'].map((path) => aliceProgram.done('GET', path))
  return JSON.stringify([await Promise.all(app), lastingOf(await Promise.all(open))])
}

const signalTerms = { symbols: ['BTCUSDT'], maxQuote: '1', perMinute: 1, perDay: 1, maxAgeSeconds: 1, ips: [] }

/** Bodies of the routes that change one object. */
const bodies: Readonly<Record<string, object>> = {
  'PATCH /app/v1/spot/orders/{id}': { clientId: 'bobs', symbol: 'BTCUSDT', quantity: '0.00001' },
  'PATCH /app/v1/perp/orders/{id}': { clientId: 'bobs', symbol: 'BTCUSDTPERP', quantity: '0.001' },
  'POST /app/v1/convert/quotes/{id}/accept': {},
  'PUT /app/v1/alerts/{id}': {
    ...{ symbol: 'BTCUSDT', condition: 'above', source: 'last', level: '999999', note: 'bobs' },
    ...{ isOn: true, isReachedFine: true },
  },
  'PATCH /app/v1/alerts/{id}': { isOn: false },
  'POST /app/v1/presales/{number}/subscriptions': { clientId: 'bobs', amount: '0' },
  'PATCH /app/v1/keys/{id}': { label: 'bobs' },
  'POST /app/v1/keys/{id}/signal': { terms: signalTerms, password: 'correct horse battery staple' },
  'PATCH /app/v1/keys/{id}/signal': { isOn: false },
  'POST /app/v1/keys/{id}/signal/try': { terms: signalTerms, text: '{}' },
  'PATCH /app/v1/webhooks/{id}': { isOn: false },
  'PATCH /app/v1/withdrawal-addresses/{id}': { label: 'bobs' },
  'POST /app/v1/firms/{id}/accounts': { label: 'bobs' },
  'PATCH /app/v1/firms/{id}/accounts/{account}': { label: 'bobs' },
  'POST /app/v1/firms/{id}/moves': {
    ...{ clientId: 'bobs', asset: 'USDT', amount: '1' },
    ...{ from: '00000000-0000-4000-8000-000000000000', to: '00000000-0000-4000-8000-000000000001' },
  },
  'POST /app/v1/firms/{id}/members': { uid: '123456789', label: 'bobs', role: 'viewer', accounts: null },
  'PATCH /app/v1/firms/{id}/members/{member}': { label: 'bobs' },
  'POST /app/v1/firms/{id}/requests': {
    ...{ clientId: 'bobs', kind: 'rule', rule: { bands: [{ upTo: null, people: 1 }], addressPeople: 1 } },
  },
  'POST /app/v1/firms/{id}/requests/{request}/approve': {},
  'POST /app/v1/firms/{id}/requests/{request}/refuse': {},
  'POST /app/v1/firms/{id}/requests/{request}/cancel': {},
  'POST /app/v1/support/tickets/{id}/messages': { clientId: 'bobs', text: 'bobs' },
  'POST /app/v1/support/tickets/{id}/read': { upTo: 1 },
  'POST /app/v1/webhooks/{id}/secret': { password: 'correct horse battery staple' },
  'POST /app/v1/webhooks/{id}/replay': { since: 0 },
}

const symbolOf = (path: string): string => (path.includes('perp') || path.startsWith('/fapi') ? 'BTCUSDTPERP' : 'BTCUSDT')

/** Parameters that name an object: not the time, page or kind that a list is cut by. */
const namesObject = ({ name, in: place }: Parameter): boolean => place === 'path' || /(^|[a-z])(id|key|sequence)$/i.test(name)

/** A value that the operation accepts for a parameter that names no object. */
function usual(path: string, { name, schema }: Parameter): string | number {
  if (schema.enum !== undefined) return String(schema.enum[0])
  const known: Fields = {
    symbol: symbolOf(path),
    pair: 'BTCUSDT',
    asset: 'USDT',
    interval: '1m',
    quantity: '0.001',
    price: '1',
    leverage: 2,
  }
  return known[name] ?? (schema.type === 'integer' || schema.type === 'number' ? 1 : 'x')
}

function assertNothing(text: string, what: string): void {
  for (const one of marks) assert.equal(text.includes(one), false, `${what} shows ${one}`)
}

test('GATEWAY-AUTHZ-003: there is something of every kind to find', async () => {
  const { body: notices } = await alice.call('GET', '/notices')
  const { body: factors } = await alice.call('GET', '/auth/factors')
  const { body: sessions } = await alice.call('GET', '/auth/sessions')
  const { body: options } = await alice.call('GET', '/option/orders/open')
  const { body: alerts } = await alice.call('GET', '/alerts')
  const { body: conversions } = await alice.call('GET', '/convert/conversions')
  const { body: support } = await alice.call('GET', '/support/tickets')
  const { body: firms } = await alice.call('GET', '/firms')
  const own = [
    support.tickets[0].id,
    firms.firms[0].id,
    picture,
    alerts.alerts[0].id,
    conversions.items[0].id,
    notices.notices[0].number,
    factors.passkeys[0].id,
    sessions.sessions[0].id,
    options.orders[0].id,
  ]
  for (const id of own) assert.ok(ids.has(String(id)), `${id} is not tried`)
})

test('GATEWAY-AUTHZ-003: no operation of the app shows or changes an object of another customer, whatever its id', async () => {
  const before = await owned()
  assert.ok(String(before).includes(mark), 'Alice owns nothing that could be found')
  const readsOwn = async (isWanted: (path: string) => boolean): Promise<void> => {
    for (const { path } of (await ownReads('/openapi.json')).filter((one) => isWanted(one.path)))
      assertNothing(JSON.stringify((await bob.call('GET', path.slice('/app/v1'.length))).body ?? ''), path)
  }
  // Afterwards, Bob's receipts repeat the numbers that his own commands named.
  const isOfReceipts = (path: string): boolean => path.startsWith('/app/v1/proof/receipts')
  await readsOwn(isOfReceipts)
  let asked = 0
  for (const { method, path, operation } of await operations('/openapi.json')) {
    const named = (operation.parameters ?? []).filter(namesObject).filter(({ name }) => name !== 'symbol' && name !== 'hour')
    if (operation.security === undefined || named.length === 0) continue
    const body = operation.requestBody === undefined ? undefined : bodies[`${method} ${path}`]
    assert.ok(operation.requestBody === undefined || body !== undefined, `${method} ${path} needs a body here`)
    for (const id of ids) {
      let target = path
      const query: Record<string, string | number> = {}
      for (const one of operation.parameters ?? []) {
        const value = namesObject(one) && one.name !== 'symbol' ? id : usual(path, one)
        if (one.in === 'path') target = target.replace(`{${one.name}}`, encodeURIComponent(value))
        else if (namesObject(one) || one.required === true) query[one.name] = value
      }
      const { status, body: answer } = await bob.call(method, `${target.slice('/app/v1'.length)}?${queryOf(query)}`, body)
      assert.ok(status < 500, `${method} ${target}: ${status}`)
      assertNothing(JSON.stringify(answer ?? ''), `${method} ${target}`)
      asked++
    }
  }
  assert.ok(asked > 100, `only ${asked} requests`)
  await readsOwn((path) => !isOfReceipts(path))
  assert.equal(await owned(), before)
})

test('GATEWAY-AUTHZ-004: no operation for programs shows or changes an object of another customer, whatever its id', async () => {
  const before = await owned()
  let asked = 0
  for (const { method, path, operation } of await operations('/openapi-api.json')) {
    const parameters = (operation.parameters ?? []).filter(({ name }) => !['timestamp', 'signature', 'recvWindow'].includes(name))
    const named = parameters.filter(namesObject)
    const isSigned = JSON.stringify(operation.security ?? []).includes('signature')
    if ((operation.security ?? []).length === 0) continue
    const required = Object.fromEntries(parameters.filter((one) => one.required === true).map((one) => [one.name, usual(path, one)]))
    const symbol = parameters.some(({ name }) => name === 'symbol') ? { symbol: symbolOf(path) } : {}
    const trials: Fields[] = named.length === 0 && method === 'GET' ? [{}] : []
    for (const { name } of named) for (const id of ids) trials.push({ [name]: id })
    for (const trial of trials) {
      const fields = { ...required, ...symbol, ...trial }
      const headers = { 'X-MBX-APIKEY': bobProgram.key }
      const { status, body } = isSigned
        ? await bobProgram.signed(method, path, fields)
        : await ask(`${exchange.url}${path}?${queryOf(fields)}`, { method, headers })
      assert.ok(status < 500, `${method} ${path} ${queryOf(fields)}: ${status}`)
      // A refusal may repeat what was asked.
      if (status === 200)
        assertNothing(JSON.stringify(body).replaceAll(String(Object.values(trial)[0]), ''), `${method} ${path} ${queryOf(fields)}`)
      asked++
    }
  }
  assert.ok(asked > 100, `only ${asked} requests`)
  assert.equal(await owned(), before)
})
