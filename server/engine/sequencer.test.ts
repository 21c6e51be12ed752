import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeadTeller } from './head-teller.ts'
import { machineTime, Sequencer } from './sequencer.ts'

class Time {
  wallMs = 1_000_000
  steadyMs = 500
  wall = (): number => this.wallMs
  steady = (): number => this.steadyMs
  pass(ms: number): void {
    this.wallMs += ms
    this.steadyMs += ms
  }
}

test('the clock starts at the wall clock, or at the last command if that is later, and continues with the steady clock', () => {
  const time = new Time()
  const clock = new Sequencer(0, time)
  assert.equal(clock.now(), 1_000_000)
  time.pass(1.6)
  assert.equal(clock.now(), 1_000_001, 'whole milliseconds')
  time.pass(98.4)
  assert.equal(clock.now(), 1_000_100)
  assert.equal(new Sequencer(1_000_300, time).now(), 1_000_300)
  assert.equal(new Sequencer(0, time).apartMs(), 0)
  assert.ok(Math.abs(new Sequencer(0).now() - Date.now()) < 5_000)
  assert.ok(machineTime.steady() <= performance.now())
})

test('ENGINE-CLOCK-001: a wall clock that jumps is followed at 2 %, in both directions, and never backwards', () => {
  for (const jump of [500, -500]) {
    const time = new Time()
    const clock = new Sequencer(0, time)
    time.wallMs += jump
    assert.equal(clock.now(), 1_000_000)
    assert.equal(clock.apartMs(), jump)
    time.pass(1_000)
    assert.equal(clock.apartMs(), jump, 'the distance does not depend on when the clock is read')
    assert.equal(clock.now(), 1_001_000 + Math.sign(jump) * 20)
    assert.equal(clock.apartMs(), jump - Math.sign(jump) * 20)
    for (let n = 0; n < 50; n++) {
      time.pass(1_000)
      const before = clock.now()
      assert.ok(clock.now() >= before)
    }
    assert.equal(clock.apartMs(), 0)
    assert.equal(clock.now(), time.wallMs)
  }
})

test('ENGINE-CLOCK-001: more than a second apart is not synchronous; the last command is never overtaken by an earlier time', () => {
  const time = new Time()
  const clock = new Sequencer(0, time)
  for (const [apart, isSynced] of [
    [1_000, true],
    [1_001, false],
    [-1_000, true],
    [-1_001, false],
  ] as const) {
    time.wallMs = 1_000_000 + apart
    assert.deepEqual([clock.apartMs(), clock.isSynced()], [apart, isSynced])
  }
  const late = new Sequencer(1_005_000, time)
  assert.equal(late.now(), 1_005_000)
  time.steadyMs -= 10
  assert.equal(late.now(), 1_005_000, 'however the steady clock moves')
})

test('readers get the journal’s position at most once in ten milliseconds, and always the last one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const told: number[] = []
  const teller = new HeadTeller((seq) => told.push(seq))
  teller.advanced(1)
  teller.advanced(2)
  assert.deepEqual(told, [])
  t.mock.timers.tick(9)
  teller.advanced(3)
  assert.deepEqual(told, [])
  t.mock.timers.tick(1)
  assert.deepEqual(told, [3])
  t.mock.timers.tick(100)
  assert.deepEqual(told, [3])
  teller.advanced(4)
  teller.stop()
  t.mock.timers.tick(100)
  assert.deepEqual(told, [3])
  teller.advanced(5)
  t.mock.timers.tick(10)
  assert.deepEqual(told, [3, 5])
})
