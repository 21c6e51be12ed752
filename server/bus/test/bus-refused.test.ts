import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBus } from '../bus.ts'
import { NatsNode } from './nats-node.ts'

test('CLUSTER-BUS-006: a process whose user the bus refuses for a while comes back by itself', async () => {
  await using node = await NatsNode.start()
  await using bus = await openBus({ url: node.url, name: 'test' })
  let refusals = 0
  node.isRefused = () => ++refusals > 0
  node.cut()
  node.back()
  const end = performance.now() + 10_000
  while (refusals < 5 && performance.now() < end) await sleep(20)
  node.isRefused = () => false
  while (!bus.isUp && performance.now() < end) await sleep(20)
  assert.ok(refusals >= 5, `${refusals} tries`)
  assert.ok(bus.isUp)
})

test('a process that the bus refuses at its start says so', async () => {
  await using node = await NatsNode.start()
  node.isRefused = () => true
  await assert.rejects(openBus({ url: node.url, name: 'test' }), /Authorization Violation/i)
})

test('a bus that does not take the longest messages is refused at the start', async () => {
  await using node = await NatsNode.start()
  node.payloadMax = 256 * 1024
  await assert.rejects(openBus({ url: node.url, name: 'test' }), /max_payload of the NATS server is 262144/)
})
