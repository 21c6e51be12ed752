import { createHmac, scryptSync } from 'node:crypto'
import pg from 'pg'
import { StoreFault } from './fault.ts'
import type { Store } from './open.ts'
import { type DatabaseRole, databaseRoles, grants, quoted, roleSettings, tableRights } from './rights.ts'
import { inTransaction } from './transaction.ts'

/** The connection of each process, with a user of its own. */
export type RoleUrls = Readonly<Record<DatabaseRole, string>>
export type GivenUrls = Readonly<Partial<RoleUrls>>

/** The database's users can't be set up as asked; the message says what to do. */
export class RolesFault extends StoreFault {
  constructor(message: string) {
    super(message)
    this.name = 'RolesFault'
  }
}

/**
 * The URL of each role's user: the given one, otherwise the owner's URL with the user `<database>_<role>` and a password derived
 * from the owner's, from which the owner's can't be computed.
 */
export function roleUrls(ownerUrl: string, given: GivenUrls = {}): RoleUrls {
  const own = userUrls(ownerUrl)
  return Object.fromEntries(databaseRoles.map((role) => [role, given[role] ?? own(role)])) as RoleUrls
}

/** The URL of another user `<database>_<name>`, with a password derived like those of the roles. */
export const userUrl = (ownerUrl: string, name: string): string => userUrls(ownerUrl)(name)

function userUrls(ownerUrl: string): (name: string) => string {
  const owner = new URL(ownerUrl)
  const database = decodeURIComponent(owner.pathname.slice(1)) || decodeURIComponent(owner.username)
  const key = owner.password === '' ? undefined : scryptSync(decodeURIComponent(owner.password), `candor ${database}`, 32)
  return (name) => {
    const url = new URL(ownerUrl)
    url.username = encodeURIComponent(`${database}_${name}`)
    // Without a password the server identifies its users otherwise: by socket or certificate.
    if (key !== undefined) url.password = createHmac('sha256', key).update(name).digest('hex')
    return url.href
  }
}

export type RolesOptions = {
  readonly given?: GivenUrls | undefined
  /** Whether ticks of the index tape may be deleted: a sandbox keeps them for a while, production forever. */
  readonly mayForgetTape: boolean
}

/**
 * Creates missing users and gives each process exactly the rights of `rights.ts`. Run by the owner, after the migrations, at each
 * start; changes nothing if the users and rights are already right.
 *
 * throws  RolesFault when the owner may not create users and some are missing, or when one of them could change the journal
 */
export async function provideRoles({ pool, url }: Store, { given = {}, mayForgetTape }: RolesOptions): Promise<RoleUrls> {
  const urls = roleUrls(url, given)
  const users = Object.fromEntries(databaseRoles.map((role) => [role, userOf(urls[role])])) as Record<DatabaseRole, string>
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('candor roles'))")
    for (const role of databaseRoles) await provideUser(client, role, urls[role], given[role] !== undefined)
    await client.query(grants(users, { mayForgetTape }))
    const { rows } = await client.query<{ owns: boolean; database: string }>(
      'select datname as database, pg_get_userbyid(datdba) = current_user as owns from pg_database where datname = current_database()',
    )
    const { owns, database } = rows[0]!
    if (owns) {
      await client.query(`revoke temporary on database ${quoted(database)} from public`)
      await client.query(`grant connect on database ${quoted(database)} to ${Object.values(users).map(quoted).join(', ')}`)
    }
    for (const role of databaseRoles) await refuseOverprivileged(client, role, users[role])
  })
  return urls
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username)

async function provideUser(client: pg.ClientBase, role: DatabaseRole, url: string, isGiven: boolean): Promise<void> {
  const user = userOf(url)
  const { rows } = await client.query<{ exists: boolean; mayCreate: boolean; mayChange: boolean | null }>(
    `select exists (select from pg_roles where rolname = $1) as "exists",
       (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "mayCreate",
       (select pg_has_role(current_user, oid, 'USAGE WITH ADMIN OPTION') from pg_roles where rolname = $1) as "mayChange"`,
    [user],
  )
  const { exists, mayCreate, mayChange } = rows[0]!
  if (!exists && !mayCreate) {
    throw new RolesFault(
      `The user of DATABASE_URL may not create users, and ${user} is missing: create it and set ${settingOf(role)}, or let it create roles`,
    )
  }
  if (!exists) await client.query(`create role ${quoted(user)} login`)
  if (exists && !mayChange) {
    if (!isGiven) throw new RolesFault(`The user of DATABASE_URL may not change ${user}: set ${settingOf(role)}`)
    return
  }
  const password = decodeURIComponent(new URL(url).password)
  if ((!isGiven || !exists) && password !== '') await client.query(`alter role ${quoted(user)} password ${pg.escapeLiteral(password)}`)
  const { rows: place } = await client.query<{ database: string }>('select current_database() as database')
  for (const [name, value] of Object.entries(roleSettings[role])) {
    await client.query(`alter role ${quoted(user)} in database ${quoted(place[0]!.database)} set ${name} = '${value}'`)
  }
}

export const settingOf = (role: DatabaseRole): `CANDOR_DATABASE_URL_${Uppercase<DatabaseRole>}` =>
  `CANDOR_DATABASE_URL_${role.toUpperCase() as Uppercase<DatabaseRole>}`

const grownTables = Object.keys(tableRights).filter((table) => tableRights[table]!.grows)

/** A user with rights from elsewhere, such as a superuser or a member of the owner, must not be able to change the append-only tables. */
async function refuseOverprivileged(client: pg.ClientBase, role: DatabaseRole, user: string): Promise<void> {
  const { rows } = await client.query<{ overprivileged: boolean }>(
    `select bool_or(has_table_privilege($1, 'public.' || name, 'update, delete, truncate')) as overprivileged from unnest($2::text[]) name`,
    [user, grownTables],
  )
  if (rows[0]!.overprivileged)
    throw new RolesFault(`${user} could change tables that must only grow: ${settingOf(role)} needs a user without such rights`)
}

/** The reason why a process must not use this connection in production, in one line; undefined: it may. */
export async function roleProblem(pool: pg.Pool, role: DatabaseRole): Promise<string | undefined> {
  const { rows } = await pool.query<{ user: string; overprivileged: boolean; timeout: string }>(
    `select current_user as user, bool_or(has_table_privilege('public.' || name, 'update, delete, truncate')) as overprivileged,
       current_setting('statement_timeout') as timeout from unnest($1::text[]) name`,
    [grownTables],
  )
  const { user, overprivileged, timeout } = rows[0]!
  if (overprivileged)
    return `The ${role} would use the database as ${user}, who could change tables that must only grow: set ${settingOf(role)}`
  if (timeout === '0')
    return `The database gives ${user} no statement_timeout: alter role ${user} set statement_timeout = '${roleSettings[role]['statement_timeout']}'`
  return undefined
}
