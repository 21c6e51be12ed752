import { hashOf, newRecoveryCode } from '../secret.ts'
import type { IdentityDb } from '../tables.ts'

const count = 10

/** Codes for whoever has lost the factors. Each works once. They have 79 random bits, so their hash reveals none. */
export class RecoveryCodes {
  readonly #db: IdentityDb

  constructor(db: IdentityDb) {
    this.#db = db
  }

  async left(account: string, db: IdentityDb = this.#db): Promise<number> {
    const { left } = await db
      .selectFrom('recovery_codes')
      .select((row) => row.fn.countAll<number>().as('left'))
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
    return left
  }

  /** Replaces all codes of the account. Only this answer has them in clear. */
  async renew(db: IdentityDb, account: string): Promise<readonly string[]> {
    const codes = Array.from({ length: count }, newRecoveryCode)
    await this.remove(db, account)
    await db
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ account, hash: hashOf(plain(code)) })))
      .execute()
    return codes
  }

  /** Whether the code is one of the account's; uses it up. */
  async takes(account: string, code: string, db: IdentityDb = this.#db): Promise<boolean> {
    const taken = await db
      .deleteFrom('recovery_codes')
      .where('account', '=', account)
      .where('hash', '=', hashOf(plain(code)))
      .returning('account')
      .executeTakeFirst()
    return taken !== undefined
  }

  async remove(db: IdentityDb, account: string): Promise<void> {
    await db.deleteFrom('recovery_codes').where('account', '=', account).execute()
  }
}

/** People type codes with and without hyphens, in any case. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase()
}
