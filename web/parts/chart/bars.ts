/** The forming bar of any number of charts at once. */
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket, WssKlineRow } from '@candor/core/protocol/wire/market.ts'
import { watchKline } from '../../app/quotes.ts'
import { stream } from '../../app/stream.ts'

type Listener = (rows: readonly WssKlineRow[]) => void

/** Whether a chart has the bars of `/wss`, which carries those of one market. */
let isTaken = false

/** Calls the listener with the newest bars of a market, until the returned function is called. */
export function watchBars(market: WireMarket, interval: Interval, listener: Listener): () => void {
  if (isTaken) {
    const channel: `${string}@kline_${string}` = `${market.symbol.toLowerCase()}@kline_${interval}`
    return stream().subscribe(channel, ({ k }) => listener([[k.t, k.o, k.h, k.l, k.c, k.v]]))
  }
  isTaken = true
  const stop = watchKline(market.id, interval, ({ rows }) => listener(rows))
  return () => {
    isTaken = false
    stop()
  }
}
