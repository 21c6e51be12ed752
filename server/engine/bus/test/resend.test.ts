import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Requests } from '../../requests.ts'
import { engines, faucet } from '../../test/engines.ts'
import { HeldWrites, stillTimers, until } from '../../test/held.ts'
import { openMarket } from '../../test/workload.ts'
import { BusWorld } from './world.ts'

const { newStore, start } = engines()
const sweepMs = 250

/** A command of a client whose engine the test plays. */
class Sender {
  readonly sent: (readonly number[])[] = []
  readonly requests: Requests
  readonly outcome: Promise<Outcome>
  end = ''

  constructor(command: Command, resendMs = 600_000) {
    this.requests = new Requests((numbers) => this.sent.push(numbers), resendMs)
    this.outcome = this.requests.submit(command, 0)
    this.outcome.catch(({ refusal }: { refusal: string }) => (this.end = refusal))
  }
}

/** A command that was sent, whose answer was lost, and that was sent again. */
async function sentTwice(): Promise<Sender> {
  const sender = new Sender(faucet('again'))
  await until(() => sender.sent.length === 1)
  sender.requests.lost()
  sender.requests.resume()
  assert.deepEqual(sender.sent, [sender.sent[0], sender.sent[0]])
  return sender
}

for (const refusal of ['UNAVAILABLE', 'CLOCK_UNSYNCED'] as const)
  test(`CLUSTER-BUS-008: ${refusal} for a command that was sent again says nothing about the first sending`, async (t) => {
    using timers = stillTimers(t)
    const sender = await sentTwice()
    sender.requests.refused(sender.sent[1]!, refusal)
    await turn()
    assert.equal(sender.end, '')
    timers.tick(sweepMs)
    assert.equal(sender.sent.length, 3, 'it is sent once more')
    sender.requests.end()
    await turn()
    assert.equal(sender.end, 'STATUS_UNKNOWN')
  })

test('CLUSTER-BUS-011: commands are sent again in the order in which they came', async () => {
  const sent: number[][] = []
  const requests = new Requests((numbers) => sent.push([...numbers]), 600_000)
  const ids = ['one', 'two', 'three', 'four', 'five'] as const
  const submit = (id: string): void => void requests.submit(faucet(id), 0).catch(() => undefined)
  ids.forEach(submit)
  await until(() => sent.length === 1)
  // Their places are used again, the last one first.
  requests.refused(sent[0]!, 'UNAVAILABLE')
  ids.forEach(submit)
  await until(() => sent.length === 2)
  requests.lost()
  requests.resume()
  assert.deepEqual(sent[2], sent[1])
  requests.end()
})

test('CLUSTER-BUS-013: in a crowded exchange nothing is sent again, not even what already waits for it', async () => {
  const waiting = new Sender(faucet('waiting'))
  await until(() => waiting.sent.length === 1)
  waiting.requests.lost()
  waiting.requests.sendOnce()
  await assert.rejects(waiting.outcome, { refusal: 'STATUS_UNKNOWN' })
  const twice = await sentTwice()
  twice.requests.sendOnce()
  await turn()
  assert.equal(twice.end, '', 'the answer may still come')
  twice.requests.lost()
  await assert.rejects(twice.outcome, { refusal: 'STATUS_UNKNOWN' })
  for (const { requests, sent } of [waiting, twice]) {
    const before = sent.length
    requests.resume()
    assert.equal(sent.length, before)
  }
})

test('a command that was not sent yet is refused for good', async () => {
  const sender = new Sender(faucet('first'))
  await until(() => sender.sent.length === 1)
  sender.requests.refused(sender.sent[0]!, 'UNAVAILABLE')
  await assert.rejects(sender.outcome, { refusal: 'UNAVAILABLE' })
})

test('an empty id is none: the command is not sent again', async () => {
  const market = 1 as MarketId
  const sender = new Sender({ type: 'spot.cancelAll', user: 1 as UserId, clientId: '', market })
  await until(() => sender.sent.length === 1)
  sender.requests.lost()
  await assert.rejects(sender.outcome, { refusal: 'STATUS_UNKNOWN' })
  sender.requests.resume()
  assert.equal(sender.sent.length, 1)
})

test('CLUSTER-BUS-009: the outcome says that the command was sent again', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore() })
  await world.serve(engine)
  const link = await world.link(60_000)
  await openMarket(link.submit)
  const told = await link.submit(faucet('once'))
  assert.deepEqual([told.isRepeat, told.isResent], [false, false])
  const again = await link.submit(faucet('once'))
  assert.deepEqual([again.isRepeat, again.isResent], [true, false])
  world.node.isLost = (subject) => subject.startsWith('candor.client.')
  const states: string[] = []
  link.onState((state) => states.push(state))
  const lost = link.submit(faucet('lost'))
  await until(() => states.at(-1) === 'down')
  world.node.isLost = () => false
  const { isRepeat, isResent } = await lost
  assert.deepEqual([isRepeat, isResent], [true, true])
})

test('a command that joins its own first sending in a failed commit is never called refused', async () => {
  await using world = await BusWorld.start()
  const { engine } = await start({ store: await newStore(), stallMs: 600_000 })
  await world.serve(engine)
  const link = await world.link(60_000)
  await openMarket(link.submit)
  using held = new HeldWrites()
  const states: string[] = []
  link.onState((state) => states.push(state))
  const caught = link.submit(faucet('caught'))
  await until(() => held.count === 1)
  // The line breaks, and the command comes once more while its first commit is in flight.
  world.node.cut()
  await until(() => states.at(-1) === 'down')
  world.node.back()
  await until(() => states.at(-1) === 'up')
  let decided = 0
  await until(() => {
    engine.ask((exchange) => (decided = exchange.seq)).catch(() => undefined)
    return decided === engine.seq + 2
  })
  held.fail(new Error('the commit was lost'))
  held[Symbol.dispose]()
  assert.equal((await caught).refusal, undefined)
})
