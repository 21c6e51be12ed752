/** Tests the work that time starts in the engine: leftover work, silent prices and looks at the disk. */
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { test } from 'node:test'
import { diskSpace, isFull, watchDisk } from '../disk.ts'
import { Leftovers } from '../leftovers.ts'
import { Silence } from '../silence.ts'

type Prices = { tickedAtMs: number; atMs: number; good: object[] }
const silent = (prices: Prices): Exchange =>
  ({ tickedAtMs: prices.tickedAtMs, atMs: prices.atMs, goodPrices: () => prices.good }) as unknown as Exchange

test('ENGINE-SILENCE-001: prices are marked once they are older than the limit, once for each silence', () => {
  const silence = new Silence(3_000)
  const good = [{ market: 2, price: 5e12, sources: 4, isGood: true }]
  const exchange = silent({ tickedAtMs: 10_000, atMs: 11_000, good })
  assert.equal(silence.dueAtMs(exchange), 13_001)
  assert.equal(silence.due(exchange, 13_000), undefined)
  const tick = silence.due(exchange, 13_001)!
  const expected = new Records()
  const prices = [{ market: 2, price: 5e12, sources: 0, isGood: false }]
  encodeCommand({ type: 'index.tick', prices } as unknown as Command, { seq: 0, at: 0, keyId: 0 }, expected)
  assert.deepEqual(tick, { command: expected.data.slice(0, expected.length), atMs: 13_001 })
  assert.equal(silence.due(exchange, 99_000), undefined)
  assert.equal(silence.dueAtMs(exchange), Number.POSITIVE_INFINITY)
  const later = silent({ tickedAtMs: 20_000, atMs: 25_000, good })
  assert.equal(silence.dueAtMs(later), 23_001)
  assert.deepEqual(silence.due(later, 26_000), { ...tick, atMs: 25_000 }, 'not before the last command')
  assert.deepEqual(tick.command, expected.data.slice(0, expected.length), 'the first command is no longer the silence’s')
})

test('ENGINE-SILENCE-001: without a good price, or a limit, nothing is due', () => {
  const silence = new Silence(3_000)
  const none = silent({ tickedAtMs: 10_000, atMs: 11_000, good: [] })
  assert.equal(silence.due(none, 13_001), undefined)
  assert.equal(silence.dueAtMs(none), Number.POSITIVE_INFINITY)
  const fresh = silent({ tickedAtMs: 0, atMs: 0, good: [{ market: 1 }] })
  assert.equal(new Silence(3_000).due(fresh, 99_000), undefined, 'no tick ever came')
  const endless = new Silence(Number.POSITIVE_INFINITY)
  const old = silent({ tickedAtMs: 1, atMs: 1, good: [{ market: 1 }] })
  assert.deepEqual([endless.due(old, 1e15), endless.dueAtMs(old)], [undefined, Number.POSITIVE_INFINITY])
})

/** Leftover work on clocks that the test moves. */
class Work {
  dueAtMs = Number.POSITIVE_INFINITY
  nowMs = 1_000_000
  steadyMs = 0
  /** The time that each clock command takes, and the results of the next ones. */
  takesMs = 0
  results: (boolean | undefined)[] = []
  readonly told: string[] = []
  readonly commands = new Set<Float64Array>()
  readonly leftovers = new Leftovers({
    dueAtMs: () => this.dueAtMs,
    now: () => this.nowMs,
    steady: () => this.steadyMs,
    tick: (command) => {
      this.commands.add(command)
      this.told.push('tick')
      this.steadyMs += this.takesMs
      const result = this.results.shift()
      if (this.results.length === 0) this.dueAtMs = Number.POSITIVE_INFINITY
      return result
    },
    finished: () => void this.told.push('finished'),
  })
}
const clocks = { apis: ['setTimeout', 'setImmediate'] as ('setTimeout' | 'setImmediate')[] }

test('ENGINE-LEFTOVER-001: due work runs in the next turn, one command after the other while it causes events', (t) => {
  t.mock.timers.enable(clocks)
  const work = new Work()
  work.leftovers.schedule()
  t.mock.timers.tick(100_000)
  assert.deepEqual(work.told, [], 'nothing is due')
  work.dueAtMs = work.nowMs
  work.results = [true, true, true]
  work.leftovers.schedule()
  work.leftovers.schedule()
  assert.deepEqual(work.told, [])
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'tick', 'tick', 'finished'])
  const expected = new Records()
  encodeCommand(commandOf({ type: 'clock.tick' }), { seq: 0, at: 0, keyId: 0 }, expected)
  assert.deepEqual([...work.commands], [expected.data.slice(0, expected.length)])
})

