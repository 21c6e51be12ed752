import assert from 'node:assert/strict'
import { type ClientRequest, request as ask } from 'node:http'
import { after, before, test } from 'node:test'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { picture } from '../../papers/test/pictures.ts'
import { papers } from './paper-schema.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
let photo: Buffer
before(async () => {
  exchange = await startExchange({ seed: 'papers', hasFeeds: false })
  alice = await exchange.user()
  bob = await exchange.user()
  photo = await picture(900, 700)
})
after(() => exchange[Symbol.asyncDispose]())

/** A request with a photo, or for one, with the cookie of a user. */
async function send(
  user: TestUser | undefined,
  method: string,
  path: string,
  body?: Buffer | string,
  type = 'image/jpeg',
): Promise<Response> {
  return fetch(`${exchange.url}/app/v1${path}`, {
    method,
    headers: {
      origin: exchange.url,
      ...(user === undefined ? {} : { cookie: user.cookie }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  })
}
const codeOf = async (response: Response): Promise<unknown> => [response.status, ((await response.json()) as { code?: string }).code]

test('PAPERS-ROUTE-001: a customer reaches the own check only', async () => {
  const draft = { kind: 'passport', country: 'DE', name: 'Érika Mustermann', born: '1984-02-29', number: 'C01X00T47' }
  const saved = papers.parse((await alice.call('PATCH', '/papers', draft)).body)
  assert.deepEqual({ ...saved, ...draft }, saved)
  const stored = papers.parse(await (await send(alice, 'PUT', '/papers/photos/front', photo)).json())
  assert.deepEqual([stored.photos.length, stored.state], [1, 'draft'])

  const others = papers.parse((await bob.call('GET', '/papers')).body)
  assert.deepEqual([others.state, others.name, others.photos], ['none', null, []])
  assert.deepEqual(await codeOf(await send(bob, 'GET', '/papers/photos/front')), [404, 'NOT_FOUND'])
  for (const [method, path, body] of [
    ['GET', '/papers', undefined],
    ['POST', '/papers/send', undefined],
    ['GET', '/papers/photos/front', undefined],
    ['DELETE', '/papers/photos/front', undefined],
    ['PUT', '/papers/photos/front', photo],
  ] as const)
    assert.deepEqual(await codeOf(await send(undefined, method, path, body)), [401, 'UNAUTHENTICATED'])
  assert.equal(papers.parse((await alice.call('POST', '/papers/send')).body).state, 'waiting')
  assert.equal((await alice.call('GET', '/me')).body.certification, 'in-progress')
  assert.deepEqual(await codeOf(await send(alice, 'PUT', '/papers/photos/front', photo)), [409, 'PAPERS_LOCKED'])
})

test('PAPERS-ROUTE-002: the own photo comes as a download that runs nothing', async () => {
  await send(bob, 'PUT', '/papers/photos/back', photo)
  const answer = await send(bob, 'GET', '/papers/photos/back')
  const head = (name: string): string | null => answer.headers.get(name)
  assert.deepEqual(
    [answer.status, head('content-type'), head('x-content-type-options'), head('content-security-policy')],
    [200, 'image/jpeg', 'nosniff', "default-src 'none'; sandbox"],
  )
  assert.match(head('content-disposition') ?? '', /^attachment/)
  assert.match(head('cache-control') ?? '', /no-store/)
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xd8, 0xff])
})

test('PAPERS-ROUTE-003: only photos are read at the photos’ route, and photos nowhere else', async () => {
  const put = (body: Buffer | string, type: string) => send(bob, 'PUT', '/papers/photos/front', body, type).then(codeOf)
  assert.deepEqual(await put('{}', 'application/json'), [415, 'MEDIA_TYPE_UNSUPPORTED'])
  assert.deepEqual(await put('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'), [415, 'MEDIA_TYPE_UNSUPPORTED'])
  assert.deepEqual(await put('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png'), [415, 'IMAGE_KIND'])
  assert.deepEqual(await put(Buffer.alloc(10 * 1024 * 1024 + 1), 'image/jpeg'), [413, 'BODY_TOO_LARGE'])
  assert.deepEqual(await codeOf(await send(bob, 'PUT', '/papers/photos/side', photo)), [400, 'FIELD_INVALID'])
  assert.deepEqual(await codeOf(await send(bob, 'PATCH', '/papers', photo)), [415, 'MEDIA_TYPE_UNSUPPORTED'])
  assert.deepEqual(await codeOf(await send(bob, 'POST', '/papers/send', photo)), [415, 'MEDIA_TYPE_UNSUPPORTED'])
  assert.deepEqual(
    papers.parse((await bob.call('GET', '/papers')).body).photos.map(({ side }) => side),
    ['back'],
  )
})

test('PAPERS-ROUTE-003: fields of a document that can’t be true are refused', async () => {
  for (const draft of [
    { kind: 'library-card' },
    { country: 'de' },
    { country: 'XX' },
    { name: '12345' },
    { name: '1e3' },
    { number: 'constructor' },
    { name: ' Erika' },
    { name: '<b>Erika</b>' },
    { born: '1990-02-30' },
    { born: '1899-12-31' },
    { number: 'A1' },
    { number: '--------' },
    { number: 'A123456\u0000' },
    { number: 'Ａ１２３４５６' },
    { extra: 1 },
  ])
    assert.equal((await bob.call('PATCH', '/papers', draft)).status, 400, JSON.stringify(draft))
})

/** A photo of 9 MB whose bytes never come. */
async function begin({ cookie }: TestUser): Promise<ClientRequest> {
  const headers = { origin: exchange.url, cookie, 'content-type': 'image/jpeg', 'content-length': 9_000_000 }
  const begun = ask(`${exchange.url}/app/v1/papers/photos/front`, { method: 'PUT', headers })
  begun.on('error', () => undefined)
  await new Promise<void>((resolve) => begun.write(photo.subarray(0, 100), () => resolve()))
  return begun
}

test('PAPERS-ROUTE-004: a customer has four photos on their way at once, and others have their own', async () => {
  const [carol, dave] = [await exchange.user(), await exchange.user()]
  const begun = await Promise.all(Array.from({ length: 4 }, () => begin(carol)))
  await new Promise((done) => setTimeout(done, 200))
  assert.deepEqual(await codeOf(await send(carol, 'PUT', '/papers/photos/front', photo)), [503, 'UNAVAILABLE'])
  assert.equal((await send(dave, 'PUT', '/papers/photos/front', photo)).status, 200)
  for (const one of begun) one.destroy()
  await new Promise((done) => setTimeout(done, 200))
  for (let n = 0; n < 5; n++) assert.equal((await send(carol, 'PUT', '/papers/photos/front', photo)).status, 200)
  for (let n = 0; n < 5; n++) assert.equal((await send(carol, 'GET', '/papers/photos/front')).status, 200)
})

test('PAPERS-ROUTE-005: a customer sends twenty photos at once and then one a minute, right or wrong', async () => {
  const erin = await exchange.user()
  const put = (body: Buffer) => send(erin, 'PUT', '/papers/photos/front', body).then(codeOf)
  for (let n = 0; n < 20; n++) assert.deepEqual(await put(Buffer.from('no photo')), [415, 'IMAGE_KIND'])
  assert.deepEqual(await put(photo), [429, 'RATE_LIMITED'])
  assert.equal((await erin.call('PATCH', '/papers', { kind: 'passport' })).status, 200)
})
