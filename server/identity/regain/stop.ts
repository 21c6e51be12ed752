import type { Kysely } from 'kysely'
import type { Clock } from '../../ports.ts'
import { record } from '../audit.ts'
import type { Visitor } from '../device.ts'
import { exchange } from '../gates/cancel.ts'
import type { IdentityDb } from '../tables.ts'

export const openStates = ['draft', 'sent', 'waiting', 'ready'] as const

export type Stopper = {
  readonly by: 'asker' | 'owner' | 'login' | 'freeze' | 'staff'
  readonly visitor: Visitor
  readonly session?: string | undefined
}

/** Ends the open request of an account to regain access. Returns false when there is none. */
export async function stopRegain(db: IdentityDb, clock: Clock, account: string, { by, visitor, session }: Stopper): Promise<boolean> {
  const stopped = await db
    .updateTable('regains')
    .set({ state: 'stopped', ended_at: clock(), ended_by: by })
    .where('account', '=', account)
    .where('state', 'in', openStates)
    .returning('id')
    .executeTakeFirst()
  if (!stopped) return false
  await record(db, clock, { account, action: 'regain-stopped', visitor, session, detail: { by } })
  return true
}

/**
 * Part of a decision of the staff that gives or takes a certificate, in a transaction of any room: a request that began under the other
 * rules would give access without the document, or by one that no longer counts.
 */
export async function stopRegainOf<Tables>(db: Kysely<Tables>, clock: Clock, account: string): Promise<void> {
  await stopRegain(db as unknown as IdentityDb, clock, account, { by: 'staff', visitor: exchange })
}
