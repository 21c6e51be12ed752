import type { WorkKind } from '@candor/core/protocol/wire/console/overview.ts'
import type pg from 'pg'

/** `oldestAt`: since when the first of it waits. */
export type WorkWaiting = { readonly kind: WorkKind; readonly waiting: number; readonly oldestAt: number | null }

/** Work that waits for the staff, of all kinds. Proposals that have lapsed do not count. */
export async function workWaiting(pool: pg.Pool, now: number): Promise<readonly WorkWaiting[]> {
  const open = (kind: WorkKind, table: string): string =>
    `union all select '${kind}', count(*)::int, min(proposed_at) from ${table} where state = 'open' and expires_at > $1`
  const { rows } = await pool.query<WorkWaiting>(
    `select 'papers' as kind, count(*)::int as waiting, min(sent_at) as "oldestAt" from papers where state = 'waiting'
     union all select 'withdrawals', count(*)::int, min(requested_at_ms) from core_withdrawals where state = 'requested'
     union all select 'deposits', count(*)::int, min(seen_at) from deposits where state = 'held'
     union all select 'recoveries', count(*)::int, min(sent_at) from regains where state = 'sent'
     ${open('revocations', 'paper_revocations')} ${open('lifts', 'freeze_lifts')}
     union all select 'surveillance', count(*)::int, min(r.made_at) from surveillance_findings f
       join surveillance_reports r using (day) left join surveillance_settlements s on s.finding = f.id where s.finding is null
     union all select 'tickets', count(*)::int, min(waiting_since) from support_tickets where waiting_since is not null
     ${open('operations', 'operations')} ${open('proposals', 'staff_proposals')}`,
    [now],
  )
  return rows
}
