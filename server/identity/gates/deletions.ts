import type { UserId } from '@candor/core/protocol/ids.ts'
import { sql } from 'kysely'
import type { Clock, Owners } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { addressesOf } from '../accounts.ts'
import { record } from '../audit.ts'
import type { Factors, Person } from '../factors/factors.ts'
import type { CoreFreezes } from '../freeze/core-freezes.ts'
import type { Keys } from '../keys.ts'
import { staffActions } from '../profiles.ts'
import { stopRegain } from '../regain/stop.ts'
import type { Sessions } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'
import { cancelDeletion, exchange } from './cancel.ts'

/** Counts of what an account still has. `funds`: balances that are not zero. */
export type Holdings = {
  readonly funds: number
  readonly openOrders: number
  /** Running TWAP and scaled orders. */
  readonly algos: number
  readonly positions: number
  readonly loans: number
  readonly claims: number
  readonly options: number
  readonly debts: number
  readonly withdrawals: number
  /** Firms of which the person is a member. */
  readonly firms?: number
  readonly presales: number
}

export type DeletionParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly mode: 'sandbox' | 'production'
  readonly factors: Factors
  readonly sessions: Sessions
  readonly keys: Pick<Keys, 'endPrograms'>
  readonly core: Pick<CoreFreezes, 'tell'>
  readonly owners: Pick<Owners, 'warn'>
  readonly holdingsOf: (user: UserId) => Promise<Holdings>
  readonly onFault: (cause: unknown) => void
}

export const deletionWaitMs = 14 * 86_400_000
const everyMs = 3_600_000

/**
 * Deletes accounts at the wish of their owners. After a proof, the account has to be empty; its sessions, keys and webhooks end at once. For
 * fourteen days any login cancels the wish. Then the account loses its addresses and everything about its owner that need not be kept: what
 * stays are the entries of money and orders, the log, and the documents of the identity check until their own time is over.
 */
export class Deletions implements Disposable {
  readonly #parts: DeletionParts
  readonly #timer: NodeJS.Timeout

