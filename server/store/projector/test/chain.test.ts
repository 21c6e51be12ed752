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

test('CHAIN-TABLES-001: credits and withdrawals are in tables, the same whether written event by event or rebuilt at once', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool)
  const started = Date.UTC(2026, 0, 15, 23, 50)
  await written.open()
  const send = async (command: object): Promise<number> => {
    written.at = started + written.seq * 1000
    await written.append([command as Command])
    await using projector = await startProjector({ store })
    await projector.reached(written.seq)
    return written.seq
  }
  const at = (seq: number): number => started + (seq - 1) * 1000
  const credit = { type: 'chain.credit', network: 1, asset: 1, isFinal: false }
  const [one, two, three] = [
    await send({ ...credit, user: 4, credit: 101, amount: 2_500_000 }),
    await send({ ...credit, user: 4, credit: 102, amount: 3_000_000 }),
    await send({ ...credit, user: 5, credit: 103, amount: 1, isFinal: true }),
  ]
  const ends = [await send({ type: 'chain.final', network: 1, credit: 101 }), await send({ type: 'chain.orphan', network: 1, credit: 102 })]
  const { rows: credits } = await store.pool.query(
    `select credit, user_id as user, asset, amount, repaid, state, taken, credited_at_ms as at, ended_at_ms as ended
     from core_credits where network = 1 order by credit`,
  )
  const usdt = { asset: 'USDT', repaid: '0.000000', taken: null }
  assert.deepEqual(credits, [
    { ...usdt, credit: 101, user: 4, amount: '2.500000', state: 'final', at: at(one), ended: at(ends[0]!) },
    { ...usdt, credit: 102, user: 4, amount: '3.000000', state: 'orphaned', taken: '3.000000', at: at(two), ended: at(ends[1]!) },
    { ...usdt, credit: 103, user: 5, amount: '0.000001', state: 'final', at: at(three), ended: at(three) },
  ])

  const request = { type: 'withdraw.request', clientId: '', asset: 1, network: 2, fee: 1_000_000, destination: 7 }
  const [first, second] = [await send({ ...request, user: 4, amount: 10_000_000 }), await send({ ...request, user: 5, amount: 20_000_000 })]
  const people = { first: 3, second: 4, reason: 'ticket 7' }
  const decided = [
    await send({ type: 'withdraw.decide', withdrawal: first, isApproved: true, ...people, reason: '' }),
    await send({ type: 'withdraw.decide', withdrawal: second, isApproved: false, ...people, second: 0 }),
  ] as const
  const paid = await send({ type: 'withdraw.finish', withdrawal: first, isPaid: true })
  const { rows: withdrawals } = await store.pool.query(
    `select id, user_id as user, amount, fee, destination, people, state, requested_at_ms as at, decided_at_ms as decided,
       ended_at_ms as ended, first_staff as first, second_staff as second, reason
     from core_withdrawals where destination = 7 order by id`,
  )
  const own = { fee: '1.000000', destination: 7, people: 0, first: 3 }
  assert.deepEqual(withdrawals, [
    {
      ...{ id: first, user: 4, amount: '10.000000', ...own, state: 'paid', at: at(first), decided: at(decided[0]), ended: at(paid) },
      ...{ second: 4, reason: '' },
    },
    {
      ...{ id: second, user: 5, amount: '20.000000', ...own, state: 'rejected', at: at(second), decided: at(decided[1]) },
      ...{ ended: at(decided[1]), second: 0, reason: 'ticket 7' },
    },
  ])

  await keep(store.pool)
  await emptyProjection(store.pool)
  await using projector = await startProjector({ store })
  await projector.reached(written.seq)
  assert.deepEqual(await differences(store.pool), {})
})
