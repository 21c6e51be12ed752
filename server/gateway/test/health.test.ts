import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectLink } from '../../engine/connect-link.ts'
import { dialSocket } from '../../engine/link/wire.ts'
import { linkPath } from '../../engine/link-path.ts'
import { startExchange } from '../../main/test/exchange.ts'
import { topics } from '../topics.ts'
import { ProjectionStatus } from '../../live/projection-status.ts'

test('GATEWAY-HEALTH-002: a projector that is silent for five seconds, or ten seconds behind, is a problem', () => {
  let now = 0
  const status = new ProjectionStatus(() => now)
  assert.equal(status.problem(), undefined)
  status.hear({ commands: 90_000, ms: 12_000 })
  assert.equal(status.problem(), 'the query tables are 12 s behind')
  assert.equal(status.commands, 90_000)
  status.hear({ commands: 3, ms: 20 })
  assert.equal(status.problem(), undefined)
  now = 5_001
  assert.equal(status.problem(), 'the projector does not report')
})

test('GATEWAY-HEALTH-001: health is good while all parts report, and names a part that does not', async () => {
  await using exchange = await startExchange({ seed: 'health' })
  const health = async () => {
    const response = await fetch(`${exchange.url}/healthz`)
    return { status: response.status, body: (await response.json()) as { missing?: Record<string, string> } }
  }
  // Longer than a part may be silent, so every part that still counts has spoken since. A busy machine may delay one for a
  // moment.
  await sleep(6_000)
  let good = await health()
  for (let tries = 0; tries < 100 && good.status !== 200; tries++) {
    await sleep(100)
    good = await health()
  }
  assert.equal(good.status, 200, JSON.stringify(good.body))
  await using other = await connectLink(dialSocket(linkPath(exchange.dataFolder)))
  // The engine reports every second that its clock is right.
  let heard = await health()
  for (let tries = 0; tries < 200 && heard.status === 200; tries++) {
    other.publish(topics.clock, false)
    await sleep(20)
    heard = await health()
  }
  assert.equal(heard.status, 503)
  assert.deepEqual(Object.keys(heard.body.missing ?? {}), ['clock'])
})
