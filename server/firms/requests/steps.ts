import type { FirmRequestState } from '@candor/core/protocol/wire/firm/requests.ts'
import { sql } from 'kysely'
import { type FirmAction, type FirmEntry, writeFirmLog } from '../log.ts'
import { tellPerson } from '../notices.ts'
import { asFirmDb, type RequestDb, type RequestRow } from './tables.ts'

/** Whoever did a step; empty for the exchange. */
export type By = Pick<FirmEntry, 'member' | 'visitor'>

/** What a step ends as, and what the log calls it. */
const actionOf: Readonly<Record<Exclude<FirmRequestState, 'open' | 'approved'>, FirmAction>> = {
  done: 'request-done',
  failed: 'request-failed',
  refused: 'request-refused',
  cancelled: 'request-cancelled',
  expired: 'request-expired',
}

/** Whether enough people stand behind a request now, by the database's own rule, and whether its time is over. */
export async function standingOf(
  db: RequestDb,
  id: string,
): Promise<{ readonly holds: boolean; readonly isOver: boolean; readonly people: number }> {
  const { rows } = await sql<{ holds: boolean; isOver: boolean; people: number }>`
    select firm_holds(r) as holds, firm_now() >= r.expires_at as "isOver", firm_people(r) as people
    from firm_requests r where id = ${id}`.execute(db)
  return rows[0]!
}

/** Approves it, when enough people have. Returns whether they have. */
export async function settle(tx: RequestDb, id: string): Promise<boolean> {
  if (!(await standingOf(tx, id)).holds) return false
  await tx.updateTable('firm_requests').set({ state: 'approved' }).where('id', '=', id).where('state', '=', 'open').execute()
  return true
}

/** Ends it: a step of the request, a line of the firm's log, and a notice for whoever asked. Does nothing once it has ended. */
export async function end(
  tx: RequestDb,
  row: RequestRow,
  {
    state,
    reason = null,
    withdrawal = null,
  }: { readonly state: keyof typeof actionOf; readonly reason?: string | null; readonly withdrawal?: number | null },
  by: By,
  at: number,
): Promise<void> {
  const from = state === 'done' || state === 'failed' ? 'approved' : 'open'
  const ended = await tx
    .updateTable('firm_requests')
    .set({ state, reason, withdrawal })
    .where('id', '=', row.id)
    .where('state', '=', from)
    .executeTakeFirst()
  // The database itself notes that an address, a rule or a role was carried out.
  if (ended.numUpdatedRows === 0n && (state !== 'done' || row.kind === 'withdrawal')) return
  await note(tx, row, { action: actionOf[state], detail: reason === null ? {} : { reason } }, by, at)
  await tellAsker(tx, row, { state, by }, at)
}

/** A line of the firm's log about a request. */
export function note(
  tx: RequestDb,
  { firm, account, number, kind, shown }: RequestRow,
  { action, detail = {} }: Pick<FirmEntry, 'action' | 'detail'>,
  by: By,
  at: number,
): Promise<void> {
  const about = { number, kind, ...Object.fromEntries(Object.entries(shown).filter(([name]) => name === 'destination' || name === 'name')) }
  return writeFirmLog(asFirmDb(tx), at, { firm, account: account ?? undefined, ...by, action, detail: { ...about, ...detail } })
}

/** Tells everybody who may approve, and has not, that a request waits. */
export async function tellApprovers(tx: RequestDb, row: RequestRow, at: number): Promise<void> {
  const waiting = await tx
    .selectFrom('firm_members')
    .select('account')
    .where('firm', '=', row.firm)
    .where((where) => where.fn<boolean>('firm_can_approve', ['firm_members.id']))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('firm_verdicts')
            .select('at')
            .where('request', '=', row.id)
            .whereRef('firm_verdicts.account', '=', 'firm_members.account'),
        ),
      ),
    )
    .execute()
  for (const { account } of waiting) await tell(tx, row, account, 'firm-waiting', at)
}

/** Nobody is told of what they took back themselves. */
async function tellAsker(tx: RequestDb, row: RequestRow, { state, by }: { readonly state: FirmRequestState; readonly by: By }, at: number) {
  if (state === 'cancelled' && by.member === row.asked_by) return
  const { account } = await tx.selectFrom('firm_members').select('account').where('id', '=', row.asked_by).executeTakeFirstOrThrow()
  await tell(tx, row, account, 'firm-decided', at)
}

const tell = (tx: RequestDb, { firm, id, number }: RequestRow, account: string, kind: 'firm-waiting' | 'firm-decided', at: number) =>
  tellPerson(asFirmDb(tx), at, { firm, account, kind, values: { number: String(number) }, event: id })
