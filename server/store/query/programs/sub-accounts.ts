import type pg from 'pg'

/** A sub-account of a firm. `user`: in the core; null until the core knows it. */
export type SubAccountRow = {
  readonly uid: string
  readonly label: string
  readonly made_at: number
  readonly user: number | null
  readonly is_frozen: boolean
}

/**
 * The sub-accounts that a key of a firm's main account shows: those that the member who made the key sees, oldest first. All of it is
 * decided anew for each request, so that a lost right ends at once.
 *
 * returns    undefined when the key is no key of a main account, or its maker is no member any more
 */
export async function subAccountsOf(pool: pg.Pool, key: number): Promise<readonly SubAccountRow[] | undefined> {
  const { rows } = await pool.query<SubAccountRow | { readonly uid: null }>(
    `select a.uid, s.label, s.made_at::float8 as made_at, a.core_user as user,
            a.frozen_at is not null or s.archived_at is not null as is_frozen
     from api_keys k
     join firm_accounts main on main.account = k.account and main.kind = 'main' and main.is_open
     join firms f on f.id = main.firm and f.state = 'active'
     join firm_members m on m.id = k.member and m.firm = f.id and m.state = 'active'
       and (m.accounts is null or main.account = any(m.accounts))
     left join firm_accounts s on s.firm = f.id and s.kind = 'sub' and s.is_open
       and (m.accounts is null or s.account = any(m.accounts))
     left join accounts a on a.id = s.account
     where k.number = $1 and k.deleted_at is null
     order by s.made_at, a.uid`,
    [key],
  )
  return rows.length === 0 ? undefined : rows.filter((row): row is SubAccountRow => row.uid !== null)
}
