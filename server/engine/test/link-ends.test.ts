/** Tests how links between processes begin, break and end. */
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sink } from '../batch.ts'
import { connectLink } from '../connect-link.ts'
import { dialSocket } from '../link/wire.ts'
import type { Engine } from '../engine.ts'
import { frameTypes, jsonFrame, parseJson } from '../frames.ts'
import type { Link } from '../link.ts'
import { serveLink } from '../serve-link.ts'
import { FakeEngine } from './fake-engine.ts'
import { stillTimers, turns, until } from './held.ts'
import { Peer } from './peer.ts'

let folder: string
let path: string
const open: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candor-ends-'))
  path = join(folder, 's')
})
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
  rmSync(folder, { recursive: true })
})
const tick = commandOf({ type: 'clock.tick' })

/** Listens in place of the engine. Connections are `peers`, in order. */
async function listening(): Promise<{ readonly peers: Peer[]; close(): Promise<void> }> {
  const peers: Peer[] = []
  const server = createServer((socket) => void peers.push(new Peer(socket)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const close = (): Promise<void> => {
    for (const { socket } of peers) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  open.push(close)
  return { peers, close }
}

/** A link whose other end is `peer`. */
async function linked(): Promise<{ readonly link: Link; readonly peers: Peer[]; close(): Promise<void> }> {
  const { peers, close } = await listening()
  const connecting = connectLink(dialSocket(path))
  await until(() => peers.length === 1)
  peers[0]!.socket.write(jsonFrame(frameTypes.state, 'up'))
  const link = await connecting
  open.push(() => link[Symbol.asyncDispose]())
  return { link, peers, close }
}

async function served(): Promise<{ readonly engine: FakeEngine; stop(): Promise<void>; join(isHalf?: boolean): Promise<Peer> }> {
  const engine = new FakeEngine()
  const server = await serveLink(engine as unknown as Engine, path)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= Promise.resolve(server[Symbol.asyncDispose]()))
  open.push(stop)
  return {
    engine,
    stop,
    async join(allowHalfOpen = false) {
      const peer = new Peer(connect({ path, allowHalfOpen }))
      open.push(() => peer.socket.destroy())
      await peer.next(frameTypes.state)
      return peer
    },
  }
}

test('ENGINE-OUTAGE-001: a link waits for its engine, and comes back to one that was away', async () => {
  const connecting = connectLink(dialSocket(path))
  await sleep(20)
  const first = await listening()
  await until(() => first.peers.length === 1)
  first.peers[0]!.socket.write(jsonFrame(frameTypes.state, 'up'))
  const link = await connecting
  open.push(() => link[Symbol.asyncDispose]())
  const states: string[] = []
  link.onState((state) => states.push(state))
  await first.close()
  await until(() => states.at(-1) === 'down')
  await assert.rejects(link.submit(tick), { refusal: 'UNAVAILABLE' })
  await sleep(150)
  const second = await listening()
  await until(() => second.peers.length === 1)
  second.peers[0]!.socket.write(jsonFrame(frameTypes.state, 'up'))
  await until(() => states.at(-1) === 'up')
})

test('a link that is broken takes followers and readers, and asks for them when it is back', async () => {
  const { link, peers } = await linked()
  const states: string[] = []
  link.onState((state) => states.push(state))
  peers[0]!.socket.destroy()
  await until(() => states.at(-1) === 'down')
  link.onReleased(() => undefined)
  link.onHead(() => undefined)
  await until(() => peers.length === 2)
  assert.deepEqual(parseJson(await peers[1]!.next(frameTypes.subscribe)), { after: 0 })
  await peers[1]!.next(frameTypes.head)
})

test('a link without followers and readers asks for nothing, also when it comes back', async () => {
  const { link, peers } = await linked()
  peers[0]!.socket.destroy()
  await until(() => peers.length === 2)
  peers[1]!.socket.write(jsonFrame(frameTypes.state, 'up'))
  // A frame of a kind that engines do not send changes nothing.
  peers[1]!.socket.write(jsonFrame(frameTypes.subscribe, 'down'))
  const states: string[] = []
  link.onState((state) => states.push(state))
  await until(() => states.at(-1) === 'up')
  void link.submit(tick).catch(() => undefined)
  await peers[1]!.next(frameTypes.submit)
  assert.equal(states.at(-1), 'up')
})

test('a closed link does not come back, whether it was broken or not', async () => {
  for (const isBroken of [false, true]) {
    const { link, peers, close } = await linked()
    const states: string[] = []
    link.onState((state) => states.push(state))
    if (isBroken) {
      peers[0]!.socket.destroy()
      await until(() => states.at(-1) === 'down')
    }
    await link[Symbol.asyncDispose]()
    await until(() => peers[0]!.isClosed)
    await sleep(200)
    assert.equal(peers.length, 1)
    await close()
  }
})

test('a process that is gone while something is sent to it is forgotten', async () => {
  const { engine, join } = await served()
  const peer = await join()
  const [sink] = [...engine.sinks] as [Sink]
  peer.socket.write(jsonFrame(frameTypes.subscribe, { after: 0 }))
  await until(() => sink.wantsAll)
  peer.socket.destroy()
  for (let n = 0; n < 3; n++) sink.release({ firstSeq: 1, lastSeq: 1, events: new Float64Array(2 ** 18) }, [])
  await until(() => engine.sinks.size === 0)
  let isWritten = false
  engine.hub.publish('topic', { toJSON: () => (isWritten = true) })
  assert.equal(isWritten, false, 'published values are no longer written for it')
})

test('the journal’s position is told only to a process that asked for it', async () => {
  const { engine, join } = await served()
  const [one, two] = [await join(), await join()]
  const [first, second] = [...engine.sinks] as [Sink, Sink]
  two.socket.write(jsonFrame(frameTypes.head, null))
  assert.equal(parseJson(await two.next(frameTypes.head)), 0)
  for (const sink of [first, second]) sink.advanced(3)
  assert.equal(parseJson(await two.next(frameTypes.head)), 3)
  one.socket.write(jsonFrame(frameTypes.ask, { id: 1, question: { name: 'seq', args: [] } }))
  await one.next(frameTypes.answer)
})

test('a server that ends lets its processes read to the end, and waits half a second for them to leave', async (t) => {
  const { engine, stop, join } = await served()
  const [polite, slow] = [await join(), await join(true)]
  const sinks = [...engine.sinks] as Sink[]
  using timers = stillTimers(t)
  let isOver = false
  const stopped = stop().then(() => void (isOver = true))
  await until(() => polite.isClosed)
  for (const sink of sinks) sink.refuse([1], 'UNAVAILABLE')
  await turns()
  timers.tick(499)
  await turns()
  assert.deepEqual([isOver, slow.isClosed, slow.frames], [false, false, []])
  timers.tick(1)
  await stopped
  await until(() => engine.sinks.size === 0)
})

test('a server that ends waits for no timer where its processes leave', async (t) => {
  const { stop, join } = await served()
  const peer = await join()
  using _ = stillTimers(t)
  await stop()
  await until(() => peer.isClosed)
})
