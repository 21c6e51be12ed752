import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { convertBook } from './convert-workload.ts'
import { differences, keep } from './tables.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const started = Date.UTC(2026, 0, 15, 23, 50)

test('CONVERT-TABLES-001: conversions are in a table, the same whether written event by event or rebuilt at once', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 1, started)
  await written.open()
  await using projector = await startProjector({ store })
  // A second passes before each command.
  const opened = written.seq
  const at = (seq: number): number => started + (seq - opened) * 1000
  const send = async (command: object): Promise<number> => {
    written.at = at(written.seq + 1)
    await written.append([command as Command])
    await projector.reached(written.seq)
    return written.seq
  }
  const tick = (isGood = true, price = 6e12) => send({ type: 'index.tick', prices: [{ market: 1, price, sources: 4, isGood }] })
  const quote = (user: number, from: number, to: number, amount: number) =>
    send({ type: 'convert.quote', user, clientId: `quote-${written.seq}`, from, to, amount, isGet: false })
  const columns = `id, user_id as user, from_asset as "from", to_asset as "to", give::text, get::text, value::text, from_price::text,
    to_price::text, state, accepted_at_ms as accepted, decides_from_ms as decides, ended_at_ms as ended`
  const rows = async () => {
    const { rows: found } = await store.pool.query(`select ${columns} from conversions where id > $1 order by id`, [opened])
    return found
  }
  for (const order of convertBook(4)) await send(order)

  await quote(9, 1, 2, 100e6)
  const first = await quote(9, 1, 2, 6001e6)
  assert.deepEqual(await rows(), [])
  const accepted = await send({ type: 'convert.accept', user: 9, quote: first })
  const bought = {
    ...{ id: first, user: 9, from: 'USDT', to: 'BTC', give: '6001.000000', get: '0.09990000', value: '6001.000000' },
    ...{ from_price: '1.00000000', to_price: '60000.00000000', accepted: at(accepted), decides: at(accepted) + 1500 },
  }
  await tick()
  assert.deepEqual(await rows(), [{ ...bought, state: 'accepted', ended: null }])
  const filled = await tick()
  assert.deepEqual(await rows(), [{ ...bought, state: 'filled', ended: at(filled) }])

  const second = await quote(10, 2, 1, 1e7)
  const accepted2 = await send({ type: 'convert.accept', user: 10, quote: second })
  await tick()
  // 1 % is more than the drift.
  const moved = await tick(true, 606e10)
  await tick()
  const third = await quote(10, 2, 1, 1e7)
  const accepted3 = await send({ type: 'convert.accept', user: 10, quote: third })
  await tick(false)
  await send({ type: 'clock.tick' })
  const ended = await send({ type: 'clock.tick' })
  const sold = {
    ...{ user: 10, from: 'BTC', to: 'USDT', give: '0.10000000', get: '5993.001000', value: '6000.000000' },
    ...{ from_price: '60000.00000000', to_price: '1.00000000' },
  }
  assert.deepEqual((await rows()).slice(1), [
    { id: second, ...sold, state: 'moved', accepted: at(accepted2), decides: at(accepted2) + 1500, ended: at(moved) },
    { id: third, ...sold, state: 'no-index', accepted: at(accepted3), decides: at(accepted3) + 1500, ended: at(ended) },
  ])
  const { rows: opening } = await store.pool.query('select user_id as user, state from conversions where id <= $1 order by id', [opened])
  const states = ['filled', 'filled', 'moved', 'no-index', ...['filled', 'filled', 'filled']]
  assert.deepEqual(
    opening,
    [1, 2, 3, 5, 6, 7, 8].map((user, i) => ({ user, state: states[i] })),
  )

  await keep(store.pool)
  await projector[Symbol.asyncDispose]()
  await emptyProjection(store.pool)
  await using again = await startProjector({ store })
  await again.reached(written.seq)
  assert.deepEqual(await differences(store.pool), {})
})
