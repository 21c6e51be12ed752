import type { FeeTier } from '@candor/core/protocol/market.ts'
import type { WireConfig, WireFeeTier, WireTicker } from '@candor/core/protocol/wire/market.ts'
import { z } from 'zod'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'
import type { Context } from '../../live/context.ts'
import { compress } from '../../http/compress.ts'
import { answers, interval, nothing, queryInteger, queryMillis, symbol } from '../../http/schema.ts'
import { candlesOf } from '../../live/candles.ts'
import { markCandles } from '../../store/query/market/marks.ts'
import { amountText, priceText, quantityText } from '../../live/listing.ts'
import { bigText, levelText, wireTicker } from '../../live/texts.ts'
import { assetNames } from '../../live/asset-names.ts'
import { ratesRoute } from './rates-route.ts'
import { candles, config, depth, ticker, trade, volume } from './schema.ts'

const tags = ['market']
const symbolParams = z.strictObject({ symbol })

/** Public data of the exchange and its markets. */
export function marketRoutes(app: App, context: Context): void {
  configRoute(app, context)
  dayRoutes(app, context)
  candleRoute(app, context)
  bookRoutes(app, context)
  ratesRoute(app, context)
}

function configRoute(app: App, context: Context): void {
  const { listing } = context
  const tierText = ({ volumeMin, makerPpm, takerPpm }: FeeTier): WireFeeTier => ({
    volumeMin: amountText(listing.assetNamed('USDT'), volumeMin),
    makerPpm,
    takerPpm,
  })
  app.get(
    '/config',
    {
      onSend: compress,
      schema: { tags, summary: 'Assets, markets, fees and the sources of prices', querystring: nothing, response: answers(config) },
    },
    async (): Promise<WireConfig> => ({
      mode: context.mode,
      version: context.version,
      commit: context.commit,
      serverTime: context.now(),
      feed: context.feed(),
      assets: listing.assets.map(({ symbol: asset, scale }) => ({ symbol: asset, name: assetNames[asset] ?? asset, scale })),
      markets: listing.markets.map(({ wire }) => wire),
      feeTiers: listing.fees.map(tierText),
      perpFeeTiers: listing.perpFees.map(tierText),
      faucet: context.mode === 'sandbox' ? context.faucet : [],
      ...(context.support === undefined ? {} : { support: context.support }),
      unservedCountries: context.unservedCountries,
    }),
  )
}

function dayRoutes(app: App, context: Context): void {
  const { listing, data } = context
  app.get(
    '/tickers',
    {
      onSend: compress,
      // Sparklines of all markets take more work than prices.
      config: { weight: ({ url }) => (url?.includes('sparkline=1') ? 4 : 1) },
      schema: {
        tags,
        summary: 'The last 24 hours of every market',
        querystring: z.strictObject({ sparkline: z.enum(['0', '1']).exactOptional() }),
        response: answers(z.strictObject({ tickers: z.array(ticker) })),
      },
    },
    async (request) => {
      const now = context.now()
      const tickers: WireTicker[] = []
      for (const market of listing.markets) {
        const view = data.market(market.market.id)
        if (view) tickers.push(wireTicker(market, view, now, request.query.sparkline === '1'))
      }
      return { tickers }
    },
  )

  app.get(
    '/volume',
    { schema: { tags, summary: 'Traded value of the exchange, in USDT', querystring: nothing, response: answers(volume) } },
    async () => {
      const { h24, d7, d30 } = data.view.volume(context.now())
      return { asset: 'USDT' as const, h24: bigText(h24, 6), d7: bigText(d7, 6), d30: bigText(d30, 6) }
    },
  )
}

function candleRoute(app: App, context: Context): void {
  const { listing } = context
  app.get(
    '/markets/:symbol/candles',
    {
      onSend: compress,
      schema: {
        tags,
        summary: 'Candles, newest last',
        params: symbolParams,
        querystring: z.strictObject({
          interval,
          endTime: queryMillis.exactOptional(),
          limit: queryInteger(1, 1_000).exactOptional(),
          price: z
            .enum(['last', 'mark', 'index'])
            .exactOptional()
            .meta({ description: 'Futures only: candles of the mark or the index, from a minute on. Default: of trades.' }),
        }),
        response: answers(candles),
      },
    },
    async (request) => {
      const { interval: width, endTime, limit = 500, price = 'last' } = request.query
      const options = { limit, ...(endTime === undefined ? {} : { endTime }) }
      if (price === 'last') return candlesOf(context, listing.marketNamed(request.params.symbol), width, options)
      const contract = listing.marketOfKind('perp', request.params.symbol)
      if (width === '1s') throw new Refused('FIELD_INVALID', { field: 'interval' })
      return markCandles(context.pool, contract.market.symbol, price, width, options)
    },
  )
}

function bookRoutes(app: App, { listing, data }: Context): void {
  const marketOf = (symbolText: string) => {
    const market = listing.marketNamed(symbolText)
    const view = data.market(market.market.id)
    if (!view || !data.isReady) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
    return { market, view }
  }

  app.get(
    '/markets/:symbol/depth',
    {
      onSend: compress,
      schema: {
        tags,
        summary: 'The order book, best first',
        params: symbolParams,
        querystring: z.strictObject({ limit: queryInteger(5, 1_000).exactOptional() }),
        response: answers(depth),
      },
    },
    async (request) => {
      const { market, view } = marketOf(request.params.symbol)
      if (view.depth.isStale) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
      const { update, bids, asks } = view.depth.view(request.query.limit ?? 100)
      return {
        symbol: market.market.symbol,
        update,
        bids: bids.map((level) => levelText(market, level)),
        asks: asks.map((level) => levelText(market, level)),
      }
    },
  )

  app.get(
    '/markets/:symbol/trades',
    {
      onSend: compress,
      schema: {
        tags,
        summary: 'The last trades, newest first',
        params: symbolParams,
        querystring: z.strictObject({ limit: queryInteger(1, 1_000).exactOptional() }),
        response: answers(z.strictObject({ trades: z.array(trade) })),
      },
    },
    async (request) => {
      const { market, view } = marketOf(request.params.symbol)
      return {
        trades: view.trades.newest(request.query.limit ?? 100).map(({ trade: id, price, lots, quote, at, takerSide }) => ({
          id: String(id),
          price: priceText(market, price),
          quantity: quantityText(market, lots),
          quote: amountText(market.quote, quote),
          time: at,
          takerSide,
        })),
      }
    },
  )
}
