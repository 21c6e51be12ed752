/** Tests how commands of several processes come into one batch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from './engines.ts'
import { Clock, HeldWrites, Noted, offer, stillTimers, until, user } from './held.ts'

const { newStore, start } = engines()

/** Two processes with orders of several callers each: the second one's arrive while the first one's are being written. */
async function twoClients() {
  const { engine } = await start({ store: await newStore(), time: new Clock() })
  const [one, other] = [new Noted(), new Noted()]
  for (const sink of [one, other]) engine.attach(sink)
  const offers = (sink: Noted, first: number, count: number): void =>
    offer(engine, sink, first, ...Array.from({ length: count }, (_, n) => user(`${sink === one ? 'a' : 'b'}${first + n}`)))
  return { engine, one, other, offers }
}

test('ENGINE-GROUP-003: callers of one process that were just answered join those of another, and a lone process commits at once', async (t) => {
  using _ = stillTimers(t)
  const { engine, one, other, offers } = await twoClients()
  using writes = new HeldWrites()
  offers(one, 1, 4)
  offers(other, 1, 5)
  writes.pass()
  await until(() => one.told.length === 1)
  assert.equal(writes.count, 0, 'those who were answered may come back')
  offers(one, 5, 3)
  assert.equal(writes.count, 0, 'one is still missing')
  offers(one, 8, 1)
  assert.equal(writes.count, 1)
  writes.pass()
  await until(() => engine.seq === 13)
  assert.deepEqual(one.told.at(-1), [5, 13, [5, 6, 7, 8]])
  offers(one, 9, 9)
  assert.equal(writes.count, 1, 'as many as were answered')
  writes.pass()
  await until(() => engine.seq === 22)
  offers(one, 18, 1)
  assert.equal(writes.count, 1, 'nobody waits for callers of the only process whose commands were written')
  writes.pass()
  await until(() => engine.seq === 23)
})

test('ENGINE-GROUP-003: a useless wait for callers of another process ends after 4 ms, and when the engine stops', async (t) => {
  using timers = stillTimers(t)
  const { engine, one, other, offers } = await twoClients()
  using writes = new HeldWrites()
  offers(one, 1, 4)
  offers(other, 1, 4)
  writes.pass()
  await until(() => one.told.length === 1)
  timers.tick(3)
  assert.equal(writes.count, 0)
  timers.tick(1)
  assert.equal(writes.count, 1)
  writes.pass()
  await until(() => other.told.length === 1)
  // The wait was in vain: the next release has none.
  offers(one, 5, 4)
  offers(other, 5, 4)
  writes.pass()
  await until(() => writes.count === 1)
  writes.pass()
  await until(() => engine.seq === 16)
})
