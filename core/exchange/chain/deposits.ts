/** Commands about deposits: they enter the ledger here, and only here. */
import type { Units } from '../../money/brand.ts'
import { DEPOSIT, DEPOSIT_DEBT, DEPOSIT_REVERSED } from '../../ledger/reasons.ts'
import { readCredit, readNetwork } from '../../protocol/codec/chain/slots.ts'
import { writeDebtRepaid, writeDepositCredited, writeDepositFinal, writeDepositOrphaned } from '../../protocol/codec/chain/write.ts'
import * as at from '../../protocol/codec/layout.ts'
import { networksMax } from '../../protocol/command/chain.ts'
import { readAssetId, readUnits, readUserId } from '../../protocol/codec/slots.ts'
import type { AssetId, CreditNumber, NetworkNumber, UserId } from '../../protocol/ids.ts'
import type { Handler } from '../state/handler.ts'
import { isFull } from '../state/room.ts'
import type { State } from '../state/state.ts'
import type { ChainNetwork } from './records/state.ts'

/**
 * `chain.credit`: from `outside:chain` to the spot account, and what the user owes of the asset from there to `outside:debts`. A number
 * is credited once: a repeat changes nothing, and a number so old that nobody knows is refused. A frozen user's deposits are credited, too.
 */
export const creditDeposit: Handler = (x, data, start) => {
  const { chain, ledger } = x
  const user = readUserId(data, start + at.USER)
  const network = readNetwork(data, start + at.CREDIT_NETWORK)
  const credit = readCredit(data, start + at.CREDIT_NUMBER)
  const asset = readAssetId(data, start + at.CREDIT_ASSET)
  const amount = readUnits(data, start + at.CREDIT_AMOUNT)
  const isFinal = data[start + at.CREDIT_IS_FINAL] === 1
  if (!isNetwork(network) || !(credit > 0)) return 'FIELD_INVALID'
  const known = chain.networks.get(network)?.credits
  if (known?.isKnown(credit) === true) return undefined
  if (known?.isOld(credit) === true) return 'CREDIT_TOO_OLD'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  if (amount > ledger.issuable(asset)) return 'SUPPLY_EXCEEDED'
  if (isFull(x)) return 'EXCHANGE_FULL'

  chain.network(network).credits.add(credit)
  ledger.issue(ledger.systemRow('outside:chain', asset), ledger.spotRow(user, asset), asset, amount, DEPOSIT)
  chain.flow(network, asset, amount)
  const repaid = Math.min(amount, chain.debt(user, asset)) as Units
  repay(x, user, asset, repaid)
  const deposit = { network, credit, user, asset, amount }
  if (!isFinal) chain.addCredit(deposit)
  writeDepositCredited(x.events, { ...deposit, isFinal, repaid, debt: chain.debt(user, asset) })
  return undefined
}

/** `chain.final`: the credit no longer counts as one that the chain may drop. */
export const finalDeposit: Handler = ({ chain, events }, data, start) => {
  const network = chain.networks.get(readNetwork(data, start + at.CREDIT_NETWORK))
  const number = readCredit(data, start + at.CREDIT_NUMBER)
  const credit = network?.unfinal.get(number)
  if (credit === undefined) return wasCredited(network, number) && !network.orphans.isKnown(number) ? undefined : 'CREDIT_UNKNOWN'

  chain.removeCredit(credit)
  writeDepositFinal(events, credit)
  return undefined
}

/**
 * `chain.orphan`: takes back what the spot account has available of the deposit. The user owes the rest, which somebody else may have
 * bought: `outside:debts` pays it to `outside:chain`. A repeat changes nothing.
 */
export const orphanDeposit: Handler = (x, data, start) => {
  const { chain, ledger } = x
  const network = chain.networks.get(readNetwork(data, start + at.CREDIT_NETWORK))
  const number = readCredit(data, start + at.CREDIT_NUMBER)
  const deposit = network?.unfinal.get(number)
  if (network === undefined || deposit === undefined) {
    if (network?.orphans.isKnown(number) === true) return undefined
    return wasCredited(network, number) ? 'CREDIT_FINAL' : 'CREDIT_UNKNOWN'
  }

  const { user, asset, amount } = deposit
  chain.removeCredit(deposit)
  network.orphans.add(number)
  chain.flow(deposit.network, asset, -amount as Units)
  const [own, outside] = [ledger.spotRow(user, asset), ledger.systemRow('outside:chain', asset)]
  const taken = Math.min(amount, ledger.available(own)) as Units
  const missing = (amount - taken) as Units
  ledger.redeem(own, outside, asset, taken, DEPOSIT_REVERSED)
  ledger.debitOutside(ledger.systemRow('outside:debts', asset), missing, DEPOSIT_DEBT)
  ledger.credit(outside, missing, DEPOSIT_DEBT)
  chain.owe(user, asset, missing)
  writeDepositOrphaned(x.events, { ...deposit, taken, debt: chain.debt(user, asset) })
  return undefined
}

/** `chain.repay`: repays a debt as far as the spot account has the asset available. */
export const repayDebt: Handler = (x, data, start) => {
  const { chain, ledger } = x
  const user = readUserId(data, start + at.USER)
  const asset = readAssetId(data, start + at.REPAY_ASSET)
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  const debt = chain.debt(user, asset)
  const amount = Math.min(debt, ledger.available(ledger.findSpot(user, asset))) as Units
  if (debt > 0 && amount === 0) return 'INSUFFICIENT_BALANCE'
  if (debt === 0) return 'NOTHING_OWED'

  repay(x, user, asset, amount)
  writeDebtRepaid(x.events, { user, asset, amount, debt: chain.debt(user, asset) })
  return undefined
}

/** From the spot account to `outside:debts`. The asset's supply shrinks, because nobody brought what is owed. */
function repay({ chain, ledger }: State, user: UserId, asset: AssetId, amount: Units): void {
  ledger.redeem(ledger.spotRow(user, asset), ledger.systemRow('outside:debts', asset), asset, amount, DEPOSIT_DEBT)
  chain.owe(user, asset, -amount as Units)
}

/** Also true for a number so old that nobody knows. */
function wasCredited(network: ChainNetwork | undefined, number: CreditNumber): network is ChainNetwork {
  return number > 0 && network?.credits.has(number) === true
}

export function isNetwork(network: NetworkNumber): boolean {
  return network > 0 && network <= networksMax
}
