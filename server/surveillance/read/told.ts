import type pg from 'pg'
import type { Day } from '../days.ts'

/** The heaviest score with which an earlier day told of all given accounts as linked; 0 for none. */
export async function toldScores(client: Pick<pg.ClientBase, 'query'>, day: Day): Promise<(uids: readonly string[]) => number> {
  const { rows } = await client.query<{ accounts: readonly string[]; weight: number }>(
    `select accounts, weight from surveillance_findings where kind = 'linked' and day < $1`,
    [day],
  )
  const groups = rows.map(({ accounts, weight }) => ({ accounts: new Set(accounts), weight }))
  return (uids) => Math.max(0, ...groups.filter(({ accounts }) => uids.every((uid) => accounts.has(uid))).map(({ weight }) => weight))
}
