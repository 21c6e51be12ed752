import type { WirePaymentPassword } from '@candor/core/protocol/wire/safety.ts'
import { sql } from 'kysely'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { type Accounts, closeWithdrawals } from '../accounts.ts'
import type { Argon } from '../argon.ts'
import { record } from '../audit.ts'
import { secondsUntil } from '../codes.ts'
import type { Notices } from '../contacts/notices.ts'
import type { Visitor } from '../device.ts'
import type { Factors, Person } from '../factors/factors.ts'
import { turnOf } from '../passwords.ts'
import type { IdentityDb } from '../tables.ts'
import { checkDigits } from './digits.ts'

const triesMax = 5
const lockedMs = 86_400_000

export type PaymentParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly argon: Argon
  readonly accounts: Accounts
  readonly factors: Factors
  readonly notices: Notices
}

/**
 * The payment password of an account: six digits that withdrawals ask for, beside the login. Five wrong ones lock it for a day. A try is
 * counted before it is compared, in one statement, so that of any number of parallel ones five are compared.
 */
export class PaymentPasswords {
  readonly #parts: PaymentParts

  constructor(parts: PaymentParts) {
    this.#parts = parts
  }

  /** Whether the account has one, and until when it is locked. */
  async of(account: string): Promise<{ readonly isSet: boolean; readonly lockedUntil: number | undefined }> {
    const { db, clock } = this.#parts
    const row = await db.selectFrom('payment_passwords').select('locked_until').where('account', '=', account).executeTakeFirst()
    return { isSet: row !== undefined, lockedUntil: row !== undefined && row.locked_until > clock() ? row.locked_until : undefined }
  }

  /**
   * Sets the first one, or another: by the present one, or by a proof if that is forgotten. Another one closes withdrawals for a day
   * and ends a lock.
   *
   * throws  Refused PAYMENT_PASSWORD_COMMON, PROOF_NEEDED; what `require` throws, when there is a present one
   */
  async set({ digits, current }: WirePaymentPassword, person: Person): Promise<void> {
    const { argon, accounts, clock, factors, notices } = this.#parts
    const { session, visitor } = person
    checkDigits(digits)
    if (current === undefined) await factors.require(session, 'payment-set')
    const present = current === undefined ? undefined : await this.#check(session.account, current, visitor, 'current')
    const account = await accounts.get(session.account)
    const hash = await argon.hash(digits, turnOf(account))
    const work = async (db: IdentityDb): Promise<boolean> => {
      const fresh = { hash, set_at: clock(), tries: 0, locked_until: 0 }
      const before = await db.selectFrom('payment_passwords').select('hash').where('account', '=', account.id).executeTakeFirst()
      // A parallel request changed it, so the check above is stale.
      if (present !== undefined && before?.hash !== present) throw new Refused('PAYMENT_PASSWORD_WRONG', { field: 'current' })
      await db
        .insertInto('payment_passwords')
        .values({ account: account.id, ...fresh })
        .onConflict((conflict) => conflict.column('account').doUpdateSet(fresh))
        .execute()
      if (before !== undefined) await closeWithdrawals(db, account.id, clock())
      return before !== undefined
    }
    const change = { needs: current === undefined ? ('payment-set' as const) : undefined, action: 'payment-password-set' } as const
    const isChange = await factors.change(change, person, work)
    notices.tell(account, 'payment-set', visitor, { isClosing: isChange })
  }

  /**
   * Asks for the payment password, for a withdrawal.
   *
   * throws  Refused PAYMENT_PASSWORD_UNSET, PAYMENT_PASSWORD_WRONG, PAYMENT_PASSWORD_LOCKED with the seconds to wait
   */
  async require(account: string, digits: string, visitor: Visitor): Promise<void> {
    await this.#check(account, digits, visitor, 'digits')
  }

  /** Returns the hash that the digits belong to. */
  async #check(account: string, digits: string, visitor: Visitor, field: string): Promise<string> {
    const { db, clock, argon } = this.#parts
    const hash = await this.#take(account)
    const isRight = await argon.verify(digits, hash, turnOf({ id: account })).catch(async (error: unknown) => {
      await this.#giveBack(account)
      throw error
    })
    if (!isRight) {
      await record(db, clock, { account, action: 'payment-password-failed', visitor })
      throw new Refused('PAYMENT_PASSWORD_WRONG', { field })
    }
    await this.#forgive(account, hash)
    return hash
  }

  /** Counts a try; the fifth one locks. Returns the hash to compare with. */
  async #take(account: string): Promise<string> {
    const { db, clock } = this.#parts
    const now = clock()
    const counted = sql<number>`case when tries >= ${triesMax} then 1 else tries + 1 end`
    const taken = await db
      .updateTable('payment_passwords')
      .set({
        tries: counted,
        locked_until: sql<number>`case when ${counted} >= ${triesMax} then ${now + lockedMs}::bigint else 0 end`,
      })
      .where('account', '=', account)
      .where('locked_until', '<=', now)
      .returning('hash')
      .executeTakeFirst()
    if (taken) return taken.hash
    const { lockedUntil } = await this.of(account)
    if (lockedUntil === undefined) throw new Refused('PAYMENT_PASSWORD_UNSET')
    throw new Refused('PAYMENT_PASSWORD_LOCKED', { retryAfter: secondsUntil(lockedUntil, now) })
  }

  /** A try that was not compared does not count. */
  async #giveBack(account: string): Promise<void> {
    await this.#parts.db
      .updateTable('payment_passwords')
      .set({ tries: sql<number>`greatest(0, tries - 1)`, locked_until: 0 })
      .where('account', '=', account)
      .execute()
  }

  async #forgive(account: string, hash: string): Promise<void> {
    await this.#parts.db
      .updateTable('payment_passwords')
      .set({ tries: 0, locked_until: 0 })
      .where('account', '=', account)
      .where('hash', '=', hash)
      .execute()
  }
}
