import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test from 'node:test'
import { until } from '@candor/client/test/loopback.ts'
import { startFakeExchange } from './test/fake-exchange.ts'

function start(settings: Readonly<Record<string, string>>): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  return { child, said: () => text }
}

const credentials = JSON.stringify([
  { email: 'one@bots', password: 'p' },
  { email: 'two@bots', password: 'p' },
])

test('the process quotes, and on SIGTERM cancels its quotes and exits with 0', async () => {
  await using exchange = await startFakeExchange()
  const { child, said } = start({ CANDOR_URL: exchange.url, CANDOR_BOT_CREDENTIALS: credentials, CANDOR_SEED: '1' })
  try {
    await until(() => exchange.orders().length > 2, 120_000)
    assert.match(said(), /bots quote/)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number]
    assert.equal(code, 0, said())
    assert.equal(exchange.orders().length, 0)
    assert.equal(exchange.sent.filter((each) => each.kind === 'cancelAll').length, 2)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a missing or wrong setting ends the process with a message', async () => {
  for (const [settings, sentence] of [
    [{}, /CANDOR_URL is not set/],
    [{ CANDOR_URL: 'http://127.0.0.1:1', CANDOR_BOT_CREDENTIALS: '[{"email":"a","password":"b"}]' }, /must hold 2 users/],
  ] as const) {
    const { child, said } = start(settings)
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 1)
    assert.match(said(), sentence)
  }
})
