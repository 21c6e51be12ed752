import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { ReceivedBatch } from '../outcomes.ts'
import { Requests } from '../requests.ts'

/** Callers on a way to an engine that answers when it is told to. */
class Way {
  readonly sent: (readonly number[])[] = []
  readonly requests = new Requests((requests) => void this.sent.push(requests))
  answered = 0

  ask(count: number): void {
    for (let i = 0; i < count; i++) {
      this.requests.submit({ type: 'clock.tick' } as Command, 0).then(
        () => this.answered++,
        () => undefined,
      )
    }
  }

  answer(requests: readonly number[]): void {
    const batch = { outcome: () => ({}) } as unknown as ReceivedBatch
    this.requests.released(
      batch,
      requests.flatMap((request) => [request, 0, 0]),
    )
  }

  /** All that were sent are answered, and none of them comes back: resolves when the rest has left. */
  async vain(): Promise<void> {
    this.answer(this.sent.at(-1)!)
    const before = this.sent.length
    const limit = performance.now() + 30_000
    while (this.sent.length === before && performance.now() < limit) await sleep(1)
  }
}

test('ENGINE-GROUP-001: who was answered and comes back at once travels with who waited', async () => {
  const way = new Way()
  way.ask(5)
  await turn()
  way.ask(3)
  await turn()
  assert.deepEqual(way.sent, [[1, 2, 3, 4, 5]])
  way.answer([1, 2, 3, 4, 5])
  assert.equal(way.sent.length, 1)
  way.ask(4)
  await turn()
  assert.equal(way.sent.length, 1, 'one is still missing')
  way.ask(1)
  assert.deepEqual(way.sent[1], [6, 7, 8, 9, 10, 11, 12, 13])
  assert.equal(way.answered, 5)
})

test('ENGINE-GROUP-001: who does not come back is waited for some milliseconds, and rarely after that', async () => {
  const way = new Way()
  way.ask(8)
  await turn()
  way.ask(8)
  await way.vain()
  assert.equal(way.sent.length, 2)
  // The next release lets the others go at once, the one after it waits again.
  way.ask(8)
  way.answer(way.sent[1]!)
  assert.equal(way.sent.length, 3)
  way.ask(8)
  way.answer(way.sent[2]!)
  assert.equal(way.sent.length, 3)
  way.ask(8)
  assert.equal(way.sent.length, 4)
  assert.equal(way.sent[3]!.length, 16)
})

test('ENGINE-GROUP-001: a few are not waited for, and a lost way leaves nobody waiting', async () => {
  const way = new Way()
  way.ask(3)
  await turn()
  way.ask(1)
  way.answer(way.sent[0]!)
  assert.deepEqual(way.sent[1], [4])
  way.answer([4])
  way.ask(6)
  await turn()
  way.answer(way.sent[2]!)
  way.requests.lost()
  way.ask(1)
  await turn()
  assert.deepEqual(way.sent[3], [11])
})
