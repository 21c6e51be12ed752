import type { RequestWithdrawal } from '@candor/core/protocol/command/chain.ts'
import { clientIdPattern, movementsFrom } from '@candor/core/protocol/ids.ts'
import type { WireWithdrawalStep } from '@candor/core/protocol/wire/chains.ts'
import type { PastWithdrawal } from '../../chains/desk/withdrawals.ts'
import { messages } from '../../http/messages.ts'
import { execute } from '../../live/context.ts'
import { readAmount } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import { stamped } from '../auth.ts'
import type { Context } from '../context.ts'
import { ApiError, invalid } from '../errors.ts'
import { amount, assetName, type ClientErrors, freshId, insufficient, walletAsset, withClientErrors } from '../funds/values.ts'
import { checkTimes } from '../market/trades.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { placeOf, wordNamed } from './networks.ts'
import { historyParams, networkWord } from './values.ts'

/** Codes and messages that clients know for refused withdrawals. */
const clientErrors: ClientErrors = { INSUFFICIENT_BALANCE: [-4026, insufficient] }

/** Statuses by the numbers that programs know: cancelled, awaiting approval, rejected, processing, failure, completed. */
const numbers: Readonly<Record<WireWithdrawalStep, 1 | 2 | 3 | 4 | 5 | 6>> = {
  ...({ cancelled: 1, requested: 2, rejected: 3, approved: 4, sent: 4, confirmed: 4, failed: 5, completed: 6 } as const),
}
const stepOf = (number: string): WireWithdrawalStep =>
  (Object.keys(numbers) as WireWithdrawalStep[]).find((step) => String(numbers[step]) === number)!

/** Each withdrawal locks the account and asks the database several times. */
const applyWeight = 600

/** Withdrawals, to addresses of the customer's list only. */
export function withdrawRoutes(context: Context): readonly Route[] {
  const { listing, chains } = context
  const { config, withdrawals: desk } = chains
  return [
    signedRoute(
      { method: 'POST', path: '/sapi/v1/capital/withdraw/apply', scope: 'withdraw', weight: applyWeight },
      {
        ...{ coin: param.mandatory(assetName), network: networkWord, address: param.mandatory(param.text(/^[0-9A-Za-z]{20,80}$/)) },
        ...{ addressTag: param.text(/^.{1,100}$/u), amount: param.mandatory(amount), withdrawOrderId: param.text(clientIdPattern) },
      },
      async (values, owner, { ip }) => {
        // Where the rules for keys don't ask for a list, as in a sandbox, a withdrawal does.
        if (!owner.isBound) throw new ApiError(-2015, messages.KEY_NEEDS_IPS, 401)
        // No network here has tags: money that needs one would be lost.
        if (values.addressTag !== undefined) throw invalid('addressTag')
        if (desk === undefined) throw new Refused('WITHDRAWALS_CLOSED')
        const asset = walletAsset(listing, values.coin)
        const coin = { ...placeOf(config, asset, values.network), asset }
        const asked = {
          coin,
          clientId: values.withdrawOrderId ?? freshId(),
          to: values.address,
          amount: readAmount(asset, values.amount, 'amount'),
        }
        const program = {
          ...{ account: owner.account, user: owner.user, number: owner.keyId, ip },
          submit: async (command: RequestWithdrawal) => (await execute(stamped(context, owner), owner.user, command)).order - movementsFrom,
        }
        return withClientErrors(clientErrors, desk.requestByKey(asked, program))
      },
    ),

    signedRoute(
      { method: 'GET', path: '/sapi/v1/capital/withdraw/history', scope: 'read', weight: 10 },
      { ...historyParams, status: param.word(['0', '1', '2', '3', '4', '5', '6']), withdrawOrderId: param.text(clientIdPattern) },
      async ({ coin, status, withdrawOrderId: clientId, startTime: since, endTime: until, offset, limit }, owner) => {
        if (coin !== undefined) walletAsset(listing, coin)
        checkTimes(since, until)
        // Nothing waits for a mail here.
        if (desk === undefined || status === '0') return []
        await context.freshness.settled(owner.user)
        const step = status === undefined ? undefined : stepOf(status)
        const found = await desk.past(owner, { asset: coin, step, clientId, since, until, offset, limit })
        return found.map((one) => withdrawalOf(one, wordNamed(config, one.network)))
      },
    ),
  ]
}

/** `amount`: what arrives; with the fee, it is what left the account. */
function withdrawalOf(one: PastWithdrawal, network: string) {
  const { id, received, fee, asset: coin, step, address, txid = '', requestedAt, endedAt, reason = '', clientId } = one
  return {
    ...{ id, amount: received, transactionFee: fee, coin, status: numbers[step], address, addressTag: '', txId: txid },
    ...{ applyTime: timeText(requestedAt), network, transferType: 0, walletType: 0, info: reason, txKey: '' },
    ...(clientId === undefined ? {} : { withdrawOrderId: clientId }),
    ...(step === 'completed' && endedAt !== undefined ? { completeTime: timeText(endedAt) } : {}),
  }
}

/** `2026-07-28 09:15:00`, UTC. */
const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
