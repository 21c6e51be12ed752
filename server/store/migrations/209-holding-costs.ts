import { type Kysely, sql } from 'kysely'

/**
 * What each user's coins cost on average, over all accounts of the user, and what they earned. Sums are in USDT. The costs of what is held
 * when this step runs are not known: they have no average until they are gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table holding_costs (
      user_id bigint not null,
      asset text not null,
      quantity numeric not null,
      cost numeric not null,
      realised numeric not null,
      debt numeric not null,
      debt_cost numeric not null,
      is_partial boolean not null,
      primary key (user_id, asset)
    )`.execute(db)
  await sql`
    insert into holding_costs
    select user_id, asset, sum(quantity), 0, 0, sum(debt), 0, true from (
      select user_id, asset, available + held as quantity, 0 as debt from balances where user_id > 0 and asset <> 'USDT'
      union all
      select user_id, asset, 0, owed from (
        select distinct on (user_id, market, asset) user_id, asset, owed from debt_days where asset <> 'USDT'
        order by user_id, market, asset, day_ms desc
      ) owing
    ) held join core_users using (user_id) where class = 'retail'
    group by user_id, asset having sum(quantity) > 0 or sum(debt) > 0`.execute(db)
}
