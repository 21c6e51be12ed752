import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { decodePayload } from '../journal/payload.ts'
import { Refused } from '../refused.ts'
import { DecidedBatch, type Sink } from './batch.ts'
import { type Chunk, Inbox } from './inbox.ts'

let heard: unknown[][]
const sink = (name: string): Sink => ({
  wantsAll: false,
  release: () => undefined,
  advanced: () => undefined,
  refuse: (requests, refusal) => void heard.push([name, [...requests], refusal]),
})
const [ann, bob] = [sink('ann'), sink('bob')]
const chunk = (from: Sink | undefined, ...requests: number[]): Chunk => ({ sink: from, data: new Float64Array(0), requests })
beforeEach(() => {
  heard = []
})

test('commands leave the inbox in the order in which they came, each with its caller, number and place', () => {
  const inbox = new Inbox(10)
  assert.equal(inbox.isEmpty, true)
  const [first, second] = [chunk(ann, 7, 8), chunk(bob, 9)]
  assert.ok(inbox.add(first) && inbox.add(second))
  assert.equal(inbox.isEmpty, false)
  assert.deepEqual([inbox.chunk, inbox.request, inbox.slot], [first, 7, 0])
  inbox.advance(5)
  assert.deepEqual([inbox.chunk, inbox.request, inbox.slot], [first, 8, 5])
  inbox.advance(6)
  assert.deepEqual([inbox.chunk, inbox.request, inbox.slot], [second, 9, 0])
  inbox.advance(5)
  assert.equal(inbox.isEmpty, true)
})

test('ENGINE-OUTAGE-004: a chunk of commands that does not fit is refused whole, until others are decided', () => {
  const inbox = new Inbox(3)
  assert.equal(inbox.add(chunk(ann, 1, 2)), true)
  assert.equal(inbox.add(chunk(bob, 3, 4)), false)
  assert.equal(inbox.add(chunk(bob, 3)), true)
  assert.equal(inbox.add(chunk(bob, 4)), false)
  assert.equal(inbox.add(chunk(bob)), true, 'nothing always fits')
  inbox.advance(5)
  assert.equal(inbox.add(chunk(bob, 4)), true)
  for (const request of [2, 3, 4]) {
    assert.equal(inbox.request, request)
    inbox.advance(5)
  }
  assert.equal(inbox.isEmpty, true, 'an empty chunk left nothing')
})

test('a drained inbox hands over the undecided commands, and has all its room again', () => {
  const inbox = new Inbox(3)
  inbox.add(chunk(ann, 1, 2))
  inbox.add(chunk(bob, 3))
  inbox.advance(5)
  const rest: unknown[] = []
  inbox.drain((from, requests) => rest.push([from, requests]))
  assert.deepEqual(rest, [
    [ann, [2]],
    [bob, [3]],
  ])
  assert.equal(inbox.isEmpty, true)
  assert.equal(inbox.add(chunk(bob, 4, 5, 6)), true)
  assert.deepEqual([inbox.request, inbox.slot], [4, 0])
})

test('a batch that is given up refuses each caller’s commands once, and each question', async () => {
  const batch = new DecidedBatch()
  batch.ownOf(ann).push(1, 0, 5, 2, 5, 9)
  batch.ownOf(bob).push(3, 9, 12)
  assert.equal(batch.ownOf(ann).length, 6, 'a caller has one list')
  const asked = new Promise<void>((resolve, reject) => batch.waiting.push({ resolve, reject }))
  batch.giveUp('STATUS_UNKNOWN')
  const unavailable = (error: unknown) => error instanceof Refused && error.refusal === 'UNAVAILABLE'
  await assert.rejects(asked, unavailable)
  const told = [
    ['ann', [1, 2], 'STATUS_UNKNOWN'],
    ['bob', [3], 'STATUS_UNKNOWN'],
  ]
  assert.deepEqual(heard, told)
  batch.giveUp('UNAVAILABLE')
  assert.deepEqual(heard, told)
  assert.deepEqual([batch.own.size, batch.waiting.length], [0, 0])
})

test('a batch becomes a row with its commands and refusals, and is empty once cleared', () => {
  const batch = new DecidedBatch()
  const commands = Float64Array.of(1, 2, 3)
  batch.commands.append(commands, 0, 3)
  batch.events.append(commands, 1, 3)
  batch.refused.push({ seq: 5, refusal: 9 })
  Object.assign(batch, { count: 2, firstSeq: 4, lastSeq: 5, firstAt: 77 })
  batch.ownOf(ann).push(1, 0, 2)
  batch.waiting.push({ resolve: () => undefined, reject: () => undefined })
  const released = batch.released()
  const { payload, eventsDigest, ...row } = batch.toJournal(5)
  assert.deepEqual(row, { seq: 5, n: 2, firstAt: 77, coreVersion: 5 })
  assert.equal(eventsDigest.length, 32)
  const decoded = decodePayload(Uint8Array.from(payload))
  assert.deepEqual([...decoded.commands.data], [1, 2, 3])
  assert.deepEqual(decoded.refused, [{ seq: 5, refusal: 9 }])
  batch.clear()
  assert.deepEqual([batch.events.length, batch.refused.length, batch.own.size, batch.waiting.length, batch.count], [0, 0, 0, 0, 0])
  assert.deepEqual(released, { firstSeq: 4, lastSeq: 5, events: Float64Array.of(2, 3) }, 'released events outlive the batch')
  const empty = decodePayload(Uint8Array.from(batch.toJournal(5).payload))
  assert.deepEqual([empty.commands.length, empty.refused.length], [0, 0])
})
