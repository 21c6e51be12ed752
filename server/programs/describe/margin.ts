import { z } from 'zod'
import { orderCounts } from './account.ts'
import { count, decimal, type Descriptions, flag, id, list, millis, named, object, said, text, words } from './describe.ts'
import { cancelWords, oldListWords, orderWords, placeCodes } from './order-words.ts'
import { cancelledAll, cancelledOrder, order, orderList, ownTrade, placedOrder, reportedList, side } from './order-shapes.ts'

const group = 'margin'
const marginPair = { symbol: text, base: text, quote: text, isMarginTrade: flag, isBuyAllowed: flag, isSellAllowed: flag }
const crossPair = named('CrossPair', object({ id, ...marginPair }))
const isolatedPair = named('IsolatedPair', object(marginPair))
const marginAsset = named(
  'MarginCoin',
  object({
    assetName: text,
    assetFullName: text,
    isBorrowable: flag,
    isMortgageable: flag,
    userMinBorrow: decimal,
    userMinRepay: decimal,
  }),
)
const coin = { asset: text, borrowed: decimal, free: decimal, interest: decimal, locked: decimal, netAsset: decimal }
const userAsset = named('MarginBalance', object(coin))
const isolatedSide = named(
  'IsolatedBalance',
  object({ ...coin, borrowEnabled: flag, repayEnabled: flag, netAssetOfBtc: decimal, totalAsset: decimal }),
)
const isolatedAccount = named(
  'IsolatedAccount',
  object({
    baseAsset: isolatedSide,
    quoteAsset: isolatedSide,
    symbol: text,
    isolatedCreated: flag,
    enabled: flag,
    marginLevel: decimal,
    marginLevelStatus: words('EXCESSIVE', 'NORMAL', 'MARGIN_CALL', 'FORCE_LIQUIDATION'),
    marginRatio: decimal,
    indexPrice: decimal,
    liquidatePrice: decimal,
    liquidateRate: decimal,
    tradeEnabled: flag,
  }),
)
const rows = <T extends z.ZodType>(row: T) => object({ total: count, rows: list(row) })
const market = { isolatedSymbol: text.optional() }
const levelWords = { vipLevel: 'There is one level of customers, 0.' }
const lever = {
  sideEffectType: 'What the order borrows, and what it repays from what it gains.',
  autoRepayAtCancel: 'Whether what was borrowed for the order and not used is repaid when it is cancelled; without it TRUE.',
}
const marginCodes = [...placeCodes, -3006, -3021, -3023, -3045]
const pairCodes = [-3028]
const assetCodes = [-3027]

