import { count, decimal, type Descriptions, flag, id, list, millis, named, object, said, text, words } from './describe.ts'

const group = 'convert'
const status = said(
  words('PROCESS', 'SUCCESS', 'FAIL'),
  'PROCESS: the next index price decides. FAIL: the index moved too far or was missing, and nothing was converted.',
)
const rates = {
  ratio: said(decimal, 'One `fromAsset` in `toAsset`.'),
  inverseRatio: said(decimal, 'One `toAsset` in `fromAsset`.'),
}
const order = {
  orderId: said(id, 'The number of the quote.'),
  orderStatus: status,
  fromAsset: text,
  fromAmount: decimal,
  toAsset: text,
  toAmount: decimal,
  ...rates,
  createTime: said(millis, 'When the quote was accepted.'),
}
const pair = { fromAsset: 'The coin that is given.', toAsset: 'The coin that is received.' }

/** Conversions at a firm quote. */
export const convertDescriptions: Descriptions = {
  'GET /sapi/v1/convert/assetInfo': {
    group,
    name: 'assets',
    summary: 'Coins that can be converted, each with its decimal places; none while conversions are closed.',
    answer: list(named('ConvertAsset', object({ asset: text, fraction: count }))),
    ccxt: 'fetchConvertCurrencies()',
  },
  'GET /sapi/v1/convert/exchangeInfo': {
    group,
    name: 'pairs',
    summary: 'Pairs of coins with the smallest and largest amounts at the index price. Coins without a reliable index price are left out.',
    answer: list(
      named(
        'ConvertPair',
        object({
          fromAsset: text,
          toAsset: text,
          fromAssetMinAmount: said(decimal, 'Rounded up.'),
          fromAssetMaxAmount: said(decimal, 'Rounded down.'),
          toAssetMinAmount: said(decimal, 'Rounded up.'),
          toAssetMaxAmount: said(decimal, 'After the spread, rounded down; less where the book is worse than the index.'),
        }),
      ),
    ),
    params: pair,
    codes: [-1108],
    example: { fromAsset: 'USDT', toAsset: 'BTC' },
  },
  'POST /sapi/v1/convert/getQuote': {
    group,
    name: 'quote',
    summary: 'Asks for a firm quote, which replaces your open one. It moves nothing.',
    answer: named(
      'ConvertQuote',
      object({
        quoteId: text,
        ...rates,
        validTimestamp: said(millis, 'Until then the quote can be accepted.'),
        toAmount: decimal,
        fromAmount: decimal,
      }),
    ),
    params: {
      ...pair,
      fromAmount: 'The sum to give. Either this or `toAmount`.',
      toAmount: 'The sum to receive.',
      walletType: 'SPOT: there is no other wallet to convert in.',
      validTime: 'How long the quote can be accepted, such as 8s. Every value but the exchange’s own is refused.',
    },
    codes: [-1013, -1108, -1111, -1128, -2010],
    isRepeatable: true,
    ccxt: "fetchConvertQuote('USDT', 'BTC', 100)",
    example: { fromAsset: 'USDT', toAsset: 'BTC', fromAmount: '100' },
  },
  'POST /sapi/v1/convert/acceptQuote': {
    group,
    name: 'accept',
    summary: 'Accepts your open quote. The next index price after a short delay converts all of it or nothing.',
    answer: named('ConvertAccepted', object({ orderId: text, createTime: millis, orderStatus: status })),
    params: { quoteId: 'The number of your open quote.' },
    codes: [-1013, -2010],
    isRepeatable: true,
    ccxt: "createConvertTrade('12345', 'USDT', 'BTC')",
  },
  'GET /sapi/v1/convert/orderStatus': {
    group,
    name: 'order',
    summary: 'One accepted quote and what became of it.',
    answer: named('ConvertOrder', object(order)),
    params: { orderId: 'Number of the order. Either this or `quoteId`.', quoteId: 'Number of the quote: the same.' },
    codes: [-1128, -2013],
    ccxt: "fetchConvertTrade('12345')",
  },
  'GET /sapi/v1/convert/tradeFlow': {
    group,
    name: 'history',
    summary: 'Quotes that you accepted within a span of at most 30 days, oldest first.',
    answer: named(
      'ConvertHistory',
      object({
        list: list(named('ConvertTrade', object({ quoteId: text, ...order }))),
        startTime: millis,
        endTime: millis,
        limit: count,
        moreData: said(flag, 'Whether the span has more of them.'),
      }),
    ),
    codes: [-1127],
    ccxt: 'fetchConvertTradeHistory()',
  },
}
