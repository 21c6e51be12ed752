import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmAddress, WireFirmMemberWish, WireFirmWithdrawal } from '@candor/core/protocol/wire/firm/requests.ts'
import { sql } from 'kysely'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Members } from '../members.ts'
import { type By, end, standingOf } from './steps.ts'
import { asFirmDb, type RequestDb, type RequestRow } from './tables.ts'
import type { FirmWishes, WishParts } from './wishes.ts'

export type CarrierParts = WishParts & {
  readonly clock: Clock
  readonly wishes: FirmWishes
  readonly members: Pick<Members, 'applyMember'>
  readonly onFault: (cause: unknown) => void
}

/** Refusals that say nothing about the request: it is tried again. */
const passing: ReadonlySet<Refusal> = new Set<Refusal>(['UNAVAILABLE', 'STATUS_UNKNOWN', 'CLOCK_UNSYNCED', 'RATE_LIMITED'])
/** Requests that one turn looks at. */
const turnMax = 50
/** Namespace of the locks, one for each request that is being carried out. */
const lockSpace = 0x6669726d

/**
 * Carries out approved requests, each once and by one process at a time: the request's id is the name under which the core, and the tables,
 * take what was approved. So a step that a process left undone is repeated without a second effect.
 */
export class Carrier {
  readonly #parts: CarrierParts
  /** One at a time: each holds a connection and needs another, so that many at once would wait for each other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: CarrierParts) {
    this.#parts = parts
  }

  /** Carries out one request, unless another process is at it. What can't be carried out fails, with the reason. */
  carry(id: string, by: By = {}): Promise<void> {
    const turn = this.#turn.then(() => this.#alone(id, by))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #alone(id: string, by: By): Promise<void> {
    await this.#parts.db.connection().execute(async (held) => {
      const { rows } = await sql<{ isMine: boolean }>`select pg_try_advisory_lock(${lockSpace}, hashtext(${id})) as "isMine"`.execute(held)
      if (rows[0]?.isMine !== true) return
      try {
        await this.#carry(id, by)
      } finally {
        await sql`select pg_advisory_unlock(${lockSpace}, hashtext(${id}))`.execute(held)
      }
    })
  }

  /** Finishes what a process left undone, and ends requests whose time is over. */
  async mend(): Promise<void> {
    const { db, onFault } = this.#parts
    const waiting = db.selectFrom('firm_requests').select('id').limit(turnMax)
    for (const { id } of await waiting.where('state', '=', 'approved').execute()) await this.carry(id).catch(onFault)
    const isOver = sql<boolean>`expires_at <= firm_now()`
    for (const { id } of await waiting.where('state', '=', 'open').where(isOver).execute()) await this.#expire(id).catch(onFault)
  }

  async #carry(id: string, by: By): Promise<void> {
    const row = await this.#parts.db.selectFrom('firm_requests').selectAll().where('id', '=', id).executeTakeFirst()
    if (row?.state !== 'approved') return
    try {
      if (row.kind === 'withdrawal') await this.#withdraw(row, by)
      else await this.#change(row, by)
    } catch (cause) {
      const reason = cause instanceof Refused ? cause.refusal : isRaised(cause) ? 'FIRM_RULE' : undefined
      if (reason === undefined || passing.has(reason)) throw cause
      await this.#in(row, (tx) => end(tx, row, { state: 'failed', reason }, by, this.#parts.clock()))
    }
  }

  /** The wish is written, and then the core is asked. Once it is written, the approvals have had their effect. */
  async #withdraw(row: RequestRow, by: By): Promise<void> {
    const { db, wishes, readWithdrawal, clock } = this.#parts
    const written = await db
      .selectFrom('withdrawal_wishes')
      .select('withdrawal')
      .where('account', '=', row.account)
      .where('client_id', '=', row.id)
      .executeTakeFirst()
    if (written === undefined) await this.#requireHolds(db, row)
    // Once it is written, the core may have taken it already: its answer alone says so, also while the account is frozen.
    const main = await wishes.mainOf(row.firm, { mayBeFrozen: written !== undefined })
    const asked = readWithdrawal(row.id, row.payload as unknown as WireFirmWithdrawal)
    const { id } = await wishes.withdrawals().requestForFirm(asked, main, db)
    await this.#in(row, (tx) => end(tx, row, { state: 'done', withdrawal: Number(id) }, by, clock()))
  }

  /** What is in the tables alone changes in one transaction with the request. */
  async #change(row: RequestRow, by: By): Promise<void> {
    const { clock, wishes } = this.#parts
    if (row.kind === 'address') await wishes.mainOf(row.firm)
    const announce = await this.#in(row, async (tx) => {
      await this.#requireHolds(tx, row)
      const announced = await this.#apply(tx, row, by)
      await end(tx, row, { state: 'done' }, by, clock())
      return announced
    })
    announce()
  }

  async #apply(tx: RequestDb, row: RequestRow, by: By): Promise<() => void> {
    const { book, members } = this.#parts
    const { id, firm } = row
    const payload: unknown = row.payload
    if (row.kind === 'address') await book.addForFirm(tx, row.account!, id, payload as WireFirmAddress, row.sealed)
    else if (row.kind === 'rule') await insertRule(tx, row, payload as WireFirmRule)
    else {
      const { announce } = await members.applyMember(asFirmDb(tx), firm, payload as WireFirmMemberWish, by)
      return announce
    }
    return () => undefined
  }

  async #requireHolds(db: RequestDb, { id }: RequestRow): Promise<void> {
    if (!(await standingOf(db, id)).holds) throw new Refused('FIRM_RULE')
  }

  async #expire(id: string): Promise<void> {
    const row = await this.#parts.db.selectFrom('firm_requests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await this.#in(row, (tx) => end(tx, row, { state: 'expired' }, {}, this.#parts.clock()))
  }

  /** Locks the firm and then its account: whoever holds the firm writes rows that refer to the account. */
  #in<Result>({ account, firm }: RequestRow, work: (tx: RequestDb) => Promise<Result>): Promise<Result> {
    return this.#parts.db.transaction().execute(async (tx) => {
      await sql`select from firms where id = ${firm} for update`.execute(tx)
      if (account !== null) await sql`select from accounts where id = ${account} for update`.execute(tx)
      return work(tx)
    })
  }
}

/** Whether the database's own rule refused it. */
function isRaised(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'P0001'
}

async function insertRule(tx: RequestDb, { id, firm }: RequestRow, { bands, addressPeople }: WireFirmRule): Promise<void> {
  const { version } = await tx
    .selectFrom('firm_rules')
    .select((row) => row.fn.max('version').as('version'))
    .where('firm', '=', firm)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ approvers: number }>`select firm_approvers(${firm}) as approvers`.execute(tx)
  if (rows[0]!.approvers < Math.max(addressPeople, ...bands.map(({ people }) => people))) throw new Refused('FIRM_RULE')
  await tx
    .insertInto('firm_rules')
    .values({ firm, version: version + 1, bands: JSON.stringify(bands), address_people: addressPeople, request: id, most: 50, made_at: 0 })
    .execute()
}
