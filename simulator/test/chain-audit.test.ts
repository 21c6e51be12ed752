import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { ChainAudit } from '../chaos/chain-audit.ts'
import { ChaosWorkload } from '../chaos/workload.ts'
import { ChaosWorld } from '../chaos/world.ts'

/** Numbers of each event that the audit must notice when one of them is off by one. */
const audited: Readonly<Record<string, readonly string[]>> = {
  'deposit.credited': ['amount', 'repaid', 'debt'],
  'deposit.final': ['amount', 'credit'],
  'deposit.orphaned': ['amount', 'taken', 'debt', 'network'],
  'deposit.repaid': ['amount', 'debt'],
  'withdrawal.approved': ['withdrawal'],
  'withdrawal.rejected': ['withdrawal'],
  'withdrawal.cancelled': ['withdrawal'],
  'withdrawal.paid': ['amount', 'fee', 'withdrawal'],
  'withdrawal.failed': ['withdrawal'],
}

/** The events of each command of some runs, until each audited event has come. */
function commandsOf(seed: number, steps: number): readonly (readonly Event[])[] {
  const world = new ChaosWorld({ wholeEvery: 1e9 })
  const workload = new ChaosWorkload(seed)
  return Array.from({ length: steps }, () => world.step(workload.next(world.exchange)))
}

test('SIM-CHAOS-004: the audit of deposits and withdrawals finds an event in which one number is off by one', () => {
  const missing = new Set(Object.keys(audited))
  for (let seed = 1; missing.size > 0; seed++) {
    assert.ok(seed < 60, `no seed has ${[...missing].join()}`)
    const commands = commandsOf(seed, 1200)
    for (const type of missing) {
      const place = commands.findIndex((events) => events.some((event) => event.type === type))
      if (place < 0) continue
      missing.delete(type)
      for (const field of audited[type]!) {
        const audit = new ChainAudit()
        for (const events of commands.slice(0, place)) audit.follow(events)
        const changed = commands[place]!.map((event) =>
          event.type === type ? { ...event, [field]: (event as unknown as Record<string, number>)[field]! + 1 } : event,
        ) as readonly Event[]
        assert.throws(() => audit.follow(changed), Error, `${type} ${field}`)
      }
    }
  }
})

test('SIM-CHAOS-004: the audit finds a deposit that is credited twice, and money of deposits that no event explains', () => {
  const commands = commandsOf(3, 800)
  const place = commands.findIndex((events) => events.some(({ type }) => type === 'deposit.credited'))
  const follow = (...more: readonly (readonly Event[])[]): void => {
    const audit = new ChainAudit()
    for (const events of [...commands.slice(0, place), ...more]) audit.follow(events)
  }
  const deposit = commands[place]!
  follow(deposit)
  assert.throws(() => follow(deposit, deposit), /twice/)
  assert.throws(() => follow(deposit.filter(({ type }) => type !== 'deposit.credited')), /differs/)
  assert.throws(() => follow(deposit.filter(({ type }) => type !== 'entry')), /differs/)
})
