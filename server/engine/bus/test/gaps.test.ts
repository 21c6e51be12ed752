/** The bus loses a part of a long answer. */
import type { Released } from '@candor/core/protocol/released.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageBytes } from '../../../bus/bus.ts'
import { FakeEngine } from '../../test/fake-engine.ts'
import { until } from '../../test/held.ts'
import { subjects } from '../subjects.ts'
import { BusWorld } from './world.ts'

test('CLUSTER-BUS-003: a batch is never taken for the lost end of a long answer', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  await world.serve(engine)
  const link = await world.link()
  const batches: Released[] = []
  link.onReleased((batch) => batches.push(batch))
  await until(() => [...engine.sinks].some(({ wantsAll }) => wantsAll))
  engine.ask = async <T>() => 'x'.repeat(messageBytes) as T
  let [isCut, isLost] = [false, false]
  world.node.isLost = (subject, body) => {
    if (!subject.startsWith(subjects.client('')) || isLost) return false
    if (isCut) isLost = true
    isCut ||= body.length > messageBytes
    return isLost
  }
  const answer = assert.rejects(link.ask.seq(), { refusal: 'UNAVAILABLE' })
  await until(() => isLost)
  const seq = ++engine.seq
  for (const sink of engine.sinks) sink.release({ firstSeq: seq, lastSeq: seq, events: Float64Array.of(seq) }, [])
  await answer
  assert.deepEqual(
    batches.map(({ lastSeq }) => lastSeq),
    [seq],
  )
})

test('CLUSTER-BUS-012: a client whose missed batches the engine no longer has learns of it before the next batch', async () => {
  await using world = await BusWorld.start()
  const engine = new FakeEngine()
  await world.serve(engine)
  const link = await world.link()
  const batches: (readonly [number, number])[] = []
  link.onReleased(({ firstSeq, lastSeq }) => batches.push([firstSeq, lastSeq]))
  const states: string[] = []
  link.onState((state) => states.push(state))
  await until(() => [...engine.sinks].some(({ wantsAll }) => wantsAll))
  engine.seq = 1
  for (const sink of engine.sinks) sink.release({ firstSeq: 1, lastSeq: 1, events: Float64Array.of(1) }, [])
  await until(() => batches.length === 1)
  world.node.cut()
  await until(() => states.at(-1) === 'down')
  engine.seq = 5
  world.node.back()
  await until(() => states.at(-1) === 'up')
  const end = performance.now() + 2_000
  await until(() => batches.length === 2 || performance.now() > end)
  assert.deepEqual(batches, [
    [1, 1],
    [6, 5],
  ])
})
