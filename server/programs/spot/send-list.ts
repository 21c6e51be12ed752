import type { ListKind } from '@candor/core/protocol/command/order-list.ts'
import { listOffsets } from '@candor/core/protocol/command/order-list.ts'
import type { PlaceList } from '@candor/core/protocol/command/order-list.ts'
import type { PlaceOco } from '@candor/core/protocol/command/spot.ts'
import type { ClientId } from '@candor/core/protocol/ids.ts'
import { expectListClientId, forgetListClientId, keepListClientId } from '../../store/query/programs/orders.ts'
import type { ListedMarket } from '../../live/listing.ts'
import type { ApiUser } from '../key-ring.ts'
import type { Call } from '../route.ts'
import { type Desk, send } from './desk.ts'
import { placedList } from './lists.ts'
import { placeError } from './refusals.ts'

export type NewList = {
  readonly market: ListedMarket
  readonly command: PlaceOco | PlaceList
  readonly kind: ListKind
  /** Client id of the list's first order; undefined when it follows from the list's own. */
  readonly first: ClientId | undefined
  readonly answer: 'ACK' | 'RESULT' | 'FULL' | undefined
}

/**
 * Sends a list of orders and answers with it.
 *
 * throws  ApiError or Refused
 */
export async function sendList(
  { context, counts }: Desk,
  owner: ApiUser,
  { market, command, kind, first, answer }: NewList,
  call: Pick<Call, 'at' | 'answerHeaders'>,
): Promise<object> {
  const { user } = owner
  const { clientId } = command
  counts.take(user, owner.class, listOffsets[kind].length, call.at, call.answerHeaders)
  // The list's name is stored before it is sent: the list can be found by it even if the answer is lost.
  const expected = first && (await expectListClientId(context.pool, user, first, clientId))
  const outcome = await send(context, owner, command)
  if (outcome.refusal) {
    if (first && expected) await forgetListClientId(context.pool, user, first, expected)
    throw placeError(outcome.refusal)
  }
  if (first !== undefined && (!outcome.isRepeat || outcome.isResent === true)) await keepListClientId(context.pool, user, first, clientId)
  return placedList(context, owner, market, outcome, { name: clientId, kind, answer: answer ?? 'RESULT' })
}
