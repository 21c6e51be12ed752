/** Tests both ends of the link between processes, each against the bytes of the other. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { ReleasedBatch, Sink } from '../batch.ts'
import { connectLink } from '../connect-link.ts'
import { dialSocket } from '../link/wire.ts'
import type { Engine } from '../engine.ts'
import { bytesOf, frame, type FrameType, frameTypes, jsonFrame, numbersOf, parseJson, slotsOf } from '../frames.ts'
import type { Chunk } from '../inbox.ts'
import { serveLink } from '../serve-link.ts'
import { FakeEngine } from './fake-engine.ts'
import { Peer, until } from './peer.ts'

let folder: string
let path: string
const open: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-wire-'))
  path = join(folder, 's')
})
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
  rmSync(folder, { recursive: true })
})

async function served(): Promise<{ readonly engine: FakeEngine; readonly peer: Peer; readonly stop: () => unknown }> {
  const engine = new FakeEngine()
  const server = await serveLink(engine as unknown as Engine, path)
  const stop = (): unknown => server[Symbol.asyncDispose]()
  open.push(stop)
  const peer = new Peer(connect(path))
  open.push(() => peer.socket.destroy())
  assert.equal(parseJson(await peer.next(frameTypes.state)), 'up')
  return { engine, peer, stop }
}
const tick = new Records()
encodeCommand(commandOf({ type: 'clock.tick' }), { seq: 0, at: 0, keyId: 0 }, tick)
const slots = tick.data.slice(0, tick.length)
const commands = (count: number): Float64Array => Float64Array.from(Array.from({ length: count }, () => [...slots]).flat())
const submit = (numbers: readonly number[], data: Float64Array): Buffer =>
  frame(frameTypes.submit, bytesOf(Uint32Array.of(numbers.length, ...numbers)), bytesOf(data))
const batch: ReleasedBatch = { firstSeq: 4, lastSeq: 6, events: Float64Array.of(10, 11, 12, 13, 14) }

test('ENGINE-ACK-001: commands that arrive are offered with their numbers, and answered with their own events', async () => {
  const { engine, peer } = await served()
  peer.socket.write(submit([7, 2 ** 32 - 1], commands(2)))
  await until(() => engine.offered.length === 1)
  const [{ sink, data, requests }] = engine.offered as [Chunk]
  assert.deepEqual([data, requests, sink?.wantsAll], [commands(2), [7, 2 ** 32 - 1], false])
  sink!.release(batch, [7, 1, 3, 9, 4, 5])
  assert.deepEqual([...slotsOf(await peer.next(frameTypes.released))], [4, 6, 0, 6, 7, 0, 2, 9, 2, 3, 11, 12, 14])
  sink!.refuse([7, 8], 'CLOCK_UNSYNCED')
  assert.deepEqual([...numbersOf(await peer.next(frameTypes.refused))], [refusals.CLOCK_UNSYNCED.id, 7, 8])
})

test('a follower gets whole batches, after those that it missed', async () => {
  const { engine, peer } = await served()
  for (const seq of [1, 3]) engine.recent.add({ firstSeq: seq, lastSeq: seq + 1, events: Float64Array.of(seq) })
  peer.socket.write(jsonFrame(frameTypes.subscribe, { after: 2 }))
  assert.deepEqual([...slotsOf(await peer.next(frameTypes.released))], [3, 4, 1, 0, 3])
  const [sink] = [...engine.sinks] as [Sink]
  assert.equal(sink.wantsAll, true)
  sink.release(batch, [7, 1, 3])
  assert.deepEqual([...slotsOf(await peer.next(frameTypes.released))], [4, 6, 1, 3, 7, 1, 3, ...batch.events])
  // One that has nothing yet gets only what comes. One with too old a position is told that something is missing.
  engine.seq = 6
  peer.socket.write(jsonFrame(frameTypes.subscribe, { after: 0 }))
  peer.socket.write(jsonFrame(frameTypes.subscribe, { after: 1 }))
  assert.deepEqual([...slotsOf(await peer.next(frameTypes.released))], [7, 6, 1, 0])
})

test('questions are answered under their numbers, unless the engine is not up', async () => {
  const { engine, peer } = await served()
  const ask = (id: number): unknown => peer.socket.write(jsonFrame(frameTypes.ask, { id, question: { name: 'seq', args: [] } }))
  ask(5)
  assert.deepEqual(parseJson(await peer.next(frameTypes.answer)), { id: 5, answer: 0 })
  engine.exchange = undefined
  ask(6)
  assert.deepEqual(parseJson(await peer.next(frameTypes.answer)), { id: 6, isUnavailable: true })
})

test('the state, published values and the journal’s position are told; what a process publishes it does not hear', async () => {
  const { engine, peer } = await served()
  engine.hub.publish('topic', { a: 1 })
  assert.deepEqual(parseJson(await peer.next(frameTypes.publish)), { topic: 'topic', value: { a: 1 } })
  peer.socket.write(jsonFrame(frameTypes.publish, { topic: 'mine', value: 5 }))
  await until(() => engine.hub.last.has('mine'))
  assert.equal(engine.hub.last.get('mine'), 5)
  for (const [state, told] of [
    ['full', 'down'],
    ['up', 'up'],
    ['fenced', 'down'],
  ] as const) {
    engine.become(state)
    assert.equal(parseJson(await peer.next(frameTypes.state)), told)
  }
  const [sink] = [...engine.sinks] as [Sink]
  sink.advanced(3)
  engine.seq = 9
  peer.socket.write(jsonFrame(frameTypes.head, null))
  assert.equal(parseJson(await peer.next(frameTypes.head)), 9)
  sink.advanced(10)
  assert.equal(parseJson(await peer.next(frameTypes.head)), 10)
  const late = new Peer(connect(path))
  open.push(() => late.socket.destroy())
  await late.next(frameTypes.state)
  assert.deepEqual(parseJson(await late.next(frameTypes.publish)), { topic: 'topic', value: { a: 1 } })
})

test('a process that leaves is forgotten', async () => {
  const { engine, peer } = await served()
  peer.socket.write(jsonFrame(frameTypes.head, null))
  await peer.next(frameTypes.head)
  const [sink] = [...engine.sinks] as [Sink]
  sink.advanced(5)
  peer.socket.destroy()
  await until(() => engine.sinks.size === 0)
  assert.equal(engine.listeners.size, 0)
  engine.hub.publish('topic', 1)
  sink.release(batch, [])
})

test('what does not follow the protocol ends its connection, and nothing of it is offered', async () => {
  const wrong = [
    submit([1], commands(2)),
    submit([1, 2], commands(1)),
    submit([1], slots.slice(0, -1)),
    submit([1], Float64Array.of(...slots, 0)),
    frame(frameTypes.submit, Uint8Array.of(1)),
    frame(99 as unknown as FrameType, Buffer.from('{}')),
    frame(frameTypes.answer, Buffer.from('{"topic":"x"}')),
    frame(frameTypes.publish, Buffer.from('{')),
  ]
  const { engine, peer } = await served()
  for (const bytes of wrong) {
    const bad = new Peer(connect(path))
    open.push(() => bad.socket.destroy())
    bad.socket.write(bytes)
    await until(() => bad.isClosed)
  }
  assert.deepEqual([engine.offered, engine.hub.last.size, peer.isClosed], [[], 0, false])
})

test('a process that stops reading is cut off instead of filling the memory', async () => {
  const { engine, peer } = await served()
  peer.socket.write(jsonFrame(frameTypes.subscribe, { after: 0 }))
  const [sink] = [...engine.sinks] as [Sink]
  await until(() => sink.wantsAll)
  peer.socket.pause()
  const large = { ...batch, events: new Float64Array(2 ** 20) }
  for (let megabytes = 0; megabytes < 56; megabytes += 8) sink.release(large, [])
  // One that reads on in time gets all of it, and is served as before.
  peer.socket.resume()
  peer.socket.write(jsonFrame(frameTypes.ask, { id: 1, question: { name: 'seq', args: [] } }))
  await until(() => peer.frames.length === 8)
  assert.equal(peer.frames.at(-1)![0], frameTypes.answer)
  peer.socket.pause()
  for (let megabytes = 0; megabytes < 56; megabytes += 8) sink.release(large, [])
  for (let megabytes = 56; megabytes < 88; megabytes += 8) sink.release(large, [])
  await until(() => engine.sinks.size === 0)
})

test('the socket is its owner’s alone, replaces a dead one’s, and goes with its server', {
  skip: process.platform === 'win32' && 'needs files of sockets',
}, async () => {
  writeFileSync(path, 'left behind')
  const { engine, peer, stop } = await served()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.notEqual(process.umask(), 0o177)
  await assert.rejects(serveLink(engine as unknown as Engine, path), /Another engine listens/)
  await until(() => engine.sinks.size === 1)
  await assert.rejects(serveLink(engine as unknown as Engine, join(folder, 'nowhere', 's')), /listen/)
  peer.socket.on('end', () => peer.socket.end())
  open.splice(open.indexOf(stop), 1)
  await stop()
  await until(() => peer.isClosed)
  assert.equal(existsSync(path), false)
})

/** Listens in place of the engine, and collects the frames of each connection. */
async function listening(): Promise<{ readonly server: Server; readonly peers: Peer[] }> {
  const peers: Peer[] = []
  const server = createServer((socket) => void peers.push(new Peer(socket)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  open.push(() => {
    for (const { socket } of peers) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, peers }
}
async function linked() {
  const { server, peers } = await listening()
  const connecting = connectLink(dialSocket(path))
  await until(() => peers.length === 1)
  const [peer] = peers as [Peer]
  peer.socket.write(jsonFrame(frameTypes.state, 'up'))
  const link = await connecting
  open.push(() => link[Symbol.asyncDispose]())
  return { server, peers, peer, link }
}

test('ENGINE-ACK-001: an outcome that arrives is its request’s, with its own events', async () => {
  const { link, peer } = await linked()
  const outcome = link.submit(commandOf({ type: 'clock.tick' }))
  const body = await peer.next(frameTypes.submit)
  const [count, number] = numbersOf(body.subarray(0, 8))
  assert.deepEqual([count, slotsOf(body.subarray(8))], [1, slots])
  const exchange = Exchange.create()
  const [stamped, events] = [new Records(), new Records()]
  encodeCommand(commandOf({ type: 'clock.tick' }), { seq: 1, at: 50, keyId: 0 }, stamped)
  exchange.execute(stamped.data, 0, events)
  const head = Float64Array.of(1, 1, 0, 3, number!, 0, events.length)
  peer.socket.write(frame(frameTypes.released, bytesOf(head), bytesOf(events.data.slice(0, events.length))))
  const { seq, at, events: own } = await outcome
  assert.deepEqual([seq, at, own.at(-1)?.type], [1, 50, 'outcome'])
})

test('ENGINE-OUTAGE-004: a refusal that arrives rejects its requests with its name', async () => {
  const { link, peer } = await linked()
  for (const [id, refusal] of [
    [refusals.CLOCK_UNSYNCED.id, 'CLOCK_UNSYNCED'],
    [65_000, 'STATUS_UNKNOWN'],
  ] as const) {
    const refused = assert.rejects(link.submit(commandOf({ type: 'clock.tick' })), { refusal })
    const body = await peer.next(frameTypes.submit)
    peer.socket.write(frame(frameTypes.refused, bytesOf(Uint32Array.of(id, numbersOf(body.subarray(4, 8))[0]!))))
    await refused
  }
})

test('a follower asks once for batches after its last one, and counts one that comes twice once', async () => {
  const { link, peer, peers } = await linked()
  const [one, two]: [number[], number[]] = [[], []]
  link.onReleased(({ lastSeq }) => one.push(lastSeq))
  assert.deepEqual(parseJson(await peer.next(frameTypes.subscribe)), { after: 0 })
  link.onReleased(({ lastSeq }) => two.push(lastSeq))
  link.publish('done', 1)
  assert.deepEqual(parseJson(await peer.next(frameTypes.publish)), { topic: 'done', value: 1 })
  const tell = (lastSeq: number, isWhole: number): unknown =>
    peer.socket.write(frame(frameTypes.released, bytesOf(Float64Array.of(lastSeq, lastSeq, isWhole, 0))))
  for (const [seq, isWhole] of [
    [4, 1],
    [4, 1],
    [3, 1],
    [5, 0],
    [6, 1],
  ] as const) {
    tell(seq, isWhole)
  }
  await until(() => one.at(-1) === 6)
  assert.deepEqual(
    [one, two],
    [
      [4, 6],
      [4, 6],
    ],
  )
  link.onHead(() => undefined)
  await peer.next(frameTypes.head)
  peer.socket.destroy()
  await until(() => peers.length === 2)
  assert.deepEqual(parseJson(await peers[1]!.next(frameTypes.subscribe)), { after: 6 })
  await peers[1]!.next(frameTypes.head)
})

test('the journal’s position is asked for once and told to all who listen', async () => {
  const { link, peer } = await linked()
  const heard: unknown[] = []
  const stop = link.onHead((seq) => heard.push(['one', seq]))
  link.onHead((seq) => heard.push(['two', seq]))
  link.publish('done', 1)
  assert.equal(parseJson(await peer.next(frameTypes.head)), null)
  await peer.next(frameTypes.publish)
  peer.socket.write(jsonFrame(frameTypes.head, 5))
  await until(() => heard.length === 2)
  stop()
  peer.socket.write(jsonFrame(frameTypes.head, 6))
  await until(() => heard.length === 3)
  assert.deepEqual(heard, [
    ['one', 5],
    ['two', 5],
    ['two', 6],
  ])
})

test('questions and their answers meet by number, in any order', async () => {
  const { link, peer } = await linked()
  const asked = [link.ask.seq(), link.ask.mode(), link.ask.head()]
  const frames = [await peer.next(frameTypes.ask), await peer.next(frameTypes.ask), await peer.next(frameTypes.ask)]
  const [one, two, three] = frames.map((body) => parseJson<{ id: number; question: object }>(body))
  assert.deepEqual(one?.question, { name: 'seq', args: [] })
  assert.equal(new Set([one?.id, two?.id, three?.id]).size, 3)
  const unavailable = assert.rejects(asked[2]!, { refusal: 'UNAVAILABLE' })
  for (const answer of [
    { id: three?.id, isUnavailable: true },
    { id: two?.id, answer: 'b' },
    { id: 999 },
    { id: 998, isUnavailable: true },
    { id: one?.id, answer: 'a' },
  ])
    peer.socket.write(jsonFrame(frameTypes.answer, answer))
  assert.deepEqual([await asked[0], await asked[1]], ['a', 'b'])
  await unavailable
})

test('published values are heard by their topic, the last one also later', async () => {
  const { link, peer } = await linked()
  const heard: unknown[] = []
  link.onPublished('a', (value) => heard.push(['one', value]))
  link.onPublished('a', (value) => heard.push(['two', value]))
  for (const [topic, value] of [
    ['a', 1],
    ['b', 2],
  ] as const)
    peer.socket.write(jsonFrame(frameTypes.publish, { topic, value }))
  await until(() => heard.length === 2)
  while (!heard.some((each) => Array.isArray(each) && each[0] === 'b')) {
    link.onPublished('b', (value) => heard.push(['b', value]))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  assert.deepEqual(heard.slice(0, 3), [
    ['one', 1],
    ['two', 1],
    ['b', 2],
  ])
})

test('ENGINE-OUTAGE-001: a broken link refuses, and ends its requests and questions; a closed one does not come back', async () => {
  const { link, peer, peers } = await linked()
  const states: string[] = []
  link.onState((state) => states.push(state))
  const unknown = assert.rejects(link.submit(commandOf({ type: 'clock.tick' })), { refusal: 'STATUS_UNKNOWN' })
  const unavailable = assert.rejects(link.ask.seq(), { refusal: 'UNAVAILABLE' })
  await until(() => peer.frames.length === 2)
  peer.socket.destroy()
  await Promise.all([unknown, unavailable])
  await assert.rejects(link.submit(commandOf({ type: 'clock.tick' })), { refusal: 'UNAVAILABLE' })
  await assert.rejects(link.ask.seq(), { refusal: 'UNAVAILABLE' })
  link.publish('lost', 1)
  await until(() => peers.length === 2)
  // Connected, but the engine is not up yet.
  peers[1]!.socket.write(jsonFrame(frameTypes.state, 'down'))
  await assert.rejects(link.submit(commandOf({ type: 'clock.tick' })), { refusal: 'UNAVAILABLE' })
  for (const state of ['up', 'up']) peers[1]!.socket.write(jsonFrame(frameTypes.state, state))
  await until(() => states.at(-1) === 'up')
  assert.deepEqual(states, ['up', 'down', 'up'])
  const last = assert.rejects(link.submit(commandOf({ type: 'clock.tick' })), { refusal: 'STATUS_UNKNOWN' })
  await until(() => peers[1]!.frames.length === 1)
  await link[Symbol.asyncDispose]()
  await last
  assert.deepEqual(states, ['up', 'down', 'up', 'down'])
  await until(() => peers[1]!.isClosed)
})
