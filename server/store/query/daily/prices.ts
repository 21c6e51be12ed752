/** SQL for an asset's price in USDT: the close of the last minute that ended before a time. */
export function priceBefore(asset: string, at: string): string {
  return `case when ${asset} = 'USDT' then 1 else (
    select close from candles_1m where market = ${asset} || 'USDT' and open_time <= ${at} - 60000 order by open_time desc limit 1
  ) end`
}
