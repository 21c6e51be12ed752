import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { WebSocket } from 'ws'
import type { WireThread } from '@candor/core/protocol/wire/support/tickets.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { picture } from '../../papers/test/pictures.ts'

let exchange: TestExchange
let alice: TestUser
let bob: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'support', hasFeeds: false })
  alice = await exchange.user()
  bob = await exchange.user()
})
after(() => exchange[Symbol.asyncDispose]())

type Update = { readonly stream: string; readonly data: Readonly<Record<string, unknown>> }

const upload = (user: TestUser | undefined, body: Buffer | string, type: string): Promise<Response> =>
  fetch(`${exchange.url}/app/v1/support/images`, {
    method: 'POST',
    headers: { origin: exchange.url, 'content-type': type, ...(user === undefined ? {} : { cookie: user.cookie }) },
    body: body as string,
  })
const codeOf = async (response: Response): Promise<unknown> => [response.status, ((await response.json()) as { code?: string }).code]

async function open(user: TestUser, more: object = {}): Promise<WireThread> {
  const wish = { clientId: randomUUID(), topic: 'account', subject: 'Hello', text: 'Hello', ...more }
  const { status, body } = await user.call('POST', '/support/tickets', wish)
  assert.equal(status, 200, JSON.stringify(body))
  return body as WireThread
}

test('SUPPORT-PICTURE-001: pictures are decoded and made anew, other files are refused, and strangers get none', async () => {
  const stored = (await (await upload(alice, await picture(300, 200), 'image/jpeg')).json()) as { id: string }
  const { messages } = await open(alice, { images: [stored.id] })
  assert.deepEqual(messages[0]!.images, [stored])
  const answer = await fetch(`${exchange.url}/app/v1/support/images/${stored.id}`, { headers: { cookie: alice.cookie } })
  const head = (name: string): string => answer.headers.get(name) ?? ''
  assert.deepEqual([answer.status, head('content-type'), head('x-content-type-options')], [200, 'image/jpeg', 'nosniff'])
  assert.match(head('content-disposition'), /^attachment/)
  assert.equal(head('content-security-policy'), "default-src 'none'; sandbox")
  for (const [body, type, refusal] of [
    ['%PDF-1.7', 'application/pdf', [415, 'MEDIA_TYPE_UNSUPPORTED']],
    ['%PDF-1.7', 'image/jpeg', [415, 'IMAGE_KIND']],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml', [415, 'MEDIA_TYPE_UNSUPPORTED']],
    ['<html>', 'image/png', [415, 'IMAGE_KIND']],
    ['{}', 'application/json', [415, 'MEDIA_TYPE_UNSUPPORTED']],
    [await picture(90, 300), 'image/jpeg', [400, 'IMAGE_TOO_SMALL']],
  ] as const)
    assert.deepEqual(await codeOf(await upload(alice, body, type)), refusal)
  assert.deepEqual(await codeOf(await upload(undefined, await picture(300, 200), 'image/jpeg')), [401, 'UNAUTHENTICATED'])
  const others = await fetch(`${exchange.url}/app/v1/support/images/${stored.id}`, { headers: { cookie: bob.cookie } })
  assert.deepEqual(await codeOf(others), [404, 'NOT_FOUND'])
})

test('SUPPORT-TEXT-001: a text is kept as a text, whatever it looks like', async () => {
  const text = '<script>alert(1)</script>\n[link](javascript:alert(1)) \u202eevil'
  const { ticket, messages } = await open(alice, { subject: '"><img src=x onerror=alert(1)>', text })
  assert.equal(messages[0]!.text, '<script>alert(1)</script>\n[link](javascript:alert(1)) evil')
  assert.equal(ticket.subject, '"><img src=x onerror=alert(1)>')
  for (const [field, value] of [
    ['text', 'x'.repeat(4_001)],
    ['text', ' \u200b\u202e '],
    ['subject', 'Hello\r\nBcc: all@example.com'],
    ['subject', 'x'.repeat(121)],
    ['about', { kind: 'order', id: '"><script>' }],
    ['images', Array.from({ length: 5 }, () => randomUUID())],
    ['topic', 'password'],
  ] as const) {
    const wish = { clientId: randomUUID(), topic: 'account', subject: 'Hello', text: 'Hello', [field]: value }
    assert.deepEqual((await alice.call('POST', '/support/tickets', wish)).body.code, 'FIELD_INVALID', field)
  }
})

test('SUPPORT-TICKET-002: at each route, a ticket of somebody else answers as one that nobody has', async () => {
  const { ticket } = await open(alice)
  const message = { clientId: randomUUID(), text: 'mine' }
  for (const id of [ticket.id, '2222-2222-2222', '1', '..%2F..%2Fme'])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/messages', message],
      ['POST', '/read', { upTo: 1 }],
      ['POST', '/close', undefined],
      ['POST', '/reopen', undefined],
    ] as const) {
      const { status, body: answer } = await bob.call(method, `/support/tickets/${id}${path}`, body)
      assert.deepEqual([status, answer.code], [404, 'NOT_FOUND'], `${method} ${id}${path}`)
    }
  assert.deepEqual((await bob.call('GET', '/support/tickets')).body, { tickets: [], unread: 0 })
})

test('SUPPORT-LIVE-001: a change of a ticket reaches its customer’s open pages, and nobody else’s, without its text', async () => {
  const seen: Update[] = []
  const others: unknown[] = []
  const listen = async (user: TestUser, put: (message: Update) => unknown): Promise<WebSocket> => {
    const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}/app/v1/stream`, {
      headers: { cookie: user.cookie, origin: exchange.url },
    })
    await new Promise((resolve) => socket.once('open', resolve))
    const isReady = new Promise<void>((resolve) =>
      socket.on('message', (data) => {
        const message = JSON.parse(String(data))
        if (message.id === 1) resolve()
        else put(message)
      }),
    )
    socket.send(JSON.stringify({ method: 'SUBSCRIBE', params: ['user'], id: 1 }))
    await isReady
    return socket
  }
  const sockets = [await listen(alice, (message) => seen.push(message)), await listen(bob, (message) => others.push(message))]
  const { ticket } = await open(alice)
  await alice.call('POST', `/support/tickets/${ticket.id}/messages`, { clientId: randomUUID(), text: 'a secret of mine' })
  while (seen.length === 0) await new Promise((resolve) => sockets[0]!.once('message', resolve))
  assert.deepEqual([seen[0]!.stream, seen[0]!.data['e'], seen[0]!.data['ticket']], ['user', 'support', ticket.id])
  assert.equal(JSON.stringify(seen).includes('secret'), false)
  assert.deepEqual(others, [])
  for (const socket of sockets) socket.terminate()
})

test('SUPPORT-DESK-001: visitors learn that nobody is there, and are promised nothing', async () => {
  const answer = await fetch(`${exchange.url}/app/v1/support`)
  assert.deepEqual([answer.status, await answer.json()], [200, { isAtWork: false, usualMinutes: null }])
})
