/** A copy of the market data whose batches go missing while it is being loaded. */
import { eventOf } from '@candor/core/protocol/test/literals.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { Released } from '@candor/core/protocol/released.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { MarketData } from '../data.ts'
import { Followed } from '../followed.ts'
import { Freshness } from '../freshness.ts'

function batch(firstSeq: number, lastSeq: number): Released {
  const outcome = { type: 'outcome', at: 0, user: 0, order: 0, refusal: undefined, isRepeat: false } as const
  const seqs = Array.from({ length: lastSeq - firstSeq + 1 }, (_, n) => firstSeq + n)
  const events = seqs.map((seq) => eventOf({ ...outcome, seq }))
  return { firstSeq, lastSeq, events, eventsFor: () => events }
}

/** Market data of an exchange without markets, and what the test decides: the end of the journal, and how far the tables are. */
function copy() {
  const world = { seq: 1, projected: 1, applied: [] as number[], loads: 0, held: Promise.resolve() }
  const ask = {
    listing: async () => ({ assets: [], markets: [], fees: [], perpFees: [] }),
    marginTerms: async () => null,
    marks: async () => [],
    ordersAt: async () => ({ seq: 2, orders: [] }),
    seq: async () => {
      world.loads++
      await world.held
      return world.seq
    },
  } as unknown as Ask
  const query = async (text: string) => ({ rows: text.includes('from projection') ? [{ seq: world.projected, at: 0 }] : [] })
  const pool = { connect: async () => ({ query, release: () => undefined }) } as unknown as pg.Pool
  const freshness = new Freshness(async () => world.projected)
  const data = new MarketData({ ask, pool, freshness, followed: new Followed(), log: () => undefined })
  data.onCommand((_, { seq }) => world.applied.push(seq))
  return { world, data, ask }
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!isTrue()) {
    assert.ok(performance.now() < end, `never: ${isTrue}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('GATEWAY-MEMORY-003: batches that go missing while the copy is loaded are not skipped: it is loaded once more', async () => {
  const { world, data } = copy()
  Object.assign(world, { seq: 2, projected: 0 })
  const start = data.start()
  await until(() => world.loads === 1)
  data.released(batch(3, 4))
  data.released(batch(7, 8))
  Object.assign(world, { seq: 8, projected: 8 })
  await start
  data.released(batch(9, 9))
  assert.deepEqual(world.applied, [7, 8, 9])
  assert.equal(world.loads, 2)
})

test('GATEWAY-MEMORY-003: orders that were read before the missing batches are read again', async () => {
  const { world, data, ask } = copy()
  const [before, after] = [7, 8] as UserId[]
  const { promise: held, resolve: tell } = Promise.withResolvers<void>()
  Object.assign(world, { seq: 8, projected: 8, held })
  const start = data.start()
  await until(() => world.loads === 1)
  data.released(batch(3, 4))
  await data.orders.know(ask, before!)
  data.released(batch(7, 8))
  await data.orders.know(ask, after!)
  // The engine tells its place only now: nothing is missing between what is loaded and what waits.
  tell()
  await start
  assert.equal(world.loads, 1)
  assert.deepEqual([data.orders.isKnown(before!), data.orders.isKnown(after!)], [false, true])
})
