import { randomUUID } from 'node:crypto'
import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { Selectable } from 'kysely'
import { Refused } from '../refused.ts'
import type { Address } from './address.ts'
import { newInvitation, newUid } from './secret.ts'
import type { AccountTable, IdentityDb } from './tables.ts'

export type Account = Selectable<AccountTable>
export type Inviter = { readonly id: string; readonly coreUser: number }

export type NewAccount = {
  readonly address: Address
  /** PHC string. */
  readonly password: string
  readonly lang: string
  readonly class: UserClass
  readonly isCertified?: boolean | undefined
  readonly inviter?: Inviter | undefined
  /** Country of residence, declared together with the age. */
  readonly residence?: string | undefined
  readonly now: number
}

/** Account rows of users, and how each gets its user in the core. */
export class Accounts {
  readonly #db: IdentityDb
  readonly #submit: Submit

  constructor(db: IdentityDb, submit: Submit) {
    this.#db = db
    this.#submit = submit
  }

  async find({ channel, value }: Address): Promise<Account | undefined> {
    return this.#db.selectFrom('accounts').selectAll().where(channel, '=', value).executeTakeFirst()
  }

  async get(id: string, db: IdentityDb = this.#db): Promise<Account> {
    return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }

  /** A firm's account has a code that nobody is told, and invites nobody. */
  async inviter(code: string): Promise<(Inviter & Pick<Account, 'email' | 'phone' | 'invitation_code'>) | undefined> {
    const row = await this.#db
      .selectFrom('accounts')
      .select(['id', 'core_user', 'email', 'phone', 'invitation_code'])
      .where('invitation_code', '=', code.toUpperCase())
      .where('firm', 'is', null)
      .executeTakeFirst()
    return row && row.core_user !== null ? { ...row, coreUser: row.core_user } : undefined
  }

  /** Creates an account; undefined when the address already has one. Of parallel registrations exactly one succeeds. */
  async insert(db: IdentityDb, { address, inviter, now, ...given }: NewAccount): Promise<Account | undefined> {
    for (;;) {
      const row = await db
        .insertInto('accounts')
        .values({
          id: randomUUID(),
          uid: newUid(),
          core_user: null,
          email: address.channel === 'email' ? address.value : null,
          phone: address.channel === 'phone' ? address.value : null,
          password: given.password,
          password_changed_at: now,
          lang: given.lang,
          invitation_code: newInvitation(),
          referrer: inviter?.id ?? null,
          referrer_user: inviter?.coreUser ?? 0,
          class: given.class,
          certification: given.isCertified ? 'certified' : 'none',
          created_at: now,
          ...(given.residence === undefined ? {} : { residence: given.residence, declared_at: now, is_home_due: true }),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      if (row) return row
      const taken = await db.selectFrom('accounts').select('id').where(address.channel, '=', address.value).executeTakeFirst()
      if (taken) return undefined
      // Otherwise the UID or the invitation code was taken: generate both again.
    }
  }

  /**
   * The account's number in the core; opens the user when there is none yet. The request id is the account's own id, so asking
   * twice (a crash, an unknown outcome, two logins at once) opens one user.
   *
   * throws  what `Submit` throws; Refused with the core's refusal
   */
  async open(account: Account): Promise<number> {
    if (account.core_user !== null) return account.core_user
    const outcome = await this.#submit({
      type: 'user.open',
      requestId: account.id,
      class: account.class,
      referrer: account.referrer_user as UserId,
    })
    if (outcome.refusal !== undefined) throw new Refused(outcome.refusal)
    await this.#db
      .updateTable('accounts')
      .set({ core_user: outcome.user })
      .where('id', '=', account.id)
      .where('core_user', 'is', null)
      .execute()
    return outcome.user
  }
}

const day = 86_400_000

/** Part of a change of the account's protection: for a day, no withdrawal leaves it. */
export async function closeWithdrawals(db: IdentityDb, account: string, now: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set((row) => ({ withdrawals_closed_until: row.fn<number>('greatest', ['withdrawals_closed_until', row.val(now + day)]) }))
    .where('id', '=', account)
    .execute()
}

/** The address of the account's messages: its email address, otherwise its phone number. */
export function addressOf(account: Pick<Account, 'email' | 'phone'>): Address {
  return account.email !== null ? { channel: 'email', value: account.email } : { channel: 'phone', value: account.phone ?? '' }
}

export function addressesOf(account: Pick<Account, 'email' | 'phone'>): readonly Address[] {
  const addresses: Address[] = []
  if (account.email !== null) addresses.push({ channel: 'email', value: account.email })
  if (account.phone !== null) addresses.push({ channel: 'phone', value: account.phone })
  return addresses
}
