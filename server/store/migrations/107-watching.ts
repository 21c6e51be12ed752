import { type Kysely, sql } from 'kysely'

/** Indexes and tables for the console's reading pages: the exchange's own postings by account, unsettled orders of Second, and sums of the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ledger_entries_house on ledger_entries (kind, asset, seq, line) where user_id = 0`.execute(db)
  await sql`create index options_running on options (market) where result is null`.execute(db)
  // Sums of all accounts right after command `seq`, from which those at any other command are reached.
  await sql`
    create table ledger_sums (
      seq bigint not null,
      is_house boolean not null,
      kind text not null,
      asset text not null,
      total numeric not null,
      primary key (seq, asset, is_house, kind)
    )`.execute(db)

  await createCheck(db)
}

/**
 * The gateway may not read the payloads of the journal, where the orders of customers are. This function, which runs with the owner's
 * rights, recomputes the chain for it and answers only yes or no.
 */
async function createCheck(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function little_endian(value bigint) returns bytea language sql immutable strict set search_path = pg_catalog, pg_temp as $$
      select string_agg(substr(int8send(value), place, 1), ''::bytea order by place desc) from generate_series(1, 8) place
    $$`.execute(db)
  await sql`
    create function check_journal(from_seq bigint, to_seq bigint, rows_max integer)
    returns table (seq bigint, is_linked boolean, is_hashed boolean)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select j.seq,
        j.prev_hash = coalesce((select b.hash from public.journal b where b.seq = j.seq - j.n), decode(repeat('00', 32), 'hex')),
        j.hash = sha256(j.prev_hash || public.little_endian(j.seq) || public.little_endian(j.epoch) || public.little_endian(j.n)
          || public.little_endian(j.first_at) || public.little_endian(j.core_version) || j.events_digest || j.payload)
      from public.journal j where j.seq >= from_seq and j.seq - j.n < to_seq order by j.seq limit least(rows_max, 5000)
    $$`.execute(db)
  await sql`revoke all on function little_endian(bigint), check_journal(bigint, bigint, integer) from public`.execute(db)
}
