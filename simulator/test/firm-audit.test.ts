import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirmAudit } from '../chaos/firm-audit.ts'
import { ChaosWorkload } from '../chaos/workload.ts'
import { ChaosWorld } from '../chaos/world.ts'

test('FIRM-AUDIT-001: the audit follows moves of a run, and finds one of another amount, to a stranger, or of another command', () => {
  const world = new ChaosWorld({ wholeEvery: 1e9 })
  const workload = new ChaosWorkload(5)
  const audit = new FirmAudit()
  for (let step = 0; step < 4000 && audit.moves === 0; step++) {
    const events = world.step(workload.next(world.exchange))
    const { command } = world.steps.at(-1)!
    const isMove = command.type === 'firm.move' && events.some((event) => event.type === 'entry' && event.reason === 'firm-move')
    if (isMove) {
      const refused = [
        { ...command, amount: command.amount + 1 },
        { ...command, to: 1 },
        { ...command, type: 'funds.transfer' },
      ]
      for (const wrong of refused) assert.throws(() => audit.follow(wrong as typeof command, events))
    }
    audit.follow(command, events)
  }
  assert.ok(audit.moves > 0)
})
