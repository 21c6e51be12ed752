/** What somebody can do who speaks on the bus as a client, and doesn’t follow the protocol. */
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { BODY } from '@candor/core/protocol/codec/layout.ts'
import { head, opcodeOf, Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bus } from '../../../bus/bus.ts'
import { kinds, Line, lineMessage, sessionBytes } from '../../../bus/line.ts'
import { bytesOf, frame, frameTypes, jsonFrame } from '../../frames.ts'
import { FakeEngine } from '../../test/fake-engine.ts'
import { until } from '../../test/held.ts'
import { faucet } from '../../test/engines.ts'
import { subjects } from '../subjects.ts'
import { BusWorld } from './world.ts'

function slotsOf(command: Command): Float64Array {
  const records = new Records()
  encodeCommand(command, { seq: 0, at: 0, keyId: 0 }, records)
  return records.data.slice(0, records.length)
}

/** A line of somebody's own to the engine, and whether it has ended. */
async function ownLine(world: BusWorld, engine: FakeEngine, served: Bus): Promise<{ readonly line: Line; isOver: boolean }> {
  const bus = await world.bus()
  const own = {
    isOver: false,
    line: new Line({
      ...{ bus, to: subjects.engine(served.id), session: '00'.repeat(sessionBytes) },
      onData: () => undefined,
      onEnd: () => (own.isOver = true),
    }),
  }
  bus.hear(subjects.client(bus.id), (bytes) => own.line.take(lineMessage(bytes)!))
  const before = engine.sinks.size
  own.line.open(Buffer.from(bus.id, 'latin1'))
  await until(() => engine.sinks.size === before + 1)
  return own
}

test('CLUSTER-RIGHTS-002: an engine passes on no fact that comes on a line, where NATS does not see which it is', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { bus: served } = await world.serve(engine)
  const link = await world.link()
  const heard: unknown[] = []
  link.onPublished('ticked', (value) => heard.push(value))
  const facts: string[] = []
  ;(await world.bus()).hear(subjects.topics, (bytes, subject) => facts.push(`${subject} ${bytes}`))
  const own = await ownLine(world, engine, served)
  own.line.write(jsonFrame(frameTypes.publish, { topic: 'ticked', value: 'false' }))
  await until(() => own.isOver)
  assert.deepEqual([...engine.hub.last], [])
  link.publish('feed', 'later')
  await until(() => facts.length > 0)
  assert.deepEqual([facts, heard], [['candor.topic.feed "later"'], []])
})

test('CLUSTER-RIGHTS-004: a command with a fraction, or what is no number, never reaches the core', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { bus: served } = await world.serve(engine)
  const submitted = (change: (slots: Float64Array) => void): Buffer => {
    const slots = slotsOf(faucet('odd'))
    change(slots)
    return frame(frameTypes.submit, bytesOf(Uint32Array.of(1, 1)), bytesOf(slots))
  }
  for (const odd of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    const own = await ownLine(world, engine, served)
    own.line.write(submitted((slots) => (slots[slots.length - 1] = odd)))
    await until(() => own.isOver)
  }
  assert.equal(engine.offered.length, 0)
  const own = await ownLine(world, engine, served)
  own.line.write(submitted(() => undefined))
  await until(() => engine.offered.length === 1)
  own.line.destroy()
})

test('CLUSTER-RIGHTS-005: a command that cannot be read back never reaches the core', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { bus: served } = await world.serve(engine)
  const slots = slotsOf(faucet('odd'))
  const length = slots.length
  const unknown = Float64Array.of(head(999, length), ...slots.subarray(1))
  const short = Float64Array.of(head(opcodeOf(slots[0]!), BODY), ...slots.subarray(1, BODY))
  const long = Float64Array.of(head(opcodeOf(slots[0]!), length + 1), ...slots.subarray(1), 0)
  for (const odd of [unknown, short, long]) {
    const own = await ownLine(world, engine, served)
    own.line.write(frame(frameTypes.submit, bytesOf(Uint32Array.of(1, 1)), bytesOf(odd)))
    await until(() => own.isOver)
  }
  assert.equal(engine.offered.length, 0)
})

test('CLUSTER-RIGHTS-003: who hears the answers to other clients can neither end their lines nor speak on them', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { bus: served } = await world.serve(engine)
  const spy = await world.bus()
  const sessions = new Set<string>()
  spy.hear(subjects.client('*'), (bytes) => sessions.add(lineMessage(bytes)!.session))
  const link = await world.link()
  const states: string[] = []
  link.onState((state) => states.push(state))
  await until(() => sessions.size > 0)
  for (const session of sessions)
    for (const kind of [kinds.data, kinds.end]) {
      const message = Buffer.alloc(sessionBytes + 16)
      message.write(session, 0, 'hex')
      message.writeUInt32LE(kind, sessionBytes)
      message.writeUInt32LE(1, sessionBytes + 4)
      spy.send(subjects.engine(served.id), message)
    }
  // The bus keeps no order among senders: this one came there after those.
  let isThere = false
  served.hear(subjects.engine('spied'), () => (isThere = true))
  await until(() => {
    spy.send(subjects.engine('spied'), Buffer.alloc(0))
    return isThere
  })
  const answer = link.submit(faucet('mine'))
  await until(() => engine.offered.length === 1)
  engine.offered[0]!.sink!.refuse([...engine.offered[0]!.requests], 'INSUFFICIENT_BALANCE')
  await assert.rejects(answer, { refusal: 'INSUFFICIENT_BALANCE' })
  assert.deepEqual(states, ['up'])
})
