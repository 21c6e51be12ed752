import type { UserId } from '@candor/core/protocol/ids.ts'
import { firstLegsOf, listClientIds } from '../../store/query/programs/orders.ts'
import type { Context } from '../context.ts'

/** Longest client id of a list from which the core derives its legs' client ids. */
export const listIdMax = 30
const limitSuffix = '-limit'
const stopSuffix = '-stop'

/** Client ids of lists by the client ids of their first legs. */
export async function listNamesOf(
  context: Pick<Context, 'pool'>,
  user: UserId,
  legs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const kept = await listClientIds(context.pool, user, legs)
  const plain = (leg: string) => (leg.endsWith(limitSuffix) ? leg.slice(0, -limitSuffix.length) : leg)
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
