import { z } from 'zod'
import { orderCounts } from './account.ts'
import { count, decimal, type Descriptions, flag, id, list, millis, named, object, said, text, words } from './describe.ts'
import { contractOrder, done, positionSide, side } from './futures.ts'

const group = 'futuresAccount'
const signed = said(decimal, 'Below zero for a short position.')
const zeroIsCross = said(decimal, '0 for a cross position.')

/** The cross balance, and the part of it that can be withdrawn. */
const free = {
  crossWalletBalance: decimal,
  crossUnPnl: decimal,
  availableBalance: decimal,
  maxWithdrawAmount: decimal,
  marginAvailable: flag,
  updateTime: millis,
}

const asset = named(
  'FuturesAsset',
  object({
    asset: text,
    walletBalance: decimal,
    unrealizedProfit: decimal,
    marginBalance: decimal,
    maintMargin: decimal,
    initialMargin: decimal,
    positionInitialMargin: decimal,
    openOrderInitialMargin: decimal,
    ...free,
  }),
)
const heldPosition = {
  symbol: text,
  positionSide,
  positionAmt: signed,
  unrealizedProfit: decimal,
  isolatedMargin: zeroIsCross,
  notional: signed,
  isolatedWallet: decimal,
  initialMargin: decimal,
  maintMargin: decimal,
  updateTime: millis,
}
const totals = {
  totalInitialMargin: decimal,
  totalMaintMargin: decimal,
  totalWalletBalance: decimal,
  totalUnrealizedProfit: decimal,
  totalMarginBalance: decimal,
  totalPositionInitialMargin: decimal,
  totalOpenOrderInitialMargin: decimal,
  totalCrossWalletBalance: decimal,
  totalCrossUnPnl: decimal,
  availableBalance: decimal,
  maxWithdrawAmount: decimal,
  assets: list(asset),
}
const account = named('FuturesAccount', object({ ...totals, positions: list(named('HeldPosition', object(heldPosition))) }))
const accountV2 = named(
  'FuturesAccountV2',
  object({
    feeTier: count,
    feeBurn: flag,
    canTrade: flag,
    canDeposit: flag,
    canWithdraw: flag,
    updateTime: millis,
    multiAssetsMargin: flag,
    tradeGroupId: z.int(),
    ...totals,
    positions: list(
      named(
        'HeldPositionV2',
        object({
          ...heldPosition,
          positionInitialMargin: decimal,
          openOrderInitialMargin: decimal,
          leverage: decimal,
          isolated: flag,
          entryPrice: decimal,
          breakEvenPrice: decimal,
          maxNotional: decimal,
          bidNotional: decimal,
          askNotional: decimal,
          isAutoAddMargin: flag,
        }),
      ),
    ),
  }),
)
const balance = named(
  'FuturesBalance',
  object({
    accountAlias: text,
    asset: text,
    balance: decimal,
    ...free,
  }),
)
const risk = {
  symbol: text,
  positionSide,
  positionAmt: signed,
  entryPrice: decimal,
  breakEvenPrice: decimal,
  markPrice: decimal,
  unRealizedProfit: decimal,
  liquidationPrice: decimal,
  isolatedMargin: zeroIsCross,
  notional: signed,
  isolatedWallet: decimal,
  updateTime: millis,
}
const position = named(
  'Position',
  object({
    ...risk,
    marginAsset: text,
    initialMargin: decimal,
    maintMargin: decimal,
    positionInitialMargin: decimal,
    openOrderInitialMargin: decimal,
    adl: said(z.int(), 'Place in the queue of auto-deleveraging, 0 to 4: 4 is first.'),
    bidNotional: decimal,
    askNotional: decimal,
  }),
)
const positionV2 = named(
  'PositionV2',
  object({
    ...risk,
    leverage: decimal,
    marginType: words('isolated', 'cross'),
    maxNotionalValue: decimal,
    isAutoAddMargin: text,
  }),
)
const symbolConfig = named(
  'SymbolConfig',
  object({ symbol: text, marginType: words('CROSSED', 'ISOLATED'), isAutoAddMargin: flag, leverage: count, maxNotionalValue: decimal }),
)
const bracket = named(
  'LeverageBracket',
  object({
    bracket: count,
    initialLeverage: count,
    notionalCap: z.number(),
    notionalFloor: z.number(),
    maintMarginRatio: z.number(),
    cum: z.number(),
  }),
)
const trade = named(
  'OwnContractTrade',
  object({
    symbol: text,
    id,
    orderId: id,
    side,
    price: decimal,
    qty: decimal,
    realizedPnl: decimal,
    quoteQty: decimal,
    commission: decimal,
    commissionAsset: text,
    time: millis,
    positionSide,
    buyer: flag,
    maker: flag,
  }),
)
const income = named(
  'Income',
  object({
    symbol: text,
    incomeType: words('TRANSFER', 'REALIZED_PNL', 'FUNDING_FEE', 'COMMISSION', 'INSURANCE_CLEAR'),
    income: decimal,
    asset: text,
    time: millis,
    info: text,
    tranId: id,
    tradeId: text,
  }),
)
const BTC = { symbol: 'BTCUSDT' }

