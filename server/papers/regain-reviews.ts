import type { PhotoSide } from '@candor/core/protocol/wire/papers.ts'
import type { RegainState } from '@candor/core/protocol/wire/regain.ts'
import { type Selectable, sql } from 'kysely'
import type { RegainTable } from '../identity/tables.ts'
import { areActing } from '../four-eyes.ts'
import type { Clock, Owners } from '../ports.ts'
import { Refused } from '../refused.ts'
import { openFile } from './envelope.ts'
import type { Objects } from './objects.ts'
import type { Revoker } from './revocations.ts'
import { fieldsOf, type PaperSeals } from './rows.ts'
import type { PaperFields, PapersDb, PapersTables } from './tables.ts'

export type RegainReviewParts = {
  readonly db: PapersDb
  readonly clock: Clock
  readonly owners: Owners
  readonly seals: PaperSeals
  readonly objects: Objects
  /** How long an approved request waits. */
  readonly waitMs: number
  readonly onFault: (cause: unknown) => void
}

export type RegainProposal = { readonly by: string; readonly at: number; readonly reason: string }
export type RegainWaiting = {
  readonly id: string
  readonly uid: string
  readonly state: RegainState
  readonly sentAt: number
  readonly dueAt: number | null
  readonly isFrozen: boolean
  readonly proposal: RegainProposal | null
}

/** One document as it was typed, with its photos. */
export type ShownDocument = {
  readonly fields: PaperFields
  readonly photos: readonly { readonly side: PhotoSide; readonly width: number; readonly height: number; readonly at: number }[]
}

export type RegainReview = RegainWaiting & {
  readonly createdAt: number
  readonly device: string
  readonly ip: string
  readonly lang: string
  readonly registeredAt: number
  /** The document that was sent now, and the certified one; null if its certificate was revoked meanwhile. */
  readonly now: ShownDocument
  readonly original: (ShownDocument & { readonly certifiedAt: number }) | null
  readonly matches: { readonly document: boolean; readonly name: boolean; readonly born: boolean }
  /** Requests of this account before this one. */
  readonly earlier: number
}

type Row = Selectable<RegainTable>
const shownMax = 200

/**
 * The reviewers' side of requests for access without the second factors. One compares the document with the certified one and proposes
 * with a reason, another approves; the database checks both, and that kind, country and number are the same. Each alone may decline.
 */
export class RegainReviews {
  readonly #parts: RegainReviewParts

  constructor(parts: RegainReviewParts) {
    this.#parts = parts
  }

  /** Those to be compared, the oldest first, and then those that wait for their time. */
  async list(): Promise<readonly RegainWaiting[]> {
    const rows = await this.#parts.db
      .selectFrom('regains')
      .innerJoin('accounts', 'accounts.id', 'regains.account')
      .selectAll('regains')
      .select(['accounts.uid', 'accounts.frozen_at'])
      .where('regains.state', 'in', ['sent', 'waiting', 'ready'])
      .where('regains.sent_at', 'is not', null)
      .orderBy(sql`regains.state <> 'sent'`)
      .orderBy('regains.sent_at')
      .limit(shownMax)
      .execute()
    return rows.map((row) => waitingOf(row, row))
  }

  /** One request with both documents. The look is in the staff's log first. throws  Refused NOT_FOUND, FORBIDDEN for the own request */
  async open(id: string, reviewer: Revoker): Promise<RegainReview> {
    const { db, seals } = this.#parts
    const row = await sentRow(db, id)
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', row.account).executeTakeFirstOrThrow()
    await refuseOwn(db, account, reviewer)
    const now = fieldsOf(row, seals.fields)
    const certified = await certifiedOf(db, row.account)
    const original = certified && fieldsOf(certified, seals.fields)
    const { count } = await db
      .selectFrom('regains')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('account', '=', row.account)
      .where('created_at', '<', row.created_at)
      .executeTakeFirstOrThrow()
    const photos = await db.selectFrom('regain_photos').selectAll().where('regain', '=', id).orderBy('side', 'desc').execute()
    const before = certified
      ? await db.selectFrom('paper_photos').selectAll().where('papers', '=', certified.id).orderBy('side', 'desc').execute()
      : []
    await reviewer.note(db, 'regain-opened', id)
    return {
      ...waitingOf(row, account),
      ...{ createdAt: row.created_at, device: row.device, ip: row.ip, lang: account.lang, registeredAt: account.created_at },
      now: { fields: now, photos: photos.map(shownPhoto) },
      original: original === undefined ? null : { fields: original, photos: before.map(shownPhoto), certifiedAt: certified!.decided_at! },
      matches: {
        document: certified?.tag != null && row.tag!.equals(certified.tag),
        name: original !== undefined && plainName(now.name) === plainName(original.name),
        born: original !== undefined && now.born === original.born,
      },
      earlier: Number(count),
    }
  }

