import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { recover } from '../../journal/recover.ts'
import { Engine } from '../engine.ts'
import type { Link } from '../link.ts'
import { engines } from './engines.ts'
import { nextCommand, openMarket, seeded } from './workload.ts'

const { newStore, start } = engines()

async function trade(link: Link, count: number, seed = 1): Promise<Outcome[]> {
  const random = seeded(seed)
  const outcomes: Outcome[] = []
  for (let i = 0; i < count; i += 50) {
    const commands = Array.from({ length: Math.min(50, count - i) }, (_, j) => {
      const user = (1 + Math.floor(random() * 50)) as UserId
      return link.submit(nextCommand(random, user, `t${seed}-${i + j}`, [`t${seed}-${i - 50}`]))
    })
    outcomes.push(...(await Promise.all(commands)))
  }
  return outcomes
}

test('ENGINE-RECOVER-001: recovery from the journal, and from snapshot and tail, gives the state before the stop', async () => {
  const store = await newStore()
  const first = await start({ store })
  await openMarket(first.link.submit)
  await trade(first.link, 1000)
  await first.engine.stop()
  const second = await start({ store })
  await trade(second.link, 1000, 2)
  const { seq, hash } = await second.link.ask.head()
  const tail = await recover(store.pool)
  assert.ok(tail.snapshotSeq > 0 && tail.replayed >= 1000)
  assert.deepEqual([tail.head.seq, tail.exchange.hash()], [seq, hash])
  await store.pool.query('delete from snapshots')
  const whole = await recover(store.pool)
  assert.deepEqual([whole.replayed, whole.exchange.hash()], [seq, hash])
  await second.engine.stop()
})

test('ENGINE-RECOVER-003: a row that replays to different events than were released stops the start', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  await engine.stop()
  await store.pool.query('delete from snapshots')
  const execute = Exchange.prototype.execute
  const mocked = mock.method(Exchange.prototype, 'execute', function (this: Exchange, ...args: Parameters<typeof execute>) {
    const result = execute.apply(this, args)
    if (this.seq === 7) args[2].reserve(2)
    return result
  })
  await assert.rejects(Engine.start({ store }), /different events/)
  mocked.mock.restore()
})
