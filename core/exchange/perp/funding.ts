import * as reasons from '../../ledger/reasons.ts'
import { mulDivFloor } from '../../money/mul-div.ts'
import { writeFunded, writeFundingPaid } from '../../protocol/codec/perp-write.ts'
import { fundingPayment, fundingRate, nextFundingMs } from '../../risk/perp-mark.ts'
import type { State } from '../state.ts'
import { takeMargin } from './fill.ts'
import { flush } from './flush.ts'
import { insuranceRow, perpRow, valueAtMark } from './money.ts'
import type { Contract, Holding } from './state.ts'

const { FUNDING } = reasons

/** When the next period of any contract ends; Infinity without contracts. */
export function fundingDueAtMs(x: State): number {
  let due = Infinity
  for (const contract of x.perp.list) due = Math.min(due, contract.fundingAtMs)
  return due
}

/** Settles one contract whose period is over; the next follows with the next command of the clock. */
export function settleFunding(x: State): void {
  const contract = x.perp.list.find(({ fundingAtMs }) => fundingAtMs <= x.atMs)
  if (contract === undefined) return
  const rate = fundingRate(contract.terms, contract.premium.sum, contract.premium.ms)
  contract.premium.clear()
  contract.fundingAtMs = nextFundingMs(x.atMs, contract.terms.fundingHours)
  if (contract.mark > 0) settle(x, contract, rate)
}

/**
 * Payers pay what they can, the insurance fund what they can't; where it can't either, receivers share what there is.
 * The rest of the rounding goes to the fund: paid = received + rest.
 */
function settle(x: State, contract: Contract, rate: number): void {
  const positions = [...contract.positions].sort((a, b) => a.id - b.id)
  const parts = positions.map((holding) => fundingPayment(holding.lots, valueAtMark(holding), rate))
  const { ledger } = x
  const fund = insuranceRow(x)
  let paid = 0
  let missing = 0
  positions.forEach((holding, n) => {
    const due = -parts[n]!
    if (due <= 0) return
    const sum = pay(x, holding, due)
    paid += sum
    missing += due - sum
    tell(x, holding, rate, -sum)
  })
  ledger.credit(fund, paid, FUNDING)
  let owed = 0
  for (const part of parts) owed += Math.max(0, part)
  // What payers lack comes from the fund, as long as it has it.
  const pot = Math.min(owed, paid + Math.min(missing, ledger.available(fund) - paid))
  let received = 0
  positions.forEach((holding, n) => {
    const part = parts[n]!
    if (part <= 0) return
    const sum = pot === owed ? part : mulDivFloor(part, pot, owed)
    if (sum > 0) ledger.credit(perpRow(x, holding.user), sum, FUNDING)
    received += sum
    tell(x, holding, rate, sum)
  })
  if (received > 0) ledger.debit(fund, received, FUNDING)
  const whole = Math.max(paid, received)
  writeFunded(x.events, contract.id, rate, contract.mark, whole, received, whole - received, x.atMs)
  flush(x)
}

/** Cross pays from what is available, then from its margin; isolated from its margin. Returns what it could. */
function pay(x: State, holding: Holding, due: number): number {
  const { ledger } = x
  const row = perpRow(x, holding.user)
  const own = holding.isCross ? Math.min(due, ledger.available(row)) : 0
  const sum = own + takeMargin(x, holding, due - own)
  if (sum > 0) ledger.debit(row, sum, FUNDING)
  return sum
}

function tell(x: State, holding: Holding, rate: number, amount: number): void {
  holding.funding += amount
  x.perp.touch(holding, true)
  writeFundingPaid(x.events, holding.user, holding.market, holding.id, holding.lots, rate, amount + 0)
}
