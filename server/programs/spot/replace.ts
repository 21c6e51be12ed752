import { refusals } from '@candor/core/protocol/refusal.ts'
import { ApiError, apiErrorOf } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import * as param from '../params.ts'
import type { Call } from '../route.ts'
import { cancelled } from './cancel.ts'
import { orderCommand } from './command.ts'
import { derivedId, type Desk } from './desk.ts'
import { cancelParams, clientId, oneOf, orderParams, strategyParams } from './params.ts'
import { checkFilters, placed } from './place.ts'

export const replaceParams = {
  ...orderParams,
  ...strategyParams,
  cancelReplaceMode: param.mandatory(param.word(['STOP_ON_FAILURE', 'ALLOW_FAILURE'])),
  cancelOrderId: param.id,
  cancelOrigClientOrderId: clientId,
  cancelNewClientOrderId: clientId,
  cancelRestrictions: cancelParams.cancelRestrictions,
  orderRateLimitExceededMode: param.word(['DO_NOTHING', 'CANCEL_ONLY']),
} as const

type Result = 'SUCCESS' | 'FAILURE' | 'NOT_ATTEMPTED'

/** One half failed (-2021, 409) or nothing was done (-2022); it carries the result of each half. */
class ReplaceFailed extends ApiError {
  readonly data: object

  constructor(isHalf: boolean, data: object) {
    super(isHalf ? -2021 : -2022, isHalf ? 'Order cancel-replace partially failed.' : 'Order cancel-replace failed.', isHalf ? 409 : 400)
    this.data = data
  }

  override get body(): { readonly code: number; readonly msg: string; readonly data: object } {
    return { ...super.body, data: this.data }
  }
}

/**
 * Cancels an order and places another. Missing parameters and failed filters of the new one are reported before anything is
 * cancelled. A request with the same new client id repeats both halves.
 *
 * throws  ApiError -2021, -2022, or as for an order; a fault when the outcome of one half is not known
 */
export async function replaceSpotOrder(
  { context, names, counts }: Desk,
  owner: ApiUser,
  values: param.Values<typeof replaceParams>,
  call: Pick<Call, 'at' | 'answerHeaders'>,
): Promise<object> {
  const { cancelOrderId, cancelOrigClientOrderId, cancelRestrictions } = values
  if (cancelOrderId === undefined && cancelOrigClientOrderId === undefined) throw oneOf('cancelOrigClientOrderId', 'cancelOrderId')
  const market = names.market(values.symbol)
  const command = orderCommand(market, owner.user, values)
  checkFilters(market, command, 0)
  const tooMany = attempt(() => counts.take(owner.user, owner.class, 1, call.at, call.answerHeaders))
  if (tooMany !== undefined && values.orderRateLimitExceededMode !== 'CANCEL_ONLY') throw tooMany
  const which = { orderId: cancelOrderId, origClientOrderId: cancelOrigClientOrderId, cancelRestrictions }
  const cancelId = values.cancelNewClientOrderId ?? derivedId('cancel', command.clientId)

  const first = await settled(() => cancelled(context, owner, market, 'spot', which, cancelId), true)
  const isStopped = tooMany !== undefined || (first.error !== undefined && values.cancelReplaceMode === 'STOP_ON_FAILURE')
  const second = isStopped ? undefined : await settled(() => placed(context, owner, market, values, command), false)
  const answer = {
    cancelResult: resultOf(first),
    newOrderResult: tooMany !== undefined ? ('FAILURE' as const) : resultOf(second),
    cancelResponse: first.answer ?? first.error?.body,
    newOrderResponse: tooMany !== undefined ? tooMany.body : second === undefined ? null : (second.answer ?? second.error?.body),
  }
  const failures = [answer.cancelResult, answer.newOrderResult].filter((result) => result !== 'SUCCESS').length
  if (failures > 0) throw new ReplaceFailed(failures === 1, answer)
  return answer
}

type Half = { readonly answer: object | undefined; readonly error: ApiError | undefined }

const resultOf = (half: Half | undefined): Result =>
  half === undefined ? 'NOT_ATTEMPTED' : half.error === undefined ? 'SUCCESS' : 'FAILURE'

/**
 * Awaits one half.
 *
 * isFirst  nothing was changed before it: if this half is not accepted, the whole request is not accepted
 *
 * throws   anything that is not an answer of the exchange, or that says that the outcome is unknown
 */
async function settled(ask: () => Promise<object>, isFirst: boolean): Promise<Half> {
  try {
    return { answer: await ask(), error: undefined }
  } catch (cause) {
    const error = apiErrorOf(cause)
    if (error === undefined || error.code === refusals.STATUS_UNKNOWN.api || (isFirst && error.status >= 500)) throw cause
    return { answer: undefined, error }
  }
}

function attempt(act: () => void): ApiError | undefined {
  try {
    act()
    return undefined
  } catch (cause) {
    if (cause instanceof ApiError) return cause
    throw cause
  }
}
