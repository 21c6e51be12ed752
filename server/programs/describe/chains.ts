import { count, decimal, type Descriptions, flag, list, millis, named, object, said, text } from './describe.ts'
import { z } from 'zod'

const group = 'wallet'
const network = object({
  network: said(text, 'TRX for TRC20, ETH for ERC20.'),
  coin: text,
  name: text,
  isDefault: said(flag, 'Whether it is taken where a request names none.'),
  busy: flag,
  sameAddress: flag,
  depositEnable: flag,
  depositDesc: text,
  depositDust: said(decimal, 'Deposits below it wait until they add up.'),
  withdrawEnable: flag,
  withdrawDesc: text,
  withdrawFee: decimal,
  withdrawMin: said(decimal, 'Smallest amount, fee included.'),
  withdrawMax: said(decimal, 'The limit of a day at the index price; 0 without a price.'),
  withdrawIntegerMultiple: decimal,
  withdrawInternalMin: decimal,
  minConfirm: said(count, 'Blocks until a deposit is credited.'),
  unLockConfirm: said(count, 'Blocks until a deposit may be withdrawn.'),
  estimatedArrivalTime: said(count, 'Minutes.'),
  addressRegex: text,
  memoRegex: text,
  specialTips: text,
  contractAddress: text,
  contractAddressUrl: said(text, 'The explorer’s page of an address, without the address.'),
})

const coin = object({
  coin: text,
  name: text,
  free: decimal,
  locked: decimal,
  freeze: decimal,
  withdrawing: said(decimal, 'Held by open withdrawals.'),
  ipoing: decimal,
  ipoable: decimal,
  storage: decimal,
  trading: flag,
  isLegalMoney: flag,
  depositAllEnable: flag,
  withdrawAllEnable: flag,
  networkList: list(named('CoinNetwork', network)),
})

const deposit = object({
  id: text,
  amount: decimal,
  coin: text,
  network: text,
  status: said(
    z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(6)]),
    '0 pending, 6 credited and not yet free to withdraw, 1 final, 2 did not happen.',
  ),
  address: text,
  addressTag: text,
  txId: text,
  insertTime: millis,
  completeTime: millis.optional(),
  transferType: z.literal(0),
  walletType: z.literal(0),
  unlockConfirm: count,
  confirmTimes: said(text, 'Blocks so far, and how many there must be: 3/12.'),
})

const withdrawal = object({
  id: text,
  amount: said(decimal, 'What arrives.'),
  transactionFee: said(decimal, 'Left the account together with the amount.'),
  coin: text,
  status: said(z.int().min(1).max(6), '1 cancelled, 2 under review, 3 rejected, 4 processing, 5 failed, 6 completed.'),
  address: text,
  addressTag: text,
  txId: text,
  applyTime: said(text, 'YYYY-MM-DD HH:MM:SS, UTC.'),
  completeTime: text.optional(),
  network: text,
  transferType: z.literal(0),
  walletType: z.literal(0),
  info: said(text, 'The reason of a rejection.'),
  txKey: text,
  withdrawOrderId: text.optional(),
})

const span = { coin: 'Only this coin.', offset: 'Leaves out the newest ones.' }
const networkText = 'TRX or ETH; without it, the coin’s default network.'

/** Coins with their networks, deposits and withdrawals. */
export const chainDescriptions: Descriptions = {
  'GET /sapi/v1/capital/config/getall': {
    group,
    name: 'coins',
    summary: 'Every coin with its spot balance, and its networks for deposits and withdrawals.',
    answer: list(named('Coin', coin)),
    ccxt: 'fetchCurrencies()',
  },
  'GET /sapi/v1/capital/deposit/address': {
    group,
    name: 'depositAddress',
    summary: 'Your own address for deposits on a network: always the same.',
    answer: named('DepositAddress', object({ coin: text, address: text, tag: text, url: text })),
    params: { coin: 'Name of a coin.', network: networkText },
    codes: [-1001, -1013, -1100, -1108],
    ccxt: "fetchDepositAddress('USDT', {network: 'TRC20'})",
    example: { coin: 'USDT', network: 'TRX' },
  },
  'GET /sapi/v1/capital/deposit/hisrec': {
    group,
    name: 'deposits',
    summary: 'Your deposits, newest first.',
    answer: list(named('Deposit', deposit)),
    params: { ...span, status: '0, 1, 2 or 6, as in the answer.', txId: 'Only of this transaction.' },
    codes: [-1108, -1127],
    ccxt: "fetchDeposits('USDT')",
  },
  'POST /sapi/v1/capital/withdraw/apply': {
    group,
    name: 'withdraw',
    summary: 'Asks for a withdrawal to an address on your withdrawal list.',
    detail:
      'The key needs the permission to withdraw and a list of IP addresses. The address must be on your list for a day already. An account with a passkey withdraws in the app only: the passkey signs each withdrawal.',
    answer: named('WithdrawalAsked', object({ id: text })),
    params: {
      ...{ coin: 'Name of a coin.', network: networkText, address: 'An address on your withdrawal list.' },
      ...{ addressTag: 'Refused: no network here has tags.', amount: 'The sum that leaves the account, fee included.' },
      withdrawOrderId: 'Your client id for the withdrawal; a second request with the same id gets the first outcome.',
    },
    codes: [-1001, -1013, -1100, -1108, -1111, -2010, -4026],
    clientId: 'withdrawOrderId',
    ccxt: "withdraw('USDT', 100, 'T…', undefined, {network: 'TRC20'})",
    example: { coin: 'USDT', network: 'TRX', amount: '100' },
  },
  'GET /sapi/v1/capital/withdraw/history': {
    group,
    name: 'withdrawals',
    summary: 'Your withdrawals, newest first.',
    answer: list(named('Withdrawal', withdrawal)),
    params: { ...span, status: '0 to 6, as in the answer; nothing has 0.', withdrawOrderId: 'Only the one with this client id.' },
    codes: [-1108, -1127],
    ccxt: "fetchWithdrawals('USDT')",
  },
}
