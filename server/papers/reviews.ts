import { type PaperField, paperReasons, type PhotoSide, sidesOf, type WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { sql } from 'kysely'
import { stopRegainOf } from '../identity/regain/stop.ts'
import type { Asker, Clock, Owners } from '../ports.ts'
import { Refused } from '../refused.ts'
import { openFile } from './envelope.ts'
import type { Objects } from './objects.ts'
import { fieldsOf, openedOf, type PaperSeals, type PapersRow, photosOf } from './rows.ts'
import type { PaperFields, PapersDb, PapersTables } from './tables.ts'

export type ReviewParts = {
  readonly db: PapersDb
  readonly clock: Clock
  readonly owners: Owners
  readonly seals: PaperSeals
  readonly objects: Objects
  /** Opens, in the core, the products that need certification, by the rules of the document's country. throws Refused */
  readonly certify: (user: UserId, country: string) => Promise<void>
  readonly onFault: (cause: unknown) => void
}

export type ReviewAction =
  | ('papers-opened' | 'papers-claimed' | 'papers-released' | 'papers-seen' | 'papers-certified' | 'papers-rejected')
  | ('revocation-proposed' | 'revocation-approved' | 'revocation-declined')
  | ('regain-opened' | 'regain-seen' | 'regain-proposed' | 'regain-approved' | 'regain-rejected')

/**
 * Who reviews: the name stands in the log, on the claim and in the decision. `note`: writes to the reviewers' own log, in the
 * transaction of the action.
 */
export type Reviewer = {
  readonly name: string
  readonly visitor: Asker['visitor']
  note(tx: PapersDb, action: ReviewAction, papers: string, detail?: Readonly<Record<string, unknown>>, why?: string): Promise<void>
}

export type Waiting = {
  readonly id: string
  readonly account: string
  readonly uid: string
  /** Null, as the country, when the server key doesn't open what was sent. */
  readonly kind: string | null
  readonly country: string | null
  readonly sentAt: number
  readonly claimedBy: string | null
  /** Sendings of this account before this one. */
  readonly earlier: number
}

export type Review = Omit<Waiting, 'kind' | 'country' | 'earlier'> & {
  readonly state: PapersRow['state']
  readonly fields: PaperFields
  readonly photos: readonly { readonly side: PhotoSide; readonly width: number; readonly height: number; readonly at: number }[]
  readonly lang: string
  readonly registeredAt: number
  /** Earlier sendings of the account, newest first. */
  readonly before: readonly {
    readonly id: string
    readonly state: string
    readonly decidedAt: number | null
    readonly faults: readonly WirePaperFault[]
  }[]
  /** Other accounts whose check names the same document. */
  readonly sameDocument: readonly { readonly uid: string; readonly state: string }[]
}

/** A claim that nobody ended by then is nobody's. */
const claimMs = 30 * 60_000
/** Checks that one reviewer holds at a time: the queue is for all of them. */
const claimsMax = 10
const pageSize = 50

/**
 * The reviewers' side of the identity check: who waits, whose turn it is, what the document shows, and the decision. Every look at a
 * photo is in the log before the photo is given out.
 */
export class Reviews {
  readonly #parts: ReviewParts

  constructor(parts: ReviewParts) {
    this.#parts = parts
  }

  async waitingCount(): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
    const { count, oldest } = await this.#parts.db
      .selectFrom('papers')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('sent_at').as('oldest')])
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    return { count: Number(count), oldestAt: oldest ?? null }
  }

  /** Waiting checks, the oldest first; `after`: the last one of the page before. */
  async waiting(after?: Pick<Waiting, 'sentAt' | 'id'>): Promise<readonly Waiting[]> {
    const { db, seals } = this.#parts
    const rows = await db
      .selectFrom('papers')
      .innerJoin('accounts', 'accounts.id', 'papers.account')
      .selectAll('papers')
      .select(['accounts.uid'])
      .select((row) =>
        row
          .selectFrom('papers as older')
          .select((old) => old.fn.countAll<number>().as('n'))
          .whereRef('older.account', '=', 'papers.account')
          .whereRef('older.created_at', '<', 'papers.created_at')
          .as('earlier'),
      )
      .where('papers.state', '=', 'waiting')
      .$if(after !== undefined, (query) =>
        query.where((where) =>
          where.or([
            where('papers.sent_at', '>', after!.sentAt),
            where.and([where('papers.sent_at', '=', after!.sentAt), where('papers.id', '>', after!.id)]),
          ]),
        ),
      )
      .orderBy('papers.sent_at')
      .orderBy('papers.id')
      .limit(pageSize)
      .execute()
    return rows.map((row) => {
      const { kind = null, country = null } = openedOf(row, seals.fields) ?? {}
      const { id, account, uid } = row
      return { id, account, uid, kind, country, sentAt: row.sent_at!, claimedBy: this.#claimOf(row), earlier: Number(row.earlier) }
    })
  }

  /**
   * Takes a check for the reviewer alone, for half an hour; again: for another.
   *
   * throws  Refused NOT_FOUND, CLAIMED, FORBIDDEN for the own check, RATE_LIMITED when the reviewer holds too many
   */
  async claim(id: string, reviewer: Reviewer): Promise<void> {
    const { name } = reviewer
    const now = this.#parts.clock()
    await this.#parts.db.transaction().execute(async (tx) => {
      await refuseOwn(tx, id, reviewer)
      await refuseMore(tx, id, reviewer, now)
      const { numUpdatedRows } = await tx
        .updateTable('papers')
        .set({ claimed_by: name, claimed_at: now })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .where((where) =>
          where.or([where('claimed_by', 'is', null), where('claimed_by', '=', name), where('claimed_at', '<=', now - claimMs)]),
        )
        .executeTakeFirst()
      if (numUpdatedRows === 0n) await this.#refuse(id)
      await reviewer.note(tx, 'papers-claimed', id)
    })
  }

  /** Gives a check back. Does nothing when it is not the reviewer's. */
  async release(id: string, reviewer: Reviewer): Promise<void> {
    await this.#parts.db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('papers')
        .set({ claimed_by: null, claimed_at: null })
        .where('id', '=', id)
        .where('claimed_by', '=', reviewer.name)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await reviewer.note(tx, 'papers-released', id)
    })
  }

  /** A check with what its document says. The look is in the reviewers' log first. throws  Refused NOT_FOUND */
  async open(id: string, reviewer: Reviewer): Promise<Review> {
    const review = await this.get(id)
    await reviewer.note(this.#parts.db, 'papers-opened', id)
    return review
  }

  /** throws  Refused NOT_FOUND */
  async get(id: string): Promise<Review> {
    const { db, seals } = this.#parts
    const row = await db.selectFrom('papers').selectAll().where('id', '=', id).where('state', '<>', 'draft').executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', row.account).executeTakeFirstOrThrow()
    const before = await db
      .selectFrom('papers')
      .select(['id', 'state', 'decided_at as decidedAt', 'faults'])
      .where('account', '=', row.account)
      .where('created_at', '<', row.created_at)
      .orderBy('created_at', 'desc')
      .limit(20)
      .execute()
    const sameDocument = await db
      .selectFrom('papers')
      .innerJoin('accounts', 'accounts.id', 'papers.account')
      .select(['accounts.uid', 'papers.state'])
      .distinct()
      .where('papers.tag', '=', row.tag)
      .where('papers.account', '<>', row.account)
      .limit(20)
      .execute()
    const photos = await photosOf(db, id)
    return {
      ...{ id, account: row.account, uid: account.uid, state: row.state, sentAt: row.sent_at!, claimedBy: this.#claimOf(row) },
      ...{ fields: fieldsOf(row, seals.fields), lang: account.lang, registeredAt: account.created_at, before, sameDocument },
      photos: photos.map(({ side, width, height, created_at: at }) => ({ side, width, height, at })),
    }
  }

  /** A photo of a check that was sent, for the reviewer who has claimed it. The look is in the log first. throws  Refused NOT_FOUND, CLAIMED */
  async photo(id: string, side: PhotoSide, reviewer: Reviewer): Promise<Buffer> {
    const { db, objects, owners, seals } = this.#parts
    const photo = (await photosOf(db, id)).find((one) => one.side === side)
    const file = photo && (await objects.get(photo.object))
    await db.transaction().execute(async (tx) => {
      const row = await this.#claimed(tx, id, reviewer)
      if (file === undefined) throw new Refused('NOT_FOUND')
      const detail = { papers: id, side, by: reviewer.name }
      await owners.log<PapersTables>(tx, { account: row.account, visitor: reviewer.visitor, action: 'papers-seen', detail })
      await reviewer.note(tx, 'papers-seen', id, { side })
    })
    const { key, object } = photo!
    return openFile({ file: file!, key }, seals.photos, object)
  }

  /**
   * Certifies the account of a claimed check. The database lets a document certify one account only.
   *
   * throws  Refused NOT_FOUND, CLAIMED, PAPERS_IN_USE
   */
  async certify(id: string, reviewer: Reviewer): Promise<void> {
    const { country } = (await this.get(id)).fields
    const account = await this.#decide(id, reviewer, 'certified', []).catch((cause: unknown) => {
      if ((cause as { constraint?: string }).constraint === 'papers_in_use') throw new Refused('PAPERS_IN_USE')
      throw cause
    })
    // The core is told by `finish` if it can't be now.
    if (account.core_user !== null) await this.#parts.certify(account.core_user as UserId, country!)
  }

  /** Tells the core about certificates that it did not learn of, because it or this process was away. Does nothing for others. */
  async finish(): Promise<void> {
    const { db, certify, seals, onFault } = this.#parts
    const rows = await db
      .selectFrom('papers')
      .innerJoin('accounts', 'accounts.id', 'papers.account')
      .innerJoin('core_users', 'core_users.user_id', 'accounts.core_user')
      .select(['papers.fields', 'papers.account', 'core_users.user_id'])
      .where('papers.state', '=', 'certified')
      .where('core_users.is_certified', '=', false)
      .execute()
    // One that fails stops no other, and no start of the gateway.
    for (const row of rows)
      try {
        await certify(row.user_id as UserId, fieldsOf(row, seals.fields).country!)
      } catch (cause) {
        onFault(cause)
      }
  }

  /** The country of the newest document that was certified for an account, also if the certificate was revoked. */
  async countryOf(account: string): Promise<string | undefined> {
    const { db, seals } = this.#parts
    const row = await db
      .selectFrom('papers')
      .select(['fields', 'account'])
      .where('account', '=', account)
      .where('state', 'in', ['certified', 'revoked'])
      .orderBy('decided_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && (fieldsOf(row, seals.fields).country ?? undefined)
  }

  /** Turns a claimed check down, with a reason for each part at fault. throws  Refused NOT_FOUND, CLAIMED, FIELD_INVALID */
  async reject(id: string, faults: readonly WirePaperFault[], reviewer: Reviewer): Promise<void> {
    const { kind } = (await this.get(id)).fields
    const parts = new Set(faults.map(({ field }) => field))
    if (faults.length === 0 || parts.size < faults.length || faults.some((fault) => !isFault(fault, sidesOf(kind!))))
      throw new Refused('FIELD_INVALID', { field: 'faults' })
    await this.#decide(id, reviewer, 'rejected', faults)
  }

  /** Records the decision, and tells the customer. */
  async #decide(id: string, reviewer: Reviewer, state: 'certified' | 'rejected', faults: readonly WirePaperFault[]) {
    const { db, clock, owners, onFault } = this.#parts
    const account = await db.transaction().execute(async (tx) => {
      const { account: owner } = await this.#claimed(tx, id, reviewer)
      await tx
        .updateTable('papers')
        .set({ state, decided_at: clock(), decided_by: reviewer.name, faults: JSON.stringify(faults) })
        .where('id', '=', id)
        .execute()
      const row = await tx.selectFrom('accounts').selectAll().where('id', '=', owner).forUpdate().executeTakeFirstOrThrow()
      if (state === 'certified' || row.certification === 'in-progress')
        await tx
          .updateTable('accounts')
          .set({ certification: state === 'certified' ? 'certified' : 'none' })
          .where('id', '=', owner)
          .execute()
      if (state === 'certified') await stopRegainOf<PapersTables>(tx, clock, owner)
      const action = state === 'certified' ? 'certified' : 'papers-rejected'
      await owners.log<PapersTables>(tx, { account: owner, visitor: reviewer.visitor, action, detail: { papers: id, by: reviewer.name } })
      await reviewer.note(tx, state === 'certified' ? 'papers-certified' : 'papers-rejected', id, { faults })
      return row
    })
    owners.tell(account.id, state === 'certified' ? 'papers-verified' : 'papers-rejected', {}).catch(onFault)
    return account
  }

  /** The check, locked, if the reviewer has claimed it. */
  async #claimed(db: PapersDb, id: string, reviewer: Reviewer): Promise<PapersRow> {
    const { name } = reviewer
    const row = await db.selectFrom('papers').selectAll().where('id', '=', id).where('state', '=', 'waiting').forUpdate().executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    if (this.#claimOf(row) !== name) throw new Refused('CLAIMED')
    await refuseOwn(db, id, reviewer)
    return row
  }

  #claimOf({ claimed_by: by, claimed_at: at }: Pick<PapersRow, 'claimed_by' | 'claimed_at'>): string | null {
    return at !== null && this.#parts.clock() - at < claimMs ? by : null
  }

  async #refuse(id: string): Promise<never> {
    const row = await this.#parts.db.selectFrom('papers').select('state').where('id', '=', id).executeTakeFirst()
    throw new Refused(row?.state === 'waiting' ? 'CLAIMED' : 'NOT_FOUND')
  }
}