  /** A photo of either document. The look is in both logs before the photo is given out. throws  Refused NOT_FOUND, FORBIDDEN */
  async photo(id: string, which: 'now' | 'original', side: PhotoSide, reviewer: Revoker): Promise<Buffer> {
    const { db, objects, owners, seals } = this.#parts
    const row = await sentRow(db, id)
    // Only as long as there is something to decide.
    if (row.state !== 'sent') throw new Refused('NOT_FOUND')
    const account = await db.selectFrom('accounts').select(['id', 'email']).where('id', '=', row.account).executeTakeFirstOrThrow()
    await refuseOwn(db, account, reviewer)
    const certified = which === 'original' ? await certifiedOf(db, row.account) : undefined
    const photo =
      which === 'now'
        ? await db.selectFrom('regain_photos').selectAll().where('regain', '=', id).where('side', '=', side).executeTakeFirst()
        : certified &&
          (await db.selectFrom('paper_photos').selectAll().where('papers', '=', certified.id).where('side', '=', side).executeTakeFirst())
    const file = photo && (await objects.get(photo.object))
    if (file === undefined) throw new Refused('NOT_FOUND')
    await db.transaction().execute(async (tx) => {
      const detail = { side, which, by: reviewer.name }
      await owners.log<PapersTables>(tx, { account: row.account, visitor: reviewer.visitor, action: 'regain-seen', detail })
      await reviewer.note(tx, 'regain-seen', id, { side, which })
    })
    return openFile({ file, key: photo!.key }, seals.photos, photo!.object)
  }

