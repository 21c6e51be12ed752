import type { Units } from '@candor/core/money/brand.ts'
import type { Faucet } from '@candor/core/protocol/command/funds.ts'
import type { PlaceOrder } from '@candor/core/protocol/command/spot.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Released } from '@candor/core/protocol/released.ts'
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ScratchServer, startScratchServer, untilHeldUp } from '../../store/test/scratch.ts'
import { connectLink } from '../connect-link.ts'
import { dialSocket } from '../link/wire.ts'
import { Engine } from '../engine.ts'
import { frame, FrameReader, type FrameType, frameTypes } from '../frames.ts'
import { linkPath } from '../link-path.ts'
import type { Link } from '../link.ts'
import { localLink } from '../local-link.ts'
import { serveLink } from '../serve-link.ts'
import { openMarket } from './workload.ts'

let server: ScratchServer
let sockets = 0
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const open: AsyncDisposable[] = []
function kept<T extends AsyncDisposable>(resource: T): T {
  open.push(resource)
  return resource
}
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource[Symbol.asyncDispose]()
})

async function serveNew() {
  const store = kept(await server.store())
  const engine = kept(await Engine.start({ store }))
  const path = join(server.folder, `${++sockets}.sock`)
  return { store, engine, path, served: kept(await serveLink(engine, path)) }
}

async function linked(path: string): Promise<Link> {
  return kept(await connectLink(dialSocket(path)))
}

const faucet = (clientId: string): Faucet => ({
  type: 'funds.faucet',
  user: 1 as UserId,
  clientId,
  asset: 1 as AssetId,
  amount: 1_000_000 as Units,
})

test('another process gets the same outcomes, answers and events as this one', async () => {
  const { engine, path } = await serveNew()
  const remote = await linked(path)
  const local = localLink(engine)
  const heard: { remote: Released[]; local: Released[] } = { remote: [], local: [] }
  remote.onReleased((batch) => heard.remote.push(batch))
  local.onReleased((batch) => heard.local.push(batch))
  await openMarket(remote.submit)
  const outcome = await remote.submit(faucet('same'))
  const repeat = await local.submit(faucet('same'))
  assert.deepEqual([repeat.isRepeat, repeat.order, repeat.refusal], [true, outcome.order, outcome.refusal])
  assert.deepEqual(await remote.ask.balances(1 as UserId), await local.ask.balances(1 as UserId))
  assert.deepEqual(await remote.ask.head(), await local.ask.head())
  assert.equal((await remote.submit({ ...faucet('none'), user: 999 as UserId })).refusal, 'USER_UNKNOWN')
  await local.ask.head()
  assert.deepEqual(
    heard.remote.flatMap(({ events }) => events),
    heard.local.flatMap(({ events }) => events),
  )
  assert.deepEqual(
    heard.remote.flatMap(({ events }) => events).filter((event) => event.type === 'outcome' && event.seq === outcome.seq).length,
    1,
  )
})

test('a question without its optional part means the same from another process', async () => {
  const { engine, path } = await serveNew()
  const remote = await linked(path)
  await openMarket(remote.submit)
  const order = {
    type: 'spot.place',
    user: 1,
    clientId: 'one',
    market: 1,
    side: 'buy',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: 500_000,
    lots: 1_000,
    isPostOnly: false,
    selfTrade: 'expire-taker',
  } as unknown as PlaceOrder
  assert.equal((await remote.submit(order)).refusal, undefined)
  assert.equal((await remote.ask.openOrders(1 as UserId)).length, 1)
  assert.deepEqual(await remote.ask.openOrders(1 as UserId), await localLink(engine).ask.openOrders(1 as UserId))
})

test('outcomes carry their own events whether or not the link follows all', async () => {
  const { path } = await serveNew()
  const following = await linked(path)
  following.onReleased(() => undefined)
  const plain = await linked(path)
  await openMarket(following.submit)
  const [one, two, three] = await Promise.all([plain.submit(faucet('a')), following.submit(faucet('b')), plain.submit(faucet('c'))])
  for (const outcome of [one, two, three]) {
    assert.deepEqual(
      outcome?.events.filter(({ type }) => type === 'outcome').map((event) => 'seq' in event && event.seq),
      [outcome?.seq],
    )
    assert.ok((outcome?.events.length ?? 0) > 1)
  }
})