const reads: Descriptions = {
  'GET /sapi/v1/margin/allPairs': {
    group,
    name: 'crossPairs',
    summary: 'Pairs of the cross account.',
    answer: list(crossPair),
    codes: pairCodes,
  },
  'GET /sapi/v1/margin/pair': { group, name: 'crossPair', summary: 'One pair of the cross account.', answer: crossPair, codes: pairCodes },
  'GET /sapi/v1/margin/isolated/allPairs': {
    group,
    name: 'isolatedPairs',
    summary: 'Pairs of isolated accounts.',
    answer: list(isolatedPair),
    codes: pairCodes,
  },
  'GET /sapi/v1/margin/isolated/pair': {
    group,
    name: 'isolatedPair',
    summary: 'One pair of isolated accounts.',
    answer: isolatedPair,
    codes: pairCodes,
  },
  'GET /sapi/v1/margin/allAssets': {
    group,
    name: 'assets',
    summary: 'Coins that may be borrowed.',
    answer: list(marginAsset),
    codes: assetCodes,
  },
  'GET /sapi/v1/margin/asset': { group, name: 'asset', summary: 'One coin that may be borrowed.', answer: marginAsset, codes: assetCodes },
  'GET /sapi/v1/margin/priceIndex': {
    group,
    name: 'priceIndex',
    summary: 'Index price of a pair.',
    answer: named('PriceIndex', object({ calcTime: millis, price: decimal, symbol: text })),
    codes: [...pairCodes, -3042],
    example: { symbol: 'BTCUSDT' },
  },
  'GET /sapi/v1/margin/tradeCoeff': {
    group,
    name: 'levels',
    summary: 'Margin levels above which money may leave, a call is sent, and liquidation begins.',
    answer: named('MarginLevels', object({ normalBar: decimal, marginCallBar: decimal, forceLiquidationBar: decimal })),
    codes: [-3003],
  },
  'GET /sapi/v1/margin/crossMarginData': {
    group,
    name: 'crossTerms',
    summary: 'Rates and limits of each coin.',
    answer: list(
      named(
        'CrossTerms',
        object({
          vipLevel: count,
          coin: text,
          transferIn: flag,
          borrowable: flag,
          dailyInterest: decimal,
          yearlyInterest: decimal,
          borrowLimit: decimal,
          marginablePairs: list(text),
        }),
      ),
    ),
    params: { ...levelWords, coin: 'Only this coin.' },
    codes: assetCodes,
  },
  'GET /sapi/v1/margin/isolatedMarginData': {
    group,
    name: 'isolatedTerms',
    summary: 'Leverage, rates and limits of each pair.',
    answer: list(
      named(
        'IsolatedTerms',
        object({
          vipLevel: count,
          symbol: text,
          leverage: decimal,
          data: list(object({ coin: text, dailyInterest: decimal, borrowLimit: decimal })),
        }),
      ),
    ),
    params: levelWords,
    codes: [-3003, ...pairCodes],
    ccxt: "fetchIsolatedBorrowRate('BTC/USDT')",
  },
  'GET /sapi/v1/margin/isolatedMarginTier': {
    group,
    name: 'isolatedTiers',
    summary: 'How much a pair’s account may owe at which leverage.',
    answer: list(
      named(
        'IsolatedTier',
        object({
          symbol: text,
          tier: count,
          effectiveMultiple: decimal,
          initialRiskRatio: decimal,
          liquidationRiskRatio: decimal,
          baseAssetMaxBorrowable: decimal,
          quoteAssetMaxBorrowable: decimal,
        }),
      ),
    ),
    params: { tier: 'Only this one.' },
    codes: [-3003, ...pairCodes],
    example: { symbol: 'BTCUSDT' },
  },
  'GET /sapi/v1/margin/next-hourly-interest-rate': {
    group,
    name: 'hourlyRates',
    summary: 'What a loan costs in the next hour.',
    answer: list(named('HourlyRate', object({ asset: text, nextHourlyInterestRate: decimal }))),
    params: { assets: 'Names joined by commas.', isIsolated: 'Costs the same either way.' },
    codes: assetCodes,
    example: { assets: 'BTC,USDT' },
  },
  'GET /sapi/v1/margin/interestRateHistory': {
    group,
    name: 'rateHistory',
    summary: 'What a loan cost for a day, newest first.',
    answer: list(named('DailyRate', object({ asset: text, dailyInterestRate: decimal, timestamp: millis, vipLevel: count }))),
    params: levelWords,
    codes: [...assetCodes, -1127],
    ccxt: "fetchBorrowRateHistory('USDT')",
    example: { asset: 'USDT' },
  },
  'GET /sapi/v1/margin/account': {
    group,
    name: 'crossAccount',
    summary: 'The cross account.',
    answer: named(
      'CrossAccount',
      object({
        created: flag,
        borrowEnabled: flag,
        marginLevel: said(decimal, '999 for who owes nothing.'),
        collateralMarginLevel: decimal,
        totalAssetOfBtc: decimal,
        totalLiabilityOfBtc: decimal,
        totalNetAssetOfBtc: decimal,
        TotalCollateralValueInUSDT: decimal,
        tradeEnabled: flag,
        transferEnabled: flag,
        transferInEnabled: flag,
        transferOutEnabled: flag,
        accountType: z.literal('MARGIN_1'),
        userAssets: list(userAsset),
      }),
    ),
    ccxt: "fetchBalance({ type: 'margin' })",
  },
  'GET /sapi/v1/margin/isolated/account': {
    group,
    name: 'isolatedAccounts',
    summary: 'Isolated accounts: those in use, or up to five by name.',
    answer: named(
      'IsolatedAccounts',
      object({
        assets: list(isolatedAccount),
        totalAssetOfBtc: decimal.optional(),
        totalLiabilityOfBtc: decimal.optional(),
        totalNetAssetOfBtc: decimal.optional(),
      }),
      'Totals stand there when no names were given.',
    ),
    params: { symbols: 'Names joined by commas, five at most.' },
    ccxt: "fetchBalance({ type: 'margin', marginMode: 'isolated' })",
  },
  'GET /sapi/v1/margin/isolated/accountLimit': {
    group,
    name: 'isolatedLimit',
    summary: 'How many isolated accounts are in use, and how many there may be.',
    answer: named('IsolatedLimit', object({ enabledAccount: count, maxAccount: count })),
  },
  'GET /sapi/v1/margin/maxBorrowable': {
    group,
    name: 'maxBorrowable',
    summary: 'How much more the account could borrow.',
    answer: named('MaxBorrowable', object({ amount: decimal, borrowLimit: said(decimal, 'What the pool has left.') })),
    codes: assetCodes,
    example: { asset: 'USDT' },
  },
  'GET /sapi/v1/margin/maxTransferable': {
    group,
    name: 'maxTransferable',
    summary: 'How much the account could let go.',
    answer: named('MaxTransferable', object({ amount: decimal })),
    codes: assetCodes,
    example: { asset: 'USDT' },
  },
}

