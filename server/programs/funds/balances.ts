import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Balance } from '@candor/core/protocol/port.ts'
import type { Context } from '../context.ts'

/** Balances of the spot account by asset. */
export async function spotBalances({ ask }: Context, user: UserId): Promise<ReadonlyMap<AssetId, Balance>> {
  const balances = await ask.balances(user)
  return new Map(balances.flatMap((one) => ('user' in one.account && one.account.kind === 'spot' ? [[one.account.asset, one]] : [])))
}