test('after a break the link reconnects by itself and misses no batch', async () => {
  const { engine, path, served } = await serveNew()
  const link = await linked(path)
  const states: string[] = []
  link.onState((state) => states.push(state))
  const released: Released[] = []
  link.onReleased((batch) => released.push(batch))
  await openMarket(link.submit)
  await served[Symbol.asyncDispose]()
  while (states.at(-1) !== 'down') await sleep(5)
  await assert.rejects(link.submit(faucet('gone')), { refusal: 'UNAVAILABLE' })
  await assert.rejects(link.ask.head(), { refusal: 'UNAVAILABLE' })
  await localLink(engine).submit(faucet('missed'))
  kept(await serveLink(engine, path))
  while (states.at(-1) !== 'up') await sleep(5)
  await link.submit(faucet('after'))
  assert.deepEqual(states, ['up', 'down', 'up'])
  assert.equal(released.at(-1)?.lastSeq, engine.seq)
  for (const [i, batch] of released.entries()) if (i > 0) assert.equal(batch.firstSeq, (released[i - 1]?.lastSeq ?? 0) + 1)
})

test('a command in flight when the link breaks has an unknown outcome, and sent again it is executed once', async () => {
  const { store, engine, path, served } = await serveNew()
  const link = await linked(path)
  await openMarket(link.submit)
  const locker = await store.pool.connect()
  await locker.query('begin; lock table journal in exclusive mode')
  const submitted = link.submit(faucet('on-its-way'))
  const refused = assert.rejects(submitted, { refusal: 'STATUS_UNKNOWN' })
  await untilHeldUp(store, 'journal')
  await served[Symbol.asyncDispose]()
  await refused
  await locker.query('commit')
  locker.release()
  const local = localLink(engine)
  assert.equal((await local.submit(faucet('on-its-way'))).isRepeat, true)
})

test('other processes get a published value, late ones the last value', async () => {
  const { engine, path } = await serveNew()
  const [feed, gateway] = await Promise.all([linked(path), linked(path)])
  const local = localLink(engine)
  const heard: unknown[] = []
  gateway.onPublished('feed', (value) => heard.push(['gateway', value]))
  local.onPublished('feed', (value) => heard.push(['local', value]))
  feed.onPublished('feed', (value) => heard.push(['feed', value]))
  feed.publish('feed', { source: 'live' })
  feed.publish('other', 1)
  while (heard.length < 2) await sleep(5)
  assert.deepEqual(heard.sort(), [
    ['gateway', { source: 'live' }],
    ['local', { source: 'live' }],
  ])
  const late = await linked(path)
  await new Promise<void>((resolve) => late.onPublished('feed', (value) => resolve(assert.deepEqual(value, { source: 'live' }))))
})

test('a reader of the journal’s position always gets the last one', async () => {
  const { engine, path } = await serveNew()
  const [remote, local] = [await linked(path), localLink(engine)]
  const heads = { remote: 0, local: 0, stopped: 0 }
  remote.onHead((seq) => (heads.remote = seq))
  local.onHead((seq) => (heads.local = seq))
  local.onHead((seq) => (heads.stopped = seq))()
  await openMarket(remote.submit)
  const { seq } = await local.submit(faucet('last'))
  while (heads.remote < seq || heads.local < seq) await sleep(5)
  assert.deepEqual(heads, { remote: seq, local: seq, stopped: 0 })
})

test('only its owner can use the socket; garbage on it closes that connection and no other', async () => {
  const { engine, path } = await serveNew()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const link = await linked(path)
  await openMarket(link.submit)
  const unknownType: number = 99
  const wholes = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    frame(frameTypes.submit, new Uint8Array([1, 0, 0, 0, 9, 0, 0, 0]), new Uint8Array(new Float64Array([12 * 2 ** 20 + 900, 0, 0]).buffer)),
    frame(frameTypes.submit, new Uint8Array([255, 255, 255, 255])),
    frame(unknownType as FrameType, new Uint8Array(3)),
    frame(frameTypes.ask, Buffer.from('{')),
  ]
  for (const bytes of wholes) {
    const socket = connect(path)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined)
    socket.resume()
    socket.write(bytes)
    await closed
  }
  assert.equal((await link.submit(faucet('still'))).refusal, undefined)
  await assert.rejects(serveLink(engine, path), /Another engine listens/)
})

test('frames are read wherever the bytes are cut', () => {
  const frames = [frame(4, Buffer.from('one')), frame(5), frame(6, new Uint8Array(3000).fill(7), Buffer.from('end'))]
  const bytes = Buffer.concat(frames)
  for (const step of [1, 2, 7, 8, 9, 1000, bytes.length]) {
    const found: [number, number][] = []
    const reader = new FrameReader((type, body) => found.push([type, body.length]))
    for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step))
    assert.deepEqual(found, [
      [4, 3],
      [5, 0],
      [6, 3003],
    ])
  }
})

test('a deep data folder gets a socket with a short name', () => {
  assert.equal(linkPath('/srv/candor'), '/srv/candor/engine.sock')
  assert.ok(linkPath(`/srv/${'deep/'.repeat(40)}`).length < 108)
})
