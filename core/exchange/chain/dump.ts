import { readCredit, readNetwork, readWithdrawal, readWithdrawTerms, writeWithdrawTerms } from '../../protocol/codec/chain/slots.ts'
import { WITHDRAW_TERMS_SLOTS } from '../../protocol/codec/layout.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt, type Read, readAssetId, readMillis, readUnits, readUserId } from '../../protocol/codec/slots.ts'
import type { NetworkNumber } from '../../protocol/ids.ts'
import { withdrawalEnds } from './records/state.ts'
import type { ChainNetwork, ChainState, Credit, Withdrawal } from './records/state.ts'

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
export const restoreChain =
  (chain: ChainState): Read<number> =>
  (data, start) => {
    let at = start
    for (let left = countAt(data, at++); left > 0; left--) at = restoreNetwork(chain)(data, at)
    for (let left = countAt(data, at++, 1 + WITHDRAW_TERMS_SLOTS); left > 0; left--, at += 1 + WITHDRAW_TERMS_SLOTS)
      chain.terms.set(data[at]!, readWithdrawTerms(data, at + 1))
    for (let left = countAt(data, at++, DEBT.length); left > 0; left--, at += DEBT.length)
      chain.owe(readUserId(data, at + DEBT.user), readAssetId(data, at + DEBT.asset), readUnits(data, at + DEBT.debt))
    for (let left = countAt(data, at++, DAY.length); left > 0; left--, at += DAY.length)
      chain.count(readUserId(data, at + DAY.user), readMillis(data, at + DAY.day), readUnits(data, at + DAY.withdrawn))
    for (let left = countAt(data, at++, WITHDRAWAL.length); left > 0; left--, at += WITHDRAWAL.length)
      chain.openWithdrawal(withdrawalAt(data, at))
    for (let left = countAt(data, at++, ENDED.length); left > 0; left--, at += ENDED.length) {
      const [user, end] = [readUserId(data, at + ENDED.user), withdrawalEnds[data[at + ENDED.end]!]!]
      chain.ended.set(readWithdrawal(data, at + ENDED.withdrawal), { user, end })
    }
    return at
  }

const restoreNetwork =
  (chain: ChainState): Read<number> =>
  (data, start) => {
    const network = readNetwork(data, start)
    const { credits, orphans } = chain.network(network)
    let at = orphans.restore(data, credits.restore(data, start + 1))
    for (let left = countAt(data, at++, CREDIT.length); left > 0; left--, at += CREDIT.length)
      chain.addCredit({ network, ...creditAt(data, at) })
    for (let left = countAt(data, at++, FLOW.length); left > 0; left--, at += FLOW.length)
      chain.flow(network, readAssetId(data, at + FLOW.asset), readUnits(data, at + FLOW.flow))
    return at
  }

const creditAt: Read<Omit<Credit, 'network'>> = (data, at) => ({
  credit: readCredit(data, at + CREDIT.credit),
  user: readUserId(data, at + CREDIT.user),
  asset: readAssetId(data, at + CREDIT.asset),
  amount: readUnits(data, at + CREDIT.amount),
})

const withdrawalAt: Read<Withdrawal> = (data, at) => ({
  withdrawal: readWithdrawal(data, at + WITHDRAWAL.withdrawal),
  user: readUserId(data, at + WITHDRAWAL.user),
  asset: readAssetId(data, at + WITHDRAWAL.asset),
  network: readNetwork(data, at + WITHDRAWAL.network),
  amount: readUnits(data, at + WITHDRAWAL.amount),
  fee: readUnits(data, at + WITHDRAWAL.fee),
  destination: data[at + WITHDRAWAL.destination]!,
  people: data[at + WITHDRAWAL.people] as 0 | 1 | 2,
  day: readMillis(data, at + WITHDRAWAL.day),
  value: readUnits(data, at + WITHDRAWAL.value),
  isApproved: data[at + WITHDRAWAL.isApproved] === 1,
})

function sorted<K extends number, T>(map: Iterable<readonly [K, T]>): readonly (readonly [K, T])[] {
  return [...map].sort((a, b) => a[0] - b[0])
}
