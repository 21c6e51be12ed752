import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { ReferralAudit } from '../chaos/referral-audit.ts'
import { ChaosWorkload } from '../chaos/workload.ts'
import { ChaosWorld } from '../chaos/world.ts'

const fields = ['inviter', 'invitee', 'level', 'asset', 'amount', 'value', 'market', 'trade'] as const

test('REFERRAL-AUDIT-001: the recomputation finds a payment in which one number is off by one, and one that is missing', () => {
  const world = new ChaosWorld({ wholeEvery: 1e9 })
  const workload = new ChaosWorkload(3)
  let found = 0
  /** Whether the audit refuses the last step with these events; it has seen all steps before. */
  const refuses = (steps: readonly (readonly [(typeof world.steps)[number], readonly Event[]])[], events: readonly Event[]): boolean => {
    const audit = new ReferralAudit()
    for (const [step, told] of steps.slice(0, -1)) audit.follow(step.command, step.stamp.at, told.filter(isFact), world.exchange)
    const { command, stamp } = steps.at(-1)![0]
    try {
      audit.follow(command, stamp.at, events, world.exchange)
      return false
    } catch {
      return true
    }
  }
  const steps: (readonly [(typeof world.steps)[number], readonly Event[]])[] = []
  for (let step = 0; step < 2500 && found === 0; step++) {
    const events = world.step(workload.next(world.exchange))
    steps.push([world.steps.at(-1)!, events])
    if (!events.some(({ type }) => type === 'referral.paid')) continue
    found++
    assert.equal(refuses(steps, events), false)
    const isPaid = (event: Event): boolean => event.type === 'referral.paid'
    assert.ok(
      refuses(
        steps,
        events.filter((event) => !isPaid(event)),
      ),
      'no payment',
    )
    for (const field of fields) {
      const changed = events.map((event) =>
        isPaid(event) ? { ...event, [field]: Number(new Map(Object.entries(event)).get(field)) + 1 } : event,
      )
      assert.ok(refuses(steps, changed as readonly Event[]), field)
    }
  }
  assert.equal(found, 1)
})

/** Whether an event is about users or terms: trades before the first payment paid nothing. */
function isFact({ type }: Event): boolean {
  return /^(user\.|referral\.|outcome)/.test(type)
}