  constructor(parts: DeletionParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.finish().catch(parts.onFault), everyMs).unref()
  }

  /** When the account is erased; undefined without a request. */
  async dueAt(account: string): Promise<number | undefined> {
    const row = await this.#parts.db
      .selectFrom('deletions')
      .select('due_at')
      .where('account', '=', account)
      .where('cancelled_at', 'is', null)
      .executeTakeFirst()
    return row?.due_at
  }

  /** Returns when the account is erased. throws  Refused PROOF_NEEDED, ACCOUNT_NOT_EMPTY */
  async ask(givesUp: boolean, person: Person): Promise<number> {
    const { clock, factors, sessions, keys, owners, onFault } = this.#parts
    const { session, visitor } = person
    await factors.require(session, 'deletion-ask')
    if (givesUp && this.#parts.mode !== 'sandbox') throw new Refused('SANDBOX_ONLY')
    await this.#requireEmpty(session.user as UserId, givesUp)
    const dueAt = clock() + deletionWaitMs
    const ended = await factors.change({ needs: 'deletion-ask', action: 'deletion-asked' }, person, async (db) => {
      const asked = { account: session.account, asked_at: clock(), due_at: dueAt, gives_up: givesUp }
      await db
        .insertInto('deletions')
        .values({ ...asked, session: session.id, ip: visitor.ip, cancelled_at: null, erased_at: null })
        .execute()
      await db.deleteFrom('login_steps').where('account', '=', session.account).execute()
      return [await keys.endPrograms(db, session.account), await sessions.revokeWithin(db, session.account)]
    })
    for (const { announce } of ended) announce()
    await owners.warn(session.account, 'deletion-asked', visitor, { date: new Date(dueAt).toISOString().slice(0, 10) }).catch(onFault)
    return dueAt
  }

  /** This room's data about the owner, with full addresses. Reading it is logged. throws  Refused PROOF_NEEDED */
  async dataOf(person: Person): Promise<Readonly<Record<string, unknown>>> {
    const id = person.session.account
    return this.#parts.factors.change({ needs: 'data-export', action: 'data-exported' }, person, async (db) => {
      const rows = async (query: ReturnType<typeof sql>): Promise<readonly unknown[]> => (await query.execute(db)).rows
      return {
        account: (
          await rows(sql`
            select uid, email, phone, lang, residence, declared_at, invitation_code, certification, class, created_at
            from accounts where id = ${id}`)
        )[0],
        agreements: await rows(sql`select version, accepted_at, session, ip, device from agreements where account = ${id}`),
        preferences: await rows(sql`select name, value from preferences where account = ${id} order by name`),
        chartLayouts: await rows(sql`select symbol, value from chart_layouts where account = ${id} order by symbol`),
        alerts: await rows(sql`
          select symbol, condition, source, level, rearm, note, state, count, created_at from alerts where account = ${id} order by created_at`),
        sessions: await rows(sql`
          select id, device, ip, created_at, last_seen_at, revoked_at from sessions where account = ${id} order by created_at`),
        passkeys: await rows(sql`select label, created_at, last_used_at from passkeys where account = ${id}`),
        keys: await rows(sql`
          select label, kind, scopes, ips, created_at, last_used_at, last_ip, deleted_at from api_keys where account = ${id}`),
        signals: await rows(sql`
          select s.symbols, s.max_quote, s.per_minute, s.per_day, s.ips, s.template, s.made_at, s.is_on, k.label from key_signals s
          join api_keys k on k.number = s.key where s.account = ${id}`),
        signalCalls: await rows(sql`
          select c.at, c.ip, c.text, c.result, c.symbol, c.order_id from key_signal_calls c
          join key_signals s on s.key = c.key where s.account = ${id} order by c.id desc limit 10000`),
        deposits: await rows(sql`
          select network, asset, raw, amount, state, address, sender, txid, seen_at, credited_at, final_at
          from deposits where account = ${id} order by id desc limit 10000`),
        withdrawals: await rows(sql`
          select w.id, w.asset, a.network, a.address, w.amount, w.fee, w.state, w.reason, w.requested_at_ms, w.decided_at_ms, w.ended_at_ms, p.txid
          from core_withdrawals w join accounts o on o.core_user = w.user_id left join withdrawal_addresses a on a.number = w.destination
          left join payouts p on p.withdrawal = w.id where o.id = ${id} order by w.id desc limit 10000`),
        support: await rows(sql`
          select t.code, t.topic, t.subject, m.author, m.text, m.at
          from support_messages m join support_tickets t on t.number = m.ticket
          where m.account = ${id} and m.author <> 'note' order by m.number desc limit 10000`),
        notices: await rows(
          sql`select kind, data, created_at, read_at from notices where account = ${id} order by number desc limit 10000`,
        ),
        log: await rows(sql`
          select at, action, ip, device, session, detail from audit_log
          where account = ${id} and action <> all(${[...staffActions]})
          order by id desc limit 10000`),
      }
    })
  }

  /** Erases the accounts whose time has come. One that is no longer empty, or is frozen, keeps everything, and its request ends. */
  async finish(): Promise<void> {
    const { db, clock, onFault } = this.#parts
    const due = await db
      .selectFrom('deletions')
      .innerJoin('accounts', 'accounts.id', 'deletions.account')
      .select(['deletions.id', 'deletions.account', 'deletions.gives_up', 'accounts.core_user'])
      .where('deletions.cancelled_at', 'is', null)
      .where('deletions.erased_at', 'is', null)
      .where('deletions.due_at', '<=', clock())
      .execute()
    // One that fails stops no other.
    for (const { id, account, gives_up: givesUp, core_user: user } of due)
      await this.#finish(id, account, user as UserId, givesUp).catch(onFault)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  async #finish(id: number, account: string, user: UserId, givesUp: boolean): Promise<void> {
    const { db, core, sessions } = this.#parts
    const isEmpty = await this.#requireEmpty(user, givesUp).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused && error.refusal === 'ACCOUNT_NOT_EMPTY') return false
        throw error
      },
    )
    const ended = await db.transaction().execute(async (tx) => {
      const own = tx.selectFrom('accounts').select('frozen_at').where('id', '=', account).forUpdate()
      // The owner of a frozen account can't log in to cancel, and what the staff look into must not go.
      const isKept = (await own.executeTakeFirstOrThrow()).frozen_at !== null || !isEmpty
      const standing = tx.selectFrom('deletions').select('id').where('id', '=', id).where('cancelled_at', 'is', null).forUpdate()
      if (!(await standing.executeTakeFirst())) return undefined
      if (isKept) await cancelDeletion(tx, account, this.#parts.clock)
      else await this.#erase(tx, id, account)
      return isKept ? undefined : sessions.revokeWithin(tx, account)
    })
    ended?.announce()
    if (ended !== undefined) await core.tell(account)
  }

  async #erase(tx: IdentityDb, id: number, account: string): Promise<void> {
    const now = this.#parts.clock()
    const { email, phone } = await tx.selectFrom('accounts').select(['email', 'phone']).where('id', '=', account).executeTakeFirstOrThrow()
    for (const { channel, value } of addressesOf({ email, phone })) {
      await tx.deleteFrom('codes').where('target', '=', value).execute()
      const name = `login:${channel}:${value}`
      // Of the address itself, of networks and devices before it, and of places in its line: never of an address that has this one in it.
      await sql`
        delete from login_tries
        where subject = ${name} or starts_with(subject, ${`${name}@`}) or starts_with(subject, ${`${name}#`})
          or starts_with(subject, ${`line ${name}@`})`.execute(tx)
      await sql`delete from inbox where recipient = ${value}`.execute(tx)
    }
    for (const table of erased) await sql`delete from ${sql.table(table)} where account = ${account}`.execute(tx)
    await sql`update api_keys set label = 'erased', ips = '{}', last_ip = null where account = ${account}`.execute(tx)
    await sql`update webhooks set url = '' where account = ${account}`.execute(tx)
    // Where money went, and to whom, has to be kept.
    await sql`delete from withdrawal_addresses where account = ${account} and uses = 0`.execute(tx)
    await sql`
      update withdrawal_addresses set label = '', removed_at = coalesce(removed_at, ${now}) where account = ${account}`.execute(tx)
    await stopRegain(tx, this.#parts.clock, account, { by: 'freeze', visitor: exchange })
    await sql`update regains set ip = ${exchange.ip}, device = ${exchange.ip} where account = ${account}`.execute(tx)
    await eraseSupport(tx, now, account)
    await sql`update papers set fields = null where account = ${account} and state = 'draft'`.execute(tx)
    await tx
      .updateTable('accounts')
      .set({ email: null, phone: null, password: '!', password_changed_at: now, phrase: null, frozen_at: now, erased_at: now })
      .where('id', '=', account)
      .execute()
    await tx.updateTable('deletions').set({ erased_at: now }).where('id', '=', id).execute()
    await record(tx, this.#parts.clock, { account, action: 'account-erased', visitor: exchange })
  }

  /** throws  Refused ACCOUNT_NOT_EMPTY */
  async #requireEmpty(user: UserId, givesUp: boolean): Promise<void> {
    const { funds, ...others } = await this.#parts.holdingsOf(user)
    const count = Object.values(others).reduce((sum, one) => sum + one, givesUp ? 0 : funds)
    if (count > 0) throw new Refused('ACCOUNT_NOT_EMPTY')
  }
}

/** What the customer wrote to support and showed there goes; what was answered stays. */
async function eraseSupport(tx: IdentityDb, now: number, account: string): Promise<void> {
  await sql`
    insert into paper_objects_gone (object, since) select object, ${now} from support_images where account = ${account}
    on conflict (object) do update set since = excluded.since`.execute(tx)
  await sql`delete from support_images where account = ${account}`.execute(tx)
  await sql`update support_messages set text = '' where account = ${account} and author = 'customer'`.execute(tx)
  await sql`
    update support_tickets
    set subject = '', about_kind = null, about_id = null, about_is_own = null, waiting_since = null, state = 'closed',
      closed_at = coalesce(closed_at, ${now})
    where account = ${account}`.execute(tx)
}

/** Tables whose rows of an erased account are deleted. Sessions come last: others refer to them. */
const erased = [
  ...['reset_tokens', 'freeze_links', 'login_steps', 'passkey_challenges', 'passkeys', 'authenticators', 'recovery_codes'],
  ...[
    'payment_passwords',
    'preferences',
    'chart_layouts',
    'alerts',
    'key_signals',
    'notices',
    'notice_preferences',
    'push_subscriptions',
    'allow_lists',
    'own_time',
    'deposit_days',
    'sessions',
  ],
]