const reads: Descriptions = {
  'GET /fapi/v3/account': {
    group,
    name: 'account',
    summary: 'The account with its open positions.',
    answer: account,
    ccxt: "fetchBalance({ type: 'swap' })",
  },
  'GET /fapi/v2/account': {
    group,
    name: 'accountV2',
    summary: 'The account with a position for every Futures market and its settings.',
    answer: accountV2,
  },
  'GET /fapi/v3/balance': { group, name: 'balances', summary: 'Balances of the account.', answer: list(balance) },
  'GET /fapi/v2/balance': { group, name: 'balancesV2', summary: 'Balances of the account, the same as version 3.', answer: list(balance) },
  'GET /fapi/v3/positionRisk': {
    group,
    name: 'positions',
    summary: 'Open positions.',
    answer: list(position),
    ccxt: 'fetchPositions()',
  },
  'GET /fapi/v2/positionRisk': {
    group,
    name: 'positionsV2',
    summary: 'A position for every Futures market, open or not, with its settings.',
    answer: list(positionV2),
  },
  'GET /fapi/v1/accountConfig': {
    group,
    name: 'accountConfig',
    summary: 'Permissions and position mode of the account.',
    answer: named(
      'AccountConfig',
      object({
        feeTier: count,
        canTrade: flag,
        canDeposit: flag,
        canWithdraw: flag,
        dualSidePosition: flag,
        updateTime: millis,
        multiAssetsMargin: flag,
        tradeGroupId: z.int(),
      }),
    ),
  },
  'GET /fapi/v1/symbolConfig': {
    group,
    name: 'symbolConfigs',
    summary: 'Leverage and margin type by market.',
    answer: list(symbolConfig),
  },
  'GET /fapi/v1/leverageBracket': {
    group,
    name: 'leverageBrackets',
    summary: 'Maximum position value per leverage, and maintenance margin.',
    answer: list(named('LeverageBrackets', object({ symbol: text, notionalCoef: z.number(), brackets: list(bracket) }))),
    ccxt: 'fetchLeverageTiers()',
  },
  'GET /fapi/v1/commissionRate': {
    group,
    name: 'commissionRate',
    summary: 'Fees in a Futures market.',
    answer: named('CommissionRate', object({ symbol: text, makerCommissionRate: decimal, takerCommissionRate: decimal })),
    ccxt: "fetchTradingFee('BTC/USDT:USDT')",
    example: BTC,
  },
  'GET /fapi/v1/adlQuantile': {
    group,
    name: 'deleveragingQueue',
    summary: 'Place in the auto-deleveraging queue, 0 to 4: 4 is first.',
    answer: list(
      named('DeleveragingPlace', object({ symbol: text, adlQuantile: object({ LONG: count, SHORT: count, BOTH: count.optional() }) })),
    ),
  },
  'GET /fapi/v1/positionSide/dual': {
    group,
    name: 'positionMode',
    summary: 'Whether the account holds long and short positions side by side.',
    answer: named('PositionMode', object({ dualSidePosition: flag })),
    ccxt: 'fetchPositionMode()',
  },
  'GET /fapi/v1/multiAssetsMargin': {
    group,
    name: 'multiAssetsMode',
    summary: 'Whether several assets serve as margin: always false.',
    answer: named('MultiAssetsMode', object({ multiAssetsMargin: z.literal(false) })),
  },
  'GET /fapi/v1/userTrades': {
    group,
    name: 'ownTrades',
    summary: 'Fills of the account in a Futures market, oldest first.',
    answer: list(trade),
    params: { orderId: 'Only fills of this order.' },
    codes: [-1127, -1128, -4166],
    ccxt: "fetchMyTrades('BTC/USDT:USDT')",
    example: BTC,
  },
  'GET /fapi/v1/income': {
    group,
    name: 'incomes',
    summary: 'Income and expenses, oldest first.',
    answer: list(income),
    params: { page: 'Page, from 1.' },
    codes: [-1127],
    ccxt: "fetchLedger('USDT')",
  },
  'GET /fapi/v1/positionMargin/history': {
    group,
    name: 'marginChanges',
    summary: 'Margin added to or removed from isolated positions of a Futures market.',
    answer: list(
      named(
        'MarginChange',
        object({
          symbol: text,
          type: said(z.union([z.literal(1), z.literal(2)]), '1 added, 2 removed.'),
          deltaType: z.literal('USER_ADJUST'),
          amount: decimal,
          asset: text,
          time: millis,
          positionSide,
        }),
      ),
    ),
    params: { type: '1 for added margin, 2 for removed margin.' },
    codes: [-1127],
    ccxt: "fetchMarginAdjustmentHistory('BTC/USDT:USDT')",
    example: BTC,
  },
  'GET /fapi/v1/forceOrders': {
    group,
    name: 'liquidationOrders',
    summary: 'Liquidation orders.',
    answer: list(contractOrder),
    params: { autoCloseType: 'With ADL the list is empty: such trades have no order.' },
    codes: [-1127],
    ccxt: "fetchMyLiquidations('BTC/USDT:USDT')",
  },
  'GET /fapi/v1/rateLimit/order': {
    group,
    name: 'orderCounts',
    summary: 'Number of Futures orders that the account has sent in each window.',
    answer: orderCounts,
  },
}

