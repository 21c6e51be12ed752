import type { WireAddress, WireAddressRequest } from '@candor/core/protocol/wire/safety.ts'
import type { Channel } from '@candor/core/protocol/wire/user.ts'
import { Refused } from '../../refused.ts'
import { type Account, type Accounts, addressesOf } from '../accounts.ts'
import { type Address, masked, parseAddress } from '../address.ts'
import { type Codes, codeLivesMs } from '../codes.ts'
import type { Factors, Person } from '../factors/factors.ts'
import { type Passwords, turnOf } from '../passwords.ts'
import type { IdentityDb } from '../tables.ts'
import type { Residences } from '../gates/residences.ts'
import type { Notices } from './notices.ts'

export type ContactParts = {
  readonly accounts: Accounts
  readonly codes: Codes
  readonly factors: Factors
  readonly passwords: Passwords
  readonly notices: Notices
  readonly residences: Pick<Residences, 'checkPhone' | 'tell'>
  /** Countries that text messages may go to; undefined: all. */
  readonly countries: ReadonlySet<string> | undefined
}

/**
 * The addresses of an account: one for mail and one phone number at most, one of them always. Each logs in and gets every message about
 * the account's protection. A new one needs a proof and a code sent to it; whether another account has it is never told.
 */
export class Contacts {
  readonly #parts: ContactParts

  constructor(parts: ContactParts) {
    this.#parts = parts
  }

  /**
   * Sends the code to the new address, or a note to the account that has it; the answer is the same. Returns when another may be
   * requested, in milliseconds.
   *
   * throws  Refused PROOF_NEEDED, ADDRESS_SAME, EMAIL_INVALID, PHONE_INVALID, CODE_TOO_SOON, TOO_MANY_TRIES
   */
  async request({ channel, to }: WireAddressRequest, { session, visitor }: Person): Promise<number> {
    const { accounts, codes, factors, passwords, notices } = this.#parts
    await factors.require(session, 'address-set')
    const address = this.#address(channel, to)
    const own = await accounts.get(session.account)
    if (own[channel] === address.value) throw new Refused('ADDRESS_SAME', { field: 'to' })
    const taken = await accounts.find(address)
    const asker = { binder: own.id, ip: passwords.countedIp(visitor), turn: turnOf(own) }
    const { code, resendAfterMs } = await codes.issue('bind', address, taken === undefined, asker)
    if (taken !== undefined) notices.notify(address, taken.lang, 'address-taken', {}, taken)
    else if (code !== undefined) notices.notify(address, own.lang, 'address-code', { code, minutes: String(codeLivesMs / 60_000) }, own)
    return resendAfterMs
  }

  /**
   * Gives the account the address, in place of the one that it has of this kind. Withdrawals are closed for a day. Of parallel wishes for
   * one address exactly one succeeds.
   *
   * throws  Refused PROOF_NEEDED, ADDRESS_SAME, CODE_WRONG, CODE_EXPIRED, TOO_MANY_TRIES
   */
  async set({ channel, to, code }: WireAddress, person: Person): Promise<void> {
    const { accounts, codes, factors } = this.#parts
    const { account } = person.session
    await factors.require(person.session, 'address-set')
    const address = this.#address(channel, to)
    await codes.redeem('bind', address, code, { binder: account, turn: turnOf({ id: account }) })
    const change = { needs: 'address-set', action: 'address-set', detail: { channel } } as const
    const before = await factors
      .change(change, person, async (db) => {
        const { [channel]: old } = await accounts.get(account, db)
        if (old === address.value) throw new Refused('ADDRESS_SAME', { field: 'to' })
        await db
          .updateTable('accounts')
          .set({ [channel]: address.value, ...homeDue(channel) })
          .where('id', '=', account)
          .execute()
        await this.#forget(db, account, channel, old)
        return old
      })
      .catch((error: unknown) => {
        // Another account was faster. The answer is that of a code that was never sent.
        if (isTaken(error)) throw new Refused('CODE_EXPIRED', { field: 'code' })
        throw error
      })
    if (channel === 'phone') await this.#parts.residences.tell(account)
    this.#tell(await accounts.get(account), 'address-set', address, before === null ? undefined : { channel, value: before }, person)
  }

  /** throws  Refused PROOF_NEEDED, NOT_FOUND without such an address, ADDRESS_LAST */
  async remove(channel: Channel, person: Person): Promise<void> {
    const { accounts, factors } = this.#parts
    const { account } = person.session
    await factors.require(person.session, 'address-remove')
    const change = { needs: 'address-remove', action: 'address-removed', detail: { channel } } as const
    const old = await factors.change(change, person, async (db) => {
      const row = await accounts.get(account, db)
      const { [channel]: value } = row
      if (value === null) throw new Refused('NOT_FOUND')
      if (addressesOf(row).length === 1) throw new Refused('ADDRESS_LAST')
      await db
        .updateTable('accounts')
        .set({ [channel]: null, ...homeDue(channel) })
        .where('id', '=', account)
        .execute()
      await this.#forget(db, account, channel, value)
      return { channel, value }
    })
    if (channel === 'phone') await this.#parts.residences.tell(account)
    this.#tell(await accounts.get(account), 'address-removed', old, old, person)
  }

  /** Ends the codes and links that were sent to the old address. */
  async #forget(db: IdentityDb, account: string, channel: Channel, old: string | null): Promise<void> {
    await db.deleteFrom('reset_tokens').where('account', '=', account).execute()
    if (old !== null) await db.deleteFrom('codes').where('channel', '=', channel).where('target', '=', old).execute()
  }

  /** `about`: the address that the message names, masked. */
  #tell(
    account: Account,
    template: 'address-set' | 'address-removed',
    about: Address,
    before: Address | undefined,
    { visitor }: Person,
  ): void {
    this.#parts.notices.tell(account, template, visitor, { before, values: { address: masked(about) } })
  }

  #address(channel: Channel, to: string): Address {
    const address = parseAddress(channel, to, this.#parts.countries)
    this.#parts.residences.checkPhone(address)
    return address
  }
}

/** Another phone number may be of another country, which the core must know. */
const homeDue = (channel: Channel): { readonly is_home_due?: true } => (channel === 'phone' ? { is_home_due: true } : {})

/** Whether the database refused an address that another account has. */
function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { readonly code?: string; readonly constraint?: string }
  return code === '23505' && (constraint === 'accounts_email_key' || constraint === 'accounts_phone_key')
}
