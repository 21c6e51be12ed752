import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { differences, keep } from './tables.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const started = Date.UTC(2026, 0, 15, 23, 50)
const dayMs = 86_400_000

test('PRESALE-TABLES-001: presales and subscriptions are in tables, the same whether written event by event or rebuilt at once', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 1, started)
  await written.open()
  await using projector = await startProjector({ store })
  const send = async (...commands: readonly object[]): Promise<void> => {
    await written.append(commands as readonly Command[])
    await projector.reached(written.seq)
  }
  const at = written.at
  const terms = {
    ...{ token: 2, pay: 1, price: { pay: 1, per: 1 }, supply: 1000, purchaseLimit: 600, subscriptionMin: 1, subscriptionMax: 1e9 },
    ...{ softCap: 0, startsAt: at + 1000, endsAt: at + 60_000 },
    release: { atListingPpm: 500_000, kind: 'cliff', lockDays: 2, steps: [] },
    ...{ documentHash: '', detailsHash: 'ab'.repeat(32) },
  }
  const subscribe = (user: number, amount: number, presale = 1) => ({ type: 'presale.subscribe', user, clientId: '', presale, amount })
  const certify = [9, 10].map((user) => ({ type: 'user.certify', user, isCertified: true }))
  await send(...certify, { type: 'funds.system', account: 'presale-tokens', asset: 2, amount: 5000 })
  await send({ type: 'presale.set', presale: 1, terms: { ...terms, supply: 2000 } })
  await send({ type: 'presale.set', presale: 1, terms }, { type: 'presale.set', presale: 2, terms })
  written.at = at + 2000
  await send(subscribe(9, 900), subscribe(10, 200))
  await send(subscribe(10, 100), subscribe(9, 50, 2))
  await send({ type: 'presale.cancel', presale: 2 })
  const sales = async () =>
    (
      await store.pool.query(
        'select number, outcome, subscribed, subscribers, sold, proceeds, unlocked_at_ms from presales order by number',
      )
    ).rows
  const own = async () =>
    (
      await store.pool.query(
        'select presale, user_id, amount, allocated, cost, refunded, released from presale_subscriptions order by 1, 2',
      )
    ).rows
  const facts = { outcome: null, subscribed: 1200, subscribers: 2, sold: null, proceeds: null, unlocked_at_ms: null }
  const cancelled = { ...facts, number: 2, outcome: 'cancelled', subscribed: 50, subscribers: 1, sold: 0, proceeds: 0 }
  assert.deepEqual(await sales(), [{ number: 1, ...facts }, cancelled])
  written.at = at + 60_000
  await send({ type: 'clock.tick' })
  assert.deepEqual(await sales(), [{ number: 1, ...facts, outcome: 'allocated', sold: 900, proceeds: 900 }, cancelled])
  written.at = at + 60_000 + 2 * dayMs
  await send({ type: 'clock.tick' })
  assert.equal((await sales())[0].unlocked_at_ms, written.at)
  assert.deepEqual(await own(), [
    { presale: 1, user_id: 9, amount: 900, allocated: 600, cost: 600, refunded: 300, released: 600 },
    { presale: 1, user_id: 10, amount: 300, allocated: 300, cost: 300, refunded: 0, released: 300 },
    { presale: 2, user_id: 9, amount: 50, allocated: 0, cost: 0, refunded: 50, released: 0 },
  ])

  await keep(store.pool)
  await projector[Symbol.asyncDispose]()
  await emptyProjection(store.pool)
  await using again = await startProjector({ store })
  await again.reached(written.seq)
  // The days that the clock jumped over change other tables.
  const { presales, presale_subscriptions: subscriptions } = await differences(store.pool)
  assert.deepEqual({ presales, subscriptions }, { presales: undefined, subscriptions: undefined })
})
