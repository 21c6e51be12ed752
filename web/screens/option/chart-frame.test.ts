import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { flagged, frameOf, joined } from './chart-frame.ts'

test('UI-SECOND-034: if orders end at nearly the same time only the first has a flag, so that countdowns don’t overlap', () => {
  const order = (id: string, expiresAt: number) => ({ id, expiresAt, strikeFrom: 1_000_000, seconds: 900 }) as WireOption
  const orders = [order('3', 1_901_000), order('1', 1_900_000), order('2', 1_900_500), order('4', 1_300_000)]
  const frame = frameOf(
    1_002_000,
    [],
    [...orders].sort((a, b) => b.expiresAt - a.expiresAt),
  )
  assert.deepEqual([...flagged(orders, frame)], ['4', '1'])
  assert.deepEqual([...flagged([], frame)], [])
  assert.deepEqual([...flagged([order('5', 9_900_000)], frame)], [], 'beyond the frame')
})

const ticks = (from: number, count: number): (readonly [number, number])[] =>
  Array.from({ length: count }, (_, n) => [from + n * 250, 60_000 + (n % 7)] as const)

test('UI-SECOND-051: the tape and the live index make one line, in which each tick counts once and a gap is filled', () => {
  const all = ticks(0, 40)
  const live = [...all.slice(10, 15), ...all.slice(30)]
  assert.deepEqual(joined(all.slice(0, 32), live), all)
  assert.deepEqual(joined([], live), live)
  assert.deepEqual(joined(all, []), all)
})

test('UI-SECOND-051: where the index was silent the line has a gap, also when it is thinned', () => {
  const now = 1_000_000
  const before = ticks(now - 80_000, 160)
  const after = ticks(now - 30_000, 121)
  const { lines } = frameOf(now, [...before, ...after], [])
  assert.deepEqual(
    lines.map((line) => [line[0]?.[0], line.at(-1)?.[0]]),
    [
      [now - 80_000, now - 80_000 + 159 * 250],
      [now - 30_000, now],
    ],
  )
  const long = { expiresAt: now + 1_000, strikeFrom: now - 899_000, seconds: 900, strike: '60000' } as unknown as WireOption
  const thin = frameOf(now, ticks(now - 900_000, 3_601), [long]).lines
  assert.equal(thin.length, 1)
  assert.ok(thin[0]!.length < 500)
})

test('UI-SECOND-052: the axes name the prices of their lines, and a few whole moments', () => {
  for (const seconds of [0, 30, 60, 300, 900]) {
    const now = 1_700_000_000_123
    const order = { expiresAt: now + seconds * 500, strikeFrom: now - seconds * 500, seconds } as WireOption
    const frame = frameOf(now, ticks(now - 20_000, 81), seconds === 0 ? [] : [order])
    for (const { y, price } of frame.prices) assert.ok(Math.abs(frame.y(price) - y) < 0.2)
    assert.ok(frame.times.length >= 1 && frame.times.length <= 5, `${seconds}: ${frame.times.length}`)
    for (const { at, x } of frame.times) assert.deepEqual([at % 15_000, frame.x(at)], [0, x])
  }
})
