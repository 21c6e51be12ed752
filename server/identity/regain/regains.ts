import type { WireRegainCode, WireRegainCodeSent } from '@candor/core/protocol/wire/regain.ts'
import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Clock, Message } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { type Account, type Accounts, addressesOf, addressOf } from '../accounts.ts'
import { type Address, masked } from '../address.ts'
import type { Argon } from '../argon.ts'
import { record } from '../audit.ts'
import { type Codes, codeLivesMs, secondsUntil } from '../codes.ts'
import type { Notices } from '../contacts/notices.ts'
import { deviceOf, type Visitor } from '../device.ts'
import type { Factors, Person } from '../factors/factors.ts'
import { LoginSteps, type ProvenStep } from '../factors/login-steps.ts'
import type { FreezeLinks } from '../freeze/links.ts'
import type { Outgoing } from '../outgoing.ts'
import { type Passwords, turnOf } from '../passwords.ts'
import { hashOf, newToken } from '../secret.ts'
import { requireLiving, type Sessions } from '../sessions.ts'
import type { IdentityDb, RegainTable } from '../tables.ts'
import { requestsMax, requestsMs, resetCountsMs, type RegainPolicy } from './policy.ts'
import { openStates, stopRegain } from './stop.ts'

export type RegainParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly policy: RegainPolicy
  readonly accounts: Accounts
  readonly argon: Argon
  readonly codes: Codes
  readonly factors: Factors
  readonly notices: Notices
  readonly links: FreezeLinks
  readonly outgoing: Outgoing
  readonly passwords: Passwords
  readonly phraseOf: (account: Account) => Pick<Message, 'phrase'>
  readonly sessions: Sessions
  readonly publicUrl: string
  readonly onFault: (cause: unknown) => void
}

export type RegainRow = Selectable<RegainTable>
/** `token`: of the request, for the cookie of the browser that made it; undefined while another address has to be proven. */
export type Proven = { readonly token: string | undefined }

/**
 * The beginning of a request for access without the second factors. Only a login whose password was right leads here, so strangers learn
 * nothing. Then a code to the account's address is needed, or one to each of its addresses if the password itself came from a message.
 */
export class Regains {
  readonly #parts: RegainParts
  readonly #steps: LoginSteps

  constructor(parts: RegainParts) {
    this.#parts = parts
    this.#steps = new LoginSteps(parts.db, parts.clock)
  }