const writes: Descriptions = {
  'POST /fapi/v1/leverage': {
    group,
    name: 'setLeverage',
    summary: 'Sets the leverage of a Futures market.',
    answer: named('LeverageSet', object({ leverage: count, maxNotionalValue: decimal, symbol: text })),
    codes: [-2027, -4028],
    isRepeatable: true,
    ccxt: "setLeverage(10, 'BTC/USDT:USDT')",
    example: { ...BTC, leverage: '10' },
  },
  'POST /fapi/v1/marginType': {
    group,
    name: 'setMarginType',
    summary: 'Sets cross or isolated margin for a Futures market.',
    detail: 'A type that is already set is refused with -4046.',
    answer: done,
    codes: [-4046, -4047, -4048],
    isRepeatable: true,
    ccxt: "setMarginMode('isolated', 'BTC/USDT:USDT')",
    example: { ...BTC, marginType: 'ISOLATED' },
  },
  'POST /fapi/v1/positionSide/dual': {
    group,
    name: 'setPositionMode',
    summary: 'Sets one-way or hedge mode.',
    detail: 'A mode that is already set is refused with -4059.',
    answer: done,
    codes: [-4059, -4067, -4068],
    isRepeatable: true,
    ccxt: 'setPositionMode(false)',
    example: { dualSidePosition: 'false' },
  },
  'POST /fapi/v1/multiAssetsMargin': {
    group,
    name: 'setMultiAssetsMode',
    summary: 'Sets whether several assets serve as margin: true is refused.',
    answer: done,
    params: { multiAssetsMargin: 'false.' },
    codes: [-1020],
    isRepeatable: true,
  },
  'POST /fapi/v1/positionMargin': {
    group,
    name: 'changePositionMargin',
    summary: 'Adds margin to an isolated position, or removes it.',
    detail: 'It has no client id: after a lost answer, read the position before you send it again.',
    answer: named('PositionMargin', object({ amount: decimal, code: z.literal(200), msg: text, type: z.int() })),
    params: { type: '1 adds, 2 removes.', amount: 'Amount of the margin asset.' },
    codes: [-1111, -2019],
    isRepeatable: false,
    ccxt: "addMargin('BTC/USDT:USDT', 10)",
  },
}

/** The Futures account, positions, settings and history. */
export const futuresAccountDescriptions: Descriptions = { ...reads, ...writes }
