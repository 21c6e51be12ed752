import { z } from 'zod'
import { count, decimal, type Descriptions, flag, list, millis, named, object, said, text } from './describe.ts'
import { commission, ownTrade, preventedMatch } from './order-shapes.ts'

const orderCount = named(
  'OrderCount',
  object({
    rateLimitType: z.literal('ORDERS'),
    interval: z.enum(['SECOND', 'DAY']),
    intervalNum: count,
    limit: count,
    count,
  }),
)
export const orderCounts = list(orderCount)
const group = 'account'
const hundredths = said(count, 'Hundredths of a percent.')

/** A program's questions about its key and its account. */
export const accountDescriptions: Descriptions = {
  'GET /sapi/v1/account/apiRestrictions': {
    group,
    name: 'keyPermissions',
    summary: 'Permissions of the key in use.',
    answer: named(
      'KeyPermissions',
      object({
        ipRestrict: flag,
        createTime: millis,
        enableReading: flag,
        enableWithdrawals: flag,
        enableInternalTransfer: flag,
        enableMargin: flag,
        enableFutures: flag,
        permitsUniversalTransfer: flag,
        enableVanillaOptions: flag,
        enablePortfolioMarginTrading: flag,
        enableSpotAndMarginTrading: flag,
        tradingAuthorityExpirationTime: millis.optional(),
      }),
    ),
  },
  'GET /api/v3/account': {
    group,
    name: 'spotAccount',
    summary: 'Balances of the spot account, fees and permissions.',
    answer: named(
      'SpotAccount',
      object({
        makerCommission: hundredths,
        takerCommission: hundredths,
        buyerCommission: hundredths,
        sellerCommission: hundredths,
        commissionRates: commission,
        canTrade: flag,
        canWithdraw: flag,
        canDeposit: flag,
        brokered: flag,
        requireSelfTradePrevention: flag,
        preventSor: flag,
        updateTime: millis,
        accountType: z.literal('SPOT'),
        balances: list(named('Balance', object({ asset: text, free: decimal, locked: decimal }))),
        permissions: list(text),
        uid: z.int(),
      }),
    ),
    ccxt: 'fetchBalance()',
    example: { omitZeroBalances: 'true' },
  },
  'GET /api/v3/account/commission': {
    group,
    name: 'commission',
    summary: 'Fees of the account in a market.',
    answer: named(
      'MarketCommission',
      object({
        symbol: text,
        standardCommission: commission,
        specialCommission: commission,
        taxCommission: commission,
        discount: object({ enabledForAccount: flag, enabledForSymbol: flag, discountAsset: text, discount: decimal }),
      }),
    ),
    ccxt: "fetchTradingFee('BTC/USDT')",
    example: { symbol: 'BTCUSDT' },
  },
  'GET /api/v3/myTrades': {
    group,
    name: 'ownTrades',
    summary: 'Fills of the account in a market, oldest first.',
    answer: list(ownTrade),
    params: { orderId: 'Only fills of this order.' },
    weight: '20, with orderId 5',
    codes: [-1127, -1128],
    ccxt: "fetchMyTrades('BTC/USDT')",
    example: { symbol: 'BTCUSDT' },
  },
  'GET /api/v3/myPreventedMatches': {
    group,
    name: 'preventedMatches',
    summary: 'Matches of orders of the account that self-trade prevention kept from trading, oldest first.',
    detail: 'Give the number of one match, or an order for all of its matches.',
    answer: list(preventedMatch),
    params: {
      orderId: 'Matches of this order, as maker or taker.',
      preventedMatchId: 'The match with this number in the market; not together with orderId.',
    },
    weight: '20, with preventedMatchId 2',
    codes: [-1128],
    example: { symbol: 'BTCUSDT', orderId: '1' },
  },
  'GET /api/v3/rateLimit/order': {
    group,
    name: 'orderCounts',
    summary: 'Number of spot and margin orders that the account has sent in each window.',
    answer: orderCounts,
  },
}
