/** Commands about withdrawals. What is asked for is held until it is paid, or until it is certain that it won't be. */
import { supplyMax } from '../../ledger/ledger.ts'
import { WITHDRAWAL, WITHDRAWAL_FEE } from '../../ledger/reasons.ts'
import type { Units } from '../../money/brand.ts'
import { writeWithdrawalDecided, writeWithdrawalEnded, writeWithdrawalRequested } from '../../protocol/codec/chain/write.ts'
import { decodeCommand } from '../../protocol/codec/command.ts'
import type {
  CancelWithdrawal,
  DecideWithdrawal,
  FinishWithdrawal,
  RequestWithdrawal,
  WithdrawTerms,
} from '../../protocol/command/chain.ts'
import type { AssetId, OrderId, UserId, WithdrawalNumber } from '../../protocol/ids.ts'
import { movementsFrom } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import { withdrawnMax, withdrawValue } from './limit.ts'
import { dayOf } from './records/state.ts'
import type { ChainState, Withdrawal, WithdrawalEnd } from './records/state.ts'

/** Open withdrawals that a user can have. */
const openMax = 32

/**
 * `withdraw.request`: holds the amount until the end of the withdrawal, whose number is the command's position in the journal. The user's
 * own pause stops no withdrawal.
 */
export const requestWithdrawal: Handler = (x, data, start) => {
  const { chain, ledger } = x
  const { user, asset, network, amount, fee, destination } = decodeCommand(data, start).command as RequestWithdrawal
  if (!(destination > 0)) return 'FIELD_INVALID'
  if (x.isFrozen(user)) return 'USER_FROZEN'
  // What it holds is the inventory's.
  if (x.convert.terms?.hedger === user) return 'FORBIDDEN'
  if (isCustomerInDebt(x, user)) return 'DEPOSIT_DEBT'
  // Rules about who approves are kept for the main account.
  if (x.firm.isSub(user)) return 'FIRM_MAIN_ONLY'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  const terms = chain.termsOf(asset, network)
  if (terms?.isOpen !== true) return 'WITHDRAWALS_CLOSED'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (fee !== terms.fee) return 'FEE_CHANGED'
  const row = ledger.findSpot(user, asset)
  if (ledger.available(row) < amount) return 'INSUFFICIENT_BALANCE'
  if (usesUnfinal(x, user, asset, amount) || isUnfinalSpent(x, user)) return 'DEPOSIT_NOT_FINAL'
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  const day = dayOf(x.atMs)
  const value = withdrawValue(x, asset, amount)
  if (chain.withdrawnOn(user, day) + (value ?? 0) > withdrawnMax(x, user)) return 'DAILY_LIMIT'
  if (value === undefined) return 'NO_INDEX_PRICE'
  if (amount < terms.min) return 'AMOUNT_TOO_SMALL'
  if ((chain.users.get(user)?.open.size ?? 0) >= openMax) return 'WITHDRAWALS_OPEN_LIMIT'

  x.order = (movementsFrom + x.seq) as OrderId
  const facts = { withdrawal: x.seq as WithdrawalNumber, user, asset, network, amount, fee }
  const people = peopleFor(terms, amount)
  ledger.hold(row, amount)
  chain.openWithdrawal({ ...facts, destination, people, day, value, isApproved: false })
  chain.count(user, day, value)
  writeWithdrawalRequested(x.events, { ...facts, destination, people })
  return undefined
}

/** `withdraw.cancel`: by the user, until the request is decided. */
export const cancelWithdrawal: Handler = (x, data, start) => {
  const { user, withdrawal: number } = decodeCommand(data, start).command as CancelWithdrawal
  const withdrawal = x.chain.withdrawals.get(number)
  if (withdrawal === undefined)
    return x.chain.ended.get(number)?.user === user ? endedAs(x.chain, number, 'cancelled') : 'WITHDRAWAL_UNKNOWN'
  if (withdrawal.user !== user) return 'WITHDRAWAL_UNKNOWN'
  if (withdrawal.isApproved) return 'WITHDRAWAL_STATE'

  giveBack(x, withdrawal, 'cancelled')
  writeWithdrawalEnded(x.events, 'withdrawal.cancelled', withdrawal)
  return undefined
}

/**
 * `withdraw.decide`: approves a request, by as many different people as its terms ask for, or rejects it with a reason. Nothing is
 * approved for a frozen user, or for one who owes a dropped deposit. Borrowed money and the profit of open positions were never issued,
 * so the supply bounds what leaves.
 */
