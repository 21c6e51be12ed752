import type { ListKind } from '@candor/core/protocol/command/order-list.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { firstLegsOf, listClientIds } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'

/** Longest client id of a list from which the core derives its legs' client ids. */
export const listIdMax = 30
const limitSuffix = '-limit'
const stopSuffix = '-stop'
/** Endings of orders named after their list. The first order of a list has the first of them, unless it has a name of its own. */
export const listSuffixes = { limit: limitSuffix, next: '-next', stop: stopSuffix } as const

/** The name that clients know for a kind of lists: an OTOCO is an OTO with two orders that wait. */
export const contingencyWord = (kind: ListKind): 'OCO' | 'OTO' => (kind === 'oco' ? 'OCO' : 'OTO')

/** Client ids of lists by the client ids of their first legs. */
export async function listNamesOf(
  context: Pick<Context, 'pool'>,
  user: UserId,
  legs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const kept = await listClientIds(context.pool, user, legs)
  const plain = (leg: string) => leg.replace(/-(?:limit|next|stop)$/, '')
  return new Map(legs.map((leg) => [leg, kept.get(leg) ?? plain(leg)]))
}

/** Client ids that the first leg of the list with this client id may have, likelier ones first. */
export async function firstLegIds(context: Context, user: UserId, list: string): Promise<readonly string[]> {
  const kept = await firstLegsOf(context.pool, user, list)
  return list.length > listIdMax ? kept : [...kept, list + limitSuffix]
}

/** Whether a list with one of these legs has this client id; the legs are first legs where those are known. */
export async function isListNamed(context: Pick<Context, 'pool'>, user: UserId, legs: readonly string[], list: string): Promise<boolean> {
  if (legs.includes(list + stopSuffix)) return true
  const names = await listNamesOf(context, user, legs)
  return legs.some((leg) => names.get(leg) === list)
}
