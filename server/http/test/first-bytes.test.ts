import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { mock, test } from 'node:test'
import { WebSocket, WebSocketServer } from 'ws'
import { watchFirstBytes } from '../first-bytes.ts'
import { Limits } from '../limits.ts'
import { Proxies } from '../proxies.ts'
import { Shut } from '../shut.ts'

const shutOut = '203.0.113.7'
const known = 'somebody'

/** A server that returns what it was sent, behind a proxy; the network of `shutOut` is shut out. */
async function start() {
  const limits = new Limits()
  const shut = new Shut({
    limits,
    knownAs: ({ headers }) => ([headers.cookie, headers['x-mbx-apikey']].includes(known) ? { name: known, isSecret: true } : undefined),
  })
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => response.end(`${request.method} ${request.url} ${Buffer.concat(parts).length}`))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (text) => socket.send(String(text))))
  watchFirstBytes(server, { shut, proxies: new Proxies(['127.0.0.1']), mode: 'production' })
  const port = await listen(server)
  const from = new IncomingMessage(new Socket())
  while (!shut.isShut(shutOut)) shut.note(from, shutOut, 429)
  assert.equal(shut.isShuttingOut, false)
  shut.answer(new PassThrough())
  assert.equal(shut.isShuttingOut, true)
  return {
    port,
    async [Symbol.asyncDispose]() {
      limits.close()
      sockets.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** Sends the pieces one after the other, each once the one before has left. Resolves with all that came until the end. */
async function send(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.setNoDelay(true)
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  for (const piece of pieces) {
    await new Promise((done) => socket.write(piece, done))
    await new Promise((done) => setImmediate(done))
  }
  await once(socket, 'close')
  return text
}

const head = (ip: string, more = ''): string => `POST /here HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ip}\r\nConnection: close\r\n${more}`

test('GATEWAY-LIMITS-006: a stranger’s first bytes from a network that is shut out are answered at once, and others lose nothing', async () => {
  await using server = await start()
  const { port } = server
  const body = `Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`
  assert.match(await send(port, [head(shutOut, body)]), /^HTTP\/1\.1 429 .*"requestId":"-"/s)
  assert.match(await send(port, [head(`198.51.100.1, ${shutOut}`, body)]), /^HTTP\/1\.1 429 /)
  // Made-up names are a stranger’s.
  assert.match(await send(port, [head(shutOut, `Cookie: a=b\r\n${body}`)]), /^HTTP\/1\.1 429 /)
  assert.match(await send(port, [head(shutOut, `x-mbx-apikey: nobody\r\n${body}`)]), /^HTTP\/1\.1 429 /)
  // Whole requests, and one whose body has no length yet.
  for (const rest of ['\r\n', 'Content-Length: 5\r\n\r\nhello', 'Content-Length: 5\r\n\r\nhel', 'Transfer-Encoding: chunked\r\n\r\n5\r\n'])
    assert.match(await send(port, [head(shutOut, rest)]), /^HTTP\/1\.1 429 .*"requestId":"-"\}$/s)
  // The HTTP server reads requests of known customers, what only it can understand, and a header in the body.
  for (const who of [`COOKIE:  ${known} `, `x-mbx-apikey:${known}`, 'Cookie: a=b\r\nCookie: c=d', 'Authorization: Bearer a']) {
    assert.match(await send(port, [head(shutOut, `${who}\r\n${body}`)]), /200 OK.*POST \/here 200000$/s, who)
  }
  const tricky = `\r\nX-Forwarded-For: ${shutOut}\r\n\r\n`
  assert.match(await send(port, [head('198.51.100.1', `Content-Length: ${tricky.length}\r\n\r\n${tricky}`)]), /200 OK.*POST \/here/s)
  // Others: bodies in pieces, connections that stay, sockets.
  const pieces = [
    head('198.51.100.1', body).slice(0, 60),
    ...(head('198.51.100.1', body)
      .slice(60)
      .match(/.{1,50000}/gs) ?? []),
  ]
  assert.match(await send(port, pieces), /200 OK.*POST \/here 200000$/s)
  for (let i = 0; i < 3; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}/again`, { headers: { 'x-forwarded-for': '198.51.100.1' } })
    assert.equal(await answer.text(), 'GET /again 0')
  }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { 'x-forwarded-for': '198.51.100.1' } })
  await once(socket, 'open')
  socket.send('hello')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  assert.equal(String(answer), 'hello')
  socket.close()
})

test('GATEWAY-LIMITS-006: answers to those who are served leave without delay', async () => {
  await using server = await start()
  const { port } = server
  const given: unknown[] = []
  const set = mock.method(Socket.prototype, 'setNoDelay', function (this: Socket, isSet: boolean) {
    if (this.localPort === port) given.push(isSet)
    return this
  })
  try {
    await send(port, [head(shutOut, '\r\n')])
    assert.deepEqual(given, [])
    await send(port, [head('198.51.100.1', '\r\n')])
    assert.deepEqual(given, [true])
  } finally {
    set.mock.restore()
  }
})
