import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { ReceiptRange } from '../store/query/proof/receipts.ts'

/**
 * Draws a secret for each customer whose first leaf is in the tree of this head, and keeps the UID that their receipts have. Users of the
 * core without an account are nobody's, and get no leaves.
 */
export async function admitUsers(client: Pick<pg.PoolClient, 'query'>, { head, after, seq }: ReceiptRange): Promise<void> {
  const { rows } = await client.query<{ user: number; uid: string }>(
    `select core_user as user, uid from accounts where core_user in (select user_id from receipts where seq > $1 and seq <= $2)
     and not exists (select from receipt_users where user_id = core_user)`,
    [after, seq],
  )
  for (const { user, uid } of rows)
    await client.query('insert into receipt_users (user_id, uid, secret, head) values ($1, $2, $3, $4)', [user, uid, randomBytes(32), head])
}
