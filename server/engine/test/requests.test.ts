import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { ReceivedBatch } from '../outcomes.ts'
import { Requests } from '../requests.ts'
import { Waiters } from '../waiters.ts'

/** Callers of an engine that answers when the test tells it to. */
class Way {
  readonly sent: (readonly number[])[] = []
  readonly requests = new Requests((requests) => void this.sent.push(requests))
  answered = 0

  get counts(): readonly number[] {
    return this.sent.map(({ length }) => length)
  }

  ask(count: number): void {
    for (let i = 0; i < count; i++) {
      this.requests.submit(commandOf({ type: 'clock.tick' }), 0).then(
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

  /** Answers all sent commands, after which no caller sends again: resolves when the held commands have left. */
  async vain(): Promise<void> {
    this.answer(this.sent.at(-1)!)
    const before = this.sent.length
    const limit = performance.now() + 30_000
    while (this.sent.length === before && performance.now() < limit) await sleep(1)
  }
}

test('ENGINE-GROUP-001: callers that were just answered and send again at once join the commands that waited', async (t) => {
  // The hold does not end while this machine is busy with something else.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const way = new Way()
  way.ask(5)
  await turn()
  way.ask(3)
  await turn()
  assert.deepEqual(way.counts, [5])
  way.answer(way.sent[0]!)
  assert.equal(way.sent.length, 1)
  way.ask(4)
  await turn()
  assert.equal(way.sent.length, 1, 'one is still missing')
  way.ask(1)
  assert.deepEqual(way.counts, [5, 8])
  assert.equal(way.answered, 5)
})

test('ENGINE-GROUP-001: a useless wait for callers lasts some milliseconds, and becomes rarer', async () => {
  const way = new Way()
  way.ask(8)
  await turn()
  way.ask(8)
  await way.vain()
  assert.equal(way.sent.length, 2)
  // The next release lets the others go at once, the one after it holds them again.
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

test('ENGINE-GROUP-001: there is no wait for a few callers, and a lost link leaves nobody waiting', async () => {
  const way = new Way()
  way.ask(3)
  await turn()
  way.ask(1)
  way.answer(way.sent[0]!)
  assert.deepEqual(way.counts, [3, 1])
  way.answer(way.sent[1]!)
  way.ask(6)
  await turn()
  way.answer(way.sent[2]!)
  way.requests.lost()
  way.ask(1)
  await turn()
  assert.deepEqual(way.counts, [3, 1, 6, 1])
})

test('ENGINE-GROUP-001: commands enough for a commit of their own are not held back', async () => {
  const way = new Way()
  way.ask(4)
  await turn()
  way.ask(127)
  await turn()
  assert.deepEqual(way.counts, [4])
  way.ask(33)
  await turn()
  assert.deepEqual(way.counts, [4, 160])
})

test('ENGINE-GROUP-002: an answer with the number of a finished request reaches nobody', () => {
  const waiters = new Waiters<string>()
  const [first, second] = [waiters.add('a'), waiters.add('b')]
  assert.equal(waiters.take(first), 'a')
  assert.equal(waiters.take(first), undefined)
  const third = waiters.add('c')
  assert.notEqual(third, first)
  assert.equal(waiters.take(first), undefined)
  assert.deepEqual(new Set(waiters.numbers()), new Set([second, third]))
  assert.equal(waiters.size, 2)
  assert.equal(waiters.take(2 ** 32 - 1), undefined)
  for (let i = 0; i < 10_000; i++) assert.equal(waiters.take(waiters.add('d')), 'd')
  assert.deepEqual([waiters.take(third), waiters.take(second), waiters.size], ['c', 'b', 0])
})
