import type { UserId } from '@candor/core/protocol/ids.ts'
import type { PartyRole } from '@candor/core/protocol/wire/console/surveillance.ts'
import type pg from 'pg'

export type Person = { readonly user: UserId; readonly uid: string; readonly role: PartyRole; readonly referrer: UserId }

/** Accounts whose quotes and trades are those of the exchange: market makers, the bots of a sandbox, benchmarks. */
export async function ownUsers(client: Pick<pg.ClientBase, 'query'>): Promise<readonly UserId[]> {
  const { rows } = await client.query<{ user_id: UserId }>(
    `select core_user as user_id from accounts where class in ('maker', 'bench') and core_user is not null`,
  )
  return rows.map((row) => row.user_id)
}

/** The accounts of users; those that have none, as in data older than an account, are missing. */
export async function peopleOf(client: Pick<pg.ClientBase, 'query'>, users: readonly UserId[]): Promise<ReadonlyMap<UserId, Person>> {
  const { rows } = await client.query<Person>(
    `select core_user as user, uid, referrer_user as referrer,
       case when class <> 'retail' then class when exists (select from staff_marks m where m.account = a.id) then 'staff' else 'customer' end as role
     from accounts a where core_user = any($1)`,
    [users],
  )
  return new Map(rows.map((person) => [person.user, person]))
}
