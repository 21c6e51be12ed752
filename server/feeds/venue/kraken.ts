import { midPrice } from '../price.ts'
import { alive, list, names, nothing, objectOf, record, type Reading, type Venue } from './venue.ts'

/** The `ticker` channel of version 2 with the `bbo` trigger. A heartbeat comes each second when nothing else does. */
export const kraken: Venue = {
  name: 'kraken',
  socketUrl: 'wss://ws.kraken.com/v2',
  restUrl: 'https://api.kraken.com',
  dollar: 'USD',

  reader(pairs) {
    const known = names(pairs, (pair) => `${pair.base}/${pair.quote}`)
    return {
      subscriptions: [
        JSON.stringify({
          method: 'subscribe',
          params: { channel: 'ticker', symbol: [...known.keys()], event_trigger: 'bbo', snapshot: true },
        }),
      ],
      read(text) {
        const message = objectOf(text)
        if (message === undefined) return nothing
        if (message['success'] === false) return [{ kind: 'problem', message: String(message['error']) }]
        if (message['method'] === 'subscribe' || message['method'] === 'pong') return alive
        if (message['channel'] === 'heartbeat') return alive
        if (message['channel'] === 'status') return status(list(message['data']))
        if (message['channel'] !== 'ticker') return nothing
        const readings: Reading[] = []
        for (const each of list(message['data'])) {
          const ticker = record(each)
          const pair = known.get(String(ticker?.['symbol']))
          const price = midPrice(ticker?.['bid'], ticker?.['ask'])
          if (pair !== undefined && price !== undefined) readings.push({ kind: 'book', pair, price })
        }
        return readings
      },
    }
  },

  async candles(get, restUrl, pair, interval, endMs) {
    // The URL takes the newer names; the answer has one key besides `last`, under whatever name of the pair.
    const answer = record(await get(`${restUrl}/0/public/OHLC?pair=${pair.base}${pair.quote}&interval=${interval === '1h' ? 60 : 1}`))
    const errors = list(answer?.['error'])
    if (errors.length > 0) throw new Error(`kraken refuses candles: ${errors.join(', ')}`)
    const result = record(answer?.['result']) ?? {}
    const name = Object.keys(result).find((key) => key !== 'last')
    const rows = list(name === undefined ? undefined : result[name]).map((row) => {
      const [time, open, high, low, close, , volume] = list(row)
      return [Number(time) * 1_000, open, high, low, close, volume] as const
    })
    return rows.filter(([time]) => time < endMs)
  },
}

function status(data: readonly unknown[]): readonly Reading[] {
  const system = record(data[0])?.['system']
  return system === undefined || system === 'online' ? alive : [{ kind: 'problem', message: `system is ${String(system)}` }]
}
