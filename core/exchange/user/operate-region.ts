import { decodeCommand } from '../../protocol/codec/command.ts'
import { regionNumber } from '../../protocol/codec/region.ts'
import type { OperateRegion } from '../../protocol/command/region.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/**
 * `region.operate`: two operators decide which products are open in a region, and give their reason. One operator alone can only
 * close products.
 */
export function operateRegion(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { region, isLeverageOpen, isSecondOpen, proposer, approver, reason } = decodeCommand(data, start).command as OperateRegion
  if (region === '' || reason.trim() === '') return 'FIELD_INVALID'
  const number = regionNumber(region)
  const now = x.facts.openedIn(number)
  const opens = (isLeverageOpen && !now.leverage) || (isSecondOpen && !now.second)
  if (proposer === approver && opens) return 'FORBIDDEN'
  if (!x.isUser(proposer) || !x.isUser(approver)) return 'USER_UNKNOWN'
  x.facts.setOpened(number, { leverage: isLeverageOpen, second: isSecondOpen })
  return undefined
}
