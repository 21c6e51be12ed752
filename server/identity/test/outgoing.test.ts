import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Message } from '../../ports.ts'
import { Outgoing } from '../outgoing.ts'

const message: Message = { channel: 'email', to: 'a@example.com', lang: 'en', template: 'register-code', values: { code: '123456' } }

/** A mail server that refuses with the next faults, if there are any. */
function mailing(...faults: readonly unknown[]) {
  const left = [...faults]
  const [sent, told]: [Message[], unknown[]] = [[], []]
  let tries = 0
  const send = async (one: Message): Promise<void> => {
    tries++
    if (left.length > 0) throw left.shift()
    sent.push(one)
  }
  const outgoing = new Outgoing({ send }, (cause) => told.push(cause))
  return { outgoing, sent, told, tries: () => tries }
}
/** Timers that stand still until the test moves them, those of `node:timers/promises` too. */
function stillTimers({ mock: { timers } }: TestContext): Disposable & { tick(ms: number): void } {
  timers.enable({ apis: ['setTimeout'] })
  syncBuiltinESMExports()
  return {
    tick: (ms) => timers.tick(ms),
    [Symbol.dispose]: () => {
      timers.reset()
      syncBuiltinESMExports()
    },
  }
}
const turns = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await turn()
}

test('USER-MESSAGE-004: a message is tried three times, at once, after half a second and after three more', async (t) => {
  using timers = stillTimers(t)
  const { outgoing, sent, told, tries } = mailing('one', 'two')
  outgoing.send(message)
  for (const [ms, count] of [
    [0, 1],
    [499, 1],
    [1, 2],
    [2_999, 2],
    [1, 3],
  ] as const) {
    timers.tick(ms)
    await turns()
    assert.equal(tries(), count)
  }
  await outgoing.settled()
  assert.deepEqual([sent, told], [[message], []])
})

test('USER-MESSAGE-004: the last fault is told when all tries failed, and one that no repetition mends at once', async (t) => {
  using timers = stillTimers(t)
  const all = mailing('one', null, 'three')
  all.outgoing.send(message)
  for (const ms of [500, 3_000]) {
    await turns()
    timers.tick(ms)
  }
  await all.outgoing.settled()
  assert.deepEqual([all.told, all.sent, all.tries()], [['three'], [], 3])
  const final = { isRetryable: false }
  const once = mailing(final)
  once.outgoing.send(message)
  await once.outgoing.settled()
  assert.deepEqual([once.told, once.tries()], [[final], 1])
  const again = mailing({ isRetryable: true })
  again.outgoing.send(message)
  await turns()
  timers.tick(500)
  await again.outgoing.settled()
  assert.deepEqual([again.told, again.sent], [[], [message]])
})

test('USER-MESSAGE-004: a message is sent after the work that it needs, and not at all when that fails', async () => {
  const { outgoing, sent, told } = mailing()
  const stored = Promise.withResolvers<boolean>()
  outgoing.send(message, () => stored.promise)
  await turns()
  assert.deepEqual(sent, [])
  stored.resolve(true)
  await outgoing.settled()
  assert.deepEqual(sent, [message])
  const cause = new Error('no row')
  outgoing.send(message, () => Promise.reject(cause))
  await outgoing.settled()
  assert.deepEqual([sent, told], [[message], [cause]])
})

test('an end waits for no pause between tries, but for each message', async (t) => {
  using _ = stillTimers(t)
  const { outgoing, sent, told, tries } = mailing('one', 'two')
  outgoing.send(message)
  await turns()
  assert.equal(tries(), 1)
  await outgoing[Symbol.asyncDispose]()
  assert.deepEqual([sent, told, tries()], [[message], [], 3])
})

test('beyond 5000 messages that wait, new ones are dropped and told, until some were sent', async () => {
  let end: () => void = () => undefined
  const held = new Promise<void>((resolve) => (end = resolve))
  const told: unknown[] = []
  let sent = 0
  const outgoing = new Outgoing({ send: () => (sent++, held) }, (cause) => told.push(cause))
  for (let n = 0; n < 5_001; n++) outgoing.send(message)
  assert.match(String(told[0]), /A register-code message was dropped: 5000 are waiting/)
  let isSettled = false
  const settled = outgoing.settled().then(() => (isSettled = true))
  await turns()
  assert.deepEqual([told.length, sent, isSettled], [1, 5_000, false])
  end()
  await settled
  outgoing.send(message)
  await outgoing.settled()
  assert.deepEqual([told.length, sent], [1, 5_001])
})
