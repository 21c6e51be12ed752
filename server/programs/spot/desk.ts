import { createHash, randomBytes } from 'node:crypto'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { ClientId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { OrderAccount } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'
import { submitFor } from '../auth.ts'
import type { ApiUser } from '../key-ring.ts'
import { Names } from '../names.ts'
import type { OrderCounts } from '../order-counts.ts'

/** Parts that the routes of orders in spot markets share, for all accounts. */
export type Desk = { readonly context: Context; readonly names: Names; readonly counts: OrderCounts }

export function deskOf(context: Context, counts: OrderCounts): Desk {
  return { context, names: new Names(context.data, 'spot'), counts }
}

/** The account that an order belongs to. */
export const accountOf = ({ margin }: { readonly margin?: MarginOrder | null }): OrderAccount => margin?.account ?? 'spot'

/**
 * Sends a command with the key's number. The outcome contains the core's refusal, if any: its meaning depends on the request.
 *
 * answer  see `submitFor`
 *
 * throws  ApiError -1015, at once; rejects with a fault when the outcome is unknown or the command was not accepted
 */
export function send<T = Outcome>(
  context: Context,
  owner: ApiUser,
  command: Command,
  answer?: (outcome: Outcome) => T | Promise<T>,
): Promise<T> {
  return submitFor(context, owner, command, (outcome) => {
    context.freshness.wrote(owner.user, outcome.seq)
    return answer === undefined ? (outcome as T) : answer(outcome)
  })
}

/** Differs between processes. */
const mark = randomBytes(9).toString('hex')
let made = 0

/** A client id for a request that came without one: 30 characters at most, which lists may have, too. */
export function madeId(): ClientId {
  return `x-${mark}${(++made).toString(36)}`
}

/** A second client id derived from a first, so that a repeat of a request of two commands repeats both. 30 characters. */
export function derivedId(what: string, from: string): ClientId {
  return `x-${createHash('sha256').update(`${what} ${from}`).digest('hex').slice(0, 28)}`
}
