import { z } from 'zod'
import { count, decimal, type Descriptions, flag, id, list, millis, named, object, said, text, words } from './describe.ts'
import { marginOrders } from './margin-orders.ts'
import { side } from './order-shapes.ts'

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
    summary: 'Margin levels for transfers out, margin calls and liquidation.',
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
    summary: 'Maximum debt of a pair’s account per leverage.',
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
    params: { tier: 'Only this tier.' },
    codes: [-3003, ...pairCodes],
    example: { symbol: 'BTCUSDT' },
  },
  'GET /sapi/v1/margin/next-hourly-interest-rate': {
    group,
    name: 'hourlyRates',
    summary: 'The interest rate of the next hour.',
    answer: list(named('HourlyRate', object({ asset: text, nextHourlyInterestRate: decimal }))),
    params: { assets: 'Names, separated by commas.', isIsolated: 'Ignored: the rate is the same for both kinds of account.' },
    codes: assetCodes,
    example: { assets: 'BTC,USDT' },
  },
  'GET /sapi/v1/margin/interestRateHistory': {
    group,
    name: 'rateHistory',
    summary: 'Daily interest rates, newest first.',
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
        marginLevel: said(decimal, '999 for an account without debt.'),
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
      'Totals are included only if no names were sent.',
    ),
    params: { symbols: 'Names, separated by commas, five at most.' },
    ccxt: "fetchBalance({ type: 'margin', marginMode: 'isolated' })",
  },
  'GET /sapi/v1/margin/isolated/accountLimit': {
    group,
    name: 'isolatedLimit',
    summary: 'Number of isolated accounts in use, and its maximum.',
    answer: named('IsolatedLimit', object({ enabledAccount: count, maxAccount: count })),
  },
  'GET /sapi/v1/margin/maxBorrowable': {
    group,
    name: 'maxBorrowable',
    summary: 'How much more the account could borrow.',
    answer: named('MaxBorrowable', object({ amount: decimal, borrowLimit: said(decimal, 'The amount that the pool has left to lend.') })),
    codes: assetCodes,
    example: { asset: 'USDT' },
  },
  'GET /sapi/v1/margin/maxTransferable': {
    group,
    name: 'maxTransferable',
    summary: 'How much can be transferred out of the account.',
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
    params: { type: 'BORROW or REPAY.', txId: 'Only the loan or repayment with this number.' },
    codes: [...assetCodes, -1127],
    example: { type: 'BORROW' },
  },
  'GET /sapi/v1/margin/interestHistory': {
    group,
    name: 'interest',
    summary: 'Interest charges, newest first.',
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
    summary: 'Liquidation orders, newest first.',
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

/** Margin accounts: balances, debts and costs, and their orders. */
export const marginDescriptions: Descriptions = { ...reads, ...loans, ...marginOrders }
