import type { Translate } from '../../app/translate.ts'

/** `amount`: with its coin. `from` and `to`: names of accounts, empty where there is none. */
export type Moved = { readonly cause: string; readonly amount: string; readonly from: string; readonly to: string }

/** A transfer or a loan in words. Needs the texts of `notices`. */
export function movedWords({ cause, amount, from, to }: Moved, t: Translate): { readonly text: string; readonly detail?: string } {
  switch (cause) {
    case 'sent':
      return { text: t('notices.moved.sent', { amount }) }
    case 'received':
      return { text: t('notices.moved.received', { amount }) }
    case 'borrow':
      return { text: t('notices.moved.borrow', { amount }), detail: to }
    case 'auto-borrow':
      return { text: t('notices.moved.borrow', { amount }), detail: t('notices.moved.forOrder', { account: to }) }
    case 'repay':
      return { text: t('notices.moved.repay', { amount }), detail: to }
    case 'auto-repay':
      return { text: t('notices.moved.repay', { amount }), detail: t('notices.moved.byFill', { account: to }) }
    default:
      return { text: t('notices.moved.transfer', { amount }), detail: `${from} → ${to}` }
  }
}
