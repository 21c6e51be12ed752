/** Decisions by people of the staff: who may send the commands that change terms. */
import { commandCodes } from '../../protocol/codec/layout.ts'
import type { Command } from '../../protocol/command/index.ts'
import { changeTypes } from '../../protocol/command/operate.ts'
import type { OperateExchange } from '../../protocol/command/operate.ts'
import { PRODUCTION } from './mode.ts'
import type { State } from './state.ts'

/** Commands that in production only come inside a decision once there are users; `option.operate` decides the terms of Second. */
const decided: readonly Command['type'][] = [...changeTypes, 'option.setTerms']

/** By command number: 1 when the command alone is refused then. */
export const isDecided: Uint8Array = (() => {
  const list = new Uint8Array(Math.max(...Object.values(commandCodes)) + 1)
  for (const type of decided) list[commandCodes[type]] = 1
  return list
})()

/** Whether terms change only by decisions: in production from the first user on. The first start lists its markets before. */
export function needsDecision(x: State): boolean {
  return x.mode === PRODUCTION && x.userCount > 0
}

/** Whether a decision names people, by positive numbers, and a reason. */
export function areDeciders({ proposer, approver, reason }: Pick<OperateExchange, 'proposer' | 'approver' | 'reason'>): boolean {
  return proposer > 0 && approver > 0 && reason.trim() !== ''
}
