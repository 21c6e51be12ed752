import { type Kysely, sql } from 'kysely'

/** How long a proposal waits for a second person. */
export const proposalLivesMs = 24 * 60 * 60_000

/**
 * Holds the rows of members of the staff, so that nobody's role ends while they decide, and says whether each of them is active with one
 * of these roles. To be called before the proposal's own row is locked, as where a member's role changes.
 */
export async function areActing<Tables>(
  tx: Pick<Kysely<Tables>, 'getExecutor'>,
  ids: readonly string[],
  roles: readonly string[],
): Promise<boolean> {
  const wanted = [...new Set(ids)]
  const { rows } = await sql`
    select id from staff where id in (${sql.join(wanted)}) and role in (${sql.join(roles)}) and state = 'active'
    order by id for share`.execute(tx)
  return rows.length === wanted.length
}
