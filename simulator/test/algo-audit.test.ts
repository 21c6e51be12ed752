import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { AlgoAudit } from '../chaos/algo-audit.ts'

type Loose = { readonly type: Event['type']; readonly [field: string]: unknown }
type Step = { readonly atMs: number; readonly command: Command['type']; readonly events: readonly Loose[] }

const minute = 60_000
const about = { algo: 7, user: 1, market: 1 }
const facts = { ...about, clientId: '', side: 'buy', isReduceOnly: false, shape: 'flat' }

/** A part that buys five lots at 100, with its events. */
const part = (order: number, partsLeft: number, nextAtMs: number): readonly Loose[] => [
  { type: 'order.accepted', order, user: 1, market: 1, side: 'buy', timeInForce: 'IOC', isPostOnly: false, lots: 5 },
  { type: 'traded', market: 1, price: 100, lots: 5, quote: 500, takerOrder: order, makerOrder: 99 },
  { type: 'order.closed', order, user: 1, market: 1, reason: 'filled', executedLots: 5, executedQuote: 500 },
  { type: 'algo.part', ...about, order, partsLeft, nextAtMs },
]

/** A TWAP order of fifteen lots in four parts of which one is missed. */
const twap: readonly Step[] = [
  {
    ...{ atMs: 1000, command: 'algo.place' },
    events: [
      ...part(8, 3, 1000 + minute).slice(0, 3),
      { type: 'algo.placed', ...facts, kind: 'twap', lots: 15, parts: 4, everyMs: minute, from: 101, to: 0 },
      ...part(8, 3, 1000 + minute).slice(3),
    ],
  },
  {
    ...{ atMs: 1000 + minute, command: 'clock.tick' },
    events: [{ type: 'algo.missed', ...about, refusal: 'NO_LIQUIDITY', partsLeft: 2, nextAtMs: 1000 + 2 * minute }],
  },
  { atMs: 1000 + 2 * minute, command: 'clock.tick', events: part(9, 1, 1000 + 3 * minute) },
  {
    ...{ atMs: 1000 + 3 * minute, command: 'clock.tick' },
    events: [...part(10, 0, 0), { type: 'algo.ended', ...about, reason: 'filled', executedLots: 15, executedQuote: 1500 }],
  },
]

const resting = (order: number): Loose => ({
  type: 'order.accepted',
  ...{ order, user: 1, market: 1, side: 'buy', timeInForce: 'GTC', isPostOnly: true, lots: 5 },
})
const scaled: readonly Step[] = [
  {
    ...{ atMs: 1000, command: 'algo.place' },
    events: [
      ...[resting(8), resting(9)],
      { type: 'algo.placed', ...facts, kind: 'scaled', lots: 10, parts: 2, everyMs: 0, from: 90, to: 99 },
      ...[8, 9].map((order) => ({ type: 'algo.part', ...about, order, partsLeft: 0, nextAtMs: 0 }) as const),
    ],
  },
  {
    ...{ atMs: 9000, command: 'clock.tick' },
    events: [{ type: 'algo.ended', ...about, reason: 'done', executedLots: 0, executedQuote: 0 }],
  },
]

/** What the audit says about these steps. */
function audit(steps: readonly Step[]): string {
  const audit = new AlgoAudit()
  try {
    for (const { atMs, command, events } of steps) audit.follow({ type: command } as Command, atMs, events as unknown as readonly Event[])
    return 'good'
  } catch (error) {
    return (error as Error).message
  }
}

/** The steps with other fields of one event: the `n`th of this type. */
function changed(steps: readonly Step[], type: Event['type'], n: number, fields: object): readonly Step[] {
  let met = 0
  return steps.map((step) => ({
    ...step,
    events: step.events.map((event) => (event.type === type && met++ === n ? { ...event, ...fields } : event)),
  }))
}

