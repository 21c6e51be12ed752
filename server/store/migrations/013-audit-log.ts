import { type Kysely, sql } from 'kysely'

/** Actions of users, with time, address and device. Rows are added and never changed; the database itself refuses anything else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      account uuid,
      action text not null,
      at bigint not null,
      ip text not null,
      device text not null,
      session uuid,
      detail jsonb not null default '{}'
    )`.execute(db)
  await sql`create index audit_log_by_account on audit_log (account, id desc)`.execute(db)
  await sql`
    create function audit_log_only_grows() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit log only grows';
      end
    $$`.execute(db)
  await sql`
    create trigger audit_log_only_grows before update or delete or truncate on audit_log
    for each statement execute function audit_log_only_grows()`.execute(db)
}
