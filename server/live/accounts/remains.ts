import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'

/** A user's remaining balances, and counts of everything that is open. */
export type Remains = {
  readonly balances: readonly { readonly kind: AccountKind; readonly asset: AssetId; readonly amount: Units }[]
  readonly openOrders: number
  /** Running TWAP and scaled orders: their later parts hold nothing, so that neither a balance nor an open order shows them. */
  readonly algos: number
  readonly positions: number
  readonly loans: number
  readonly claims: number
  readonly options: number
  /** Coins owed for dropped deposits. */
  readonly debts: number
  /** Open withdrawals. */
  readonly withdrawals: number
  /** Open presales with a sum of the user, which no balance shows. Later allocations and refunds go to the account. */
  readonly presales: number
}

export async function remainsOf(
  ask: Pick<
    Ask,
    | 'balances'
    | 'openOrders'
    | 'perpAccount'
    | 'marginAccounts'
    | 'claims'
    | 'openOptions'
    | 'chainStanding'
    | 'presaleSubscriptions'
    | 'standing'
  >,
  user: UserId,
): Promise<Remains> {
  const [balances, orders, perp, margin, claims, options, chain, presales, { runningAlgos: algos }] = await Promise.all([
    ask.balances(user),
    ask.openOrders(user),
    ask.perpAccount(user),
    ask.marginAccounts(user),
    ask.claims(user),
    ask.openOptions(user),
    ask.chainStanding(user),
    ask.presaleSubscriptions(user),
    ask.standing(user),
  ])
  return {
    balances: balances.flatMap(({ account, available, held }) => {
      const amount = (available + held) as Units
      return 'user' in account && amount > 0 ? [{ kind: account.kind, asset: account.asset, amount }] : []
    }),
    openOrders: orders.length,
    algos,
    positions: perp.positions.length,
    loans: margin.flatMap((account) => account.balances).filter(({ principal, interest }) => principal + interest > 0).length,
    claims: claims.length,
    options: options.length,
    debts: chain.debts.length,
    withdrawals: chain.withdrawals.length,
    presales,
  }
}
