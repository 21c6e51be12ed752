import type { QuoteNumber } from '@candor/core/protocol/ids.ts'
import { execute } from '../../live/context.ts'
import { conversionNamed, quoteFor } from '../../live/convert/conversions.ts'
import { readAmount } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import { stamped } from '../auth.ts'
import type { Context } from '../context.ts'
import { badCombination, invalid, missing } from '../errors.ts'
import { amount, assetName, freshId, walletAsset, withClientErrors } from '../funds/values.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { clientErrors, orderStatuses } from './values.ts'

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000 }

/** Quotes, and their acceptance. */
export function quoteRoutes(context: Context): readonly Route[] {
  const { ask, listing } = context

  /** throws  ApiError -1130 for another time than the exchange gives, or Refused PRODUCT_CLOSED */
  const checkValidTime = async (validTime: string): Promise<void> => {
    const terms = await ask.convertTerms()
    if (terms === null) throw new Refused('PRODUCT_CLOSED')
    if (Number(validTime.slice(0, -1)) * unitMs[validTime.at(-1)!]! !== terms.validMs) throw invalid('validTime')
  }

  return [
    signedRoute(
      { method: 'POST', path: '/sapi/v1/convert/getQuote', scope: 'trade', weight: 20 },
      {
        ...{ fromAsset: param.mandatory(assetName), toAsset: param.mandatory(assetName), fromAmount: amount, toAmount: amount },
        ...{ walletType: param.word(['SPOT']), validTime: param.text(/^[1-9][0-9]{0,3}[sm]$/) },
      },
      async ({ fromAsset, toAsset, fromAmount, toAmount, validTime }, owner) => {
        const [from, to] = [walletAsset(listing, fromAsset), walletAsset(listing, toAsset)]
        if (fromAmount !== undefined && toAmount !== undefined) throw badCombination()
        if (fromAmount === undefined && toAmount === undefined) throw missing('fromAmount')
        if (validTime !== undefined) await checkValidTime(validTime)
        const isGet = toAmount !== undefined
        const asked = {
          ...{ user: owner.user, clientId: freshId(), from: from.id, to: to.id, isGet },
          amount: isGet ? readAmount(to, toAmount, 'toAmount') : readAmount(from, fromAmount!, 'fromAmount'),
        }
        const quote = await withClientErrors(clientErrors, quoteFor(stamped(context, owner), asked))
        return {
          ...{ quoteId: quote.id, ratio: quote.rate, inverseRatio: quote.inverse, validTimestamp: quote.expiresAt },
          ...{ toAmount: quote.get, fromAmount: quote.give },
        }
      },
    ),

    signedRoute(
      { method: 'POST', path: '/sapi/v1/convert/acceptQuote', scope: 'trade', weight: 10 },
      { quoteId: param.mandatory(param.id) },
      async ({ quoteId }, owner) => {
        const { user } = owner
        const command = { type: 'convert.accept', user, quote: quoteId as QuoteNumber } as const
        await withClientErrors(clientErrors, execute(stamped(context, owner), user, command))
        const { id, acceptedAt, state } = await conversionNamed(context, user, String(quoteId))
        return { orderId: id, createTime: acceptedAt, orderStatus: orderStatuses[state] }
      },
    ),
  ]
}
