import { decimal, type Descriptions, flag, id, list, millis, named, object, said, text } from './describe.ts'

const group = 'subAccounts'

const sent = named('SentMove', object({ txnId: id }))

/** What keys of a firm's accounts see of the other accounts of the firm, and move between them. */
export const subAccountDescriptions: Descriptions = {
  'GET /sapi/v1/sub-account/list': {
    group,
    name: 'accounts',
    summary: 'Sub-accounts of the firm that the maker of the key sees, oldest first. Needs a key of the firm’s main account.',
    answer: named(
      'SubAccounts',
      object({
        subAccounts: list(
          named(
            'SubAccount',
            object({
              subUserId: said(id, 'The UID of the account.'),
              email: said(text, 'A made-up address, which names the account and never changes. Nobody gets mail there.'),
              remark: said(text, 'The name that the firm gave the account.'),
              isFreeze: said(flag, 'Whether the account is frozen or archived.'),
              createTime: millis,
              isManagedSubAccount: said(flag, 'Always false.'),
              isAssetManagementSubAccount: said(flag, 'Always false.'),
            }),
          ),
        ),
      }),
    ),
    params: {
      email: 'Only the account with this address.',
      isFreeze: 'Only accounts that are, or are not, frozen or archived.',
      page: 'Pages count from 1.',
      limit: 'Accounts of a page.',
    },
    codes: [-1130],
  },
  'GET /sapi/v4/sub-account/assets': {
    group,
    name: 'assets',
    summary: 'The spot account of one sub-account, coins without a balance left out. Needs a key of the firm’s main account.',
    answer: named(
      'SubAccountAssets',
      object({
        balances: list(
          named(
            'SubAccountBalance',
            object({
              asset: text,
              free: decimal,
              locked: said(decimal, 'Held by open orders and withdrawals.'),
              freeze: said(decimal, 'Always 0.'),
              withdrawing: said(decimal, 'Always 0.'),
            }),
          ),
        ),
      }),
    ),
    params: { email: 'The address of the account in the list.' },
    codes: [-1130],
    example: { email: '100000002_virtual@sub.invalid' },
  },
  'POST /sapi/v1/sub-account/universalTransfer': {
    group,
    name: 'move',
    summary:
      'Moves coins between the spot accounts of two accounts of the firm, at once. Needs a key of the main account, whose maker moves coins.',
    answer: named('FirmMove', object({ tranId: id, clientTranId: text.optional() })),
    clientId: 'clientTranId',
    params: {
      fromEmail: 'The address of the account that sends. Default: the main account.',
      toEmail: 'The address of the account that receives. Default: the main account.',
      fromAccountType: 'Only spot accounts send.',
      toAccountType: 'Only spot accounts receive.',
      clientTranId: 'The sending account’s move with this id counts once.',
      asset: 'The coin.',
      amount: 'In units of the coin.',
    },
    codes: [-1108, -1111, -1130, -2010, -5011, -5012, -5013],
  },
  'GET /sapi/v1/sub-account/universalTransfer': {
    group,
    name: 'moves',
    summary: 'What an account of the firm sent, or received, newest first; without an address what the main account sent.',
    answer: named(
      'FirmMoves',
      object({
        result: list(
          named(
            'FirmMoveLine',
            object({
              ...{ tranId: id, fromEmail: text, toEmail: text, asset: text, amount: decimal, createTimeStamp: millis },
              ...{ fromAccountType: text, toAccountType: text, status: text },
            }),
          ),
        ),
        totalCount: said(id, 'Moves on all pages.'),
      }),
    ),
    params: {
      fromEmail: 'What this account sent.',
      toEmail: 'What this account received. Not together with `fromEmail`.',
      page: 'Pages count from 1.',
      limit: 'Moves of a page.',
    },
    codes: [-1130],
  },
  'POST /sapi/v1/sub-account/transfer/subToMaster': {
    group,
    name: 'toMain',
    summary: 'Moves own coins to the firm’s main account. Needs a key of another account of the firm, whose maker moves coins.',
    answer: sent,
    isRepeatable: false,
    params: { asset: 'The coin.', amount: 'In units of the coin.' },
    codes: [-1108, -1111, -2010, -5011, -5013],
  },
  'POST /sapi/v1/sub-account/transfer/subToSub': {
    group,
    name: 'toSub',
    summary: 'Moves own coins to another sub-account of the firm. Needs a key of a sub-account, whose maker moves coins.',
    answer: sent,
    isRepeatable: false,
    params: { toEmail: 'The address of the account that receives.', asset: 'The coin.', amount: 'In units of the coin.' },
    codes: [-1108, -1111, -1130, -2010, -5011, -5012, -5013],
  },
  'GET /sapi/v1/sub-account/transfer/subUserHistory': {
    group,
    name: 'ownMoves',
    summary: 'Moves between the key’s account and others of its firm, newest first. Needs a key of a sub-account.',
    answer: list(
      named(
        'OwnMove',
        object({
          counterParty: said(text, '`master` for the main account, else `subAccount`.'),
          email: said(text, 'The address of the other account.'),
          type: said(id, '1: received, 2: sent.'),
          ...{ asset: text, qty: decimal, fromAccountType: text, toAccountType: text, status: text, tranId: id, time: millis },
        }),
      ),
    ),
    params: { asset: 'Only this coin.', type: '1: received, 2: sent. Default: both.', limit: 'At most this many.' },
  },
}
