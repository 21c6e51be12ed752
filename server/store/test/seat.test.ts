import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Seat } from '../seat.ts'
import { FaultyProxy } from './faulty-proxy.ts'
import { type ScratchServer, startScratchServer } from './scratch.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5)
}

test('HISTORY-SEAT-001: one process has a seat, another one when it ends, and seats of different names or databases are apart', async () => {
  await using store = await server.store()
  await using elsewhere = await server.store()
  const { url } = store
  const first = await Seat.open({ url, name: 'a', tryMs: 20 })
  await using second = await Seat.open({ url, name: 'a', tryMs: 20 })
  await using other = await Seat.open({ url, name: 'b' })
  await using apart = await Seat.open({ url: elsewhere.url, name: 'a' })
  assert.deepEqual(
    [first, second, other, apart].map(({ isHeld }) => isHeld),
    [true, false, true, true],
  )
  await first[Symbol.asyncDispose]()
  assert.equal(first.isHeld, false)
  await until(() => second.isHeld)
})

test('HISTORY-SEAT-002: who loses the connection loses the seat, and takes it again only when nobody has it', async () => {
  await using store = await server.store()
  const { proxy, url } = await FaultyProxy.start(store.url)
  await using _proxy = proxy
  const told: string[] = []
  const onWon = (): void => void told.push('won')
  await using first = await Seat.open({ url, name: 'a', tryMs: 20, onWon, onLost: () => told.push('lost') })
  const second = await Seat.open({ url: store.url, name: 'a', tryMs: 20 })
  proxy.refuse(true)
  await until(() => !first.isHeld && second.isHeld)
  proxy.refuse(false)
  const tried = `select from pg_stat_activity where application_name = 'candor a' and query like '%try%' and state = 'idle'`
  while ((await store.pool.query(tried)).rowCount === 0) await sleep(5)
  assert.deepEqual([first.isHeld, told], [false, ['won', 'lost']])
  await second[Symbol.asyncDispose]()
  await until(() => first.isHeld)
  assert.deepEqual(told, ['won', 'lost', 'won'])
})

test('HISTORY-SEAT-003: the seat of a process that is frozen or cut off goes to another one, and it hears of it when it goes on', async () => {
  await using store = await server.store()
  const { proxy, url } = await FaultyProxy.start(store.url)
  await using _proxy = proxy
  await using first = await Seat.open({ url, name: 'a', tryMs: 20 })
  await using second = await Seat.open({ url: store.url, name: 'a', tryMs: 20 })
  assert.deepEqual([first.isHeld, second.isHeld], [true, false])
  proxy.freeze(true)
  await until(() => second.isHeld)
  proxy.freeze(false)
  await until(() => !first.isHeld)
  assert.ok(second.isHeld)
})
