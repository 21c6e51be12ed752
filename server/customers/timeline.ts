import type { Moment, Timeline } from '@candor/core/protocol/wire/console/customers.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Subject } from './looks.ts'
import type { CustomersDb } from './tables.ts'

type Row = Omit<Moment, 'id' | 'of'> & { readonly id: number; readonly rank: number }

const pageSize = 40

/** Looks at a customer and at photos stand in the log alone. */
const customerActions = ['customer-frozen', 'contact-revealed', 'note-added', 'account-declared']
const checkActions = ['papers-certified', 'papers-rejected', 'revocation-proposed', 'revocation-approved', 'revocation-declined']
const liftActions = ['lift-proposed', 'lift-approved', 'lift-declined']
const regainActions = ['regain-proposed', 'regain-approved', 'regain-rejected']
/** Entries of the customer's log that the staff made: the staff's log has them, with the member. */
const theirEntries = ['papers-seen', 'regain-seen', 'regain-approved', 'regain-rejected']

/**
 * Logins, changes and freezes of a customer, and decisions of the staff about the customer, newest first. `before`: `next` of the page
 * before.
 */
export async function timelineOf(db: CustomersDb, subject: Subject, before?: string): Promise<Timeline> {
  const place = before?.split(':').map(Number) as [number, number, number] | undefined
  const theirs = await aboutIt(db, subject)
  const { rows } = await sql<Row>`
    select * from (
      select * from (
        select id, at, 0 as rank, action, ip, device, null as by, null as why, null as about from audit_log
        where account = ${subject.id} and action <> all(${theirEntries}) ${older(place, 0)} order by id desc limit ${pageSize + 1}
      ) own
      union all
      select * from (
        select l.id, l.at, 1 as rank, l.action, null as ip, null as device, s.email as by, l.why,
          case when l.subject = ${subject.uid} then null else l.subject end as about
        from staff_log l left join staff s on s.id = l.staff where ${theirs} ${older(place, 1)} order by l.id desc limit ${pageSize + 1}
      ) theirs
    ) moments order by at desc, rank desc, id desc limit ${pageSize + 1}`.execute(db)
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  const moments = shown.map(({ id, rank, ...row }) => ({
    id: `${rank}-${id}`,
    of: rank === 0 ? ('own' as const) : ('staff' as const),
    ...row,
  }))
  return rows.length > pageSize && last !== undefined ? { moments, next: `${last.at}:${last.rank}:${last.id}` } : { moments }
}

/** Rows of one source that come after a place in the list. */
function older(place: readonly [number, number, number] | undefined, rank: 0 | 1): RawBuilder<unknown> {
  if (place === undefined) return sql``
  const [at, placeRank, id] = place
  const table = sql.raw(rank === 1 ? 'l.' : '')
  const isBelow = rank < placeRank
  if (isBelow) return sql`and ${table}at <= ${at}`
  if (rank > placeRank) return sql`and ${table}at < ${at}`
  return sql`and (${table}at, ${table}id) < (${at}, ${id})`
}

/** Entries of the staff's log about the customer, the customer's checks, freezes and requests for access. */
async function aboutIt(db: CustomersDb, { id, uid }: Subject): Promise<RawBuilder<unknown>> {
  const checks = await db.selectFrom('papers').select('id').where('account', '=', id).execute()
  const freezes = await db.selectFrom('freezes').select('id').where('account', '=', id).execute()
  const regains = await db.selectFrom('regains').select('id').where('account', '=', id).where('sent_at', 'is not', null).execute()
  const [checkIds, freezeIds] = [checks.map((row) => row.id), freezes.map((row) => String(row.id))]
  const regainIds = regains.map((row) => row.id)
  return sql`l.subject = any(${[uid, ...checkIds, ...freezeIds, ...regainIds]}) and (
    (l.subject = ${uid} and l.action = any(${customerActions}))
    or (l.subject = any(${checkIds}) and l.action = any(${checkActions}))
    or (l.subject = any(${freezeIds}) and l.action = any(${liftActions}))
    or (l.subject = any(${regainIds}) and l.action = any(${regainActions}))
  )`
}