/** A check of an account with the reviewer's address, or that the reviewer declared. throws  Refused FORBIDDEN */
async function refuseOwn(db: PapersDb, id: string, { name }: Reviewer): Promise<void> {
  const { rows } = await sql`
    select from papers p join accounts a on a.id = p.account where p.id = ${id} and (a.email = ${name} or exists (
      select from staff_marks m join staff s on s.id = m.staff where m.account = a.id and s.email = ${name}))`.execute(db)
  if (rows.length > 0) throw new Refused('FORBIDDEN')
}

/** Parallel claims of one reviewer wait for each other. throws  Refused RATE_LIMITED when the reviewer holds too many others */
async function refuseMore(db: PapersDb, id: string, { name }: Reviewer, now: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('papers-claimed'), hashtext(${name}))`.execute(db)
  const { count, first } = await db
    .selectFrom('papers')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('claimed_at').as('first')])
    .where('state', '=', 'waiting')
    .where('claimed_by', '=', name)
    .where('claimed_at', '>', now - claimMs)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= claimsMax) throw new Refused('RATE_LIMITED', { retryAfter: (Number(first) + claimMs - now) / 1_000 })
}

function isFault({ field, reason }: WirePaperFault, sides: readonly PhotoSide[]): boolean {
  const reasons: readonly string[] = Object.hasOwn(paperReasons, field) ? paperReasons[field as PaperField] : []
  return reasons.includes(reason) && ((field !== 'front' && field !== 'back') || sides.includes(field))
}
