import { type Kysely, sql } from 'kysely'

/** Futures. Quantities are above zero for longs and below for shorts; sums are of the market's quote asset. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPositions(db)
  await createFunding(db)
  await createLiquidations(db)
  await createValues(db)
}

/** Open positions, and how closed ones ended. */
async function createPositions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table positions (
      position bigint primary key,
      user_id bigint not null,
      market text not null,
      side text not null,
      mode text not null,
      leverage integer not null,
      quantity numeric not null,
      cost numeric not null,
      margin numeric not null,
      liquidation_price numeric,
      realised numeric not null,
      fees numeric not null,
      funding numeric not null,
      opened_at_ms bigint not null,
      updated_at_ms bigint not null
    )`.execute(db)
  await sql`create index positions_user on positions (user_id)`.execute(db)

  await sql`
    create table closed_positions (
      position bigint primary key,
      user_id bigint not null,
      market text not null,
      side text not null,
      mode text not null,
      leverage integer not null,
      opened_quantity numeric not null,
      opened_value numeric not null,
      closed_quantity numeric not null,
      closed_value numeric not null,
      realised numeric not null,
      fees numeric not null,
      funding numeric not null,
      cause text not null,
      opened_at_ms bigint not null,
      closed_at_ms bigint not null
    )`.execute(db)
  await sql`create index closed_positions_user on closed_positions (user_id, market, closed_at_ms, position)`.execute(db)
}

/** Funding rates, and the amounts that positions paid or received. */
async function createFunding(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table funding_payments (
      seq bigint not null,
      line integer not null,
      at_ms bigint not null,
      user_id bigint not null,
      market text not null,
      position bigint not null,
      quantity numeric not null,
      rate numeric not null,
      amount numeric not null,
      primary key (seq, line)
    )`.execute(db)
  await sql`create index funding_payments_user on funding_payments (user_id, market, at_ms, seq, line)`.execute(db)

  await sql`
    create table funding_rates (
      market text not null,
      at_ms bigint not null,
      rate numeric not null,
      mark numeric not null,
      paid numeric not null,
      received numeric not null,
      rest numeric not null,
      primary key (market, at_ms)
    )`.execute(db)
}

/** The steps of liquidations, and the positions that auto-deleveraging closed for them. */
async function createLiquidations(db: Kysely<unknown>): Promise<void> {
  // `sources` are the venues' prices at that moment, whose median is the index.
  await sql`
    create table liquidations (
      seq bigint not null,
      line integer not null,
      at_ms bigint not null,
      user_id bigint not null,
      market text not null,
      position bigint not null,
      order_id bigint,
      mark numeric not null,
      index_price numeric not null,
      sources jsonb not null,
      equity numeric not null,
      maintenance numeric not null,
      maintenance_ppm integer not null,
      asked numeric not null,
      closed numeric not null,
      traded_quote numeric not null,
      traded_quantity numeric not null,
      bankruptcy_price numeric,
      fee numeric not null,
      insured numeric not null,
      primary key (seq, line)
    )`.execute(db)
  await sql`create index liquidations_position on liquidations (position, seq, line)`.execute(db)

  // `step`: line of the step, in the same command, of the liquidation that this belongs to.
  await sql`
    create table deleverages (
      seq bigint not null,
      line integer not null,
      step integer,
      at_ms bigint not null,
      market text not null,
      price numeric not null,
      quantity numeric not null,
      bankrupt_user bigint not null,
      user_id bigint not null,
      position bigint not null,
      primary key (seq, line)
    )`.execute(db)
}

/** Current marks, and values at the end of each day. */
async function createValues(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table perp_marks (
      market text primary key,
      at_ms bigint not null,
      mark numeric not null,
      index_price numeric not null,
      sources jsonb not null
    )`.execute(db)

  // Unrealised profit of a user at the end of each UTC day on which a position was open.
  await sql`
    create table perp_days (
      user_id bigint not null,
      day_ms bigint not null,
      unrealised numeric not null,
      primary key (user_id, day_ms)
    )`.execute(db)

  await sql`
    create table insurance_days (
      asset text not null,
      day_ms bigint not null,
      balance numeric not null,
      primary key (asset, day_ms)
    )`.execute(db)
}
