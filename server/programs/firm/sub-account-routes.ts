import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { Refused } from '../../refused.ts'
import { amountText } from '../../live/listing.ts'
import { type SubAccountRow, subAccountsOf } from '../../store/query/programs/sub-accounts.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { spotBalances } from '../funds/balances.ts'
import * as param from '../params.ts'
import type { ApiUser } from '../key-ring.ts'
import { type Route, signedRoute } from '../route.ts'
import { emailOf } from './addresses.ts'

const email = param.text(/^[A-Za-z0-9_.@-]{1,100}$/)

/** What a key of a firm's main account sees of the other accounts of the firm. */
export function subAccountRoutes(context: Context): readonly Route[] {
  return [
    signedRoute(
      { method: 'GET', path: '/sapi/v1/sub-account/list', scope: 'read', weight: 1 },
      {
        email,
        isFreeze: param.word(['true', 'false']),
        page: param.withDefault(param.integer(1, 10_000), 1),
        limit: param.limit(20, 200),
      },
      async ({ email: only, isFreeze, page, limit }, owner) => {
        const found = (await seenBy(context, owner))
          .filter(({ uid }) => only === undefined || emailOf(uid) === only)
          .filter(({ is_frozen: isFrozen }) => isFreeze === undefined || isFrozen === (isFreeze === 'true'))
        return { subAccounts: found.slice((page - 1) * limit, page * limit).map(listed) }
      },
    ),

    signedRoute(
      { method: 'GET', path: '/sapi/v4/sub-account/assets', scope: 'read', weight: 60 },
      { email: param.mandatory(email) },
      async ({ email: named }, owner) => {
        const account = (await seenBy(context, owner)).find(({ uid }) => emailOf(uid) === named)
        if (account === undefined || account.user === null) throw invalid('email')
        const spot = await spotBalances(context, account.user as UserId)
        const balances = context.listing.assets.flatMap((asset) => {
          const { available, held } = spot.get(asset.id) ?? { available: 0, held: 0 }
          if (available === 0 && held === 0) return []
          const free = amountText(asset, available as Units)
          return [{ asset: asset.symbol, free, locked: amountText(asset, held as Units), freeze: '0', withdrawing: '0' }]
        })
        return { balances }
      },
    ),
  ]
}

/** throws  Refused FIRM_RIGHT_MISSING, for a person, another firm's sub-account and a lost member alike */
async function seenBy({ pool }: Context, { keyId }: ApiUser): Promise<readonly SubAccountRow[]> {
  const accounts = await subAccountsOf(pool, keyId)
  if (accounts === undefined) throw new Refused('FIRM_RIGHT_MISSING')
  return accounts
}

const listed = ({ uid, label, made_at: createTime, is_frozen: isFreeze }: SubAccountRow) => ({
  ...{ subUserId: Number(uid), email: emailOf(uid), remark: label, isFreeze, createTime },
  ...{ isManagedSubAccount: false, isAssetManagementSubAccount: false },
})
