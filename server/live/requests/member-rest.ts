import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { origins } from '../../origins.ts'
import { Refused } from '../../refused.ts'

/**
 * Refuses what a member opens for a firm during their own break: the firm's accounts are not resting, but the person is. The core knows
 * the account alone, so this is decided before it.
 *
 * throws  Refused RESTING with the seconds until the break ends
 */
export async function requireMemberAwake({ ask, now }: { readonly ask: Ask; readonly now: () => number }, command: Command): Promise<void> {
  const member = origins.getStore()?.memberUser
  if (member === undefined || !mayOpen(command)) return
  const { restUntil } = await ask.standing(member as UserId)
  const left = restUntil - now()
  if (left > 0) throw new Refused('RESTING', { retryAfter: Math.ceil(left / 1_000) })
}

/**
 * Whether a command may open risk, by what it says itself. Where only the core could tell, as for orders of a margin account and changes
 * of an order, it counts as opening: another member can send it. Cancels, sales, repayments and orders that only reduce never count.
 */
export function mayOpen(command: Command): boolean {
  switch (command.type) {
    case 'spot.place':
    case 'spot.placeOco':
      return command.side === 'buy' || command.margin !== undefined
    case 'perp.place':
      return !command.isReduceOnly && !command.isClosing && command.position !== (command.side === 'buy' ? 'short' : 'long')
    case 'funds.transfer':
      return command.to !== 'spot'
    case 'spot.placeList':
    case 'spot.amend':
    case 'perp.amend':
    case 'perp.reverse':
    case 'margin.borrow':
    case 'lend.supply':
    case 'convert.quote':
    case 'convert.accept':
    case 'presale.subscribe':
    case 'option.open':
      return true
    default:
      return false
  }
}
