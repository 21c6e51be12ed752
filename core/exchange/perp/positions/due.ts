import type { Units } from '../../../money/brand.ts'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import * as reasons from '../../../ledger/reasons.ts'
import { mulDivFloor } from '../../../money/mul-div.ts'
import { writeFundingPaid } from '../../../protocol/codec/perp-write.ts'
import type { State } from '../../state/state.ts'
import { crossEquity, crossMaintenance, crossProfit, equityOf, fundingPart, insuranceRow, maintenanceOf, perpRow } from '../rules/money.ts'
import type { Round } from '../records/round.ts'
import type { Holding, PerpAccount } from '../records/state.ts'

const { FUNDING } = reasons

/** Settles a position's part of a running funding round, before anything else happens to the position. */
export function settleHolding(x: State, holding: Holding): void {
  const { contract, user } = holding
  if (holding.round === contract.rounds) return
  const { round } = contract
  const part = fundingPart(holding)
  holding.round = contract.rounds
  if (round === undefined || part === 0) return
  if (part < 0) collect(x, round, holding, -part as Units)
  else if (!round.isPaying) payOut(x, round, holding, part)
  else {
    if (user >= round.cursor) round.owed = (round.owed + part) as Units
    round.claims.push({ user, side: holding.side, position: holding.id, lots: holding.lots, part })
  }
}

/** Settles all positions of a user. */
export function settleAccount(x: State, account: PerpAccount): void {
  for (const holding of [...account.holdings].sort((a, b) => a.market - b.market || a.side - b.side)) settleHolding(x, holding)
}

/**
 * Collects funding from the free balance of the Futures account, then from the position's margin down to its maintenance. The fund
 * advances the missing part: the position joins the queue of liquidations, which pays the fund back first.
 */
function collect(x: State, round: Round, holding: Holding, due: Units): void {
  const { ledger } = x
  const row = perpRow(x, holding.user)
  const own = Math.min(due, spareOf(x, holding))
  const room = holding.isCross
    ? crossEquity(x, holding.account) - own - crossMaintenance(holding.account)
    : equityOf(x, holding) - maintenanceOf(holding)
  const sum = (own + freeMargin(x, holding, Math.min(due - own, Math.max(0, room)))) as Units
  if (sum > 0) {
    const fund = insuranceRow(x)
    ledger.debit(row, sum, FUNDING)
    ledger.credit(fund, sum, FUNDING)
    ledger.hold(fund, sum)
  }
  round.paid = (round.paid + sum) as Units
  tell(x, holding, round.rate, -sum as Units)
  if (sum === due) return
  round.missing += due - sum
  holding.advance += due - sum
  x.perp.enqueue(holding.account, holding.isCross ? undefined : holding)
}

/** Pays a receiver's part of the pot to the Futures account, and records it in the position. */
function payOut(x: State, round: Round, holding: Holding, part: Units): void {
  tell(x, holding, round.rate, credit(x, round, holding.user, part))
}

/** Pays the claim of a position that changed or ended since the end of the period. */
export function payClaim(x: State, round: Round, holding: Holding | undefined, claim: Round['claims'][number], market: MarketId): void {
  const sum = credit(x, round, claim.user, claim.part)
  if (holding !== undefined && holding.id === claim.position && holding.lots !== 0) {
    holding.funding += sum
    x.perp.touch(holding, true)
  }
  const { user, position, lots } = claim
  writeFundingPaid(x.events, { user, market, position, lots, rate: round.rate, amount: sum })
}

/** Credits a part of the pot to the Futures account; less if the pot is short. Returns the amount paid. */
function credit(x: State, round: Round, user: UserId, part: Units): Units {
  const { ledger } = x
  const sum = round.pot === round.owed ? part : (mulDivFloor(part, round.pot, round.owed) as Units)
  if (sum === 0) return 0 as Units
  ledger.release(insuranceRow(x), sum)
  ledger.debit(insuranceRow(x), sum, FUNDING)
  ledger.credit(perpRow(x, user), sum, FUNDING)
  round.received = (round.received + sum) as Units
  return sum
}

/**
 * Pays back the fund's advance for a position: from the free balance, then from its margin; for a cross account, from all
 * margins.
 */
export function payBack(x: State, holding: Holding): void {
  const { account, advance } = holding
  if (advance === 0) return
  let sum = Math.min(advance, spareOf(x, holding))
  const behind = holding.isCross ? [holding, ...[...account.cross].sort((a, b) => a.id - b.id)] : [holding]
  for (const one of behind) sum += freeMargin(x, one, advance - sum)
  if (sum === 0) return
  holding.advance -= sum
  x.ledger.debit(perpRow(x, holding.user), sum as Units, FUNDING)
  x.ledger.credit(insuranceRow(x), sum as Units, FUNDING)
  tell(x, holding, 0, -sum as Units)
}

/** Balance that a position may use for its funding: an isolated one must not use money that cross positions have lost. */
function spareOf(x: State, holding: Holding): number {
  const available = x.ledger.available(perpRow(x, holding.user))
  return holding.isCross ? available : Math.max(0, available + Math.min(0, crossProfit(holding.account)))
}

/** Frees up to `most` of a position's margin, and returns the freed amount. */
function freeMargin(x: State, holding: Holding, most: number): number {
  const taken = Math.min(most, holding.margin) as Units
  if (taken <= 0) return 0
  holding.margin = (holding.margin - taken) as Units
  x.ledger.release(perpRow(x, holding.user), taken)
  x.perp.touch(holding, true)
  return taken
}

function tell(x: State, holding: Holding, rate: number, amount: Units): void {
  holding.funding += amount
  x.perp.touch(holding, true)
  const { user, market, id: position, lots } = holding
  writeFundingPaid(x.events, { user, market, position, lots, rate, amount: (amount + 0) as Units })
}
