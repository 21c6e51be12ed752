/** What somebody can do who speaks on the bus as a client, and doesn’t follow the protocol. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds, Line, lineMessage, sessionBytes } from '../../../bus/line.ts'
import { frameTypes, jsonFrame } from '../../frames.ts'
import { FakeEngine } from '../../test/fake-engine.ts'
import { until } from '../../test/held.ts'
import { faucet } from '../../test/engines.ts'
import { subjects } from '../subjects.ts'
import { BusWorld } from './world.ts'

test('CLUSTER-RIGHTS-002: an engine passes on no fact that comes on a line, where NATS does not see which it is', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  const { bus: served } = await world.serve(engine)
  const link = await world.link()
  const bus = await world.bus()
  const heard: unknown[] = []
  link.onPublished('ticked', (value) => heard.push(value))
  const facts: string[] = []
  ;(await world.bus()).hear(subjects.topics, (bytes, subject) => facts.push(`${subject} ${bytes}`))
  let isOver = false
  const line = new Line({
    ...{ bus, to: subjects.engine(served.id), session: '00'.repeat(sessionBytes) },
    onData: () => undefined,
    onEnd: () => (isOver = true),
  })
  bus.hear(subjects.client(bus.id), (bytes) => line.take(lineMessage(bytes)!))
  const before = engine.sinks.size
  line.open(Buffer.from(bus.id, 'latin1'))
  await until(() => engine.sinks.size === before + 1)
  line.write(jsonFrame(frameTypes.publish, { topic: 'ticked', value: 'false' }))
  await until(() => isOver)
  assert.deepEqual([...engine.hub.last], [])
  link.publish('feed', 'later')
  await until(() => facts.length > 0)
  assert.deepEqual([facts, heard], [['candor.topic.feed "later"'], []])
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
