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
  refuseMarked(own, email)
}

/** The account, and the member where it is marked as the member's. throws  Refused FORBIDDEN where it is, or has the member's address */
export function refuseMarked(own: { readonly staff: string | null; readonly email: string | null } | undefined, email: string): void {
  if (own !== undefined && (own.staff !== null || own.email === email)) throw new Refused('FORBIDDEN')
}
