import type { WireReset, WireResetCode, WireResetToken } from '@candor/core/protocol/wire/user.ts'
import type { Clock, Message } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { type Account, type Accounts, addressesOf } from '../accounts.ts'
import { type Address, parseAddress } from '../address.ts'
import type { Argon } from '../argon.ts'
import { record } from '../audit.ts'
import { type Codes, codeLivesMs, linkEveryMs } from '../codes.ts'
import type { Notices } from '../contacts/notices.ts'
import type { Visitor } from '../device.ts'
import type { Outgoing } from '../outgoing.ts'
import { checkPassword, checkTwice } from '../password.ts'
import { type Passwords, turnOf, turnOfVisitor } from '../passwords.ts'
import { hashOf, newToken } from '../secret.ts'
import type { Sessions } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'
import type { Tries } from '../tries.ts'

export type ResetParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly accounts: Accounts
  readonly argon: Argon
  readonly codes: Codes
  readonly notices: Notices
  readonly outgoing: Outgoing
  readonly passwords: Passwords
  readonly phraseOf: (account: Account) => Pick<Message, 'phrase'>
  readonly sessions: Sessions
  readonly tries: Tries
  readonly publicUrl: string
  /** Countries that text messages may go to; undefined: all. */
  readonly countries: ReadonlySet<string> | undefined
}

const resetLivesMs = 15 * 60_000
const minutesOf = (ms: number): string => String(ms / 60_000)

/** Resets of forgotten passwords: a code or a link to an address of the account, then a token that sets the password once. */
export class Resets {
  readonly #parts: ResetParts

  constructor(parts: ResetParts) {
    this.#parts = parts
  }

  /**
   * Sends the code, and a 128-bit link that works without it; the link alone when no code can be tried. Stored after the answer, so that
   * it does not change the response time. A text message has no room for both.
   */
  send(account: Account, { channel, value }: Address, lang: string, code: string | undefined): void {
    const { db, clock, outgoing, phraseOf, publicUrl } = this.#parts
    const minutes = minutesOf(code === undefined ? linkEveryMs : codeLivesMs)
    const token = newToken(16)
    const link = `${publicUrl}/#/password?token=${token}`
    const template = code === undefined ? 'reset-link' : 'reset-code'
    const message = { channel, to: value, lang, template, values: { minutes, link, ...(code === undefined ? {} : { code }) } } as const
    const own = { ...message, ...phraseOf(account) }
    const expires = clock() + (code === undefined ? linkEveryMs : resetLivesMs)
    const row = { token: hashOf(token), account: account.id, expires_at: expires }
    const keep = async (): Promise<boolean> => {
      await db.insertInto('reset_tokens').values(row).execute()
      return true
    }
    outgoing.send(own, channel === 'email' || code === undefined ? keep : undefined)
  }

  /** A code is exchanged for one 128-bit token that sets the password once, within 15 minutes. */
  async byCode({ channel, to, code }: WireResetCode, visitor: Visitor): Promise<WireResetToken> {
    const { db, clock, accounts, codes, countries, passwords } = this.#parts
    const address = parseAddress(channel, to, countries)
    const account = await accounts.find(address)
    const device = await passwords.deviceOf(account, visitor)
    await codes.redeem('reset', address, code, { device, turn: turnOfVisitor(visitor, account, device) })
    if (!account || account.frozen_at !== null) throw new Refused('CODE_WRONG', { field: 'code' })
    const token = newToken(16)
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('reset_tokens').where('account', '=', account.id).execute()
      await tx
        .insertInto('reset_tokens')
        .values({ token: hashOf(token), account: account.id, expires_at: clock() + resetLivesMs })
        .execute()
      await record(tx, clock, { account: account.id, action: 'reset-allowed', visitor })
    })
    return { token, expiresIn: resetLivesMs / 1000 }
  }

  /**
   * Sets the password, uses up the token, ends every session and tells the owner. Returns the cookie that makes this browser a
   * known device, so that its login waits for no stranger.
   */
  async finish({ token, password, passwordAgain }: WireReset, visitor: Visitor): Promise<{ readonly deviceCookie: string }> {
    const { db, clock, argon, notices, passwords, sessions, tries } = this.#parts
    const bought = await db
      .selectFrom('reset_tokens')
      .innerJoin('accounts', 'accounts.id', 'reset_tokens.account')
      .selectAll('accounts')
      .where('reset_tokens.token', '=', hashOf(token))
      .where('reset_tokens.expires_at', '>', clock())
      .where('accounts.frozen_at', 'is', null)
      .executeTakeFirst()
    checkPassword(password, bought ? addressesOf(bought) : [])
    checkTwice(password, passwordAgain)
    if (!bought) {
      visitor.asStranger?.()
      throw new Refused('TOKEN_EXPIRED', { field: 'token' })
    }
    // Whoever has the token is the owner: no crowd of strangers can keep them waiting.
    const phc = await argon.hash(password, turnOf(bought))
    const ended = await db.transaction().execute(async (tx) => {
      // The account's row first, as where tokens are deleted with it.
      const { frozen_at: frozenAt } = await tx
        .selectFrom('accounts')
        .select('frozen_at')
        .where('id', '=', bought.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const used = await tx
        .deleteFrom('reset_tokens')
        .where('token', '=', hashOf(token))
        .where('expires_at', '>', clock())
        .returning('account')
        .executeTakeFirst()
      if (!used || frozenAt !== null) throw new Refused('TOKEN_EXPIRED', { field: 'token' })
      const set = await passwords.set(tx, bought, phc, { action: 'password-reset', visitor })
      return { ...set, deviceCookie: await sessions.recognize(tx, bought.id, visitor, set.changedAt) }
    })
    ended.announce()
    for (const { channel, value } of addressesOf(bought)) await tries.endWait(`login:${channel}:${value}`, visitor.ip)
    notices.tell(bought, 'password-changed', visitor)
    return { deviceCookie: ended.deviceCookie }
  }
}
