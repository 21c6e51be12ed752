import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore, type Store } from '../../open.ts'
import { Seat } from '../../seat.ts'
import { FaultyProxy } from '../../test/faulty-proxy.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { WarmCore } from '../warm.ts'
import { readWatermark } from '../watermark.ts'
import { differences, keep } from './tables.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5)
}

const quiet = { log: () => undefined, onFailed: (cause: Error) => assert.fail(cause) }

/** Rows of the journal, and two followers of which the first reaches the database through a proxy. */
async function prepare(parts: AsyncDisposableStack) {
  const store = parts.use(await server.store())
  const { proxy, url } = await FaultyProxy.start(store.url)
  parts.use(proxy)
  const far: Store = parts.use(await openStore({ dataFolder: '', databaseUrl: url }))
  const written = new WrittenJournal(store.pool, 5)
  await written.open()
  await written.trade(20)
  const seat = (of: string) => Seat.open({ url: of, name: 'follower', tryMs: 20 })
  return { store, far, proxy, written, first: parts.use(await seat(url)), second: parts.use(await seat(store.url)) }
}

test('HISTORY-SEAT-004: a second follower goes on where the first one ended, with every row once, and the first writes no more', async () => {
  await using parts = new AsyncDisposableStack()
  const { store, far, proxy, written, first, second } = await prepare(parts)
  const logged: string[] = []
  const log = ({ message }: { readonly message: string }): void => void logged.push(message)
  const one = parts.use(await startProjector({ store: far, mayWrite: () => first.isHeld, log }))
  await one.reached(written.seq)
  const core = parts.use(new WarmCore({ pool: store.pool, ...quiet }))
  await written.trade(20)
  await one.reached(written.seq)
  await until(() => core.seq === written.seq)

  proxy.refuse(true)
  await written.trade(20)
  await until(() => second.isHeld)
  const warm = await core.take()
  assert.ok(warm !== undefined && warm.head.seq > 0)
  const two = await startProjector({ store, mayWrite: () => second.isHeld, warm })
  await two.reached(written.seq)
  proxy.refuse(false)
  await written.trade(20)
  await two.reached(written.seq)
  // The first reads and executes the journal again, but writes nothing as long as another one has its seat.
  await until(() => logged.includes('Another follower writes the tables: this one waits'))
  assert.ok(one.watermark.seq < written.seq && one.failed === undefined)
  await written.trade(20)
  await two.reached(written.seq)

  await two[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await until(() => first.isHeld)
  await written.trade(20)
  await one.reached(written.seq)
  assert.ok(
    logged.some((line) => line.startsWith('Another follower has written')),
    logged.join('\n'),
  )
  assert.equal(one.failed, undefined)
  await keep(store.pool)
  await emptyProjection(store.pool)
  await using again = await startProjector({ store })
  await again.reached(written.seq)
  assert.deepEqual(await differences(store.pool), {})
})

test('HISTORY-SEAT-007: a follower that lost its seat follows what another one writes, and goes on from there when it has the seat again', async () => {
  await using parts = new AsyncDisposableStack()
  const { store, written } = await prepare(parts)
  const may = { one: true, two: false }
  const logged: string[] = []
  const log = ({ message }: { readonly message: string }): void => void logged.push(message)
  const one = parts.use(await startProjector({ store, mayWrite: () => may.one, log }))
  await one.reached(written.seq)
  may.one = false
  may.two = true
  const two = parts.use(await startProjector({ store, mayWrite: () => may.two }))
  // The one that waits may just have had the same rows to write, and needs none of them then.
  await until(async () => {
    await written.trade(1)
    await two.reached(written.seq)
    return logged.includes('Another follower writes the tables: this one waits')
  })
  // Whoever executes the journal from its beginning finds it damaged from here on.
  await store.pool.query('delete from snapshots')
  await store.pool.query(
    `update journal set payload = set_byte(payload, 0, 255 - get_byte(payload, 0)) where seq = (select min(seq) from journal)`,
  )
  await written.trade(20)
  await two.reached(written.seq)
  may.two = false
  may.one = true
  await written.trade(20)
  await one.reached(written.seq)
  assert.equal(one.failed, undefined)
})

test('HISTORY-SEAT-005: a follower that waits executes the journal as far as the tables reach, and says when it gives other events', async () => {
  await using parts = new AsyncDisposableStack()
  const { store, written, first } = await prepare(parts)
  const failures: string[] = []
  const core = parts.use(new WarmCore({ pool: store.pool, log: () => undefined, onFailed: ({ message }) => failures.push(message) }))
  await until(async () => (await readWatermark(store.pool)).seq === 0 && core.seq === 0)
  {
    await using projector = await startProjector({ store, mayWrite: () => first.isHeld })
    await projector.reached(written.seq)
  }
  const { seq } = await readWatermark(store.pool)
  await until(() => core.seq === seq)
  await written.trade(5)
  await store.pool.query(`update journal set payload = set_byte(payload, 0, 255 - get_byte(payload, 0)) where seq = $1`, [written.seq])
  await store.pool.query('update projection set seq = $1', [written.seq])
  await until(() => failures.length > 0)
  assert.match(failures[0]!, /does not match its hash/)
})

test('HISTORY-SEAT-005: so does one that lost its seat, and never goes on with a core that a damaged row left', async () => {
  await using parts = new AsyncDisposableStack()
  const { store, written } = await prepare(parts)
  const may = { one: true }
  const logged: string[] = []
  const log = ({ message }: { readonly message: string }): void => void logged.push(message)
  const one = parts.use(await startProjector({ store, mayWrite: () => may.one, log }))
  await one.reached(written.seq)
  may.one = false
  {
    await using two = await startProjector({ store })
    await until(async () => {
      await written.trade(1)
      await two.reached(written.seq)
      return logged.includes('Another follower writes the tables: this one waits')
    })
  }
  await written.trade(5)
  await store.pool.query(`update journal set payload = set_byte(payload, 0, 255 - get_byte(payload, 0)) where seq = $1`, [written.seq])
  await store.pool.query('update projection set seq = $1', [written.seq])
  await until(() => one.failed !== undefined)
  may.one = true
  assert.match(one.failed!.message, /does not match its hash/)
})
