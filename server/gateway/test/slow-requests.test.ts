import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { SlowLine } from '../../watch/slow.ts'

const program = join(import.meta.dirname, 'slow-exchange.ts')

test('WATCH-SLOW-001: a slow request has one line in the log with its route, its status and the parts of its time, and no value of its path, query or body', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 2 ** 26 })
  const lines = stdout
    .split('\n')
    .filter((line) => line.includes('"slow request"'))
    .map((line) => JSON.parse(line) as SlowLine)
  const of = (route: string) => lines.filter((line) => line.route === route)
  for (const route of ['/app/v1/spot/orders', '/api/v3/ticker/price', '/hooks/v1/:secret', 'unknown'])
    assert.equal(of(route).length, 1, route)
  const [{ method, status, ms, readMs, commandMs, otherMs }] = of('/app/v1/spot/orders') as [SlowLine]
  assert.equal(method, 'POST')
  assert.ok(status >= 400 && status < 500)
  assert.ok(ms >= 1 && Math.abs(ms - readMs - commandMs - otherMs) <= 1)
  for (const secret of ['SECRETSECRET', 'ETHUSDT', '60000', 'large', '@test.example']) {
    assert.ok(!lines.some((line) => JSON.stringify(line).includes(secret)), secret)
  }
})
