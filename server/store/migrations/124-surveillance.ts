import { type Kysely, sql } from 'kysely'

/**
 * Reports of surveillance, one for each UTC day, their findings, and how members of the staff settled these. All three only grow: a
 * report stays as it was made, and a finding is settled once, by an active member whose role may and who has none of its accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table surveillance_reports (
      day text primary key check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
      made_at bigint not null,
      took_ms integer not null,
      seq bigint not null,
      examined jsonb not null,
      counts jsonb not null,
      thresholds jsonb not null
    )`.execute(db)
  await sql`
    create table surveillance_findings (
      id uuid primary key,
      number bigint generated always as identity unique,
      day text not null references surveillance_reports,
      kind text not null check (kind in
        ('self-trades', 'round-trips', 'spoofing', 'layering', 'cancels', 'linked', 'second-wins')),
      market text,
      accounts text[] not null check (cardinality(accounts) between 1 and 50),
      roles text[] not null check (cardinality(roles) = cardinality(accounts)),
      weight double precision not null,
      text text not null,
      measures jsonb not null,
      orders text[] not null,
      from_at bigint not null,
      to_at bigint not null check (to_at >= from_at)
    )`.execute(db)
  await sql`create index surveillance_findings_by_day on surveillance_findings (day, number desc)`.execute(db)
  await sql`create index surveillance_findings_by_kind on surveillance_findings (kind, number desc)`.execute(db)
  await sql`create index surveillance_findings_by_account on surveillance_findings using gin (accounts)`.execute(db)
  await sql`
    create table surveillance_settlements (
      finding uuid primary key references surveillance_findings,
      verdict text not null check (verdict in ('explained', 'escalated')),
      reason text not null check (length(reason) between 1 and 500),
      staff uuid not null references staff,
      at bigint not null
    )`.execute(db)
  await onlyGrow(db)
  await settleWell(db)
}

async function onlyGrow(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function surveillance_only_grows() returns trigger language plpgsql as $$
      begin
        raise exception 'reports of surveillance only grow';
      end
    $$`.execute(db)
  for (const table of ['surveillance_reports', 'surveillance_findings', 'surveillance_settlements'])
    await sql`
      create trigger ${sql.id(`${table}_only_grow`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function surveillance_only_grows()`.execute(db)
}

async function settleWell(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function surveillance_settle_well() returns trigger language plpgsql as $$
      begin
        if not exists (select from staff where id = new.staff and state = 'active' and role in ('compliance', 'risk')) then
          raise exception 'a finding needs a member whose role may settle it';
        end if;
        if exists (
          select from surveillance_findings f join accounts a on a.uid = any(f.accounts) join staff_marks m on m.account = a.id
          where f.id = new.finding and m.staff = new.staff
        ) then
          raise exception 'nobody settles a finding about the own account';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger surveillance_settle_well before insert on surveillance_settlements
    for each row execute function surveillance_settle_well()`.execute(db)
}
