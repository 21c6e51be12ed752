import { icebergPartsMax } from '@candor/core/exchange/spot/checks.ts'
import { trailMaxPpm, trailMinPpm } from '@candor/core/risk/trigger.ts'
import type { Ticks } from '@candor/core/money/brand.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import { notionalMax, ticksMax } from '@candor/core/risk/orders.ts'
import { amountText, type ListedMarket, priceText } from '../../live/listing.ts'
import type { Context } from '../context.ts'
import { badCombination } from '../errors.ts'
import { Names, type Seen } from '../names.ts'
import { orderAllowances } from '../order-counts.ts'
import * as param from '../params.ts'
import { publicRoute, type Route } from '../route.ts'
import { rawMax, weightMax } from '../weights.ts'

/** The published limits are those of the retail class. */
const { tenSeconds, day } = orderAllowances.retail

const rateLimits = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: weightMax },
  { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: tenSeconds },
  { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: day },
  { rateLimitType: 'RAW_REQUESTS', interval: 'MINUTE', intervalNum: 5, limit: rawMax },
] as const

const millionDigits = 6
/** Trailing distances are sent in hundredths of a percent; the core has them in ppm. */
const [trailMin, trailMax] = [trailMinPpm / 100, trailMaxPpm / 100]
const trailingDelta = {
  minTrailingAboveDelta: trailMin,
  maxTrailingAboveDelta: trailMax,
  minTrailingBelowDelta: trailMin,
  maxTrailingBelowDelta: trailMax,
}

/** `ping`, `time` and `exchangeInfo` of both groups of paths, and the empty listing for which clients ask a third group. */
export function frameRoutes(context: Context): readonly Route[] {
  const [spot, futures] = [new Names(context.data, 'spot'), new Names(context.data, 'futures')]
  const envelope = () => ({ timezone: 'UTC', serverTime: context.now(), rateLimits, exchangeFilters: [] })
  const clock = (root: string) => [
    publicRoute(`${root}/ping`, 1, {}, () => ({})),
    publicRoute(`${root}/time`, 1, {}, () => ({ serverTime: context.now() })),
  ]
  return [
    ...clock('/api/v3'),
    ...clock('/fapi/v1'),
    publicRoute('/sapi/v1/system/status', 1, {}, () => ({ status: 0, msg: 'normal' })),
    publicRoute('/api/v3/exchangeInfo', 20, spotInfoParams, (values) => ({
      ...envelope(),
      symbols: chosen(spot, values).map((seen) => spotSymbol(seen, values.showPermissionSets !== 'false')),
    })),
    publicRoute('/fapi/v1/exchangeInfo', 1, {}, () => ({
      ...envelope(),
      futuresType: 'U_MARGINED',
      assets: [...new Set(futures.all().map(({ market }) => market.quote.symbol))].map((asset) => ({
        asset,
        marginAvailable: true,
        autoAssetExchange: '0',
      })),
      symbols: futures.all().map(contractSymbol),
    })),
    publicRoute('/dapi/v1/exchangeInfo', 1, {}, () => ({ ...envelope(), symbols: [] })),
  ]
}

