import { type FirmRight, rightsOf } from '@candor/core/protocol/wire/firm/firm.ts'
import { Refused } from '../../refused.ts'
import { type FirmOfKey, firmOfKey } from '../../store/query/programs/sub-accounts.ts'
import type { Context } from '../context.ts'
import type { ApiUser } from '../key-ring.ts'

/**
 * The firm behind a key of one of its accounts. Who lacks a right learns nothing: a person, a lost member, and a key of the wrong kind of
 * account are refused alike.
 *
 * kind   of the key's account
 * right  that the member who made the key needs now
 *
 * throws  Refused FIRM_RIGHT_MISSING
 */
export async function firmBehind(
  { pool }: Pick<Context, 'pool'>,
  { keyId }: ApiUser,
  kind: 'main' | 'sub',
  right: FirmRight,
): Promise<FirmOfKey> {
  const found = await firmOfKey(pool, keyId)
  if (found === undefined || found.own.kind !== kind || !rightsOf[found.role].includes(right)) throw new Refused('FIRM_RIGHT_MISSING')
  return found
}
