import type { Clock } from '../../ports.ts'
import { record } from '../audit.ts'
import type { Visitor } from '../device.ts'
import type { IdentityDb } from '../tables.ts'

/** The exchange itself: its network and device are nobody's business. */
export const exchange: Visitor = { ip: '—', userAgent: '' }

/** Part of a login or a freeze: a request to delete the account ends, if there is one. Returns whether there was. */
export async function cancelDeletion(db: IdentityDb, account: string, clock: Clock): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deletions')
    .set({ cancelled_at: clock() })
    .where('account', '=', account)
    .where('cancelled_at', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await record(db, clock, { account, action: 'deletion-cancelled', visitor: exchange })
  return true
}
