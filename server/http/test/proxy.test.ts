import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { startExchange } from '../../main/test/exchange.ts'

test('GATEWAY-PROXY-001: behind a proxy the client’s address is the one that the proxy saw, whatever the client wrote before it', async () => {
  await using exchange = await startExchange({ seed: 'proxy', settings: { trustedProxies: ['127.0.0.1'] } })
  const via = (forwarded: string) => ({ 'x-forwarded-for': forwarded })
  assert.equal((await fetch(`${exchange.url}/metrics`, { headers: via('127.0.0.1, 203.0.113.9') })).status, 403)

  const logIn = async (i: number) => {
    const body = JSON.stringify({ channel: 'email', to: `nobody${i}@test.example`, password: 'wrong password', lang: 'en' })
    const headers = { 'content-type': 'application/json', ...via(`198.51.100.${i}, 203.0.113.9`) }
    return (await fetch(`${exchange.url}/app/v1/auth/login`, { method: 'POST', headers, body })).status
  }
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => logIn(i)))
  assert.ok(answers.filter((status) => status === 429).length >= 20, answers.join(' '))

  const open = (i: number) =>
    new Promise<number>((done) => {
      const headers = via(`198.51.100.${i % 250}, 203.0.113.10`)
      const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}/wss`, { headers })
      socket.on('open', () => {
        socket.terminate()
        done(101)
      })
      socket.on('unexpected-response', (_request, response) => done(response.statusCode ?? 0))
      socket.on('error', () => done(0))
    })
  const handshakes: number[] = []
  for (let round = 0; round < 8; round++) handshakes.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => open(i)))))
  const refused = handshakes.filter((status) => status === 429).length
  assert.ok(refused >= 50 && refused <= 100, `${refused} of 400 refused`)
})