  /**
   * Sends a code to the next address. One that was sent a moment ago is still good.
   *
   * throws  Refused TOKEN_EXPIRED when the login must begin again, TOO_MANY_TRIES
   */
  async sendCode(step: string | undefined, visitor: Visitor): Promise<WireRegainCodeSent> {
    const { clock, codes, notices, passwords } = this.#parts
    const { account, waiting } = await this.#waiting(step, visitor)
    const { address, at, all } = await this.#next(account, waiting)
    const { channel } = address
    const shown = { channel, to: masked(address), step: at, steps: all, expiresIn: codeLivesMs / 1_000 }
    const asker = { binder: account.id, ip: passwords.countedIp(visitor), turn: turnOf(account) }
    try {
      const { code, resendAfterMs } = await codes.issue('regain', address, true, asker)
      const values = { ...notices.circumstances(visitor), code: code!, minutes: String(codeLivesMs / 60_000) }
      notices.notify(address, account.lang, 'regain-code', values, account)
      return { ...shown, resendAfter: secondsUntil(clock() + resendAfterMs, clock()) }
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal !== 'CODE_TOO_SOON') throw error
      return { ...shown, resendAfter: error.retryAfter ?? 60 }
    }
  }

  /**
   * Takes the code of the next address. After the last one the request begins, or the one that is open goes to this browser.
   *
   * throws  Refused CODE_WRONG, CODE_EXPIRED, TOKEN_EXPIRED when the login must begin again, TOO_MANY_TRIES, USER_FROZEN
   */
  async prove(step: string | undefined, { channel, code }: WireRegainCode, visitor: Visitor): Promise<Proven> {
    const { codes } = this.#parts
    const { account, waiting } = await this.#waiting(step, visitor, true)
    const { address, at, all } = await this.#next(account, waiting)
    if (address.channel !== channel) throw new Refused('CODE_EXPIRED', { field: 'code' })
    await codes.redeem('regain', address, code, { binder: account.id, turn: turnOf(account) })
    await this.#steps.prove(step as string, channel)
    if (at < all) return { token: undefined }
    // Of parallel requests with this login only one goes on.
    if (!(await this.#steps.end(step as string))) throw new Refused('TOKEN_EXPIRED')
    return { token: await this.#begin(account, waiting, visitor) }
  }

  /** The request of a browser's cookie, with its account. */
  async find(token: string | undefined): Promise<{ readonly row: RegainRow; readonly account: Account } | undefined> {
    if (token === undefined) return undefined
    const row = await this.#parts.db.selectFrom('regains').selectAll().where('token', '=', hashOf(token)).executeTakeFirst()
    return row && { row, account: await this.#parts.accounts.get(row.account) }
  }

  /** The request of the account that its owner sees in the security centre; null without one. */
  async openOf(account: string): Promise<{ readonly createdAt: number; readonly dueAt: number | null } | null> {
    const row = await this.#parts.db
      .selectFrom('regains')
      .select(['created_at', 'due_at'])
      .where('account', '=', account)
      .where('state', 'in', openStates)
      .executeTakeFirst()
    return row === undefined ? null : { createdAt: row.created_at, dueAt: row.due_at }
  }

  /** By the browser that made it. throws  Refused REGAIN_OVER */
  async cancel(token: string | undefined, visitor: Visitor): Promise<void> {
    const { db, clock } = this.#parts
    const found = await this.find(token)
    if (!found || !(await stopRegain(db, clock, found.account.id, { by: 'asker', visitor }))) throw new Refused('REGAIN_OVER')
  }

  /** By the owner, from any session and without a proof: speed counts more. throws  Refused REGAIN_OVER, UNAUTHENTICATED */
  async stop({ session, visitor }: Person): Promise<void> {
    const { db, clock } = this.#parts
    await db.transaction().execute(async (tx) => {
      await requireLiving(tx, session.id)
      if (!(await stopRegain(tx, clock, session.account, { by: 'owner', visitor, session: session.id }))) throw new Refused('REGAIN_OVER')
    })
  }

  async #waiting(step: string | undefined, visitor: Visitor, isTry = false): Promise<{ account: Account; waiting: ProvenStep }> {
    const { accounts } = this.#parts
    const found = step === undefined ? undefined : await this.#steps.find(step)
    const taken = found && isTry ? await this.#steps.take(step as string) : found
    const account = taken && (await accounts.get(taken.account))
    if (!account || !found || account.password_changed_at !== found.passwordChangedAt) {
      visitor.asStranger?.()
      throw new Refused('TOKEN_EXPIRED')
    }
    return { account, waiting: found }
  }

  /** The next address to be proven, which one it is, and how many there are. */
  async #next(account: Account, { proven }: ProvenStep): Promise<{ address: Address; at: number; all: number }> {
    const needed = (await this.#isFromMessage(account)) ? addressesOf(account) : [addressOf(account)]
    const left = needed.filter(({ channel }) => !proven.includes(channel))
    const address = left[0]
    if (address === undefined) throw new Refused('TOKEN_EXPIRED')
    return { address, at: needed.length - left.length + 1, all: needed.length }
  }

  /** Whether the password was set by a code or link of the last month: whoever reads the mail then has it, too. */
  async #isFromMessage({ id }: Account): Promise<boolean> {
    const { db, clock } = this.#parts
    const reset = await db
      .selectFrom('audit_log')
      .select('id')
      .where('account', '=', id)
      .where('action', '=', 'password-reset')
      .where('at', '>', clock() - resetCountsMs)
      .limit(1)
      .executeTakeFirst()
    return reset !== undefined
  }

  async #begin({ id }: Account, { passwordChangedAt }: ProvenStep, visitor: Visitor): Promise<string> {
    const { db, clock, notices, policy } = this.#parts
    const token = newToken()
    const begun = await db.transaction().execute(async (tx) => {
      const account = await tx.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
      const hasFactor = (await this.#parts.factors.secondOf(id, tx)) !== undefined
      if (account.password_changed_at !== passwordChangedAt || !hasFactor) throw new Refused('TOKEN_EXPIRED')
      const { rows } = await sql`select 1 from papers where account = ${id} and state = 'certified'`.execute(tx)
      const hasPapers = rows.length > 0
      // The way back from a freeze is by the staff, who can only compare a document that was certified.
      if (account.frozen_at !== null && !hasPapers) throw new Refused('USER_FROZEN')
      const taken = await tx
        .updateTable('regains')
        .set({ token: hashOf(token) })
        .where('account', '=', id)
        .where('state', 'in', openStates)
        .returning(['id', 'due_at'])
        .executeTakeFirst()
      const now = clock()
      const dueAt = taken ? taken.due_at : hasPapers ? null : now + policy.otherMs
      if (!taken) {
        await this.#refuseMore(tx, id, now)
        await tx
          .insertInto('regains')
          .values({
            ...{ id: randomUUID(), account: id, state: hasPapers ? 'draft' : 'waiting', has_papers: hasPapers, token: hashOf(token) },
            ...{ ip: visitor.ip, device: deviceOf(visitor.userAgent), created_at: now, told_at: now, due_at: dueAt },
          })
          .execute()
      }
      await record(tx, clock, { account: id, action: 'regain-begun', visitor, detail: { isTakenOver: taken !== undefined } })
      return { account, until: dueAt ?? now + policy.certifiedMs }
    })
    notices.tell(begun.account, 'regain-begun', visitor, { values: { until: String(begun.until) } })
    return token
  }

  /** throws  Refused TOO_MANY_TRIES */
  async #refuseMore(tx: IdentityDb, account: string, now: number): Promise<void> {
    const { count, since } = await tx
      .selectFrom('regains')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('created_at').as('since')])
      .where('account', '=', account)
      .where('created_at', '>', now - requestsMs)
      .executeTakeFirstOrThrow()
    if (count >= requestsMax) throw new Refused('TOO_MANY_TRIES', { retryAfter: secondsUntil(since + requestsMs, now) })
  }
}
