import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Released } from '@candor/core/protocol/released.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, faucet } from '../../test/engines.ts'
import { FakeEngine } from '../../test/fake-engine.ts'
import { HeldWrites, until } from '../../test/held.ts'
import type { Link } from '../../link.ts'
import { openMarket } from '../../test/workload.ts'
import { togetherMs } from '../broadcast.ts'
import { subjects } from '../subjects.ts'
import { BusWorld, hasRealServer } from './world.ts'

const { newStore, start } = engines()

/** The batches that a link releases, checked to be without gap or repeat. */
function follow(link: Link): Released[] {
  const batches: Released[] = []
  link.onReleased((batch) => {
    if (batches.length > 0) assert.equal(batch.firstSeq, batches.at(-1)!.lastSeq + 1)
    batches.push(batch)
  })
  return batches
}

const lastOf = (batches: readonly Released[]): number => batches.at(-1)?.lastSeq ?? 0
const place = (id: string): Command => ({ ...faucet(id) })

async function exchangesCommands(world: BusWorld): Promise<void> {
  const { engine } = await start({ store: await newStore() })
  await world.serve(engine)
  const [first, second] = [await world.link(), await world.link()]
  const [ofFirst, ofSecond] = [follow(first), follow(second)]
  await openMarket(first.submit)
  const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? first : second).submit(faucet(`f${n}`))))
  assert.equal(new Set(outcomes.map(({ seq }) => seq)).size, 200)
  assert.ok(outcomes.every(({ refusal, isRepeat }) => refusal === undefined && !isRepeat))
  assert.equal((await second.submit(faucet('f0'))).isRepeat, true)
  await until(() => lastOf(ofFirst) === engine.seq && lastOf(ofSecond) === engine.seq)
  const { seq, hash } = await second.ask.head()
  assert.equal(seq, engine.seq)
  assert.deepEqual((await first.ask.head()).hash, hash)
  const heads: number[] = []
  const stop = second.onHead((head) => heads.push(head))
  const { seq: last } = await first.submit(faucet('last'))
  await until(() => heads.at(-1) === last)
  stop()
}

test('CLUSTER-BUS-001: an engine answers over the bus as over a socket', async () => {
  await using world = await BusWorld.start()
  await exchangesCommands(world)
})

test('an engine answers over a NATS server as operators run it', { skip: !hasRealServer && 'nats-server is not installed' }, async () => {
  await using world = await BusWorld.startReal()
  await exchangesCommands(world)
})

test('CLUSTER-BUS-002: a batch is broadcast once, whoever follows', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore() })
  let broadcasts = 0
  world.node.isLost = (subject) => {
    if (subject === subjects.released) broadcasts++
    return false
  }
  await world.serve(engine)
  const links = [await world.link(), await world.link(), await world.link()]
  const followed = links.map(follow)
  await openMarket(links[0]!.submit)
  await until(() => followed.every((batches) => lastOf(batches) === engine.seq))
  broadcasts = 0
  const before = followed[0]!.length
  const outcomes = await Promise.all(links.map((link, n) => link.submit(faucet(`own-${n}`))))
  await until(() => followed.every((batches) => lastOf(batches) === engine.seq))
  assert.ok(broadcasts >= 1 && broadcasts <= followed[0]!.length - before)
  assert.deepEqual(
    outcomes.map(({ seq }) => seq).sort((a, b) => a - b),
    [engine.seq - 2, engine.seq - 1, engine.seq],
  )
})

test('CLUSTER-BUS-010: batches that follow one another at once go out together, in order, and nothing overtakes them', async (t) => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { bus } = await world.serve(engine)
  const link = await world.link()
  const batches = follow(link)
  const states: [string, number][] = []
  link.onState((state) => states.push([state, lastOf(batches)]))
  await until(() => [...engine.sinks].some(({ wantsAll }) => wantsAll))
  const send = t.mock.method(bus, 'send')
  const sent = () => send.mock.calls.filter(({ arguments: [subject] }) => subject === subjects.released).length
  const release = (): void => {
    const seq = ++engine.seq
    for (const sink of engine.sinks) sink.release({ firstSeq: seq, lastSeq: seq, events: Float64Array.of(seq) }, [])
  }
  release()
  assert.equal(sent(), 1, 'a single batch does not wait')
  for (let n = 0; n < 20; n++) release()
  await until(() => lastOf(batches) === engine.seq)
  assert.ok(sent() < 10, `${sent()} messages for 21 batches`)
  release()
  release()
  engine.become('down')
  await until(() => states.length === 2)
  assert.deepEqual(states[1], ['down', engine.seq])
})

test('CLUSTER-BUS-010: the more clients hear all batches, the longer these wait for others', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 100].map(togetherMs), [4, 4, 6, 9, 12, 12])
})

