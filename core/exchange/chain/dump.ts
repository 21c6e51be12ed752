import type { Millis, Units } from '../../money/brand.ts'
import { readWithdrawTerms, writeWithdrawTerms } from '../../protocol/codec/chain.ts'
import { WITHDRAW_TERMS_SLOTS } from '../../protocol/codec/layout.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import type { AssetId, CreditNumber, NetworkNumber, UserId, WithdrawalNumber } from '../../protocol/ids.ts'
import { withdrawalEnds } from './records/state.ts'
import type { ChainNetwork, ChainState } from './records/state.ts'

// Lists, each preceded by its length.
const CREDIT = layoutOf('credit', 'user', 'asset', 'amount')
const FLOW = layoutOf('asset', 'flow')
const DEBT = layoutOf('user', 'asset', 'debt')
const DAY = layoutOf('user', 'day', 'withdrawn')
const WITHDRAWAL = layoutOf(
  ...(['withdrawal', 'user', 'asset', 'network', 'amount', 'fee', 'destination', 'people', 'day', 'value', 'isApproved'] as const),
)
const ENDED = layoutOf('withdrawal', 'user', 'end')

/** Networks, terms, debts, days and open withdrawals, each sorted by number; then the withdrawals that ended, oldest first. */
export function dumpChain(chain: ChainState, into: Records): void {
  put(into, chain.networks.size)
  for (const [number, network] of sorted(chain.networks)) dumpNetwork(number, network, into)
  put(into, chain.terms.size)
  for (const [key, terms] of sorted(chain.terms)) {
    put(into, key)
    const at = into.reserve(WITHDRAW_TERMS_SLOTS)
    writeWithdrawTerms(terms, into.data, at)
  }
  const users = sorted(chain.users)
  const debts = users.flatMap(([user, { debts }]) => sorted(debts).map(([asset, debt]) => ({ user, asset, debt })))
  put(into, debts.length)
  for (const debt of debts) putRecord(into, DEBT, debt)
  const days = users.filter(([, { day }]) => day > 0)
  put(into, days.length)
  for (const [user, { day, withdrawn }] of days) putRecord(into, DAY, { user, day, withdrawn })
  put(into, chain.withdrawals.size)
  for (const [, withdrawal] of sorted(chain.withdrawals)) putRecord(into, WITHDRAWAL, withdrawal)
  put(into, chain.ended.size)
  for (const [withdrawal, { user, end }] of chain.ended) putRecord(into, ENDED, { withdrawal, user, end: withdrawalEnds.indexOf(end) })
}

function dumpNetwork(number: NetworkNumber, { credits, orphans, unfinal, flows }: ChainNetwork, into: Records): void {
  put(into, number)
  credits.dump(into)
  orphans.dump(into)
  put(into, unfinal.size)
  for (const [, credit] of sorted(unfinal)) putRecord(into, CREDIT, credit)
  put(into, flows.size)
  for (const [asset, flow] of sorted(flows)) putRecord(into, FLOW, { asset, flow })
}

/** Reads what `dumpChain` wrote at `start` into an empty state. Returns the index just after it. */
export function restoreChain(chain: ChainState, data: Float64Array, start: number): number {
  let at = start
  for (let left = data[at++]!; left > 0; left--) at = restoreNetwork(chain, data, at)
  for (let left = data[at++]!; left > 0; left--, at += 1 + WITHDRAW_TERMS_SLOTS) chain.terms.set(data[at]!, readWithdrawTerms(data, at + 1))
  for (let left = data[at++]!; left > 0; left--, at += DEBT.length)
    chain.owe(data[at + DEBT.user] as UserId, data[at + DEBT.asset] as AssetId, data[at + DEBT.debt] as Units)
  for (let left = data[at++]!; left > 0; left--, at += DAY.length) {
    const user = chain.user(data[at + DAY.user] as UserId)
    user.day = data[at + DAY.day] as Millis
    user.withdrawn = data[at + DAY.withdrawn] as Units
  }
  for (let left = data[at++]!; left > 0; left--, at += WITHDRAWAL.length) restoreWithdrawal(chain, data, at)
  for (let left = data[at++]!; left > 0; left--, at += ENDED.length) {
    const [user, end] = [data[at + ENDED.user] as UserId, withdrawalEnds[data[at + ENDED.end]!]!]
    chain.ended.set(data[at + ENDED.withdrawal] as WithdrawalNumber, { user, end })
  }
  return at
}

function restoreNetwork(chain: ChainState, data: Float64Array, start: number): number {
  const number = data[start] as NetworkNumber
  const network = chain.network(number)
  let at = network.orphans.restore(data, network.credits.restore(data, start + 1))
  for (let left = data[at++]!; left > 0; left--, at += CREDIT.length) {
    chain.addCredit({
      network: number,
      credit: data[at + CREDIT.credit] as CreditNumber,
      user: data[at + CREDIT.user] as UserId,
      asset: data[at + CREDIT.asset] as AssetId,
      amount: data[at + CREDIT.amount] as Units,
    })
  }
  for (let left = data[at++]!; left > 0; left--, at += FLOW.length)
    chain.flow(number, data[at + FLOW.asset] as AssetId, data[at + FLOW.flow] as Units)
  return at
}

function restoreWithdrawal(chain: ChainState, data: Float64Array, at: number): void {
  chain.openWithdrawal({
    withdrawal: data[at + WITHDRAWAL.withdrawal] as WithdrawalNumber,
    user: data[at + WITHDRAWAL.user] as UserId,
    asset: data[at + WITHDRAWAL.asset] as AssetId,
    network: data[at + WITHDRAWAL.network] as NetworkNumber,
    amount: data[at + WITHDRAWAL.amount] as Units,
    fee: data[at + WITHDRAWAL.fee] as Units,
    destination: data[at + WITHDRAWAL.destination]!,
    people: data[at + WITHDRAWAL.people] as 0 | 1 | 2,
    day: data[at + WITHDRAWAL.day] as Millis,
    value: data[at + WITHDRAWAL.value] as Units,
    isApproved: data[at + WITHDRAWAL.isApproved] === 1,
  })
}

function sorted<K extends number, T>(map: Iterable<readonly [K, T]>): readonly (readonly [K, T])[] {
  return [...map].sort((a, b) => a[0] - b[0])
}
