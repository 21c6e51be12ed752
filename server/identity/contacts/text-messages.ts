import { sql } from 'kysely'
import type { Template } from '../../ports.ts'
import type { IdentityDb } from '../tables.ts'

const dayMs = 86_400_000
/** Text messages of one kind that one account gets within a day of the first. Beyond it only mail is sent. */
const perKind = 5

/**
 * Counts a text message about an account's protection. Each costs money, and whoever earns from a telephone number could otherwise log in
 * from new devices all day. Kinds are counted apart: a thief silences none by making others, and each only after it was told five times.
 *
 * Returns false when none is left.
 */
export async function countText(db: IdentityDb, account: string, template: Template, now: number): Promise<boolean> {
  const isOver = sql`t.since <= ${now - dayMs}`
  const { rows } = await sql`
    insert into code_counts as t (subject, since, sent) values (${`text:${template}:${account}`}, ${now}, 1)
    on conflict (subject) do update set
      since = case when ${isOver} then ${now} else t.since end,
      sent = case when ${isOver} then 1 else t.sent + 1 end
    where ${isOver} or t.sent < ${perKind}
    returning sent`.execute(db)
  return rows.length > 0
}
