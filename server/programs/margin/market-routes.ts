import type { Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { openPpm } from '@candor/core/risk/margin-terms.ts'
import { dailyRates } from '../../store/query/programs/loans.ts'
import type { Context } from '../context.ts'
import { amountText, type ListedMarket } from '../../live/listing.ts'
import { assetNames } from '../../live/asset-names.ts'
import { ApiError } from '../errors.ts'
import { assetName, notMarginAsset as notAsset } from '../funds/values.ts'
import { worthIn, worthText } from '../funds/worth.ts'
import { isIsolatedParam } from '../account-words.ts'
import * as param from '../params.ts'
import { keyRoute, type Route, signedRoute } from '../route.ts'
import { checkTimes } from '../market/trades.ts'
import { dayHours, nameList, namesOf, Pairs, rateText, yearHours } from './pairs.ts'

const ratioDigits = 6
const dayMs = 86_400_000
const vipLevel = param.integer(0, 9)
const get = (path: string, weight: number) => ({ method: 'GET', path: `/sapi/v1/margin/${path}`, weight }) as const

/** Pairs, coins, terms and rates of margin trading, open to everybody. There is one level of customers, 0. */
export function marginMarketRoutes(context: Context): readonly Route[] {
  return [...pairRoutes(context), ...termRoutes(context), ...rateRoutes(context)]
}

function pairRoutes(context: Context): readonly Route[] {
  const { ask, listing } = context
  const pairs = new Pairs(context)
  const symbol = { symbol: param.symbol }
  const needed = { symbol: param.mandatory(param.symbol) }
  const pairOf = ({ market, base, quote }: ListedMarket) => ({
    ...{ symbol: market.symbol, base: base.symbol, quote: quote.symbol, isMarginTrade: true, isBuyAllowed: true, isSellAllowed: true },
  })
  const crossPairOf = (market: ListedMarket) => ({ id: market.market.id, ...pairOf(market) })
  const coinsOf = async () => {
    const isOpen = (await ask.marginTerms())?.isOpen === true
    return (await ask.pools()).map(({ asset: id }) => {
      const { symbol: name } = listing.asset(id)
      return {
        ...{ assetName: name, assetFullName: assetNames[name] ?? name, isBorrowable: isOpen, isMortgageable: isOpen },
        ...{ userMinBorrow: '0', userMinRepay: '0' },
      }
    })
  }
  return [
    keyRoute(get('allPairs', 1), symbol, (values) => pairs.chosen(values.symbol).map(crossPairOf)),
    keyRoute(get('pair', 10), needed, (values) => crossPairOf(pairs.open(values.symbol))),
    keyRoute(get('isolated/allPairs', 10), symbol, (values) => pairs.chosen(values.symbol).map(pairOf)),
    keyRoute(get('isolated/pair', 10), needed, (values) => pairOf(pairs.open(values.symbol))),
    keyRoute(get('allAssets', 1), { asset: assetName }, async ({ asset }) => {
      const only = asset === undefined ? undefined : pairs.asset(asset).symbol
      return (await coinsOf()).filter((coin) => only === undefined || coin.assetName === only)
    }),
    keyRoute(get('asset', 10), { asset: param.mandatory(assetName) }, async ({ asset }) => {
      const only = pairs.asset(asset).symbol
      const found = (await coinsOf()).find((coin) => coin.assetName === only)
      if (!found) throw notAsset()
      return found
    }),
    keyRoute(get('priceIndex', 10), needed, (values) => {
      const index = pairs.index(pairs.open(values.symbol))
      if (!index) throw new ApiError(-3042, 'PriceIndex not available for this margin pair.')
      return { calcTime: index.at, price: index.price, symbol: values.symbol }
    }),
  ]
}

function termRoutes(context: Context): readonly Route[] {
  const { ask, listing } = context
  const pairs = new Pairs(context)
  const read = { scope: 'read' } as const
  const thresholds = async () => {
    const terms = await ask.marginTerms()
    if (terms === null) throw new ApiError(-3003, 'Margin account does not exist.')
    return terms
  }
  return [
    signedRoute({ ...get('tradeCoeff', 10), ...read }, {}, async () => {
      const { crossTransferPpm, crossCallPpm, crossLiquidationPpm } = await thresholds()
      const [normalBar, marginCallBar, forceLiquidationBar] = [crossTransferPpm, crossCallPpm, crossLiquidationPpm].map(ratio)
      return { normalBar, marginCallBar, forceLiquidationBar }
    }),
    signedRoute({ ...get('crossMarginData', 5), ...read }, { vipLevel, coin: assetName }, async ({ coin }) => {
      const only = coin === undefined ? undefined : pairs.asset(coin).id
      const isOpen = (await ask.marginTerms())?.isOpen === true
      const pools = (await ask.pools()).filter(({ asset }) => only === undefined || asset === only)
      return pools.map(({ asset: id, rate, room }) => {
        const asset = listing.asset(id)
        return {
          ...{ vipLevel: 0, coin: asset.symbol, transferIn: isOpen, borrowable: isOpen },
          ...{ dailyInterest: rateText(rate, dayHours), yearlyInterest: rateText(rate, yearHours), borrowLimit: amountText(asset, room) },
          marginablePairs: pairs.all.filter(({ base, quote }) => base.id === id || quote.id === id).map(({ market }) => market.symbol),
        }
      })
    }),
    signedRoute({ ...get('isolatedMarginData', 10), ...read }, { vipLevel, symbol: param.symbol }, async (values) => {
      const chosen = pairs.chosen(values.symbol)
      const [terms, pools] = await Promise.all([thresholds(), ask.pools()])
      const leverage = String(terms.tiers[0]?.leverage ?? 1)
      return chosen.map(({ market, base, quote }) => ({
        ...{ vipLevel: 0, symbol: market.symbol, leverage },
        data: [base, quote].map((asset) => {
          const pool = pools.find(({ asset: id }) => id === asset.id)
          return {
            coin: asset.symbol,
            dailyInterest: rateText(pool?.rate ?? 0, dayHours),
            borrowLimit: amountText(asset, pool?.room ?? (0 as Units)),
          }
        }),
      }))
    }),
    signedRoute(
      { ...get('isolatedMarginTier', 1), ...read },
      { symbol: param.mandatory(param.symbol), tier: param.integer(1, 100) },
      async (values) => {
        const { market, base, quote } = pairs.open(values.symbol)
        const usdt = listing.assetNamed('USDT')
        const tiers = (await thresholds()).tiers.map(({ loanMax, leverage, liquidationPpm }, i) => ({
          ...{ symbol: market.symbol, tier: i + 1, effectiveMultiple: String(leverage) },
          ...{ initialRiskRatio: ratio(openPpm(leverage)), liquidationRiskRatio: ratio(liquidationPpm) },
          baseAssetMaxBorrowable: worthText(worthIn(context, usdt, loanMax, base)),
          quoteAssetMaxBorrowable: worthText(worthIn(context, usdt, loanMax, quote)),
        }))
        return values.tier === undefined ? tiers : tiers.filter(({ tier }) => tier === values.tier)
      },
    ),
  ]
}

function rateRoutes(context: Context): readonly Route[] {
  const pairs = new Pairs(context)
  return [
    signedRoute(
      { ...get('next-hourly-interest-rate', 100), scope: 'read' },
      { assets: param.mandatory(nameList), isIsolated: isIsolatedParam },
      ({ assets }) =>
        Promise.all(
          namesOf(assets).map(async (name) => {
            const { rate } = await pairs.pool(pairs.asset(name))
            return { asset: name, nextHourlyInterestRate: rateText(rate, 1) }
          }),
        ),
    ),
    signedRoute({ ...get('interestRateHistory', 1), scope: 'read' }, rateParams, async ({ asset: name, startTime, endTime, limit }) => {
      checkTimes(startTime, endTime)
      const asset = pairs.asset(name)
      const { rate } = await pairs.pool(asset)
      // The exchange's clock never goes back: after a start it may be ahead of the machine's.
      const now = Math.max(context.now(), context.data.view.at)
      const today = now - (now % dayMs)
      const end = Math.min(today, endTime ?? today)
      const lastEnd = end - (end % dayMs)
      const first = startTime === undefined ? lastEnd - (limit - 1) * dayMs : Math.ceil(startTime / dayMs) * dayMs
      const last = Math.min(lastEnd, first + (limit - 1) * dayMs)
      const row = (day: number, dailyInterestRate: string) => ({ asset: asset.symbol, dailyInterestRate, timestamp: day, vipLevel: 0 })
      const past = first > last ? [] : await dailyRates(context.pool, asset.symbol, first, Math.min(last, today - dayMs))
      // Clients take the first entry as the rate that applies now.
      return [
        ...(last >= today && first <= today ? [row(today, rateText(rate, dayHours))] : []),
        ...past.map(({ day, daily }) => row(day, daily)),
      ]
    }),
  ]
}

const rateParams = {
  asset: param.mandatory(assetName),
  vipLevel,
  startTime: param.millis,
  endTime: param.millis,
  limit: param.limit(20, 100),
}

const ratio = (ppm: number): string => formatUnits(ppm, ratioDigits)
