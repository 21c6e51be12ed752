/** Notices of TWAP and scaled orders that ended. The tables of the same transaction know what their parts executed. */
const ended = `algo_orders algo where algo.id = (event.data::jsonb ->> 'algo')::bigint`

/**
 * Condition on a row of `event`: false for a scaled order of which the owner cancelled every order one by one. A TWAP order that bought
 * nothing is news.
 */
export const isNews = `not (event.kind = 'algo-ended' and exists (
  select from ${ended} and algo.kind = 'scaled' and not exists (
    select from orders where algo_id = algo.id and (executed > 0 or close_reason is distinct from 'cancelled'))))`

/** The values of a notice as JSON, those of an order in parts with its kind, side and sums; of others `data`. Needs `event`. */
export function withAlgo(data: string): string {
  return `case when event.kind = 'algo-ended' then (event.data::jsonb || coalesce((
    select jsonb_build_object('order', algo.kind, 'side', algo.side, 'whole', algo.quantity::text, 'quantity',
      (select coalesce(sum(executed), 0)::text from orders where algo_id = algo.id))
    from ${ended}), '{}'))::text else ${data} end`
}