const without = (steps: readonly Step[], type: Event['type'], n: number): readonly Step[] => {
  let met = 0
  return steps.map((step) => ({ ...step, events: step.events.filter((event) => event.type !== type || met++ !== n) }))
}

test('ALGO-AUDIT-002: the audit passes a TWAP and a scaled order as they should be', () => {
  assert.deepEqual([audit(twap), audit(scaled)], ['good', 'good'])
})

test('ALGO-AUDIT-002: of a TWAP order the audit finds each fault in one number, one time or one event', () => {
  const of = (type: Event['type'], n: number, fields: object): string => audit(changed(twap, type, n, fields))
  assert.match(of('order.accepted', 1, { user: 2 }), /no order of its user/)
  assert.match(of('order.accepted', 1, { side: 'sell' }), /no order of its user/)
  assert.match(of('order.accepted', 1, { timeInForce: 'GTC' }), /not closed at once/)
  assert.match(of('order.accepted', 2, { lots: 17 }), /has 17 lots/)
  assert.match(of('order.closed', 1, { executedLots: 11 }), /executed 16 of 15 lots/)
  assert.match(of('order.closed', 1, { executedLots: 4 }), /another sum/)
  assert.match(of('order.closed', 1, { executedQuote: 501 }), /another sum/)
  assert.match(of('traded', 2, { price: 102 }), /worse price/)
  assert.match(of('algo.part', 1, { user: 2 }), /another user or market/)
  assert.match(of('algo.part', 1, { market: 2 }), /another user or market/)
  assert.match(of('algo.part', 1, { partsLeft: 0 }), /skips parts/)
  assert.match(of('algo.part', 1, { nextAtMs: 999 + 3 * minute }), /too close/)
  assert.match(of('algo.missed', 0, { partsLeft: 1 }), /skips parts/)
  assert.match(of('algo.ended', 0, { executedLots: 14 }), /another sum/)
  assert.match(of('algo.ended', 0, { reason: 'done' }), /ended as done/)
  assert.match(audit(without(twap, 'order.closed', 1)), /not closed at once/)
  assert.match(audit(without(twap, 'algo.part', 1)), /skips parts|another sum/)
  assert.match(audit(twap.map((step, n) => (n === 2 ? { ...step, atMs: step.atMs - 1 } : step))), /is early/)
  assert.match(audit([...twap, { atMs: 1000 + 4 * minute, command: 'clock.tick', events: part(11, 0, 0) }]), /after its end/)
  const of9 = (step: Step): Step => ({
    ...step,
    events: [...Array(9).keys()].flatMap((n) =>
      step.events.map((event) => ({
        ...event,
        ...('algo' in event ? { algo: 1000 + n } : {}),
        ...('order' in event ? { order: Number(event['order']) + 100 * n } : {}),
      })),
    ),
  })
  assert.match(audit([twap[0]!, twap[1]!, twap[2]!].map(of9)), /one clock tick placed 9 parts/)
})

test('ALGO-AUDIT-002: of a scaled order the audit finds an order that is missing, takes, trades or has another size', () => {
  const of = (type: Event['type'], n: number, fields: object): string => audit(changed(scaled, type, n, fields))
  assert.match(of('order.accepted', 1, { lots: 4 }), /not the whole/)
  assert.match(of('order.accepted', 1, { isPostOnly: false }), /does not rest/)
  assert.match(of('order.accepted', 1, { timeInForce: 'IOC' }), /does not rest/)
  assert.match(of('algo.ended', 0, { executedLots: 5 }), /another sum/)
  assert.match(of('algo.ended', 0, { reason: 'filled' }), /ended as filled/)
  assert.match(audit(without(scaled, 'algo.part', 1)), /not the whole/)
  const trade = { type: 'traded', market: 1, price: 99, takerOrder: 9, makerOrder: 3 } as const
  assert.match(audit(scaled.map((step, n) => (n === 0 ? { ...step, events: [...step.events, trade] } : step))), /traded when it was placed/)
})
