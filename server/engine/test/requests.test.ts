import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { Refused } from '../../refused.ts'
import type { ReceivedBatch } from '../outcomes.ts'
import { Requests } from '../requests.ts'
import { Waiters } from '../waiters.ts'

/** Callers of an engine that answers when the test says so. */
class Callers {
  readonly sent: (readonly number[])[] = []
  readonly commands: Float64Array[] = []
  readonly requests = new Requests((requests, commands) => {
    this.sent.push(requests)
    this.commands.push(commands)
  })
  answered = 0
  readonly refusals: string[] = []

  get counts(): readonly number[] {
    return this.sent.map(({ length }) => length)
  }

  ask(count: number): void {
    for (let i = 0; i < count; i++) {
      this.requests.submit(commandOf({ type: 'clock.tick' }), 0).then(
        () => this.answered++,
        (cause: Refused) => this.refusals.push(cause.refusal),
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

test('ENGINE-GROUP-002: a number that was not given yet takes nothing, and no place is given twice', () => {
  const places = 2 ** 20
  const waiters = new Waiters<string>()
  const first = waiters.add('a')
  waiters.take(first)
  assert.equal(waiters.take(first + places), undefined)
  assert.deepEqual([waiters.size, waiters.numbers()], [0, []])
  const again = [waiters.add('b'), waiters.add('c')]
  assert.deepEqual(again, [first + places, 1])
  assert.deepEqual([...waiters.numbers()], again)
})

test('ENGINE-GROUP-002: numbers stay below 32 bits however often a place is used, and those who wait are limited', () => {
  const places = 2 ** 20
  const waiters = new Waiters<number>()
  const seen = new Set<number>()
  for (let n = 0; n < 5_000; n++) {
    const number = waiters.add(n)
    assert.ok(number < 2 ** 32 && number % places === 0)
    seen.add(number)
    waiters.take(number)
  }
  assert.equal(seen.size, 4_096)
  for (let n = 0; n < places; n++) waiters.add(n)
  assert.throws(() => waiters.add(1), /already wait/)
  waiters.take(5)
  assert.equal(waiters.add(1) % places, 5)
})

test('commands travel as they were encoded, and each of them once', async () => {
  const { requests, sent, commands } = new Callers()
  const slots = new Records()
  const submit = (clientId: string): void => {
    const command = commandOf({ type: 'funds.faucet', user: 9, clientId, asset: 1, amount: 1 })
    encodeCommand(command, { seq: 0, at: 0, keyId: 7 }, slots)
    requests.submit(command, 7).catch(() => undefined)
  }
  submit('one')
  submit('two')
  await turn()
  assert.deepEqual(commands, [slots.data.slice(0, slots.length)])
  slots.clear()
  requests.refused(sent[0]!, 'UNAVAILABLE')
  submit('three')
  await turn()
  assert.deepEqual(commands[1], slots.data.slice(0, slots.length))
})

test('ENGINE-GROUP-002: each caller gets its own events, and an unknown request none', async () => {
  const { requests, sent } = new Callers()
  const one = requests.submit(commandOf({ type: 'clock.tick' }), 0)
  const two = requests.submit(commandOf({ type: 'clock.tick' }), 0)
  await turn()
  const batch = { outcome: (from: number, to: number) => [from, to] } as unknown as ReceivedBatch
  requests.released(batch, [999, 0, 3, sent[0]![0]!, 4, 8, sent[0]![1]!, 9, 11])
  assert.deepEqual(await Promise.all([one, two]), [
    [4, 8],
    [9, 11],
  ])
})

test('ENGINE-OUTAGE-004: a refusal reaches its callers, once each, and lets waiting commands go', async () => {
  const callers = new Callers()
  callers.ask(2)
  await turn()
  callers.ask(1)
  await turn()
  assert.deepEqual(callers.counts, [2])
  callers.requests.refused([...callers.sent[0]!, 999], 'CLOCK_UNSYNCED')
  assert.deepEqual(callers.counts, [2, 1])
  await turn()
  assert.deepEqual(callers.refusals, ['CLOCK_UNSYNCED', 'CLOCK_UNSYNCED'])
})

test('ENGINE-OUTAGE-001: of a lost link, what was sent is unknown, and what was not sent is refused and never sent', async () => {
  const callers = new Callers()
  callers.ask(2)
  await turn()
  callers.ask(3)
  callers.requests.lost()
  await turn()
  assert.deepEqual(callers.refusals.sort(), ['STATUS_UNKNOWN', 'STATUS_UNKNOWN', 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
  callers.ask(1)
  await turn()
  assert.deepEqual(callers.counts, [2, 1])
  assert.equal(callers.commands[1]!.length, callers.commands[0]!.length / 2)
})

test('ENGINE-GROUP-001: from four callers answered together on there is a wait, up to 127', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [count, isHeld] of [
    [3, false],
    [4, true],
    [127, true],
    [128, false],
  ] as const) {
    const callers = new Callers()
    callers.ask(count)
    await turn()
    callers.ask(1)
    callers.answer(callers.sent[0]!)
    assert.equal(callers.sent.length, isHeld ? 1 : 2, String(count))
    t.mock.timers.tick(2)
    assert.equal(callers.sent.length, isHeld ? 1 : 2)
    t.mock.timers.tick(1)
    assert.equal(callers.sent.length, 2)
  }
})

test('ENGINE-GROUP-001: a batch of others does not end a wait, and few answers do not keep the next group from one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const callers = new Callers()
  callers.ask(2)
  await turn()
  callers.answer(callers.sent[0]!)
  callers.ask(5)
  await turn()
  callers.ask(1)
  callers.answer(callers.sent[1]!)
  callers.answer([])
  await turn()
  assert.deepEqual(callers.counts, [2, 5])
  t.mock.timers.tick(3)
  assert.deepEqual(callers.counts, [2, 5, 1])
})

test('ENGINE-GROUP-001: a wait is useful when half of the answered callers come back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [back, isHeldAgain] of [
    [4, true],
    [3, false],
  ] as const) {
    const callers = new Callers()
    callers.ask(8)
    await turn()
    callers.ask(2)
    callers.answer(callers.sent[0]!)
    callers.ask(back)
    t.mock.timers.tick(3)
    assert.deepEqual(callers.counts, [8, 2 + back])
    callers.ask(1)
    callers.answer(callers.sent[1]!)
    assert.equal(callers.sent.length, isHeldAgain ? 2 : 3)
  }
})

