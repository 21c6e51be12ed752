import { decodeCommand } from '../../protocol/codec/command.ts'
import { regionNumber } from '../../protocol/codec/region.ts'
import type { OperateRegion } from '../../protocol/command/region.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { areDeciders } from '../state/deciders.ts'
import type { State } from '../state/state.ts'

/**
 * `region.operate`: two people of the staff decide which products are open in a region, and give their reason. One person alone can
 * only close products.
 */
export function operateRegion(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { region, isLeverageOpen, isSecondOpen, proposer, approver, reason } = decodeCommand(data, start).command as OperateRegion
  if (region === '' || !areDeciders({ proposer, approver, reason })) return 'FIELD_INVALID'
  const number = regionNumber(region)
  const now = x.facts.openedIn(number)
  const opens = (isLeverageOpen && !now.leverage) || (isSecondOpen && !now.second)
  if (proposer === approver && opens) return 'FORBIDDEN'
  x.facts.setOpened(number, { leverage: isLeverageOpen, second: isSecondOpen })
  return undefined
}