const loans: Descriptions = {
  'POST /sapi/v1/margin/borrow-repay': {
    group,
    name: 'borrowOrRepay',
    summary: 'Borrows into a Margin account, or repays from it.',
    answer: named('Loaned', object({ tranId: id })),
    params: { type: 'BORROW or REPAY.', symbol: 'Pair of the isolated account.' },
    codes: [-1111, -3006, -3015, -3027, -3041, -3045],
    clientId: 'clientTranId',
    ccxt: "borrowCrossMargin('USDT', 10)",
    example: { asset: 'USDT', amount: '10', type: 'BORROW' },
  },
  'GET /sapi/v1/margin/borrow-repay': {
    group,
    name: 'loans',
    summary: 'Loans or repayments, newest first.',
    answer: named(
      'LoanPage',
      rows(
        object({
          ...market,
          asset: text,
          amount: decimal,
          principal: decimal,
          interest: decimal,
          status: z.literal('CONFIRMED'),
          timestamp: millis,
          txId: id,
          type: words('MANUAL', 'AUTO'),
        }),
      ),
    ),
    params: { type: 'BORROW or REPAY.', txId: 'Only this one.' },
    codes: [...assetCodes, -1127],
    example: { type: 'BORROW' },
  },
  'GET /sapi/v1/margin/interestHistory': {
    group,
    name: 'interest',
    summary: 'Interest of debts, newest first.',
    answer: named(
      'InterestPage',
      rows(
        object({
          ...market,
          txId: id,
          interestAccuredTime: millis,
          asset: text,
          rawAsset: text,
          principal: decimal,
          interest: decimal,
          interestRate: decimal,
          type: words('ON_BORROW', 'PERIODIC'),
        }),
      ),
    ),
    codes: [...assetCodes, -1127],
    ccxt: "fetchBorrowInterest('USDT')",
  },
  'GET /sapi/v1/margin/forceLiquidationRec': {
    group,
    name: 'liquidations',
    summary: 'Orders that liquidated, newest first.',
    answer: named(
      'LiquidationPage',
      rows(
        object({
          avgPrice: decimal,
          executedQty: decimal,
          orderId: id,
          price: decimal,
          qty: decimal,
          side,
          symbol: text,
          timeInForce: text,
          isIsolated: flag,
          updatedTime: millis,
        }),
      ),
    ),
    codes: [-1127],
    ccxt: 'fetchMyLiquidations()',
  },
}

