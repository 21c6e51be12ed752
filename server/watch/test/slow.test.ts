import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestClock } from '../request.ts'
import { type SlowLine, SlowRequests } from '../slow.ts'

const answered = (ms: number, clock?: RequestClock) =>
  ({ area: 'app', method: 'GET', route: '/app/v1/balances', status: 200, ms, clock }) as const

test('WATCH-SLOW-002: at most twenty lines come in a row and one each second afterwards; the next line tells how many had none', () => {
  let now = 0
  const lines: SlowLine[] = []
  const slow = new SlowRequests(
    100,
    (line) => lines.push(line),
    () => now,
  )
  for (let n = 0; n < 50; n++) assert.equal(slow.note(answered(150)), true)
  assert.equal(lines.length, 20)
  now = 1_000
  slow.note(answered(150))
  assert.equal(lines.length, 21)
  assert.equal(lines.at(-1)!.unsaid, 30)
  slow.note(answered(150))
  assert.equal(lines.length, 21)
})

test('WATCH-SLOW-003: the parts of a line add up to its time, and a request below the limit has none', () => {
  const lines: SlowLine[] = []
  const slow = new SlowRequests(100, (line) => lines.push(line))
  const clock = new RequestClock()
  clock.readyAt = clock.begunAt + 20
  clock.commands.push({ type: 'spot.place', begunAt: clock.begunAt + 25, endedAt: clock.begunAt + 105 })
  assert.equal(slow.note(answered(150, clock)), true)
  assert.equal(slow.note(answered(99, clock)), false)
  assert.deepEqual(lines, [
    { method: 'GET', route: '/app/v1/balances', status: 200, ms: 150, readMs: 20, commandMs: 80, otherMs: 50, unsaid: 0 },
  ])
  const off = new SlowRequests(0, () => assert.fail('a line'))
  assert.equal(off.note(answered(1e6)), false)
})
