import assert from 'node:assert/strict'
import type { lookup } from 'node:dns'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { Refused } from '../../refused.ts'
import { isPublic, mayConnect } from '../address.ts'
import { Sender } from '../sender.ts'
import { kindsFrom, normalUrl } from '../terms.ts'
import { startReceiver } from './receiver.ts'

const world = { hasLoopback: false }
const desk = { hasLoopback: true }

test('API-HOOK-010: an address of this machine, its network or a reserved range is not public', () => {
  const inside = [
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1'],
    ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1'],
    ...['', 'localhost', '1.2.3', '8.8.8.8.8'],
  ]
  for (const address of inside) assert.equal(isPublic(address), false, address)
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '172.15.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '2001:4860:4860::8888',
  ])
    assert.equal(isPublic(address), true, address)
})

test('API-HOOK-010: in a developer’s sandbox webhooks may call this machine by plain http, and no other', () => {
  assert.deepEqual(
    ['127.0.0.1', '::1', '8.8.8.8', '10.0.0.1'].map((address) => mayConnect('http:', address, desk)),
    [true, true, false, false],
  )
  assert.deepEqual(
    ['127.0.0.1', '::1', '8.8.8.8', '10.0.0.1'].map((address) => mayConnect('https:', address, world)),
    [false, false, true, false],
  )
  assert.equal(mayConnect('http:', '8.8.8.8', world), false)
})

test('API-HOOK-009: the URL of a webhook is public https on a usual port, without a user name', () => {
  const refusedAt = (url: string, rules = world): boolean => {
    try {
      normalUrl(url, rules)
      return false
    } catch (error) {
      assert.ok(error instanceof Refused && error.refusal === 'WEBHOOK_URL_REFUSED' && error.field === 'url')
      return true
    }
  }
  const wrong = [
    ...['', 'hooks.example.com', '//hooks.example.com', 'ftp://hooks.example.com', 'http://hooks.example.com/', 'file:///etc/passwd'],
    ...[
      'https://user@hooks.example.com/',
      'https://user:pw@hooks.example.com/',
      'https://hooks.example.com:22/',
      'https://hooks.example.com:80/',
    ],
    ...['https://127.0.0.1/', 'https://localhost/', 'https://a.localhost/', 'https://2130706433/', 'https://0x7f.1/', 'https://[::1]/'],
    ...['https://[::ffff:127.0.0.1]/', 'https://10.0.0.1/', 'https://169.254.169.254/latest', 'https://192.168.0.1:8443/'],
    `https://hooks.example.com/${'a'.repeat(500)}`,
  ]
  for (const url of wrong) assert.ok(refusedAt(url), url)
  assert.equal(normalUrl(' https://Hooks.Example.com/a?b=c#d ', world), 'https://hooks.example.com/a?b=c')
  assert.equal(normalUrl('https://hooks.example.com:8443', world), 'https://hooks.example.com:8443/')
  assert.equal(normalUrl('http://127.0.0.1:99/x', desk), 'http://127.0.0.1:99/x')
  assert.equal(normalUrl('http://localhost:8080/', desk), 'http://localhost:8080/')
  for (const url of ['http://hooks.example.com/', 'http://10.0.0.1/', 'https://10.0.0.1/']) assert.ok(refusedAt(url, desk), url)
})

test('API-HOOK-003: a kind that stays keeps its start, a new one counts from now on, and there is at least one', () => {
  assert.deepEqual(kindsFrom(['spot.fill', 'option.settlement'], { 'spot.fill': 5, 'perp.fill': 7 }, 9), {
    'spot.fill': 5,
    'option.settlement': 9,
  })
  assert.throws(() => kindsFrom([], {}, 9), Refused)
})

test('API-HOOK-010: a name that resolves to a private address is refused at the call, whatever it resolved to before; nothing connects', async () => {
  await using receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  const leading = (...addresses: string[]) =>
    ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup
  for (const addresses of [['127.0.0.1'], ['::1'], ['169.254.169.254'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    using sender = new Sender({ rules: world, timeoutMs: 2_000, lookup: leading(...addresses) })
    for (const scheme of ['http', 'https'])
      assert.equal((await sender.post(`${scheme}://hooks.example.com:${port}/`, {}, '{}')).problem, 'refused', addresses.join())
  }
  using here = new Sender({ rules: world, timeoutMs: 2_000 })
  for (const url of [receiver.url, `https://127.0.0.1:${port}/`, `https://[::1]:${port}/`, `https://localhost:${port}/`])
    assert.equal((await here.post(url, {}, '{}')).problem, 'refused', url)
  using own = new Sender({ rules: desk, timeoutMs: 2_000, lookup: leading('10.0.0.1') })
  assert.equal((await own.post('http://hooks.example.com/', {}, '{}')).problem, 'refused')
  assert.equal(receiver.posts.length, 0)
})

test('API-HOOK-010: redirects are not followed, and 200 bytes of an answer are read as text', async () => {
  await using elsewhere = await startReceiver()
  await using receiver = await startReceiver()
  receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end('there')
  using sender = new Sender({ rules: desk, timeoutMs: 5_000 })
  const { problem, status, text } = await sender.post(receiver.url, {}, '{}')
  assert.deepEqual([problem, status, text], ['status', 307, 'there'])
  assert.equal(elsewhere.posts.length, 0)

  receiver.answer = (response) => {
    response.writeHead(200)
    const more = (): void => void response.write(`\u0000\u001b[31m${'x'.repeat(5_000)}`, () => !response.destroyed && setImmediate(more))
    more()
  }
  const endless = await sender.post(receiver.url, {}, '{}')
  assert.deepEqual([endless.problem, endless.status], [undefined, 200])
  assert.match(endless.text, /^\[31mx{150,200}$/)

  receiver.answer = (response) => void response.writeHead(204).flushHeaders()
  assert.equal((await sender.post(receiver.url, {}, '{}')).problem, undefined)
})

test('API-HOOK-012: a receiver that switches protocols, or sends only informational answers, ends its try', async () => {
  const answers = ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', '']
  for (const answer of answers) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => (answer.includes('101') ? socket.write(answer) : socket.end(answer)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    using sender = new Sender({ rules: desk, timeoutMs: 5_000 })
    const { port } = server.address() as AddressInfo
    const { problem, status } = await sender.post(`http://127.0.0.1:${port}/`, {}, '{}')
    assert.deepEqual([problem, status], ['connection', undefined], answer)
    await new Promise((resolve) => server.close(resolve))
  }
})
