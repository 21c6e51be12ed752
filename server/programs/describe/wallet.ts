import { z } from 'zod'
import { count, decimal, type Descriptions, flag, id, list, millis, named, object, said, text } from './describe.ts'

const group = 'wallet'
const types = 'Source and target account: MAIN_UMFUTURE, UMFUTURE_MAIN, MAIN_MARGIN, MARGIN_MAIN, MAIN_ISOLATED_MARGIN …'
const isolated = { fromSymbol: 'Pair of an isolated source account.', toSymbol: 'Pair of an isolated target account.' }
const transferCodes = [-1020, -1108, -1111, -3020, -3027, -5013]

/** Balances of accounts, and transfers between them. */
export const walletDescriptions: Descriptions = {
  'POST /sapi/v1/asset/get-funding-asset': {
    group,
    name: 'fundingAssets',
    summary: 'An empty list: there is no funding account.',
    answer: list(z.never()),
    params: { needBtcValuation: 'Ignored here.' },
    isRepeatable: true,
  },
  'POST /sapi/v3/asset/getUserAsset': {
    group,
    name: 'userAssets',
    summary: 'Coins that the spot account holds.',
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
    summary: 'Value of each account.',
    answer: list(named('WalletBalance', object({ activate: flag, balance: decimal, walletName: text }))),
    params: { quoteAsset: 'Asset in which the values are given.' },
    codes: [-1108],
  },
  'POST /sapi/v1/asset/transfer': {
    group,
    name: 'transfer',
    summary: 'Transfers money between your accounts.',
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
    summary: 'Fees of the account in spot markets.',
    answer: list(
      named(
        'TradeFee',
        object({ symbol: text, makerCommission: said(decimal, 'A fraction.'), takerCommission: said(decimal, 'A fraction.') }),
      ),
    ),
    ccxt: 'fetchTradingFees()',
  },
}
