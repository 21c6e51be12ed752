import { midPrice } from '../price.ts'
import { alive, list, names, nothing, objectOf, record, type Reading, type Venue } from './venue.ts'

/** The `tickers` channel: sent at each trade and each change of the best bid or ask. */
export const okx: Venue = {
  name: 'okx',
  socketUrl: 'wss://ws.okx.com:8443/ws/v5/public',
  restUrl: 'https://www.okx.com',
  dollar: 'USDT',
  // OKX closes a connection that is quiet for 30 s, and answers "ping" with "pong", both plain text.
  ping: { everyMs: 2_000, text: 'ping' },

  reader(pairs) {
    const known = names(pairs, (pair) => `${pair.base}-${pair.quote}`)
    const args = [...known.keys()].map((instId) => ({ channel: 'tickers', instId }))
    return {
      subscriptions: [JSON.stringify({ op: 'subscribe', args })],
      read(text) {
        if (text === 'pong') return alive
        const message = objectOf(text)
        if (message === undefined) return nothing
        if (message['event'] === 'subscribe') return alive
        if (message['event'] === 'notice') return [{ kind: 'leaving' }]
        if (message['event'] === 'error') return [{ kind: 'problem', message: String(message['msg'] ?? message['code']) }]
        if (record(message['arg'])?.['channel'] !== 'tickers') return nothing
        const readings: Reading[] = []
        for (const each of list(message['data'])) {
          const ticker = record(each)
          const pair = known.get(String(ticker?.['instId']))
          const price = midPrice(ticker?.['bidPx'], ticker?.['askPx'])
          if (pair !== undefined && price !== undefined) readings.push({ kind: 'book', pair, price })
        }
        return readings
      },
    }
  },

  async candles(get, restUrl, pair, interval, endMs) {
    const bar = interval === '1h' ? '1H' : '1m'
    const answer = record(
      await get(`${restUrl}/api/v5/market/history-candles?instId=${pair.base}-${pair.quote}&bar=${bar}&after=${endMs}&limit=100`),
    )
    if (answer?.['code'] !== '0') throw new Error(`okx refuses candles: ${String(answer?.['msg'])}`)
    const rows = list(answer['data']).map((row) => {
      const [time, open, high, low, close, volume] = list(row)
      return [Number(time), open, high, low, close, volume] as const
    })
    return rows.reverse()
  },
}
