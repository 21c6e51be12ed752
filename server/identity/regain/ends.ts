import type { WireRegainFinish } from '@candor/core/protocol/wire/regain.ts'
import { Refused } from '../../refused.ts'
import { type Account, addressesOf, addressOf } from '../accounts.ts'
import { record } from '../audit.ts'
import type { Visitor } from '../device.ts'
import { checkPassword, checkTwice } from '../password.ts'
import { turnOf } from '../passwords.ts'
import { hashOf, newToken } from '../secret.ts'
import type { IdentityDb } from '../tables.ts'
import { draftLivesMs, linkLivesMs, remindEveryMs } from './policy.ts'
import type { RegainParts } from './regains.ts'

const perStep = 100
const resendEveryMs = 10 * 60_000
const hours = (ms: number): string => String(ms / 3_600_000)

/** The end of requests for access without the second factors: the waiting time, the notices in it, the link, and what the link does. */
export class RegainEnds {
  readonly #parts: RegainParts

  constructor(parts: RegainParts) {
    this.#parts = parts
  }

  /** Sends links whose time has come, tells owners again, and ends what has expired. */
  async deliver(): Promise<void> {
    await this.#expire()
    await this.#remind()
    await this.#sendDue()
  }

  /** Sends the link once more, in place of the one before. throws  Refused REGAIN_OVER, CODE_TOO_SOON within ten minutes */
  async resend(token: string | undefined): Promise<void> {
    const { db, clock } = this.#parts
    if (token === undefined) throw new Refused('REGAIN_OVER')
    const now = clock()
    const link = newToken(16)
    const sent = await db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('regains').selectAll().where('token', '=', hashOf(token)).forUpdate().executeTakeFirst()
      if (row?.state !== 'ready' || row.link_expires_at! <= now) throw new Refused('REGAIN_OVER')
      const after = row.link_sent_at! + resendEveryMs - now
      if (after > 0) throw new Refused('CODE_TOO_SOON', { retryAfter: Math.ceil(after / 1_000) })
      await tx
        .updateTable('regains')
        .set({ link: hashOf(link), link_sent_at: now })
        .where('id', '=', row.id)
        .execute()
      return row
    })
    await this.#sendLink(sent.account, link, sent.link_expires_at! - now)
  }

  /**
   * By the link: sets the password and removes every second factor. Every session ends, and withdrawals are closed for a day. Returns the
   * cookie that makes this browser a known device.
   *
   * browser  token of the request that this browser has: whoever reads the mail has the link, and not the password that began the request
   * throws   Refused TOKEN_EXPIRED, REGAIN_ELSEWHERE in another browser, and those of passwords
   */
  async finish(browser: string | undefined, form: WireRegainFinish, visitor: Visitor): Promise<{ readonly deviceCookie: string }> {
    const { token, password, passwordAgain } = form
    const { db, clock, argon, notices, passwords, sessions } = this.#parts
    const bought = await db
      .selectFrom('regains')
      .innerJoin('accounts', 'accounts.id', 'regains.account')
      .selectAll('accounts')
      .select('regains.token')
      .where('regains.link', '=', hashOf(token))
      .where('regains.state', '=', 'ready')
      .where('regains.link_expires_at', '>', clock())
      .where('accounts.frozen_at', 'is', null)
      .executeTakeFirst()
    checkPassword(password, bought ? addressesOf(bought) : [])
    checkTwice(password, passwordAgain)
    if (!bought) {
      visitor.asStranger?.()
      throw expired()
    }
    if (browser === undefined || !bought.token.equals(hashOf(browser))) throw new Refused('REGAIN_ELSEWHERE')
    const phc = await argon.hash(password, turnOf(bought))
    const ended = await db.transaction().execute(async (tx) => {
      // The account's row first, as where it is frozen and where a login with a factor stops the request.
      const account = await tx.selectFrom('accounts').selectAll().where('id', '=', bought.id).forUpdate().executeTakeFirstOrThrow()
      const now = clock()
      const used = await tx
        .updateTable('regains')
        .set({ state: 'done', ended_at: now, ended_by: 'link' })
        .where('link', '=', hashOf(token))
        .where('token', '=', hashOf(browser))
        .where('state', '=', 'ready')
        .where('link_expires_at', '>', now)
        .returning('id')
        .executeTakeFirst()
      if (!used || account.frozen_at !== null) throw expired()
      await forgetFactors(tx, account.id)
      const set = await passwords.set(tx, account, phc, { action: 'password-reset', visitor })
      await record(tx, clock, { account: account.id, action: 'regained', visitor })
      return { ...set, deviceCookie: await sessions.recognize(tx, account.id, visitor, set.changedAt) }
    })
    ended.announce()
    notices.tell(bought, 'regained', visitor)
    return { deviceCookie: ended.deviceCookie }
  }

  async #expire(): Promise<void> {
    const { db, clock } = this.#parts
    const now = clock()
    await db
      .updateTable('regains')
      .set({ state: 'expired', ended_at: now, ended_by: 'time' })
      .where((where) =>
        where.or([
          where.and([where('state', '=', 'draft'), where('created_at', '<=', now - draftLivesMs)]),
          where.and([where('state', '=', 'ready'), where('link_expires_at', '<=', now)]),
        ]),
      )
      .execute()
  }

  async #remind(): Promise<void> {
    const { db, clock, accounts, notices, policy } = this.#parts
    const now = clock()
    const rows = await db
      .selectFrom('regains')
      .selectAll()
      .where('state', 'in', ['sent', 'waiting'])
      .where('told_at', '<=', now - remindEveryMs)
      .orderBy('told_at')
      .limit(perStep)
      .execute()
    for (const { id, account, ip, device, due_at: dueAt, told_at: toldAt, created_at: time } of rows) {
      const own = db.updateTable('regains').set({ told_at: now }).where('id', '=', id).where('told_at', '=', toldAt)
      if ((await own.executeTakeFirst()).numUpdatedRows === 0n) continue
      const values = { until: String(dueAt ?? now + policy.certifiedMs), device, ip, time: String(time) }
      notices.tell(await accounts.get(account), 'regain-begun', { ip, userAgent: '' }, { values })
    }
  }

  async #sendDue(): Promise<void> {
    const { db, clock, onFault } = this.#parts
    const due = await db
      .selectFrom('regains')
      .select(['id', 'account'])
      .where('state', '=', 'waiting')
      .where('due_at', '<=', clock())
      .orderBy('due_at')
      .limit(perStep)
      .execute()
    for (const { id, account } of due) {
      const link = newToken(16)
      const now = clock()
      const { numUpdatedRows } = await db
        .updateTable('regains')
        .set({ state: 'ready', link: hashOf(link), link_sent_at: now, link_expires_at: now + linkLivesMs })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await this.#sendLink(account, link, linkLivesMs).catch(onFault)
    }
  }

  /** To one address. The message freezes the account if it was not its owner who asked. */
  async #sendLink(id: string, token: string, livesMs: number): Promise<void> {
    const { accounts, links, outgoing, phraseOf, publicUrl } = this.#parts
    const account = await accounts.get(id)
    const { channel, value: to } = addressOf(account)
    const values = { link: `${publicUrl}/#/reverify?token=${token}`, hours: hours(Math.ceil(livesMs / 3_600_000) * 3_600_000) }
    const { link: freezeLink, keep } = links.next(id)
    outgoing.send({ channel, to, lang: account.lang, template: 'regain-link', values, freezeLink, ...phraseOf(account) }, keep)
  }
}

/** Every second factor of the account, with the recovery codes and what waits for one of them. */
async function forgetFactors(tx: IdentityDb, account: Account['id']): Promise<void> {
  for (const table of ['passkeys', 'authenticators', 'recovery_codes', 'passkey_challenges'] as const)
    await tx.deleteFrom(table).where('account', '=', account).execute()
}

const expired = (): Refused => new Refused('TOKEN_EXPIRED', { field: 'token' })
