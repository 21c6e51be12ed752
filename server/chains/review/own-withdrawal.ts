import { Refused } from '../../refused.ts'
import type { Officer, ReviewDb } from './tables.ts'

/** throws  Refused FORBIDDEN for a withdrawal of the member's own account */
export async function refuseOwn(db: ReviewDb, id: number, { id: staff, email }: Pick<Officer, 'id' | 'email'>): Promise<void> {
  const own = await db
    .selectFrom('core_withdrawals as w')
    .innerJoin('accounts as a', 'a.core_user', 'w.user_id')
    .leftJoin('staff_marks as m', (join) => join.onRef('m.account', '=', 'a.id').on('m.staff', '=', staff))
    .select(['m.staff', 'a.email'])
    .where('w.id', '=', id)
    .executeTakeFirst()
  if (own !== undefined && (own.staff !== null || own.email === email)) throw new Refused('FORBIDDEN')
}
