import type { Clock, Message, Template } from '../../ports.ts'
import { type Account, addressesOf, addressOf } from '../accounts.ts'
import type { Address } from '../address.ts'
import { deviceOf, type Visitor } from '../device.ts'
import type { FreezeLinks } from '../freeze/links.ts'
import type { Outgoing } from '../outgoing.ts'
import type { IdentityDb } from '../tables.ts'
import { countTold } from './told-counts.ts'

export type NoticeParts = {
  readonly db: IdentityDb
  readonly outgoing: Outgoing
  readonly clock: Clock
  /** The owner's own words, as a part of a message. */
  readonly phraseOf: (account: Account) => Pick<Message, 'phrase'>
  readonly links: FreezeLinks
}

type Told = {
  /** An address that the account had until now. */
  readonly before?: Address | undefined
  readonly values?: Message['values']
  /** Whether the change has closed withdrawals for a day. Default: by the template. */
  readonly isClosing?: boolean
}

/** Messages about changes after which withdrawals are closed for a day. */
const closing: ReadonlySet<Template> = new Set<Template>([
  ...(['password-changed', 'factor-added', 'factor-removed', 'recovery-renewed', 'address-set', 'address-removed'] as const),
  'regained',
])

/** Messages about what a thief might have done: each has a link by which the owner freezes the account. */
const alarming: ReadonlySet<Template> = new Set<Template>([
  ...closing,
  ...(['new-device', 'key-widened', 'factor-failed', 'webhook-created', 'payment-set', 'account-unfrozen'] as const),
  ...(['regain-begun', 'allow-list-ending', 'deletion-asked', 'withdrawal-address-added'] as const),
])

/** Messages to owners of accounts: those about the account's protection go to every address of the account. */
export class Notices {
  readonly #parts: NoticeParts

  constructor(parts: NoticeParts) {
    this.#parts = parts
  }

  /** Tells the owner at every address that something happened to the account. */
  tell(
    account: Account,
    template: Template,
    visitor: Visitor,
    { before, values = {}, isClosing = closing.has(template) }: Told = {},
  ): void {
    const addresses = [...addressesOf(account), ...(before === undefined ? [] : [before])]
    const all = { ...this.circumstances(visitor), ...values }
    const marks = isClosing ? { closesWithdrawals: true as const } : {}
    const { db, clock, outgoing, phraseOf, links } = this.#parts
    for (const { channel, value } of addresses) {
      const message = { channel, to: value, lang: account.lang, template, values: all, ...marks, ...phraseOf(account) }
      // Each message has a link of its own: one that was seen in one place says nothing of the others.
      const { link, keep } = links.next(account.id)
      const counted = (): Promise<boolean> => countTold(db, account.id, channel, template, clock())
      if (!alarming.has(template)) outgoing.send(message, counted)
      else outgoing.send({ ...message, freezeLink: link }, async () => (await counted()) && (await keep()))
    }
  }

  /** Sends the owner a message that concerns no protection, or has a code: to one address. */
  notifyOwner(account: Account, template: Template, values: Message['values']): void {
    this.notify(addressOf(account), account.lang, template, values, account)
  }

  /** `account`: of the address, if it has one. */
  notify({ channel, value }: Address, lang: string, template: Template, values: Message['values'], account?: Account): void {
    const { outgoing, phraseOf } = this.#parts
    outgoing.send({ channel, to: value, lang, template, values, ...(account && phraseOf(account)) })
  }

  /** Device, address and time of a visitor. */
  circumstances(visitor: Visitor): Readonly<Record<string, string>> {
    return { device: deviceOf(visitor.userAgent), ip: visitor.ip, time: String(this.#parts.clock()) }
  }
}
