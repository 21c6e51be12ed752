import { z } from 'zod'
import { count, decimal, type Descriptions, flag, id, list, millis, named, object, said, text } from './describe.ts'

const group = 'wallet'
const types = 'MAIN_UMFUTURE, UMFUTURE_MAIN, MAIN_MARGIN, MARGIN_MAIN, MAIN_ISOLATED_MARGIN …: from which account to which.'
const isolated = { fromSymbol: 'Pair of the isolated account that gives.', toSymbol: 'Pair of the isolated account that takes.' }
const transferCodes = [-1020, -1108, -1111, -3020, -3027, -5013]

/** What accounts hold, and moving money between them. */
export const walletDescriptions: Descriptions = {
  'GET /sapi/v1/capital/config/getall': {
    group,
    name: 'coins',
    summary: 'Every coin with what the spot account has of it.',
    detail: 'Deposits and withdrawals have no network yet: `networkList` is empty.',
    answer: list(
      named(
        'Coin',
        object({
          coin: text,
          name: text,
          free: decimal,
          locked: decimal,
          freeze: decimal,
          withdrawing: decimal,
          ipoing: decimal,
          ipoable: decimal,
          storage: decimal,
          trading: flag,
          isLegalMoney: flag,
          depositAllEnable: flag,
          withdrawAllEnable: flag,
          networkList: list(z.never()),
        }),
      ),
    ),
    ccxt: 'fetchCurrencies()',
  },
  'POST /sapi/v1/asset/get-funding-asset': {
    group,
    name: 'fundingAssets',
    summary: 'There is no account for funding beside the spot account: an empty list.',
    answer: list(z.never()),
    params: { needBtcValuation: 'Says nothing here.' },
    isRepeatable: true,
  },
  'POST /sapi/v3/asset/getUserAsset': {
    group,
    name: 'userAssets',
    summary: 'What the spot account holds, coins without any left out.',
    answer: list(
      named(
        'UserAsset',
        object({
          asset: text,
          free: decimal,
          locked: decimal,
          freeze: decimal,
          withdrawing: decimal,
          ipoable: decimal,
          btcValuation: decimal,
        }),
      ),
    ),
    params: { needBtcValuation: 'Whether each is valued in BTC.' },
    codes: [-1108],
    isRepeatable: true,
  },
  'GET /sapi/v1/asset/wallet/balance': {
    group,
    name: 'walletBalances',
    summary: 'What each account is worth.',
    answer: list(named('WalletBalance', object({ activate: flag, balance: decimal, walletName: text }))),
    params: { quoteAsset: 'In which asset.' },
    codes: [-1108],
  },
  'POST /sapi/v1/asset/transfer': {
    group,
    name: 'transfer',
    summary: 'Moves money between own accounts.',
    answer: named('Transferred', object({ tranId: id })),
    params: { type: types, ...isolated },
    codes: transferCodes,
    clientId: 'clientTranId',
    ccxt: "transfer('USDT', 10, 'spot', 'future')",
    example: { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '10' },
  },
  'GET /sapi/v1/asset/transfer': {
    group,
    name: 'transfers',
    summary: 'Transfers of one type, newest first.',
    answer: named(
      'TransferPage',
      object({
        total: count,
        rows: list(
          object({
            timestamp: millis,
            asset: text,
            amount: decimal,
            type: text,
            status: z.literal('CONFIRMED'),
            tranId: id,
            fromSymbol: text.optional(),
            toSymbol: text.optional(),
          }),
        ),
      }),
    ),
    params: { type: types, ...isolated },
    codes: [-1020, -1127],
    ccxt: "fetchTransfers('USDT')",
    example: { type: 'MAIN_UMFUTURE' },
  },
  'GET /sapi/v1/asset/tradeFee': {
    group,
    name: 'tradeFees',
    summary: 'What the account pays for trades of spot markets.',
    answer: list(
      named(
        'TradeFee',
        object({ symbol: text, makerCommission: said(decimal, 'A fraction.'), takerCommission: said(decimal, 'A fraction.') }),
      ),
    ),
    ccxt: 'fetchTradingFees()',
  },
}
