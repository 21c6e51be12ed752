import { type Kysely, sql } from 'kysely'

/**
 * Limits that customers set for themselves, in USDT or minutes. A higher value waits in `next` until its owner confirms it. A pause only
 * grows: its rows keep their end, and the database refuses every other change than that the core was told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table own_limits (
      account uuid not null references accounts,
      kind text not null check (kind in ('loss-day', 'loss-week', 'loss-month', 'session-day')),
      value numeric check (value > 0),
      has_next boolean not null default false,
      next_value numeric check (next_value > 0),
      next_at bigint,
      checked_at bigint not null default 0,
      primary key (account, kind),
      check (has_next = (next_at is not null) and (has_next or next_value is null))
    )`.execute(db)
  await sql`create index own_limits_by_check on own_limits (checked_at) where value is not null and kind <> 'session-day'`.execute(db)
  await sql`
    create table own_rests (
      id bigint generated always as identity primary key,
      account uuid not null references accounts,
      cause text not null check (cause in ('cool-off', 'self-exclusion', 'loss', 'session')),
      at bigint not null,
      until bigint not null check (until > at),
      told_at bigint
    )`.execute(db)
  await sql`create index own_rests_by_account on own_rests (account, until desc)`.execute(db)
  await sql`create index own_rests_untold on own_rests (id) where told_at is null`.execute(db)
  await sql`
    create function own_rests_stay() returns trigger language plpgsql as $$
      begin
        if (new.id, new.account, new.cause, new.at, new.until) is distinct from (old.id, old.account, old.cause, old.at, old.until) then
          raise exception 'a pause does not change';
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`create trigger own_rests_stay before update on own_rests for each row execute function own_rests_stay()`.execute(db)
  await sql`
    create table own_time (
      account uuid primary key references accounts,
      check_every int not null default 60 check (check_every between 15 and 60),
      day_ms bigint not null default 0,
      seconds int not null default 0,
      last_at bigint not null default 0
    )`.execute(db)
  await sql`
    create table loss_figures (
      day_ms bigint not null,
      product text not null check (product in ('perp', 'margin', 'option')),
      accounts int not null,
      losers int not null check (losers between 0 and accounts),
      primary key (day_ms, product)
    )`.execute(db)
}
