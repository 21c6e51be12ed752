import { movementsFrom } from '@candor/core/protocol/ids.ts'
import { Refused } from '../../refused.ts'
import { execute } from '../../live/context.ts'
import { readAmount } from '../../live/listing.ts'
import { type FirmAccountOfKey, type FirmMoveRow, firmMovesOf, type FirmOfKey } from '../../store/query/programs/sub-accounts.ts'
import { stamped } from '../auth.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { amount, assetName, clientTranId, freshId, insufficient, walletAsset, withClientErrors } from '../funds/values.ts'
import type { ApiUser } from '../key-ring.ts'
import { checkTimes } from '../market/trades.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { accountAt, email, emailOf } from './addresses.ts'
import { firmBehind } from './keys.ts'

/** Coins move between spot accounts only. */
const accountType = param.word(['SPOT'])
const money = { asset: param.mandatory(assetName), amount: param.mandatory(amount) }
const span = { startTime: param.millis, endTime: param.millis }
const clientErrors = { INSUFFICIENT_BALANCE: [-5013, insufficient] } as const

/**
 * Moves of coins between the accounts of a firm. A move needs a key that trades, and the member who made the key needs the right to move
 * coins, and to use both accounts, at that moment. So a move goes as far as the member's own in the app, and never leaves the firm.
 */
export function moveRoutes(context: Context): readonly Route[] {
  return [...mainRoutes(context), ...subRoutes(context)]
}

/** For keys of the main account. */
function mainRoutes(context: Context): readonly Route[] {
  const path = '/sapi/v1/sub-account/universalTransfer'
  return [
    signedRoute(
      { method: 'POST', path, scope: 'trade', weight: 1 },
      {
        ...{ fromEmail: email, toEmail: email, clientTranId, ...money },
        ...{ fromAccountType: param.mandatory(accountType), toAccountType: param.mandatory(accountType) },
      },
      async ({ fromEmail, toEmail, clientTranId: id, ...sum }, owner) => {
        const firm = await firmBehind(context, owner, 'main', 'treasury')
        const from = fromEmail === undefined ? firm.own : accountAt(firm.accounts, fromEmail, 'fromEmail')
        const to = toEmail === undefined ? firm.own : accountAt(firm.accounts, toEmail, 'toEmail')
        const tranId = await move(context, owner, firm, { ...sum, from, to, id: id ?? freshId() })
        return { tranId, ...(id === undefined ? {} : { clientTranId: id }) }
      },
    ),

    signedRoute(
      { method: 'GET', path, scope: 'read', weight: 1 },
      { fromEmail: email, toEmail: email, ...span, page: param.withDefault(param.integer(1, 10_000), 1), limit: param.limit(500, 500) },
      async ({ fromEmail, toEmail, startTime, endTime, page: current, limit: size }, owner) => {
        const { accounts, own } = await firmBehind(context, owner, 'main', 'read')
        if (fromEmail !== undefined && toEmail !== undefined) throw invalid('toEmail')
        checkTimes(startTime, endTime)
        const isOut = toEmail === undefined
        const address = fromEmail ?? toEmail ?? emailOf(own.uid)
        const { user, uid } = accountAt(accounts, address, isOut ? 'fromEmail' : 'toEmail')
        await context.freshness.settled(user)
        const found = await firmMovesOf(context.pool, user, { isOut, startTime, endTime, current, size })
        return { result: found.rows.map((row) => wholeMove(row, uid)), totalCount: found.total }
      },
    ),
  ]
}

