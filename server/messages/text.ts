import type { WithdrawalReason } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import type { Template } from '../ports.ts'

/**
 * One message in one language. `body` is a list of paragraphs; `sms` is short and plain. `{name}` stands for a value; `{code}` on
 * a line of its own is shown large.
 */
export type Text = { readonly subject: string; readonly body: readonly string[]; readonly sms: string }

/** All texts in one language. A new template does not compile until each language has it. */
export type Texts = {
  /** BCP 47 tag, for dates and for the page's `lang`. */
  readonly locale: string
  readonly footer: string
  /** The first line of a mail to somebody who has chosen a phrase. */
  readonly phrase: string
  /** The last paragraph of a mail about a change after which no withdrawal leaves the account for a day. */
  readonly closesWithdrawals: string
  /** The end of a message about the account's protection: the link by which the owner freezes the account. */
  readonly freeze: { readonly mail: string; readonly sms: string }
  /** Why a withdrawal was rejected, as a sentence. */
  readonly withdrawalReasons: { readonly [R in WithdrawalReason]: string }
  /** The page of the sandbox's inbox. */
  readonly inbox: {
    readonly title: string
    readonly note: string
    readonly filter: string
    readonly show: string
    readonly refresh: string
    readonly empty: string
    readonly recipient: string
  }
  readonly templates: { readonly [T in Template]: Text }
}
