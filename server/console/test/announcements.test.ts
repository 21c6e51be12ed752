import assert from 'node:assert/strict'
import { test } from 'node:test'
import { langs } from '@candor/core/protocol/locales.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
const hour = 3_600_000

function publish({ browser }: Member, title = 'Maintenance') {
  const now = world().clock()
  const texts = Object.fromEntries(langs.map((lang) => [lang, { title, text: 'On Sunday at 08:00 UTC.' }]))
  return browser.send('POST', '/announcements', { texts, from: now, until: now + hour })
}

test('CONSOLE-ANNOUNCE-001: an announcement needs a login of the last 15 minutes, and its withdrawal none', async () => {
  const sam = await world().hire('support')
  const { status, body } = await publish(sam)
  assert.equal(status, 200, JSON.stringify(body))
  world().pass(16 * 60_000)
  assert.equal(codeIn(await publish(sam)), '403 SESSION_NOT_FRESH')
  assert.equal(codeIn(await sam.browser.send('POST', `/announcements/${body.id}/withdraw`)), '204')
})

test('CONSOLE-ANNOUNCE-002: one member publishes ten announcements a day at most, also in parallel', async () => {
  const [sam, tina] = [await world().hire('support'), await world().hire('support')]
  const answers = await Promise.all(Array.from({ length: 13 }, () => publish(sam)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array<number>(10).fill(200), 429, 429, 429])
  assert.equal((await publish(tina)).status, 200)
})
