import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { Transfer } from '@candor/core/protocol/command/funds.ts'
import { movementsFrom } from '@candor/core/protocol/ids.ts'
import { transfersOf } from '../../store/query/programs/transfers.ts'
import { execute } from '../../live/context.ts'
import type { Context } from '../context.ts'
import { readAmount } from '../../live/listing.ts'
import { stamped } from '../auth.ts'
import { invalid } from '../errors.ts'
import { Names } from '../names.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { checkTimes } from '../market/trades.ts'
import { kindsOf, endsOf } from './accounts.ts'
import { amount, assetName, clientTranId, freshId, insufficient, page, type ClientErrors, withClientErrors, walletAsset } from './values.ts'

const transferType = param.text(/^[A-Z_]{1,40}$/)

/** Codes and messages that clients know for refused transfers. */
const clientErrors: ClientErrors = {
  INSUFFICIENT_BALANCE: [-5013, insufficient],
  ASSET_NOT_IN_ACCOUNT: [-3027, 'Not a valid margin asset.'],
}
const clientErrorsFrom = (from: AccountKind): ClientErrors =>
  from === 'perp'
    ? { ...clientErrors, AMOUNT_BOUND: [-5013, insufficient] }
    : { ...clientErrors, AMOUNT_BOUND: [-3020, 'Transfer out amount exceeds max amount.'] }

/** Transfers between a user's own accounts, and their history. */
export function transferRoutes(context: Context): readonly Route[] {
  const names = new Names(context.data, 'spot')
  const path = '/sapi/v1/asset/transfer'
  return [
    signedRoute({ method: 'POST', path, scope: 'trade', weight: 1 }, transferParams, async (values, owner) => {
      const { from, to, market } = endsOf(names, values.type, values.fromSymbol, values.toSymbol)
      const asset = walletAsset(context.listing, values.asset)
      const command: Transfer = {
        type: 'funds.transfer',
        ...{ user: owner.user, clientId: values.clientTranId ?? freshId(), asset: asset.id, from, to },
        amount: readAmount(asset, values.amount, 'amount'),
        ...(market === undefined ? {} : { market }),
      }
      const { order } = await withClientErrors(clientErrorsFrom(from), execute(stamped(context, owner), owner.user, command))
      return { tranId: order - movementsFrom }
    }),

    signedRoute({ method: 'GET', path, scope: 'read', weight: 1 }, historyParams, async (values, owner) => {
      const [from, to] = kindsOf(values.type)
      const { fromSymbol, toSymbol, startTime, endTime, current, size } = values
      if (fromSymbol !== undefined && from !== 'margin-isolated') throw invalid('fromSymbol')
      if (toSymbol !== undefined && to !== 'margin-isolated') throw invalid('toSymbol')
      checkTimes(startTime, endTime)
      await context.freshness.settled(owner.user)
      const found = await transfersOf(context.pool, owner.user, {
        ...{ from, to, startTime, endTime, current, size },
        fromMarket: fromSymbol,
        toMarket: toSymbol,
      })
      const rows = found.rows.map(({ seq, at, asset, amount: moved, from_market, to_market }) => ({
        ...{ timestamp: at, asset, amount: moved, type: values.type, status: 'CONFIRMED', tranId: seq },
        ...(from_market === '' ? {} : { fromSymbol: from_market }),
        ...(to_market === '' ? {} : { toSymbol: to_market }),
      }))
      return { total: found.total, rows }
    }),
  ]
}

const transferParams = {
  type: param.mandatory(transferType),
  asset: param.mandatory(assetName),
  amount: param.mandatory(amount),
  fromSymbol: param.symbol,
  toSymbol: param.symbol,
  clientTranId,
}

const historyParams = { type: param.mandatory(transferType), ...page, fromSymbol: param.symbol, toSymbol: param.symbol }
