/** Writers of the events of deposits and withdrawals. Each mirrors its reader in `slots.ts`; the round trip is tested. */
import type {
  ChainEvent,
  DebtRepaid,
  DepositCredited,
  DepositFinal,
  DepositOrphaned,
  WithdrawalApproved,
  WithdrawalFacts,
  WithdrawalRequested,
  WithdrawTermsChanged,
} from '../../event/chain.ts'
import { chainEventCodes as codes, writeWithdrawTerms } from './slots.ts'
import { WITHDRAW_TERMS_SLOTS } from '../layout.ts'
import { head } from '../records.ts'
import type { Records } from '../records.ts'
import { packText, reasonSlots } from '../text.ts'

export function writeDepositCredited(into: Records, event: Omit<DepositCredited, 'type'>): void {
  const { network, credit, user, asset, amount, isFinal, repaid, debt } = event
  write(into, 'deposit.credited', network, credit, user, asset, amount, isFinal ? 1 : 0, repaid, debt)
}

export function writeDepositFinal(into: Records, { network, credit, user, asset, amount }: Omit<DepositFinal, 'type'>): void {
  write(into, 'deposit.final', network, credit, user, asset, amount)
}

export function writeDepositOrphaned(into: Records, event: Omit<DepositOrphaned, 'type'>): void {
  const { network, credit, user, asset, amount, taken, debt } = event
  write(into, 'deposit.orphaned', network, credit, user, asset, amount, taken, debt)
}

export function writeDebtRepaid(into: Records, { user, asset, amount, debt }: Omit<DebtRepaid, 'type'>): void {
  write(into, 'deposit.repaid', user, asset, amount, debt)
}

export function writeWithdrawalRequested(into: Records, event: Omit<WithdrawalRequested, 'type'>): void {
  write(into, 'withdrawal.requested', ...factsOf(event), event.destination, event.people)
}

export function writeWithdrawalDecided(
  into: Records,
  type: 'withdrawal.approved' | 'withdrawal.rejected',
  event: Omit<WithdrawalApproved, 'type'>,
): void {
  const facts = factsOf(event)
  const length = 1 + facts.length + 2 + reasonSlots
  const at = into.reserve(length)
  into.data[at] = head(codes[type], length)
  into.data.set([...facts, event.first, event.second], at + 1)
  packText(event.reason, into.data, at + 3 + facts.length, reasonSlots)
}

export function writeWithdrawalEnded(
  into: Records,
  type: 'withdrawal.cancelled' | 'withdrawal.paid' | 'withdrawal.failed',
  event: WithdrawalFacts,
): void {
  write(into, type, ...factsOf(event))
}

export function writeWithdrawTermsChanged(into: Records, { asset, network, terms }: Omit<WithdrawTermsChanged, 'type'>): void {
  const length = 3 + WITHDRAW_TERMS_SLOTS
  const at = into.reserve(length)
  into.data[at] = head(codes['withdraw.terms'], length)
  into.data[at + 1] = asset
  into.data[at + 2] = network
  writeWithdrawTerms(terms, into.data, at + 3)
}

function factsOf({ withdrawal, user, asset, network, amount, fee }: WithdrawalFacts): readonly number[] {
  return [withdrawal, user, asset, network, amount, fee]
}

function write(into: Records, type: ChainEvent['type'], ...values: readonly number[]): void {
  const at = into.reserve(1 + values.length)
  into.data[at] = head(codes[type], 1 + values.length)
  for (let i = 0; i < values.length; i++) into.data[at + 1 + i] = values[i]!
}
