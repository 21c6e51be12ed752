import { midPrice, parsePrice } from '../price.ts'
import { alive, list, names, nothing, objectOf, record, type Reading, type Venue } from './venue.ts'

/** Best bid and ask (`bookTicker`) from the market-data-only endpoint. Trades are parsed too, for recordings. */
export const binance: Venue = {
  name: 'binance',
  socketUrl: 'wss://data-stream.binance.vision/stream',
  restUrl: 'https://data-api.binance.vision',
  dollar: 'USDT',

  reader(pairs) {
    const known = names(pairs, (pair) => `${pair.base}${pair.quote}`)
    const streams = [...known.keys()].map((symbol) => `${symbol.toLowerCase()}@bookTicker`)
    return {
      subscriptions: [JSON.stringify({ method: 'SUBSCRIBE', params: streams, id: 1 })],
      read(text) {
        const message = objectOf(text)
        if (message === undefined) return nothing
        if ('result' in message) return alive
        if ('error' in message || ('code' in message && 'msg' in message)) return problem(message)
        const data = record(message['data']) ?? message
        if (data['e'] === 'serverShutdown') return [{ kind: 'leaving' }]
        const pair = typeof data['s'] === 'string' ? known.get(data['s']) : undefined
        if (pair === undefined) return nothing
        if (data['e'] === undefined && 'b' in data && 'a' in data) return priced('book', pair, midPrice(data['b'], data['a']))
        if (data['e'] === 'trade') return priced('last', pair, parsePrice(data['p']))
        return data['e'] === 'depthUpdate' ? alive : nothing
      },
    }
  },

  async candles(get, restUrl, pair, interval, endMs) {
    const rows = list(
      await get(`${restUrl}/api/v3/klines?symbol=${pair.base}${pair.quote}&interval=${interval}&limit=1000&endTime=${endMs - 1}`),
    )
    return rows.map((row) => {
      const [time, open, high, low, close, volume] = list(row)
      return [Number(time), open, high, low, close, volume]
    })
  },
}

function priced(kind: 'book' | 'last', pair: { base: string; quote: string }, price: number | undefined): readonly Reading[] {
  return price === undefined ? nothing : [{ kind, pair, price }]
}

function problem(message: Readonly<Record<string, unknown>>): readonly Reading[] {
  const error = record(message['error']) ?? message
  return [{ kind: 'problem', message: String(error['msg'] ?? 'refused') }]
}
