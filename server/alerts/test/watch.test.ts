import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { near, type Turn, Watch, type Watched } from '../watch.ts'

const alert = (change: Partial<Watched> = {}): Watched => ({
  ...{ id: 'a', series: 's', direction: 1, level: 100, back: undefined, armsAt: undefined },
  ...change,
})
const turns = (watch: Watch, ...values: readonly number[]): readonly string[] =>
  values.flatMap((value) => watch.value('s', value).map(({ id, turn }) => `${id} ${turn} ${value}`))

test('ALERT-CROSS-001: an alert for one crossing is told once, when the level is reached or jumped over', () => {
  const above = new Watch()
  above.put(alert())
  assert.deepEqual(turns(above, 99, 100, 101, 50, 100), ['a fired 100'])
  assert.equal(above.size, 0)
  const below = new Watch()
  below.put(alert({ direction: -1 }))
  assert.deepEqual(turns(below, 150, 101, 40, 200, 40), ['a fired 40'])
})

test('ALERT-CROSS-002: a repeated alert is told again only after the price has come back by its distance', () => {
  const watch = new Watch()
  watch.put(alert({ back: 95 }))
  assert.deepEqual(turns(watch, 100, 96, 105, 95, 99, 100, 100), ['a fired 100', 'a armed 95', 'a fired 100'])
})

test('ALERT-CROSS-003: an alert whose price is already beyond waits until it has come back', () => {
  const watch = new Watch()
  watch.put(alert({ armsAt: near(alert()) }))
  assert.deepEqual(turns(watch, 120, 100, 99, 100), ['a armed 99', 'a fired 100'])
})

/** The slow twin: every alert looks at every value. */
class Naive {
  readonly #kept = new Map<string, { alert: Watched; armsAt: number | undefined }>()

  put(alert: Watched): void {
    this.#kept.set(alert.id, { alert, armsAt: alert.armsAt })
  }

  drop(id: string): void {
    this.#kept.delete(id)
  }

  value(series: string, value: number): readonly Turn[] {
    const found: Turn[] = []
    for (const [id, kept] of this.#kept) {
      const { alert, armsAt } = kept
      if (alert.series !== series) continue
      if (armsAt !== undefined) {
        if ((armsAt - value) * alert.direction < 0) continue
        kept.armsAt = undefined
        found.push({ id, turn: 'armed', value })
      } else if ((value - alert.level) * alert.direction >= 0) {
        if (alert.back === undefined) this.#kept.delete(id)
        else kept.armsAt = alert.back
        found.push({ id, turn: 'fired', value })
      }
    }
    return found
  }
}

const watched = fc.record({
  id: fc.integer({ min: 0, max: 12 }).map(String),
  series: fc.constantFrom('s', 't'),
  direction: fc.constantFrom(1 as const, -1 as const),
  level: fc.integer({ min: 1, max: 30 }),
  distance: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  isArmed: fc.boolean(),
})
const step = fc.oneof(
  { weight: 3, arbitrary: watched.map((put) => ({ put })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }).map((drop) => ({ drop: String(drop) })) },
  { weight: 6, arbitrary: fc.record({ series: fc.constantFrom('s', 't'), value: fc.integer({ min: -5, max: 36 }) }) },
)
const sorted = (list: readonly Turn[]): readonly Turn[] => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))

test('ALERT-CROSS-004: sorted thresholds turn exactly the alerts that looking at every alert turns', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const [fast, slow] = [new Watch(), new Naive()]
      for (const one of steps) {
        if ('put' in one) {
          const { distance, isArmed, ...rest } = one.put
          const back = distance === undefined ? undefined : rest.level - rest.direction * distance
          const next = { ...rest, back, armsAt: isArmed ? undefined : (back ?? near(rest)) }
          fast.put(next)
          slow.put(next)
        } else if ('drop' in one) {
          fast.drop(one.drop)
          slow.drop(one.drop)
        } else assert.deepEqual(sorted(fast.value(one.series, one.value)), sorted(slow.value(one.series, one.value)))
      }
    }),
    { numRuns: 300 },
  )
})

test('ALERT-CROSS-005: with 100,000 alerts, a price that turns none looks at the nearest one on each side', (context) => {
  const count = 100_000
  const watch = new Watch()
  const began = performance.now()
  for (let n = 0; n < count; n += 1) {
    const direction = n % 2 === 0 ? 1 : -1
    watch.put(alert({ id: String(n), direction, level: 1_000_000 + direction * (1_000 + n), back: 1_000_000 }))
  }
  const filled = performance.now()
  const ticks = 1_000_000
  for (let n = 0; n < ticks; n += 1) watch.value('s', 1_000_000 + (n % 1_900) - 950)
  const idle = performance.now()
  const swept = watch.value('s', 2_000_000).length
  const done = performance.now()
  assert.equal(swept, count / 2, 'one price turns all on its side')
  assert.equal(watch.value('s', 1_000_000).length, count / 2, 'and the way back arms them')
  const each = (ms: number, of: number): string => `${((ms * 1_000) / of).toFixed(2)} µs`
  context.diagnostic(
    `100,000 alerts: ${each(filled - began, count)} to add one, ${each(idle - filled, ticks)} for a price that turns none, ${each(done - idle, swept)} for each that it turns`,
  )
})
