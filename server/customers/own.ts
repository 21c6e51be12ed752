import type { Own, OwnLimitShown } from '@candor/core/protocol/wire/console/customers.ts'
import { type OwnLimitKind, ownLimitKinds } from '@candor/core/protocol/wire/own-limits.ts'
import { sql } from 'kysely'
import { dayMs, periodOf } from '../identity/limits/periods.ts'
import { confirmMs } from '../identity/limits/policy.ts'
import type { CustomersDb } from './tables.ts'

/** The limits that a customer set, and the pause that runs. Nobody of the staff changes them. */
export async function ownOf(db: CustomersDb, account: string, now: number): Promise<Own> {
  const today = now - (now % dayMs)
  const [rows, rest, time] = await Promise.all([
    db.selectFrom('own_limits').selectAll().where('account', '=', account).execute(),
    db
      .selectFrom('own_rests')
      .select(['until', 'cause'])
      .where('account', '=', account)
      .where('until', '>', now)
      .orderBy('until', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db.selectFrom('own_time').select('seconds').where('account', '=', account).where('day_ms', '=', today).executeTakeFirst(),
  ])
  const minutesToday = Math.floor((time?.seconds ?? 0) / 60)
  const limits = await Promise.all(
    ownLimitKinds.flatMap((kind) => {
      const row = rows.find((one) => one.kind === kind)
      // A raise that was not confirmed in time has lapsed.
      const next = row?.next_at != null && row.next_at + confirmMs > now ? { value: row.next_value, at: row.next_at } : null
      return row === undefined || (row.value === null && next === null) ? [] : [shown(kind, row.value, next)]
    }),
  )
  return { limits, minutesToday, rest: rest ?? null }

  async function shown(kind: OwnLimitKind, value: string | null, next: OwnLimitShown['next']): Promise<OwnLimitShown> {
    return {
      kind,
      value: value === null ? null : plain(value),
      next: next && { ...next, value: next.value && plain(next.value) },
      used: await used(kind),
    }
  }

  async function used(kind: OwnLimitKind): Promise<string | null> {
    if (kind === 'session-day') return String(minutesToday)
    if (!kind.startsWith('deposit')) return null
    const { rows: sums } = await sql<{ sum: string }>`
      select trim_scale(coalesce(sum(amount), 0))::text as sum from deposit_days
      where account = ${account} and day_ms >= ${periodOf(kind, now).start}`.execute(db)
    return sums[0]!.sum
  }
}

/** Without zeros behind the point. */
const plain = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
