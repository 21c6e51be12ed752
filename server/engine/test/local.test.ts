/** Tests the link to an engine in the same process, and the name of the socket for other processes. */
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, rmSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os, { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sink } from '../batch.ts'
import type { Engine } from '../engine.ts'
import { linkPath } from '../link-path.ts'
import { localLink } from '../local-link.ts'
import { FakeEngine } from './fake-engine.ts'
import { until } from './held.ts'

function linked() {
  const engine = new FakeEngine()
  const link = localLink(engine as unknown as Engine)
  const [sink] = [...engine.sinks] as [Sink]
  return { engine, link, sink }
}

test('ENGINE-ACK-001: a command is offered with its key, and its outcome is its own', async () => {
  const { engine, link, sink } = linked()
  const tick = commandOf({ type: 'clock.tick' })
  const outcome = link.submit(tick, 7)
  const refused = assert.rejects(link.submit(tick), { refusal: 'CLOCK_UNSYNCED' })
  await until(() => engine.offered.length === 1)
  const [{ sink: by, data, requests }] = engine.offered as [{ sink: Sink; data: Float64Array; requests: number[] }]
  const expected = new Records()
  encodeCommand(tick, { seq: 0, at: 0, keyId: 7 }, expected)
  encodeCommand(tick, { seq: 0, at: 0, keyId: 0 }, expected)
  assert.deepEqual([by, data], [sink, expected.data.slice(0, expected.length)])
  const [stamped, events] = [new Records(), new Records()]
  encodeCommand(tick, { seq: 1, at: 50, keyId: 7 }, stamped)
  Exchange.create().execute(stamped.data, 0, events)
  sink.refuse([requests[1]!], 'CLOCK_UNSYNCED')
  sink.release({ firstSeq: 1, lastSeq: 1, events: events.data.slice(0, events.length) }, [requests[0]!, 0, events.length])
  const { seq, at } = await outcome
  assert.deepEqual([seq, at], [1, 50])
  await refused
})

test('a follower in this process gets every batch; without one, the engine sends none but those with outcomes', () => {
  const { link, sink } = linked()
  assert.equal(sink.wantsAll, false)
  const heard: unknown[] = []
  for (const name of ['one', 'two']) link.onReleased(({ firstSeq, lastSeq }) => heard.push([name, firstSeq, lastSeq]))
  assert.equal(sink.wantsAll, true)
  sink.release({ firstSeq: 4, lastSeq: 6, events: new Float64Array(0) }, [])
  assert.deepEqual(heard, [
    ['one', 4, 6],
    ['two', 4, 6],
  ])
})

test('the journal’s position is told to those who listen, until they stop or the link is closed', async () => {
  const { link, sink } = linked()
  const heard: unknown[] = []
  const stop = link.onHead((seq) => heard.push(['one', seq]))
  link.onHead((seq) => heard.push(['two', seq]))
  sink.advanced(4)
  sink.advanced(5)
  await until(() => heard.length === 2)
  stop()
  sink.advanced(6)
  await until(() => heard.length === 3)
  sink.advanced(7)
  await link[Symbol.asyncDispose]()
  await sleep(30)
  assert.deepEqual(heard, [
    ['one', 5],
    ['two', 5],
    ['two', 6],
  ])
})

test('values of others are heard by their topic, the last one also later; own ones are not, and after the end none', async () => {
  const { engine, link } = linked()
  const heard: unknown[] = []
  engine.hub.publish('late', 0)
  link.onPublished('a', (value) => heard.push(['one', value]))
  link.onPublished('a', (value) => heard.push(['two', value]))
  link.onPublished('late', (value) => heard.push(['late', value]))
  const others: unknown[] = []
  engine.hub.join((topic, value) => others.push([topic, value]))
  engine.hub.publish('nobody', 1)
  engine.hub.publish('a', 2)
  link.publish('a', 3)
  await link[Symbol.asyncDispose]()
  engine.hub.publish('a', 4)
  assert.deepEqual(heard, [
    ['late', 0],
    ['one', 2],
    ['two', 2],
  ])
  assert.deepEqual(others.slice(-2), [
    ['a', 3],
    ['a', 4],
  ])
})

test('ENGINE-OUTAGE-001: the state is told at once and at each change; a closed link ends its requests', async () => {
  const { engine, link } = linked()
  const states: string[] = []
  engine.state = 'full'
  link.onState((state) => states.push(state))
  engine.become('up')
  engine.become('down')
  assert.deepEqual(states, ['down', 'up', 'down'])
  const lost = assert.rejects(link.submit(commandOf({ type: 'clock.tick' })), { refusal: 'STATUS_UNKNOWN' })
  await until(() => engine.offered.length === 1)
  assert.equal(await link.ask.seq(), 0)
  await link[Symbol.asyncDispose]()
  await lost
  assert.equal(engine.sinks.size, 0)
})

const onPosix = { skip: process.platform === 'win32' && 'needs files of sockets' }
const nameOf = (folder: string, uid = userInfo().uid): string =>
  `candor-${uid}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`

test('a socket lies in its data folder as long as its path has at most 100 bytes', onPosix, () => {
  const folder = `/${'d'.repeat(100 - '/'.length - '/engine.sock'.length)}`
  assert.equal(linkPath(folder), `${folder}/engine.sock`)
  const deep = `${folder}d`
  const short = join(tmpdir(), nameOf(deep))
  try {
    for (let n = 0; n < 2; n++) assert.equal(linkPath(deep), join(short, 'engine.sock'))
    assert.equal(statSync(short).mode & 0o777, 0o700)
  } finally {
    rmSync(short, { recursive: true, force: true })
  }
})

test('a folder of sockets that others can open, or that belongs to another user, is refused', onPosix, () => {
  const deep = `/${'e'.repeat(120)}`
  const short = join(tmpdir(), nameOf(deep))
  const own = userInfo()
  const other = join(tmpdir(), nameOf(deep, own.uid + 1))
  try {
    linkPath(deep)
    for (const mode of [0o701, 0o710, 0o750]) {
      chmodSync(short, mode)
      assert.throws(() => linkPath(deep), /belongs to another user/)
    }
    mock.method(os, 'userInfo', () => ({ ...own, uid: own.uid + 1 }))
    syncBuiltinESMExports()
    assert.throws(() => linkPath(deep), /belongs to another user/)
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
    for (const folder of [short, other]) rmSync(folder, { recursive: true, force: true })
  }
})
