import { type Kysely, sql } from 'kysely'

/**
 * Customer accounts that belong to members of the staff. A member declares the own account, or that there is none. An account that has
 * the address of a member is marked when either appears. A mark stays: no process can take it away or change it. `told_at`: when the
 * core was told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff_customers (
      staff uuid primary key references staff,
      account uuid references accounts,
      declared_at bigint not null
    )`.execute(db)
  await sql`
    create table staff_marks (
      account uuid not null references accounts,
      staff uuid not null references staff,
      cause text not null check (cause in ('address', 'declared')),
      marked_at bigint not null,
      told_at bigint,
      primary key (account, staff)
    )`.execute(db)
  await sql`create index staff_marks_untold on staff_marks (marked_at) where told_at is null`.execute(db)
  await keepMarks(db)
  await markByDeclaration(db)
  await markByAddress(db)
}

async function keepMarks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function staff_marks_stay() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.told_at is null and new.told_at is not null
          and (new.account, new.staff, new.cause, new.marked_at) = (old.account, old.staff, old.cause, old.marked_at)
        then
          return new;
        end if;
        raise exception 'the mark of an account of the staff stays';
      end
    $$`.execute(db)
  await sql`
    create trigger staff_marks_stay before update or delete on staff_marks
    for each row execute function staff_marks_stay()`.execute(db)
}

async function markByDeclaration(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function staff_customers_mark() returns trigger language plpgsql as $$
      begin
        if new.account is not null then
          insert into staff_marks (account, staff, cause, marked_at) values (new.account, new.staff, 'declared', new.declared_at)
          on conflict do nothing;
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger staff_customers_mark after insert or update on staff_customers
    for each row execute function staff_customers_mark()`.execute(db)
}

/**
 * Accounts share a lock which a change of the staff has alone, so that of an account and a member that appear at once the later one sees
 * the other. It is one lock for all addresses: many accounts can be added by one statement.
 */
async function markByAddress(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function staff_marks_of(address text) returns void language plpgsql as $$
      begin
        insert into staff_marks (account, staff, cause, marked_at)
        select a.id, s.id, 'address', floor(extract(epoch from clock_timestamp()) * 1000)
        from accounts a join staff s on s.email = a.email where a.email = address
        on conflict do nothing;
      end
    $$`.execute(db)
  await sql`
    create function accounts_mark_staff() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtext('staff-addresses'));
        if exists (select from staff where email = new.email) then
          perform staff_marks_of(new.email);
        end if;
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger accounts_mark_staff after insert or update of email on accounts
    for each row when (new.email is not null) execute function accounts_mark_staff()`.execute(db)
  await sql`
    create function staff_mark_accounts() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('staff-addresses'));
        perform staff_marks_of(new.email);
        return new;
      end
    $$`.execute(db)
  await sql`
    create trigger staff_mark_accounts after insert or update of email on staff
    for each row execute function staff_mark_accounts()`.execute(db)
  await sql`select staff_marks_of(email) from staff`.execute(db)
}
