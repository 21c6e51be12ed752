import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome, Submit } from '@candor/core/protocol/port.ts'
import { Refused } from '../refused.ts'

/** throws Refused */
export async function accepted(submit: Submit, command: Command): Promise<Outcome> {
  const outcome = await submit(command)
  if (outcome.refusal) throw new Refused(outcome.refusal, { message: `${command.type} was refused: ${outcome.refusal}` })
  return outcome
}

/**
 * Sends a command by which a start lists markets or sets terms. Undefined when the core leaves it to two people of the staff: in
 * production, nobody does that alone once there are users. What a newer build would list then waits for their decision.
 *
 * throws  Refused for every other refusal
 */
export async function acceptedAtFirst(submit: Submit, command: Command): Promise<Outcome | undefined> {
  const outcome = await submit(command)
  if (outcome.refusal === 'FORBIDDEN') return undefined
  if (outcome.refusal) throw new Refused(outcome.refusal, { message: `${command.type} was refused: ${outcome.refusal}` })
  return outcome
}