const orders: Descriptions = {
  'POST /sapi/v1/margin/order': {
    group,
    name: 'placeOrder',
    summary: 'Places an order of a Margin account.',
    answer: placedOrder,
    params: { ...orderWords, ...lever },
    codes: marginCodes,
    clientId: 'newClientOrderId',
    ccxt: "createOrder('BTC/USDT', 'limit', 'buy', 0.001, 50000, { marginMode: 'cross' })",
    example: { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '50000' },
  },
  'POST /sapi/v1/margin/order/oco': {
    group,
    name: 'placeOco',
    summary: 'Places two orders of a Margin account of which one cancels the other.',
    answer: reportedList,
    params: { ...oldListWords, ...lever },
    codes: marginCodes,
    clientId: 'listClientOrderId',
  },
  'DELETE /sapi/v1/margin/order': {
    group,
    name: 'cancelOrder',
    summary: 'Cancels an order of a Margin account; of a list, the list.',
    answer: z.union([cancelledOrder, reportedList]),
    params: cancelWords,
    codes: [-2011],
    clientId: 'newClientOrderId',
  },
  'DELETE /sapi/v1/margin/openOrders': {
    group,
    name: 'cancelOpenOrders',
    summary: 'Cancels all orders of a Margin account in a market.',
    answer: cancelledAll,
    codes: [-2011],
    isRepeatable: false,
  },
  'GET /sapi/v1/margin/order': { group, name: 'order', summary: 'One order of a Margin account.', answer: order, codes: [-2013] },
  'GET /sapi/v1/margin/openOrders': {
    group,
    name: 'openOrders',
    summary: 'Orders of a Margin account that wait or stand in the book.',
    answer: list(order),
  },
  'GET /sapi/v1/margin/allOrders': {
    group,
    name: 'allOrders',
    summary: 'Orders of a Margin account in a market, open or not, oldest first.',
    answer: list(order),
    params: { orderId: 'From this order on.' },
    codes: [-1127],
  },
  'GET /sapi/v1/margin/myTrades': {
    group,
    name: 'ownTrades',
    summary: 'A Margin account’s side of its trades in a market, oldest first.',
    answer: list(ownTrade),
    params: { orderId: 'Only those of this order.' },
    codes: [-1127, -1128],
  },
  'GET /sapi/v1/margin/rateLimit/order': {
    group,
    name: 'orderCounts',
    summary: 'How many spot and margin orders the account has sent in both windows.',
    answer: orderCounts,
    params: { isIsolated: 'Counts are of all of them.', symbol: 'Counts are of all markets.' },
  },
  'GET /sapi/v1/margin/orderList': {
    group,
    name: 'orderList',
    summary: 'One list of a Margin account.',
    answer: orderList,
    params: { origClientOrderId: 'Your own name of the list.' },
    codes: [-2018],
  },
  'DELETE /sapi/v1/margin/orderList': {
    group,
    name: 'cancelOrderList',
    summary: 'Cancels both orders of a list.',
    answer: reportedList,
    params: { ...cancelWords, listClientOrderId: 'Your own name of the list.' },
    codes: [-2011],
    clientId: 'newClientOrderId',
  },
  'GET /sapi/v1/margin/openOrderList': {
    group,
    name: 'openOrderLists',
    summary: 'Lists of a Margin account of which an order still waits.',
    answer: list(orderList),
  },
  'GET /sapi/v1/margin/allOrderList': {
    group,
    name: 'allOrderLists',
    summary: 'Lists of a Margin account, oldest first.',
    answer: list(orderList),
    codes: [-1127, -1128],
  },
}

/** Margin accounts: what they have, owe and cost, and their orders. */
export const marginDescriptions: Descriptions = { ...reads, ...loans, ...orders }
