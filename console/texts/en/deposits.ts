/** Texts of the page about deposits that are not as usual. */
import type { DepositView } from '@candor/core/protocol/wire/console/deposits.ts'

/** Why a deposit is held or failed, and what a release would do. Other reasons are those of the screening. */
const whys: Readonly<Record<string, string>> = {
  'no-receipt': 'No node knows its transaction, though a final block should have it.',
  address: 'Its address is not signed for this customer. A release checks that again.',
  'one-node': 'Its size needs a second node, and there is none. A release stands in for it: look at an independent explorer first.',
  'nodes-disagree': 'Two nodes tell different things. A release asks both again.',
  unlisted: 'Its token was taken off the file of networks. A release asks again.',
  token: 'The contract of its token does what no listed token may, as the treasury says. A release looks at it again.',
  erased: 'Its account was deleted. A release credits it there, where nobody can use it.',
  'too-large': 'It is larger than the core can count.',
  reverted: 'Its transaction failed, whatever its logs say.',
}

export const deposits = {
  title: 'Deposits',
  text: 'those that are not as usual; all others are credited by themselves',
  views: { held: 'Held', 'wrong-token': 'Wrong token', failed: 'Failed', orphaned: 'Dropped', refused: 'Refused' } satisfies Record<
    DepositView,
    string
  >,
  about: {
    held: 'A person must look. Two members release a deposit, which is then checked again, or refuse it for good.',
    'wrong-token':
      'Tokens that the exchange does not list, sent to a customer’s address. They are shown to the staff only, and never credited.',
    failed: 'A node told of a transfer that did not happen. Nothing was credited.',
    orphaned: 'Their block vanished. What was credited is taken back; what was spent of it is a debt. They start again if they come back.',
    refused: 'Kept by the exchange, and not credited, as two members decided.',
  } satisfies Record<DepositView, string>,
  empty: (view: string) => `${view}: none`,
  emptyText: 'Deposits appear here by themselves.',
  deposit: 'Deposit',
  customer: 'Customer',
  amount: 'Amount',
  raw: 'smallest unit',
  token: 'Token',
  unknown: 'not listed',
  sender: 'From',
  address: 'To',
  transaction: 'Transaction',
  block: (block: string) => `block ${block}`,
  why: 'Why',
  whyOf: (why: string | null): string => (why === null ? '' : (whys[why] ?? why)),
  age: 'Since',
  debt: 'Owes now',
  noDebt: 'nothing',
  credited: 'It was credited before.',
  decision: 'Decision',
  proposes: { release: 'proposes to release it', refuse: 'proposes to refuse it' },
  lapses: (age: string) => `lapses in ${age}`,
  decidedBy: (people: string, when: string) => `${people}, ${when} UTC`,
  release: 'Release',
  refuse: 'Refuse',
  approve: 'Approve',
  decline: 'Decline',
  takeBack: 'Take back',
  own: 'yours',
  releaseTitle: (sum: string) => `Propose to release ${sum}?`,
  releaseText:
    'A second member must approve within a day. Then it is checked again, and credited unless a check fails that nobody can answer.',
  refuseTitle: (sum: string) => `Propose to refuse ${sum} for good?`,
  refuseText: 'A second member must approve within a day. The coins stay with the exchange and are not credited. This can’t be taken back.',
  approveTitle: { release: (sum: string) => `Release ${sum}?`, refuse: (sum: string) => `Refuse ${sum} for good?` },
  declineTitle: 'Decline this proposal?',
  proposed: 'Proposed. A second member must approve it.',
  released: 'Released. It is checked again now.',
  refused: 'Refused for good.',
  declined: 'Declined.',
}