export const decideWithdrawal: Handler = (x, data, start) => {
  const { chain } = x
  const decision = decodeCommand(data, start).command as DecideWithdrawal
  const { withdrawal: number, isApproved, first, second, reason } = decision
  if (first < 0 || second < 0 || (!isApproved && reason.trim() === '')) return 'FIELD_INVALID'
  const withdrawal = chain.withdrawals.get(number)
  if (withdrawal === undefined) return endedAs(chain, number, ...(isApproved ? (['paid', 'failed'] as const) : (['rejected'] as const)))
  if (isApproved && countPeople(decision) < withdrawal.people) return 'FORBIDDEN'
  if (withdrawal.isApproved) return isApproved ? undefined : 'WITHDRAWAL_STATE'
  const { user, asset, amount, fee } = withdrawal
  if (isApproved && x.isFrozen(user)) return 'USER_FROZEN'
  if (isApproved && isCustomerInDebt(x, user)) return 'DEPOSIT_DEBT'
  if (isApproved && amount - fee > supplyMax - x.ledger.issuable(asset)) return 'SUPPLY_EXCEEDED'

  if (isApproved) chain.withdrawals.set(number, { ...withdrawal, isApproved })
  else giveBack(x, withdrawal, 'rejected')
  writeWithdrawalDecided(x.events, isApproved ? 'withdrawal.approved' : 'withdrawal.rejected', { ...withdrawal, first, second, reason })
  return undefined
}

/**
 * `withdraw.finish`: an approved withdrawal was paid: what arrived goes to `outside:chain`, its fee to `fees`. Or it is proved that it
 * can't be paid any more: the amount is available again.
 */
export const finishWithdrawal: Handler = (x, data, start) => {
  const { chain, ledger } = x
  const { withdrawal: number, isPaid } = decodeCommand(data, start).command as FinishWithdrawal
  const withdrawal = chain.withdrawals.get(number)
  if (withdrawal === undefined) return endedAs(chain, number, isPaid ? 'paid' : 'failed')
  if (!withdrawal.isApproved) return 'WITHDRAWAL_STATE'

  if (isPaid) {
    const { user, asset, network, amount, fee } = withdrawal
    const row = ledger.findSpot(user, asset)
    const paid = (amount - fee) as Units
    ledger.redeemHeld(row, ledger.systemRow('outside:chain', asset), asset, paid, WITHDRAWAL)
    ledger.payHeld(row, ledger.feeRow(asset), fee, WITHDRAWAL_FEE)
    chain.flow(network, asset, -paid as Units)
    chain.end(withdrawal, 'paid')
  } else giveBack(x, withdrawal, 'failed')
  writeWithdrawalEnded(x.events, isPaid ? 'withdrawal.paid' : 'withdrawal.failed', withdrawal)
  return undefined
}

function giveBack({ chain, ledger }: State, withdrawal: Withdrawal, end: WithdrawalEnd): void {
  ledger.release(ledger.findSpot(withdrawal.user, withdrawal.asset), withdrawal.amount)
  chain.end(withdrawal, end)
}

/** The answer for a withdrawal that is not open: a repeat of its end is accepted. */
function endedAs(chain: ChainState, number: WithdrawalNumber, ...ends: readonly WithdrawalEnd[]): Refusal | undefined {
  const ended = chain.ended.get(number)
  if (ended === undefined) return 'WITHDRAWAL_UNKNOWN'
  return ends.includes(ended.end) ? undefined : 'WITHDRAWAL_STATE'
}

/**
 * Whether some deposit that its chain may still drop would not be in the spot account any more after the withdrawal. Deposits of all
 * assets count: otherwise an unfinal one could be traded for another asset, and that be withdrawn.
 */
export function usesUnfinal({ chain, ledger }: State, user: UserId, asset: AssetId, amount: Units): boolean {
  for (const [of, sum] of chain.users.get(user)?.unfinal ?? []) {
    if (ledger.available(ledger.findSpot(user, of)) - (of === asset ? amount : 0) < sum) return true
  }
  return false
}

/** Whether another account of the user's firm has traded a deposit away, perhaps to this one, that its chain may still drop. */
function isUnfinalSpent(x: State, user: UserId): boolean {
  return x.firm.othersOf(user).some((other) => usesUnfinal(x, other, 0 as AssetId, 0 as Units))
}

/** Whether the user, or any account of their firm, owes a dropped deposit: one account would be left with the debt of all. */
function isCustomerInDebt({ chain, firm }: State, user: UserId): boolean {
  return chain.isInDebt(user) || firm.othersOf(user).some((other) => chain.isInDebt(other))
}

function peopleFor({ autoMax, singleMax }: WithdrawTerms, amount: Units): 0 | 1 | 2 {
  if (amount <= autoMax) return 0
  return amount <= singleMax ? 1 : 2
}

function countPeople({ first, second }: DecideWithdrawal): number {
  return new Set([first, second].filter((person) => person > 0)).size
}
