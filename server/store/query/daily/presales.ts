import { priceBefore } from './prices.ts'

/**
 * SQL that selects `price`, in USDT, and `decided_at_ms` of the last presale of an asset that allocated tokens before a time. What is sold
 * for money that the exchange takes counts as worth that money until a market says otherwise.
 */
export function presaleBefore(asset: string, at: string): string {
  return `select round((sale.terms #>> '{price,pay}')::numeric * 10::numeric ^ (token.scale - pay.scale) / (sale.terms #>> '{price,per}')::numeric, 18)
      as price, sale.decided_at_ms
    from assets token join presales sale on (sale.terms ->> 'token')::integer = token.id and sale.outcome = 'allocated'
    join assets pay on pay.id = (sale.terms ->> 'pay')::integer
    where token.symbol = ${asset} and sale.decided_at_ms < ${at} order by sale.decided_at_ms desc, sale.number desc limit 1`
}

/** SQL for an asset's price in USDT before a time: that of its market, else that of its last presale. */
export function valueBefore(asset: string, at: string): string {
  return `coalesce(${priceBefore(asset, at)}, (select price from (${presaleBefore(asset, at)}) sale))`
}

/**
 * SQL for the USDT that the user, `$1`, had in presales before a time: what was subscribed, less what was subscribed to those that were
 * decided. It has left the balance and is still the customer's, until tokens or a refund come for it.
 */
export function pledgedBefore(at: string): string {
  return `coalesce((
      select -sum(delta) from ledger_entries
      where user_id = $1 and user_id > 0 and asset = 'USDT' and reason = 'presale-subscribe' and reason not in ('hold', 'release') and at_ms < ${at}
    ), 0) - coalesce((
      select sum(own.amount) / 10::numeric ^ (select scale from assets where symbol = 'USDT') from presale_subscriptions own
      where own.user_id = $1 and own.decided_at_ms < ${at}
    ), 0)`
}
