import { type Kysely, sql } from 'kysely'

/**
 * Tickets of customers, and their messages. What was written stays as it was: it may be a promise, or about money. Only the text of a
 * customer whose account is being deleted may go, and only as a whole. `code` is what people and addresses name, `number` never leaves
 * the exchange. `seen`: the last message that each side has read. `told`: the last of the staff's of which a notice was written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table support_tickets (
      number bigint generated always as identity primary key,
      code text not null unique,
      account uuid not null references accounts,
      client_id text not null,
      asked bytea not null,
      topic text not null,
      subject text not null,
      lang text not null,
      about_kind text,
      about_id text,
      about_is_own boolean,
      state text not null default 'open' check (state in ('open', 'waiting', 'closed')),
      role text not null default 'support',
      assignee uuid references staff,
      opened_at bigint not null,
      changed_at bigint not null,
      waiting_since bigint,
      first_answer_at bigint,
      closed_at bigint,
      customer_seen bigint not null default 0,
      customer_looked_at bigint not null default 0,
      staff_seen bigint not null default 0,
      told bigint not null default 0,
      unique (account, client_id),
      check ((about_kind is null) = (about_id is null)),
      check ((state = 'closed') = (closed_at is not null))
    )`.execute(db)
  await sql`create index support_tickets_by_account on support_tickets (account, changed_at desc)`.execute(db)
  await sql`create index support_tickets_by_change on support_tickets (changed_at desc, number desc)`.execute(db)
  await sql`create index support_tickets_open on support_tickets (waiting_since) where waiting_since is not null`.execute(db)
  await sql`
    create table support_messages (
      number bigint generated always as identity primary key,
      ticket bigint not null references support_tickets,
      account uuid not null references accounts,
      author text not null check (author in ('customer', 'member', 'event', 'note')),
      staff uuid references staff,
      client_id text not null,
      asked bytea not null,
      text text not null check (length(text) <= 4000),
      at bigint not null,
      unique (ticket, author, client_id),
      check ((author in ('member', 'note')) = (staff is not null) or author = 'event')
    )`.execute(db)
  await sql`create index support_messages_by_ticket on support_messages (ticket, number desc)`.execute(db)
  await sql`create index support_messages_by_account on support_messages (account, at desc) where author = 'customer'`.execute(db)
  await sql`
    create function support_messages_stay() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          if old.author = 'customer' and new.text = ''
            and (new.number, new.ticket, new.account, new.author, new.staff, new.client_id, new.asked, new.at)
              is not distinct from (old.number, old.ticket, old.account, old.author, old.staff, old.client_id, old.asked, old.at)
            and exists (select from deletions where account = old.account and cancelled_at is null)
          then
            return new;
          end if;
        end if;
        raise exception 'messages of tickets only grow';
      end
    $$`.execute(db)
  await sql`
    create trigger support_messages_stay before update or delete on support_messages
    for each row execute function support_messages_stay()`.execute(db)
  await sql`
    create trigger support_messages_not_truncated before truncate on support_messages
    for each statement execute function support_messages_stay()`.execute(db)
}