const spotInfoParams = {
  symbol: param.symbol,
  symbols: param.symbols,
  permissions: param.text(/^[A-Z0-9_",[\] ]{1,200}$/),
  showPermissionSets: param.word(['true', 'false']),
  symbolStatus: param.word(['TRADING', 'HALT', 'BREAK']),
}

type Choice = {
  readonly symbol: string | undefined
  readonly symbols: readonly string[] | undefined
  readonly permissions: string | undefined
  readonly symbolStatus: 'TRADING' | 'HALT' | 'BREAK' | undefined
}

/** throws  ApiError -1121, -1128 */
function chosen(names: Names, { symbol, symbols, permissions, symbolStatus }: Choice): readonly Seen[] {
  const isNamed = symbol !== undefined || symbols !== undefined
  if ((symbol !== undefined && symbols !== undefined) || (isNamed && (permissions ?? symbolStatus) !== undefined)) throw badCombination()
  if (symbol !== undefined) return [names.seen(symbol)]
  if (symbols !== undefined) return symbols.map((name) => names.seen(name))
  const wanted = permissions === undefined ? undefined : (permissions.match(/[A-Z0-9_]+/g) ?? [])
  return names.all().filter(({ market }) => {
    if (symbolStatus !== undefined && statusOf(market) !== symbolStatus) return false
    return wanted === undefined || permissionsOf(market).some((one) => (wanted as readonly string[]).includes(one))
  })
}

const statusOf = ({ wire }: ListedMarket) => (wire.isTrading ? 'TRADING' : 'HALT')
const permissionsOf = ({ wire }: ListedMarket): readonly string[] => (wire.hasMargin ? ['SPOT', 'MARGIN'] : ['SPOT'])

function spotSymbol({ market, name }: Seen, hasSets: boolean): object {
  const { base, quote, wire } = market
  return {
    symbol: name,
    status: statusOf(market),
    baseAsset: base.symbol,
    baseAssetPrecision: base.scale,
    quoteAsset: quote.symbol,
    quotePrecision: quote.scale,
    quoteAssetPrecision: quote.scale,
    baseCommissionPrecision: base.scale,
    quoteCommissionPrecision: quote.scale,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'],
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    isSpotTradingAllowed: wire.isTrading,
    isMarginTradingAllowed: wire.hasMargin,
    filters: [
      ...stepFilters(market),
      { filterType: 'ICEBERG_PARTS', limit: icebergPartsMax },
      { filterType: 'TRAILING_DELTA', ...trailingDelta },
      {
        filterType: 'PERCENT_PRICE_BY_SIDE',
        bidMultiplierUp: multiplier(wire.bandPpm),
        bidMultiplierDown: multiplier(-wire.bandPpm),
        askMultiplierUp: multiplier(wire.bandPpm),
        askMultiplierDown: multiplier(-wire.bandPpm),
        avgPriceMins: 5,
      },
      {
        filterType: 'NOTIONAL',
        minNotional: wire.notionalMin,
        applyMinToMarket: true,
        maxNotional: amountText(quote, BigInt(notionalMax)),
        applyMaxToMarket: true,
        avgPriceMins: 5,
      },
      { filterType: 'MIN_NOTIONAL', minNotional: wire.notionalMin, applyToMarket: true, avgPriceMins: 5 },
      { filterType: 'MAX_NUM_ORDERS', maxNumOrders: wire.openOrdersMax },
      { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: wire.openOrdersMax },
    ],
    permissions: [],
    ...(hasSets ? { permissionSets: [permissionsOf(market)] } : {}),
    defaultSelfTradePreventionMode: 'EXPIRE_TAKER',
    allowedSelfTradePreventionModes: ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'],
  }
}

/** Delivery date of a contract that never ends: clients know this day in 2100 for it. */
const never = 4_133_404_800_000

function contractSymbol({ market, name }: Seen): object {
  const { base, quote, wire } = market
  const { perp } = market.market
  const first = perp?.tiers[0]
  return {
    symbol: name,
    pair: base.symbol + quote.symbol,
    contractType: 'PERPETUAL',
    deliveryDate: never,
    onboardDate: 0,
    status: statusOf(market),
    maintMarginPercent: percent(first?.maintenancePpm ?? 0),
    requiredMarginPercent: percent(first?.initialPpm ?? 0),
    baseAsset: base.symbol,
    quoteAsset: quote.symbol,
    marginAsset: quote.symbol,
    pricePrecision: wire.priceDigits,
    quantityPrecision: wire.quantityDigits,
    baseAssetPrecision: base.scale,
    quotePrecision: quote.scale,
    underlyingType: 'COIN',
    underlyingSubType: [],
    triggerProtect: '0',
    liquidationFee: formatFixed(perp?.liquidationFeePpm ?? 0, millionDigits),
    marketTakeBound: formatFixed(wire.slippagePpm, millionDigits),
    orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'],
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
    filters: [
      ...stepFilters(market),
      { filterType: 'MAX_NUM_ORDERS', limit: wire.openOrdersMax },
      { filterType: 'MAX_NUM_ALGO_ORDERS', limit: wire.openOrdersMax },
      { filterType: 'MIN_NOTIONAL', notional: wire.notionalMin },
      {
        filterType: 'PERCENT_PRICE',
        multiplierUp: multiplier(wire.bandPpm),
        multiplierDown: multiplier(-wire.bandPpm),
        multiplierDecimal: String(millionDigits),
      },
    ],
  }
}

function stepFilters(market: ListedMarket): readonly object[] {
  const { tick, lot } = market.market
  const { quantityMin, quantityMax } = market.wire
  const quantities = { minQty: quantityMin, maxQty: quantityMax, stepSize: lot }
  return [
    { filterType: 'PRICE_FILTER', minPrice: tick, maxPrice: priceText(market, ticksMax as Ticks), tickSize: tick },
    { filterType: 'LOT_SIZE', ...quantities },
    { filterType: 'MARKET_LOT_SIZE', ...quantities },
  ]
}

/** 1 plus this many ppm, at least 0. */
const multiplier = (ppm: number): string => formatFixed(Math.max(0, 1_000_000 + ppm), millionDigits)
/** A rate in ppm as percent. */
const percent = (ppm: number): string => formatFixed(ppm, millionDigits - 2)
