import { midPrice, parsePrice } from '../price.ts'
import { CoinbaseBook } from './coinbase-book.ts'
import { alive, list, names, nothing, objectOf, type Reading, type Venue } from './venue.ts'

/**
 * The `ticker` channel of the exchange feed, sent at each trade: best bid and ask at that time. Recordings may contain `level2`
 * books instead, which are followed level by level.
 */
export const coinbase: Venue = {
  name: 'coinbase',
  socketUrl: 'wss://ws-feed.exchange.coinbase.com',
  restUrl: 'https://api.exchange.coinbase.com',
  dollar: 'USD',

  reader(pairs) {
    const known = names(pairs, (pair) => `${pair.base}-${pair.quote}`)
    const books = new Map<string, CoinbaseBook>()
    return {
      // One message per product, because an unknown product would invalidate a common one.
      subscriptions: [...known.keys()].map((product) =>
        JSON.stringify({ type: 'subscribe', product_ids: [product], channels: ['ticker', 'heartbeat'] }),
      ),
      read(text): readonly Reading[] {
        const message = objectOf(text)
        if (message === undefined) return nothing
        if (message['type'] === 'error') {
          return [{ kind: 'problem', message: `${String(message['message'])}: ${String(message['reason'])}` }]
        }
        if (message['type'] === 'heartbeat' || message['type'] === 'subscriptions') return alive
        const product = String(message['product_id'])
        const pair = known.get(product)
        if (pair === undefined) return nothing
        switch (message['type']) {
          case 'ticker': {
            const price = midPrice(message['best_bid'], message['best_ask']) ?? parsePrice(message['price'])
            return price === undefined ? nothing : [{ kind: 'last', pair, price }]
          }
          case 'match': {
            const price = parsePrice(message['price'])
            return price === undefined ? nothing : [{ kind: 'last', pair, price }]
          }
          case 'snapshot': {
            const book = new CoinbaseBook(list(message['bids']), list(message['asks']))
            books.set(product, book)
            return book.price === undefined ? nothing : [{ kind: 'book', pair, price: book.price }]
          }
          case 'l2update': {
            const book = books.get(product)
            if (book === undefined) return nothing
            book.change(list(message['changes']))
            return book.price === undefined ? nothing : [{ kind: 'book', pair, price: book.price }]
          }
          default:
            return nothing
        }
      },
    }
  },

  async candles(get, restUrl, pair, interval, endMs) {
    const seconds = interval === '1h' ? 3_600 : 60
    const start = new Date(endMs - seconds * 300_000).toISOString()
    const end = new Date(endMs - seconds * 1_000).toISOString()
    const rows = list(
      await get(`${restUrl}/products/${pair.base}-${pair.quote}/candles?granularity=${seconds}&start=${start}&end=${end}`),
    ).map((row) => {
      const [time, low, high, open, close, volume] = list(row)
      return [Number(time) * 1_000, open, high, low, close, volume] as const
    })
    return rows.reverse()
  },
}