test('CLUSTER-BUS-003: after a lost message a client misses no batch and gets none twice', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore() })
  await world.serve(engine)
  const [link, other] = [await world.link(8_000), await world.link(8_000)]
  const batches = follow(link)
  await openMarket(other.submit)
  for (const lost of [subjects.released, 'candor.client.', 'candor.engine.']) {
    let losses = 0
    world.node.isLost = (subject) => subject.startsWith(lost) && losses++ === 3
    for (let n = 0; n < 20; n++) await other.submit(faucet(`${lost}${n}`))
    await until(() => losses > 3 && lastOf(batches) === engine.seq)
  }
})

test('CLUSTER-BUS-004: a command whose answer is lost is sent again and executed once', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore() })
  await world.serve(engine)
  const link = await world.link(8_000)
  await openMarket(link.submit)
  const before = await balance(link)
  world.node.isLost = (subject) => subject.startsWith('candor.client.')
  const answers = Array.from({ length: 5 }, (_, n) => link.submit(place(`once-${n}`)))
  await until(() => engine.seq >= 5)
  const unknown = link.submit(commandOf({ type: 'clock.tick' }))
  await assert.rejects(unknown, { refusal: 'STATUS_UNKNOWN' })
  world.node.isLost = () => false
  for (const { refusal } of await Promise.all(answers)) assert.equal(refusal, undefined)
  assert.equal((await balance(link)) - before, 5_000_000)
})

test('a command with an id that nobody takes in time has an unknown outcome', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore() })
  const { stop } = await world.serve(engine)
  const link = await world.link(1_000)
  await openMarket(link.submit)
  world.node.isLost = (subject) => subject.startsWith('candor.client.')
  const lost = link.submit(faucet('lost'))
  const failed = assert.rejects(lost, { refusal: 'STATUS_UNKNOWN' })
  stop()
  await failed
})

test('CLUSTER-BUS-005: clients turn to the engine of the later epoch, and ignore the former one', async () => {
  await using world = await BusWorld.start()
  const [old, fresh] = [new FakeEngine(), new FakeEngine()]
  await world.serve(old)
  const link = await world.link(8_000)
  const batches = follow(link)
  await until(() => old.sinks.size > 1)
  const answer = link.submit(faucet('moved'))
  await until(() => old.offered.length === 1)
  fresh.epoch = 2
  await world.serve(fresh)
  await until(() => fresh.offered.length === 1)
  for (const sink of old.sinks) sink.refuse([...old.offered[0]!.requests], 'INSUFFICIENT_BALANCE')
  fresh.offered[0]!.sink!.refuse([...fresh.offered[0]!.requests], 'UNAVAILABLE')
  await until(() => fresh.offered.length === 2)
  const failed = assert.rejects(answer, { refusal: 'STATUS_UNKNOWN' })
  await link[Symbol.asyncDispose]()
  await failed
  assert.deepEqual(batches, [])
})

test('CLUSTER-BUS-006: without the bus commands are refused, and it comes back by itself', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore() })
  await world.serve(engine)
  const link = await world.link(8_000)
  const batches = follow(link)
  await openMarket(link.submit)
  const states: string[] = []
  link.onState((state) => states.push(state))
  using held = new HeldWrites()
  const caught = link.submit(faucet('caught'))
  await until(() => held.count === 1)
  world.node.cut()
  await until(() => states.at(-1) === 'down')
  await assert.rejects(link.submit(faucet('refused')), { refusal: 'UNAVAILABLE' })
  held[Symbol.dispose]()
  world.node.back()
  assert.equal((await caught).isRepeat, true)
  assert.equal((await link.submit(faucet('refused'))).isRepeat, false, 'it was not sent late')
  await until(() => lastOf(batches) === engine.seq)
  assert.deepEqual(states, ['up', 'down', 'up'])
})

test('CLUSTER-BUS-007: small facts reach all other processes, and newcomers get the last ones', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { stop } = await world.serve(engine)
  const [one, two] = [await world.link(), await world.link()]
  const heard: unknown[] = []
  for (const link of [one, two]) link.onPublished('feed', (value) => heard.push([link === one, value]))
  one.publish('feed', 1)
  await until(() => heard.length === 1 && engine.hub.last.get('feed') === 1)
  engine.hub.publish('clock', true)
  const late = await world.link()
  const told = new Map<string, unknown>()
  for (const topic of ['feed', 'clock']) late.onPublished(topic, (value) => told.set(topic, value))
  await until(() => told.size === 2)
  assert.deepEqual(
    [...told],
    [
      ['feed', 1],
      ['clock', true],
    ],
  )
  stop()
  two.publish('feed', 2)
  await until(() => heard.length === 2)
  assert.deepEqual(heard, [
    [false, 1],
    [true, 2],
  ])
})

async function balance(link: Link): Promise<number> {
  const rows = await link.ask.balances(1 as UserId)
  return rows.reduce((sum, row) => (row.account.asset === 1 ? sum + row.available : sum), 0)
}
