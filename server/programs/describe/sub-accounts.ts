import { decimal, type Descriptions, flag, id, list, millis, named, object, said, text } from './describe.ts'

const group = 'subAccounts'

/** What a key of a firm's main account sees of the other accounts of the firm. */
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
}
