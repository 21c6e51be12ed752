import type { Units } from '../../money/brand.ts'
import { TRANSFER } from '../../ledger/reasons.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import { optionTermsSlots, writeOptionTerms } from '../../protocol/codec/option.ts'
import type { OperateOption, OptionTerms } from '../../protocol/command/option.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { areDeciders } from '../state/deciders.ts'
import type { State } from '../state/state.ts'
import { houseRow } from './house.ts'
import { areTermsValid, changeTerms } from './set-terms.ts'

/**
 * `option.operate`: a decision of two people of the staff with their reason: money of the firm's own account, a house user, into the
 * house fund, then terms for new orders. One person alone can only close the product. Open orders keep their terms.
 */
export function operateOption(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { user, amount, proposer, approver, reason, terms } = decodeCommand(data, start).command as OperateOption
  if (!areDeciders({ proposer, approver, reason }) || !areTermsValid(terms)) return 'FIELD_INVALID'
  if (proposer === approver && !isClosing(x.option.terms, terms, amount)) return 'FORBIDDEN'
  if (amount !== 0 && !x.isHouse(user)) return 'FORBIDDEN'
  // Without a payment the command still names a user, who has no part in it.
  if (amount !== 0 && x.isFrozen(user)) return 'USER_FROZEN'
  if (amount < 0) return 'AMOUNT_NOT_POSITIVE'
  const own = x.ledger.findSpot(user, x.usdt)
  if (x.ledger.available(own) < amount) return 'INSUFFICIENT_BALANCE'

  if (amount > 0) {
    x.ledger.debit(own, amount, TRANSFER)
    x.ledger.credit(houseRow(x), amount, TRANSFER)
  }
  changeTerms(x, terms)
  return undefined
}

/** Whether the decision closes the product and changes nothing else. */
function isClosing(now: OptionTerms | undefined, terms: OptionTerms, amount: Units): boolean {
  if (now === undefined || amount !== 0 || terms.isOpen) return false
  const [before, after] = [{ ...now, isOpen: false }, terms].map((one) => {
    const slots = new Float64Array(optionTermsSlots(one))
    writeOptionTerms(one, slots, 0)
    return slots.join()
  })
  return before === after
}