test('ENGINE-GROUP-001: a wait lasts its own three milliseconds, not the rest of an earlier one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const callers = new Callers()
  callers.ask(5)
  await turn()
  callers.ask(128)
  await turn()
  assert.deepEqual(callers.counts, [5, 128])
  callers.answer(callers.sent[0]!)
  callers.ask(1)
  t.mock.timers.tick(2)
  // Another release during the wait begins a new one.
  callers.answer(callers.sent[1]!.slice(0, 10))
  t.mock.timers.tick(2)
  assert.equal(callers.sent.length, 2)
  // All join: the wait ends at once, and the next one begins before the old one's end.
  callers.ask(10)
  assert.deepEqual(callers.counts, [5, 128, 11])
  callers.answer(callers.sent[2]!)
  callers.ask(1)
  t.mock.timers.tick(2)
  assert.equal(callers.sent.length, 3)
  t.mock.timers.tick(1)
  assert.equal(callers.sent.length, 4)
})

test('ENGINE-GROUP-001: the 128th waiting command lets all go, in whatever turn it comes', async () => {
  for (const portions of [[128], [127, 1]]) {
    const callers = new Callers()
    callers.ask(4)
    await turn()
    for (const count of portions) {
      callers.ask(count)
      await turn()
    }
    assert.deepEqual(callers.counts, [4, 128])
  }
})
