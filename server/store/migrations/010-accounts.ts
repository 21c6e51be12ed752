import { type Kysely, sql } from 'kysely'

/**
 * Users' accounts. `core_user` is their number in the core, null until `user.open` is answered; the next login sends it again
 * with the same request id, so no account stays half open. Times are milliseconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id uuid primary key,
      uid text not null unique check (uid ~ '^[1-9][0-9]{8}$'),
      core_user bigint unique check (core_user > 0),
      email text unique check (email = lower(email) and length(email) <= 254),
      phone text unique check (phone ~ '^\\+[1-9][0-9]{6,14}$'),
      password text not null,
      password_changed_at bigint not null,
      lang text not null,
      invitation_code text not null unique,
      referrer uuid references accounts,
      referrer_user bigint not null default 0 check (referrer_user >= 0),
      class text not null check (class in ('retail', 'maker', 'bench')),
      certification text not null default 'none' check (certification in ('none', 'in-progress', 'certified')),
      created_at bigint not null,
      check (email is not null or phone is not null)
    )`.execute(db)
  await sql`create index accounts_by_referrer on accounts (referrer) where referrer is not null`.execute(db)
  await sql`
    create table agreements (
      account uuid not null references accounts,
      version text not null,
      accepted_at bigint not null,
      primary key (account, version)
    )`.execute(db)
  await sql`
    create table favourites (
      account uuid primary key references accounts,
      symbols text[] not null
    )`.execute(db)
}
