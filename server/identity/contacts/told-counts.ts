import type { Channel } from '@candor/core/protocol/wire/user.ts'
import { sql } from 'kysely'
import type { Template } from '../../ports.ts'
import type { IdentityDb } from '../tables.ts'

const dayMs = 86_400_000
/** Messages of one kind that one account gets on one channel within a day of the first. */
const perKind = { phone: 5, email: 50 } as const satisfies Readonly<Record<Channel, number>>

/**
 * Counts a message about an account's protection. Text messages cost money, and whoever earns from a telephone number could otherwise
 * log in from new devices all day; a flood of mail would bury the one that matters and hold up everybody's codes. Kinds are counted
 * apart: a thief silences none by making others, and each only after it was told often.
 *
 * Returns false when none is left.
 */
export async function countTold(db: IdentityDb, account: string, channel: Channel, template: Template, now: number): Promise<boolean> {
  const isOver = sql`t.since <= ${now - dayMs}`
  const { rows } = await sql`
    insert into code_counts as t (subject, since, sent) values (${`told:${channel}:${template}:${account}`}, ${now}, 1)
    on conflict (subject) do update set
      since = case when ${isOver} then ${now} else t.since end,
      sent = case when ${isOver} then 1 else t.sent + 1 end
    where ${isOver} or t.sent < ${perKind[channel]}
    returning sent`.execute(db)
  return rows.length > 0
}