/** For keys of other accounts, which send their own coins only. */
function subRoutes(context: Context): readonly Route[] {
  const path = '/sapi/v1/sub-account/transfer'
  return [
    signedRoute({ method: 'POST', path: `${path}/subToMaster`, scope: 'trade', weight: 1 }, money, async (sum, owner) => {
      const firm = await firmBehind(context, owner, 'sub', 'treasury')
      const to = firm.accounts.find(({ kind }) => kind === 'main')
      if (to === undefined) throw new Refused('FIRM_RIGHT_MISSING')
      return { txnId: await move(context, owner, firm, { ...sum, from: firm.own, to, id: freshId() }) }
    }),

    signedRoute(
      { method: 'POST', path: `${path}/subToSub`, scope: 'trade', weight: 1 },
      { toEmail: param.mandatory(email), ...money },
      async ({ toEmail, ...sum }, owner) => {
        const firm = await firmBehind(context, owner, 'sub', 'treasury')
        const to = accountAt(
          firm.accounts.filter(({ kind }) => kind === 'sub'),
          toEmail,
          'toEmail',
        )
        return { txnId: await move(context, owner, firm, { ...sum, from: firm.own, to, id: freshId() }) }
      },
    ),

    signedRoute(
      { method: 'GET', path: `${path}/subUserHistory`, scope: 'read', weight: 1 },
      { asset: assetName, type: param.integer(1, 2), ...span, limit: param.limit(500, 500) },
      async ({ asset, type, startTime, endTime, limit: size }, owner) => {
        await firmBehind(context, owner, 'sub', 'read')
        checkTimes(startTime, endTime)
        const isOut = type === undefined ? undefined : type === 2
        await context.freshness.settled(owner.user)
        const filter = { isOut, asset, startTime, endTime, current: 1, size }
        return (await firmMovesOf(context.pool, owner.user, filter)).rows.map(ownMove)
      },
    ),
  ]
}

type Wish = {
  readonly from: FirmAccountOfKey
  readonly to: FirmAccountOfKey
  readonly asset: string
  readonly amount: string
  /** By which the sending account's move counts once. */
  readonly id: string
}

/** Moves coins and notes it in the firm's log. Returns the number of the move. throws  Refused ACCOUNT_SAME, ACCOUNT_CLOSED, USER_FROZEN */
async function move(context: Context, owner: ApiUser, { firm, member }: FirmOfKey, { from, to, id, ...sum }: Wish): Promise<number> {
  if (from.account === to.account) throw new Refused('ACCOUNT_SAME')
  if (from.is_archived || to.is_archived || from.user === null || to.user === null) throw new Refused('ACCOUNT_CLOSED')
  // The core learns of a freeze a moment later.
  if (from.is_frozen || to.is_frozen) throw new Refused('USER_FROZEN')
  const coin = walletAsset(context.listing, sum.asset)
  const command = {
    ...({ type: 'firm.move', user: from.user, clientId: id, to: to.user, asset: coin.id } as const),
    amount: readAmount(coin, sum.amount, 'amount'),
  }
  const outcome = await withClientErrors(clientErrors, execute(stamped(context, owner), from.user, command))
  context.freshness.wrote(to.user, outcome.seq)
  if (!outcome.isRepeat || outcome.isResent === true) {
    const detail = { from: from.label, to: to.label, asset: coin.symbol, amount: sum.amount, seq: outcome.seq }
    await context.noteFirm({ firm, member, account: from.account, action: 'coins-moved', detail })
  }
  return outcome.order - movementsFrom
}

/** A move as the main account's history shows it, of the account with this UID. */
const wholeMove = ({ seq, at, asset, amount: moved, is_out: isOut, uid: other }: FirmMoveRow, uid: string) => ({
  ...{ tranId: seq, fromEmail: emailOf(isOut ? uid : other), toEmail: emailOf(isOut ? other : uid), asset, amount: moved },
  ...{ createTimeStamp: at, fromAccountType: 'SPOT', toAccountType: 'SPOT', status: 'SUCCESS' },
})

const ownMove = ({ seq, at, asset, amount: moved, is_out: isOut, uid, kind }: FirmMoveRow) => ({
  ...{ counterParty: kind === 'main' ? 'master' : 'subAccount', email: emailOf(uid), type: isOut ? 2 : 1, asset, qty: moved },
  ...{ fromAccountType: 'SPOT', toAccountType: 'SPOT', status: 'SUCCESS', tranId: seq, time: at },
})
