import type { Units } from '../../money/brand.ts'
import { networksMax } from '../../protocol/command/chain.ts'
import type { AssetId, NetworkNumber, UserId } from '../../protocol/ids.ts'
import type { AssetSum, ChainFlow, ChainStanding, WithdrawalView, WithdrawTermsRow } from '../../protocol/port.ts'
import type { State } from '../state/state.ts'
import { withdrawnMax } from './limit.ts'
import type { Credit, Withdrawal } from './records/state.ts'
import { dayOf } from './records/state.ts'

/** Reads of deposits and withdrawals, for queries. */
export type ChainReads = {
  standing(user: UserId): ChainStanding
  withdrawals(): readonly WithdrawalView[]
  terms(): readonly WithdrawTermsRow[]
  flows(): readonly ChainFlow[]
  /** Deposits that their networks may still drop, by network, then number. */
  unfinal(): readonly Credit[]
}

export function chainReads(x: State): ChainReads {
  return {
    standing: (user) => viewChain(x, user),
    withdrawals: () => viewWithdrawals(x),
    terms: () => viewTerms(x),
    flows: () => viewFlows(x),
    unfinal: () => viewUnfinal(x),
  }
}

/** A user's deposits that are not final, debts, open withdrawals and use of the daily limit, as of the last command. */
function viewChain(x: State, user: UserId): ChainStanding {
  const known = x.chain.users.get(user)
  const open = [...(known?.open ?? [])].map((number) => x.chain.withdrawals.get(number)!)
  return {
    unfinal: sumsOf(known?.unfinal),
    debts: sumsOf(known?.debts),
    withdrawals: viewAll(open),
    today: { limit: withdrawnMax(x, user), used: x.chain.withdrawnOn(user, dayOf(x.atMs)) },
  }
}

/** All open withdrawals, oldest first. */
function viewWithdrawals({ chain }: State): readonly WithdrawalView[] {
  return viewAll([...chain.withdrawals.values()])
}

/** By asset, then network. */
function viewTerms({ chain }: State): readonly WithdrawTermsRow[] {
  return [...chain.terms]
    .sort(([a], [b]) => a - b)
    .map(([key, terms]) => {
      const network = (key % (networksMax + 1)) as NetworkNumber
      return { asset: ((key - network) / (networksMax + 1)) as AssetId, network, terms }
    })
}

/** By network, then asset. */
function viewFlows({ chain }: State): readonly ChainFlow[] {
  return [...chain.networks]
    .sort(([a], [b]) => a - b)
    .flatMap(([network, { flows, unfinal }]) =>
      sumsOf(flows).map(({ asset, amount }) => {
        const waiting = [...unfinal.values()].filter((credit) => credit.asset === asset)
        return { network, asset, flow: amount, unfinal: waiting.reduce((sum, credit) => sum + credit.amount, 0) as Units }
      }),
    )
}

function viewUnfinal({ chain }: State): readonly Credit[] {
  const all = [...chain.networks.values()].flatMap(({ unfinal }) => [...unfinal.values()])
  return all.sort((a, b) => a.network - b.network || a.credit - b.credit)
}

function viewAll(list: readonly Withdrawal[]): readonly WithdrawalView[] {
  return list.map(({ day: _day, value: _value, ...view }) => view).sort((a, b) => a.withdrawal - b.withdrawal)
}

function sumsOf(sums: ReadonlyMap<AssetId, Units> = new Map()): readonly AssetSum[] {
  return [...sums].map(([asset, amount]) => ({ asset, amount })).sort((a, b) => a.asset - b.asset)
}
