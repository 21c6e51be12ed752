import { randomUUID } from 'node:crypto'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { FirmAccountKind } from '@candor/core/protocol/wire/firm/firm.ts'
import { newInvitation, newUid } from '../identity/secret.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { writeFirmLog } from './log.ts'
import type { FirmDb, FirmRow } from './tables.ts'

export type OpeningParts = {
  readonly db: FirmDb
  readonly clock: Clock
  readonly submit: Submit
  readonly onFault: (cause: unknown) => void
}

export type NewFirmAccount = {
  readonly firm: Pick<FirmRow, 'id' | 'country'>
  readonly kind: FirmAccountKind
  readonly label: string
  /** The personal account of whoever made it. */
  readonly madeBy: string
}

type Due = {
  readonly account: string
  readonly firm: string
  readonly kind: FirmAccountKind
  readonly country: string
  readonly core_user: number | null
  readonly main_user: number | null
}

/**
 * Opens accounts of firms in the core. The row comes first; each command after it has no second effect, so that what a process left
 * unfinished is finished by `finish`, and `is_open` tells when everything is there.
 */
export class Openings {
  readonly #parts: OpeningParts

  constructor(parts: OpeningParts) {
    this.#parts = parts
  }

  /** Stores an account that nobody can log in to: it has no address, and no password is right. Returns its id. */
  async insert(tx: FirmDb, { firm, kind, label, madeBy }: NewFirmAccount): Promise<string> {
    const now = this.#parts.clock()
    const id = randomUUID()
    for (;;) {
      const added = await tx
        .insertInto('accounts')
        .values({
          ...{ id, uid: newUid(), core_user: null, email: null, phone: null, password: '', password_changed_at: now, lang: 'en' },
          ...{ invitation_code: newInvitation(), referrer: null, class: 'retail', certification: 'none', created_at: now },
          ...{ residence: firm.country, declared_at: now, firm: firm.id },
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      // Otherwise the UID or the invitation code was taken.
      if (added) break
    }
    await tx.insertInto('firm_accounts').values({ account: id, firm: firm.id, kind, label, made_by: madeBy, made_at: now }).execute()
    return id
  }

  /** Opens what waits; if the core is away, later. */
  async finish(): Promise<void> {
    for (const due of await this.#due()) await this.#open(due).catch(this.#parts.onFault)
  }

  /** The main account of each firm first: the others join it. */
  async #due(): Promise<readonly Due[]> {
    return this.#parts.db
      .selectFrom('firm_accounts')
      .innerJoin('accounts', 'accounts.id', 'firm_accounts.account')
      .innerJoin('firms', 'firms.id', 'firm_accounts.firm')
      .innerJoin('firm_accounts as main', (join) => join.onRef('main.firm', '=', 'firm_accounts.firm').on('main.kind', '=', 'main'))
      .innerJoin('accounts as of_main', 'of_main.id', 'main.account')
      .select(['firm_accounts.account', 'firm_accounts.firm', 'firm_accounts.kind', 'firms.country'])
      .select(['accounts.core_user', 'of_main.core_user as main_user'])
      .where('firm_accounts.is_open', '=', false)
      .orderBy('firm_accounts.kind')
      .orderBy('firm_accounts.made_at')
      .execute()
  }

  async #open({ account, firm, kind, country, core_user: known, main_user: mainUser }: Due): Promise<void> {
    const { db, clock } = this.#parts
    const user = known ?? (await this.#openUser(account))
    const main = kind === 'main' ? user : mainUser
    if (main === null) return
    // The region first, so that nothing opens by the rules of another country.
    await this.#tell({ type: 'user.locate', user: user as UserId, region: country })
    await this.#tell({ type: 'user.certify', user: user as UserId, isCertified: true })
    await this.#tell({ type: 'firm.join', user: user as UserId, main: main as UserId })
    await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('firm_accounts')
        .set({ is_open: true })
        .where('account', '=', account)
        .where('is_open', '=', false)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      await tx.updateTable('accounts').set({ certification: 'certified' }).where('id', '=', account).execute()
      await writeFirmLog(tx, clock(), { firm, account, action: 'account-opened', detail: { kind } })
    })
  }

  /** The account's own id is the request's: asking twice opens one user. */
  async #openUser(account: string): Promise<number> {
    const { db, submit } = this.#parts
    const { refusal, user } = await submit({ type: 'user.open', requestId: account, class: 'retail', referrer: 0 as UserId })
    if (refusal !== undefined) throw new Refused(refusal)
    await db.updateTable('accounts').set({ core_user: user }).where('id', '=', account).where('core_user', 'is', null).execute()
    return user
  }

  async #tell(command: Command): Promise<void> {
    const { refusal } = await this.#parts.submit(command)
    if (refusal !== undefined) throw new Refused(refusal)
  }
}