  /** Proposes to give access. throws  Refused NOT_FOUND, FORBIDDEN, STAFF_EXISTS while one is open, REGAIN_DIFFERS */
  async propose(id: string, reason: string, reviewer: Revoker): Promise<void> {
    const { clock } = this.#parts
    await this.#decide(id, reviewer, async (tx, row) => {
      if (row.proposed_by !== null) throw new Refused('STAFF_EXISTS')
      await this.#requireSame(tx, row)
      await tx
        .updateTable('regains')
        .set({ proposed_by: reviewer.id, proposer: reviewer.name, proposed_at: clock(), reason })
        .where('id', '=', id)
        .execute()
      await reviewer.note(tx, 'regain-proposed', id, undefined, reason)
    })
  }

  /**
   * Approves what somebody else proposed: the waiting time begins. For a frozen account the document is confirmed and nothing else
   * happens, because its way back is the end of the freeze.
   *
   * throws  Refused NOT_FOUND, FORBIDDEN, PROPOSAL_CLOSED, SECOND_PERSON_NEEDED, REGAIN_DIFFERS
   */
  async approve(id: string, reviewer: Revoker): Promise<void> {
    const { clock, owners, waitMs, onFault } = this.#parts
    const { row, dueAt } = await this.#decide(id, reviewer, async (tx, before) => {
      if (before.proposed_by === null) throw new Refused('PROPOSAL_CLOSED')
      if (before.proposed_by === reviewer.id) throw new Refused('SECOND_PERSON_NEEDED')
      const areReviewing = await areActing(tx, [before.proposed_by, reviewer.id], ['compliance'])
      if (!areReviewing) throw new Refused('PROPOSAL_CLOSED')
      await this.#requireSame(tx, before)
      const now = clock()
      const decided = { decided_by: reviewer.id, decider: reviewer.name, decided_at: now }
      const next = before.isFrozen
        ? ({ state: 'confirmed', ended_at: now, ended_by: 'staff' } as const)
        : ({ state: 'waiting', due_at: now + waitMs, told_at: now } as const)
      await tx
        .updateTable('regains')
        .set({ ...decided, ...next })
        .where('id', '=', id)
        .execute()
      const detail = { by: reviewer.name }
      await owners.log<PapersTables>(tx, { account: before.account, visitor: reviewer.visitor, action: 'regain-approved', detail })
      await reviewer.note(tx, 'regain-approved', id, undefined, before.reason!)
      return { row: before, dueAt: before.isFrozen ? undefined : now + waitMs }
    })
    if (dueAt === undefined) return
    const values = { until: String(dueAt), device: row.device, ip: row.ip, time: String(row.created_at) }
    owners.warn(row.account, 'regain-begun', { ip: row.ip, userAgent: '' }, values).catch(onFault)
  }

  /** One member declines the request, whether somebody proposed it or not. throws  Refused NOT_FOUND, FORBIDDEN */
  async reject(id: string, reason: string, reviewer: Revoker): Promise<void> {
    const { clock, owners, onFault } = this.#parts
    const { account } = await this.#decide(id, reviewer, async (tx, row) => {
      const now = clock()
      await tx
        .updateTable('regains')
        .set({
          ...{ state: 'rejected', ended_at: now, ended_by: 'staff', proposed_by: null, proposer: null, proposed_at: null },
          ...{ decided_by: reviewer.id, decider: reviewer.name, decided_at: now, reason },
        })
        .where('id', '=', id)
        .execute()
      const detail = { by: reviewer.name }
      await owners.log<PapersTables>(tx, { account: row.account, visitor: reviewer.visitor, action: 'regain-rejected', detail })
      await reviewer.note(tx, 'regain-rejected', id, undefined, reason)
      return row
    })
    owners.tell(account, 'regain-rejected', {}).catch(onFault)
  }

  /** Runs in a transaction with the account's row and then the request's locked. */
  async #decide<R>(id: string, reviewer: Revoker, work: (tx: PapersDb, row: Row & { isFrozen: boolean }) => Promise<R>): Promise<R> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const { account: owner } = await sentRow(tx, id)
      const account = await tx.selectFrom('accounts').selectAll().where('id', '=', owner).forUpdate().executeTakeFirstOrThrow()
      await refuseOwn(tx, account, reviewer)
      const row = await tx.selectFrom('regains').selectAll().where('id', '=', id).where('state', '=', 'sent').forUpdate().executeTakeFirst()
      if (!row) throw new Refused('NOT_FOUND')
      return work(tx, { ...row, isFrozen: account.frozen_at !== null })
    })
  }

  /** Kind, country and number by their tag; the name as both were typed. throws  Refused REGAIN_DIFFERS */
  async #requireSame(tx: PapersDb, row: Row): Promise<void> {
    const { fields: seal } = this.#parts.seals
    const certified = await certifiedOf(tx, row.account)
    const isSame =
      certified?.tag != null &&
      row.tag!.equals(certified.tag) &&
      plainName(fieldsOf(row, seal).name) === plainName(fieldsOf(certified, seal).name)
    if (!isSame) throw new Refused('REGAIN_DIFFERS')
  }
}

async function sentRow(db: PapersDb, id: string): Promise<Row> {
  const row = await db.selectFrom('regains').selectAll().where('id', '=', id).where('sent_at', 'is not', null).executeTakeFirst()
  if (!row) throw new Refused('NOT_FOUND')
  return row
}

async function certifiedOf(db: PapersDb, account: string) {
  return db.selectFrom('papers').selectAll().where('account', '=', account).where('state', '=', 'certified').executeTakeFirst()
}

function waitingOf(row: Row, { uid, frozen_at: frozenAt }: { readonly uid: string; readonly frozen_at: number | null }): RegainWaiting {
  const { id, state, proposer: by, proposed_at: at, reason } = row
  const proposal = by === null ? null : { by, at: at!, reason: reason! }
  return { id, uid, state, sentAt: row.sent_at!, dueAt: row.due_at, isFrozen: frozenAt !== null, proposal }
}

type Photo = { readonly side: PhotoSide; readonly width: number; readonly height: number; readonly created_at: number }
const shownPhoto = ({ side, width, height, created_at: at }: Photo) => ({ side, width, height, at })

/** A name without what people write in different ways: `Müller, Jörg` is `MULLER JORG`. */
export function plainName(name = ''): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '')
  return letters
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toUpperCase()
}

/** A customer with the reviewer's address, or whom the reviewer declared to be. throws  Refused FORBIDDEN */
async function refuseOwn(db: PapersDb, own: { readonly id: string; readonly email: string | null }, { id, name }: Revoker): Promise<void> {
  if (own.email === name) throw new Refused('FORBIDDEN')
  const { rows } = await sql`select from staff_marks where account = ${own.id} and staff = ${id}`.execute(db)
  if (rows.length > 0) throw new Refused('FORBIDDEN')
}
