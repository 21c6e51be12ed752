import { type Kysely, sql } from 'kysely'

/**
 * Columns and indexes for programs' questions about an order: its client id, the list that it is a leg of, the time of its
 * trigger, and the side that gives way when it would meet its owner's other orders (null: the taker). A list whose legs have
 * client ids of their own has its client id stored by that of its first leg.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column triggered_at_ms bigint, add column self_trade text`.execute(db)
  await sql`create index orders_client_id on orders (user_id, client_id)`.execute(db)
  await sql`create index orders_list on orders (user_id, list_id) where list_id is not null and perp is null`.execute(db)
  await sql`
    create table order_list_client_ids (
      user_id bigint not null,
      leg_client_id text not null,
      list_client_id text not null,
      primary key (user_id, leg_client_id)
    )`.execute(db)
  await sql`create index order_list_client_ids_list on order_list_client_ids (user_id, list_client_id)`.execute(db)
}
