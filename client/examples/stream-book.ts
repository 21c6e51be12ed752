/** Keeps the book of a market for a while and prints its best levels: `stream-book.ts [changes] [spot|futures]`. */
import { futuresMarket, makeCall, market, openBook, openStream, type Book } from '@candor/client'
import { url } from './settings.ts'

const symbol = 'BTCUSDT'
const call = makeCall({ url })
const changes = Number(process.argv[2] ?? 20)
const isSpot = process.argv[3] !== 'futures'
const stream = openStream({ url, market: isSpot ? 'spot' : 'futures' })
const { depth } = isSpot ? market : futuresMarket

const last = await new Promise<Book>((resolve, reject) => {
  let seen = 0
  const book = openBook({
    stream,
    symbol,
    snapshot: () => depth(call, { symbol, limit: 1000 }),
    onChange(next) {
      console.log(next.lastUpdateId, next.bids[0], next.asks[0])
      if (++seen < changes) return
      book.close()
      resolve(next)
    },
    onError: reject,
  })
})
stream.close()
console.log(`${last.bids.length} bids, ${last.asks.length} asks`)
