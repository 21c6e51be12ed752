import type { PositionNumber, UserId } from '../../../protocol/ids.ts'
import type { Millis, Units } from '../../../money/brand.ts'
import { writeFunded, writeFundingDue } from '../../../protocol/codec/perp-write.ts'
import { fundingPayment, fundingRate, nextFundingMs, openRate } from '../../../risk/perp-mark.ts'
import { positionValue } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { payClaim, settleHolding } from '../positions/due.ts'
import { flush } from '../positions/flush.ts'
import { fundingPart, insuranceRow } from '../rules/money.ts'
import { Round } from '../records/round.ts'
import type { Contract } from '../records/state.ts'

/**
 * Largest numbers of positions that one command settles and of users that it visits. The compiler has dropped this code since the
 * last round, hours ago, so the first positions of a round cost several times as much as the others.
 */
const settledMax = 100
const lookedMax = 5000

type Budget = { settled: number; looked: number }

/**
 * Time from which funding has something to do: now while a round runs, otherwise the end of the next period of any contract;
 * Infinity when there is no contract.
 */
export function fundingDueAtMs(x: State): number {
  let due = Infinity
  for (const { round, fundingAtMs } of x.perp.list) due = Math.min(due, round === undefined ? fundingAtMs : x.atMs)
  return due
}

/** Fixes rate, mark and lots of every contract whose period has ended. */
export function beginFunding(x: State): void {
  for (const contract of x.perp.list) beginRound(x, contract)
}

/** The fund pays for its inventory as users pay for positions. Its receipts stay in the round's rest, which belongs to the fund. */
function payForInventory(x: State, { inventory, q }: Contract, round: Round): void {
  const due = -fundingPayment(inventory.lots, positionValue(inventory.lots, round.mark, q), round.rate)
  const fund = insuranceRow(x)
  const sum = Math.min(due, x.ledger.available(fund)) as Units
  if (sum <= 0) return
  x.ledger.hold(fund, sum)
  round.paid = (round.paid + sum) as Units
}

/** Begins the round of one contract; does nothing while its period runs or the previous one is still being settled. */
export function beginRound(x: State, contract: Contract): void {
  if (contract.fundingAtMs > x.atMs || contract.round !== undefined) return
  const { id, mark, premium, terms } = contract
  const rate = countedRate(contract, x.atMs)
  premium.clear()
  contract.fundingClosedMs = contract.gate.closedMs(x.atMs)
  contract.fundingAtMs = nextFundingMs(x.atMs, terms.fundingHours)
  if (mark === 0) return
  contract.rounds++
  contract.round = new Round(rate, mark, x.atMs)
  payForInventory(x, contract, contract.round)
  writeFundingDue(x.events, id, rate, mark, x.atMs)
}

/** Rate of the ended period, reduced to the part in which the contract matched. */
function countedRate({ premium, terms, gate, fundingClosedMs }: Contract, atMs: Millis): number {
  return openRate(fundingRate(terms, premium.sum, premium.ms), gate.closedMs(atMs) - fundingClosedMs, terms.fundingHours)
}

/** Continues the running rounds, up to the limit of one command. */
export function settleFunding(x: State): void {
  beginFunding(x)
  const budget = { settled: settledMax, looked: lookedMax }
  for (const contract of x.perp.list) {
    while (contract.round !== undefined && budget.settled > 0 && budget.looked > 0) page(x, contract, contract.round, budget)
  }
  flush(x)
}

/** Continues a round by user number, so that a restored exchange uses the same order. */
function page(x: State, contract: Contract, round: Round, budget: Budget): void {
  const isOver = contract.positions.length === 0
  while (!isOver && round.cursor <= x.userCount) {
    if (budget.settled <= 0 || budget.looked <= 0) return
    budget.looked--
    budget.settled -= settleUser(x, contract, round)
  }
  if (round.isPaying) return closePaying(x, round)
  const claims = round.claims.splice(0, budget.settled)
  budget.settled -= claims.length
  for (const claim of claims) payClaim(x, round, x.perp.account(claim.user).find(contract.id, claim.side), claim, contract.id)
  if (round.claims.length === 0) close(x, contract, round)
}

/** Settles the positions of the user at the cursor, or only counts their receipts. Returns the number of positions. */
function settleUser(x: State, contract: Contract, round: Round): number {
  const account = x.perp.knownAccount(round.cursor++ as UserId)
  if (account === undefined) return 0
  let found = 0
  for (let side = 0; side < 3; side++) {
    const holding = account.find(contract.id, side as PositionNumber)
    if (holding === undefined || holding.lots === 0 || holding.round === contract.rounds) continue
    found++
    const part = fundingPart(holding)
    if (round.isPaying && part > 0) round.owed = (round.owed + part) as Units
    else settleHolding(x, holding)
  }
  return found
}

/** Fixes the receivers' pot when all payers have paid. The fund advances as much of the missing money as it can. */
function closePaying(x: State, round: Round): void {
  const fund = insuranceRow(x)
  const wanted = Math.min(round.owed, round.paid + round.missing) - round.paid
  round.advanced = Math.max(0, Math.min(wanted, x.ledger.available(fund))) as Units
  if (round.advanced > 0) x.ledger.hold(fund, round.advanced)
  round.pot = Math.min(round.owed, round.paid + round.advanced)
  round.isPaying = false
  round.cursor = 1
}

function close(x: State, contract: Contract, round: Round): void {
  const whole = (round.paid + round.advanced) as Units
  if (whole > round.received) x.ledger.release(insuranceRow(x), (whole - round.received) as Units)
  contract.round = undefined
  const { rate, mark, received, atMs } = round
  writeFunded(x.events, { market: contract.id, rate, mark, paid: whole, received, rest: (whole - received) as Units, at: atMs })
}