test('ENGINE-LEFTOVER-002: a portion ends after 2 ms, and the next one follows in another turn', (t) => {
  t.mock.timers.enable(clocks)
  const work = new Work()
  work.dueAtMs = work.nowMs
  work.takesMs = 1
  work.results = [true, true, true]
  work.leftovers.schedule()
  t.mock.timers.tick(0)
  assert.deepEqual(work.told.slice(0, 3), ['tick', 'tick', 'finished'])
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'tick', 'finished', 'tick', 'finished'])
})

test('ENGINE-LEFTOVER-001: a command without events pauses the work for ten milliseconds', (t) => {
  t.mock.timers.enable(clocks)
  const work = new Work()
  work.dueAtMs = work.nowMs
  work.results = [false, true]
  work.leftovers.schedule()
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'finished'])
  t.mock.timers.tick(9)
  work.nowMs += 10
  assert.deepEqual(work.told, ['tick', 'finished'])
  t.mock.timers.tick(1)
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'finished', 'tick', 'finished'])
})

test('ENGINE-LEFTOVER-002: a full batch ends the portion, and its commit continues the work', (t) => {
  t.mock.timers.enable(clocks)
  const work = new Work()
  work.dueAtMs = work.nowMs
  work.results = [true, undefined, true]
  work.leftovers.schedule()
  t.mock.timers.tick(0)
  t.mock.timers.tick(100)
  assert.deepEqual(work.told, ['tick', 'tick', 'finished'])
  work.leftovers.schedule()
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'tick', 'finished', 'tick', 'finished'])
})

test('ENGINE-LEFTOVER-001: work that is due later waits for its time, and work that is no longer due is left', (t) => {
  t.mock.timers.enable(clocks)
  const work = new Work()
  work.dueAtMs = work.nowMs + 200_000
  work.results = [true]
  work.leftovers.schedule()
  const pass = (ms: number): void => {
    work.nowMs += ms
    t.mock.timers.tick(ms)
    t.mock.timers.tick(0)
  }
  // Timers are at most a minute long.
  for (const ms of [60_000, 60_000, 60_000, 19_999]) pass(ms)
  assert.deepEqual(work.told, [])
  pass(1)
  assert.deepEqual(work.told, ['tick', 'finished'])
  work.dueAtMs = work.nowMs + 50
  work.leftovers.schedule()
  work.dueAtMs = work.nowMs + 5
  work.results = [true]
  work.leftovers.schedule()
  pass(5)
  assert.deepEqual(work.told, ['tick', 'finished', 'tick', 'finished'])
  work.dueAtMs = work.nowMs
  work.leftovers.schedule()
  work.dueAtMs = Number.POSITIVE_INFINITY
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'finished', 'tick', 'finished', 'finished'])
})

test('ENGINE-LEFTOVER-002: stopped work does not run, and can be scheduled again', (t) => {
  t.mock.timers.enable(clocks)
  const work = new Work()
  for (const ms of [0, 50]) {
    work.dueAtMs = work.nowMs + ms
    work.results = [true]
    work.leftovers.schedule()
    work.leftovers.stop()
    work.nowMs += ms
    t.mock.timers.tick(ms)
    t.mock.timers.tick(0)
    assert.deepEqual(work.told, [])
  }
  work.leftovers.schedule()
  t.mock.timers.tick(0)
  assert.deepEqual(work.told, ['tick', 'finished'])
})

const gib = 1024 ** 3

test('ENGINE-OUTAGE-003: a disk is nearly full with less than 5 % and less than 2 GiB free', async () => {
  assert.equal(isFull({ free: 2 * gib, total: 1_000 * gib }), false)
  assert.equal(isFull({ free: 2 * gib - 1, total: 1_000 * gib }), true)
  assert.equal(isFull({ free: gib, total: 20 * gib }), false)
  assert.equal(isFull({ free: gib, total: 20 * gib + 100 }), true)
  const { free, total } = await diskSpace('.')
  const { bavail, blocks, bsize } = statfsSync('.')
  assert.equal(total, blocks * bsize)
  assert.ok(free > (bavail * bsize) / 2 && free < total)
})

test('ENGINE-OUTAGE-003: the disk is looked at once at the start, then every few seconds, and only changes are told', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const changes: boolean[] = []
  let free: number | undefined = gib
  let looks = 0
  const measure = (): Promise<{ free: number; total: number }> => {
    looks++
    return free === undefined ? Promise.reject(new Error('no disk')) : Promise.resolve({ free, total: 100 * gib })
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const watched = watchDisk('.', (isFullNow) => changes.push(isFullNow), measure)
  await settled()
  assert.deepEqual([looks, changes], [1, [true]])
  for (const next of [gib, 50 * gib, 50 * gib, gib, undefined, undefined]) {
    free = next
    t.mock.timers.tick(4_999)
    const before = looks
    t.mock.timers.tick(1)
    await settled()
    assert.equal(looks, before + 1)
  }
  assert.deepEqual(changes, [true, false, true, false])
  watched[Symbol.dispose]()
  t.mock.timers.tick(20_000)
  assert.equal(looks, 7)
})
