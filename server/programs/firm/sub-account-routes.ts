import type { Units } from '@candor/core/money/brand.ts'
import { amountText } from '../../live/listing.ts'
import type { FirmAccountOfKey } from '../../store/query/programs/sub-accounts.ts'
import type { Context } from '../context.ts'
import { spotBalances } from '../funds/balances.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { accountAt, email, emailOf } from './addresses.ts'
import { firmBehind } from './keys.ts'

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
        const { accounts } = await firmBehind(context, owner, 'main', 'read')
        const found = accounts
          .filter(isSub)
          .filter(({ uid }) => only === undefined || emailOf(uid) === only)
          .filter((account) => isFreeze === undefined || isClosed(account) === (isFreeze === 'true'))
        return { subAccounts: found.slice((page - 1) * limit, page * limit).map(listed) }
      },
    ),

    signedRoute(
      { method: 'GET', path: '/sapi/v4/sub-account/assets', scope: 'read', weight: 60 },
      { email: param.mandatory(email) },
      async ({ email: named }, owner) => {
        const { accounts } = await firmBehind(context, owner, 'main', 'read')
        const { user } = accountAt(accounts.filter(isSub), named, 'email')
        const spot = await spotBalances(context, user)
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

const isSub = ({ kind }: FirmAccountOfKey): boolean => kind === 'sub'
const isClosed = ({ is_frozen: isFrozen, is_archived: isArchived }: FirmAccountOfKey): boolean => isFrozen || isArchived

const listed = (account: FirmAccountOfKey) => ({
  ...{ subUserId: Number(account.uid), email: emailOf(account.uid), remark: account.label },
  ...{ isFreeze: isClosed(account), createTime: account.made_at },
  ...{ isManagedSubAccount: false, isAssetManagementSubAccount: false },
})
