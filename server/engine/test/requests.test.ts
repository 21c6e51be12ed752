import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { ReceivedBatch } from '../outcomes.ts'
import { Requests } from '../requests.ts'
import { Waiters } from '../waiters.ts'

/** Callers of an engine that answers when the test says so. */
class Callers {
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

  /** Answers the last sent commands, and no caller sends again. Resolves when the held commands were sent. */
  async answerInVain(): Promise<void> {
    this.answer(this.sent.at(-1)!)
    const before = this.sent.length
    const limit = performance.now() + 30_000
    while (this.sent.length === before && performance.now() < limit) await sleep(1)
  }
}

test('ENGINE-GROUP-001: callers that were just answered and send again at once join the commands that waited', async (t) => {
  // Stopped timers keep the hold from ending while this machine is busy with something else.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const callers = new Callers()
  callers.ask(5)
  await turn()
  callers.ask(3)
  await turn()
  assert.deepEqual(callers.counts, [5])
  callers.answer(callers.sent[0]!)
  assert.equal(callers.sent.length, 1)
  callers.ask(4)
  await turn()
  assert.equal(callers.sent.length, 1, 'one is still missing')
  callers.ask(1)
  assert.deepEqual(callers.counts, [5, 8])
  assert.equal(callers.answered, 5)
})

test('ENGINE-GROUP-001: a useless wait for callers lasts some milliseconds, and becomes rarer', async () => {
  const callers = new Callers()
  callers.ask(8)
  await turn()
  callers.ask(8)
  await callers.answerInVain()
  assert.equal(callers.sent.length, 2)
  // The next release lets the others go at once, the one after it holds them again.
  callers.ask(8)
  callers.answer(callers.sent[1]!)
  assert.equal(callers.sent.length, 3)
  callers.ask(8)
  callers.answer(callers.sent[2]!)
  assert.equal(callers.sent.length, 3)
  callers.ask(8)
  assert.equal(callers.sent.length, 4)
  assert.equal(callers.sent[3]!.length, 16)
})

test('ENGINE-GROUP-001: there is no wait for a few callers, and a lost link leaves nobody waiting', async () => {
  const callers = new Callers()
  callers.ask(3)
  await turn()
  callers.ask(1)
  callers.answer(callers.sent[0]!)
  assert.deepEqual(callers.counts, [3, 1])
  callers.answer(callers.sent[1]!)
  callers.ask(6)
  await turn()
  callers.answer(callers.sent[2]!)
  callers.requests.lost()
  callers.ask(1)
  await turn()
  assert.deepEqual(callers.counts, [3, 1, 6, 1])
})

test('ENGINE-GROUP-001: commands enough for a commit of their own are not held back', async () => {
  const callers = new Callers()
  callers.ask(4)
  await turn()
  callers.ask(127)
  await turn()
  assert.deepEqual(callers.counts, [4])
  callers.ask(33)
  await turn()
  assert.deepEqual(callers.counts, [4, 160])
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
