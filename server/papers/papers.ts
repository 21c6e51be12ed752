import { randomUUID } from 'node:crypto'
import {
  type PaperField,
  type PhotoSide,
  sidesOf,
  type WirePaperFault,
  type WirePapers,
  type WirePapersDraft,
} from '@candor/core/protocol/wire/papers.ts'
import type { Asker, Clock, Owners } from '../ports.ts'
import { Refused } from '../refused.ts'
import { closeFile, openFile } from './envelope.ts'
import type { Images } from './images.ts'
import { newObjectName, type Objects } from './objects.ts'
import { nameAsGone } from './retention.ts'
import { faultsLeft, fieldsOf, newestOf, type PaperSeals, type PapersRow, type PhotoRow, photosOf, sealFields } from './rows.ts'
import type { PaperFields, PapersDb } from './tables.ts'
import type { Tags } from './tags.ts'
import { isOfAge } from './age.ts'
import type { Usual } from './usual.ts'

export type PapersParts = {
  readonly db: PapersDb
  readonly clock: Clock
  readonly owners: Owners
  /** For what documents say, and for the keys of photos. */
  readonly seals: PaperSeals
  readonly tags: Tags
  readonly images: Images
  readonly objects: Objects
  readonly usual: Usual
}

/** A check with its data and photos. `faults`: what was found wrong at the last sending and was not changed since. */
type Check = {
  readonly row: PapersRow
  readonly fields: PaperFields
  readonly photos: readonly PhotoRow[]
  readonly faults: readonly WirePaperFault[]
}

const textFields = ['kind', 'country', 'name', 'born', 'number'] as const

/**
 * The customer's side of the identity check: a draft that is kept as it grows, its photos, and its sending. What was sent stays as it
 * was; after a rejection the next change begins a new draft with the same data.
 */
export class Papers {
  readonly #parts: PapersParts

  constructor(parts: PapersParts) {
    this.#parts = parts
  }

  async of(account: string): Promise<WirePapers> {
    const { db, usual } = this.#parts
    const { certification } = await db.selectFrom('accounts').select('certification').where('id', '=', account).executeTakeFirstOrThrow()
    const usualHours = await usual.hours()
    const check = await this.#newest(db, account)
    if (check === undefined || check.row.state === 'revoked') {
      const state = certification === 'certified' ? 'certified' : 'none'
      return { ...empty, state, usualHours }
    }
    const { row, fields, photos, faults } = check
    const state = certification === 'certified' ? 'certified' : (row.state as Exclude<PapersRow['state'], 'revoked'>)
    const isOpen = state === 'draft' || state === 'rejected'
    return {
      state,
      ...{ kind: fields.kind ?? null, country: fields.country ?? null, name: fields.name ?? null, born: fields.born ?? null },
      number: fields.number === undefined ? null : isOpen ? fields.number : `•••${fields.number.slice(-3)}`,
      photos: isOpen ? photos.map(({ side, object, width, height, created_at: at }) => ({ side, id: object, width, height, at })) : [],
      faults: isOpen ? faults : [],
      ...{ sentAt: row.sent_at, decidedAt: row.decided_at, usualHours },
    }
  }

  /** Saves what the document says. throws  Refused PAPERS_LOCKED */
  async save({ account }: Asker, draft: WirePapersDraft): Promise<WirePapers> {
    await this.#change(account, async (db, { row, fields, photos }) => {
      const next = { ...fields, ...draft }
      await db
        .updateTable('papers')
        .set({ fields: sealFields(next, account, this.#parts.seals.fields) })
        .where('id', '=', row.id)
        .execute()
      // A passport has one photo: the other would show nothing that anybody may look at.
      if (next.kind === undefined) return
      for (const photo of photos) if (!sidesOf(next.kind).includes(photo.side)) await this.#letGo(db, photo)
    })
    return this.of(account)
  }

  /**
   * Keeps a photo, instead of the one of this side. throws  Refused PAPERS_LOCKED, UNAVAILABLE, and those of `Images.read`
   */
  async addPhoto({ account }: Asker, side: PhotoSide, bytes: Buffer): Promise<WirePapers> {
    const { db, clock, images, objects, seals } = this.#parts
    this.#requireOpen(await newestOf(db, account), await this.#certificationOf(db, account))
    const { jpeg, width, height } = await images.read(bytes, account)
    const object = newObjectName()
    const { file, key } = closeFile(jpeg, seals.photos, object)
    // Named as gone first: a file that no row gets, because this process ends here, is deleted after an hour.
    await nameAsGone(db, object, clock())
    await objects.put(object, file)
    await this.#change(account, async (tx, { row, photos }) => {
      for (const photo of photos) if (photo.side === side) await this.#letGo(tx, photo)
      const { numDeletedRows } = await tx.deleteFrom('paper_objects_gone').where('object', '=', object).executeTakeFirst()
      if (numDeletedRows !== 1n) throw new Refused('UNAVAILABLE')
      await tx
        .insertInto('paper_photos')
        .values({ id: randomUUID(), papers: row.id, side, object, key, bytes: jpeg.length, width, height, created_at: clock() })
        .execute()
    })
    return this.of(account)
  }

  /** The customer's own photo, until it is sent. throws  Refused NOT_FOUND */
  async photo(account: string, side: PhotoSide): Promise<Buffer> {
    const { db, objects, seals } = this.#parts
    const check = await this.#newest(db, account)
    const isOpen = check?.row.state === 'draft' || check?.row.state === 'rejected'
    const photo = isOpen ? check.photos.find((one) => one.side === side) : undefined
    const file = photo && (await objects.get(photo.object))
    if (photo === undefined || file === undefined) throw new Refused('NOT_FOUND')
    return openFile({ file, key: photo.key }, seals.photos, photo.object)
  }

  /** Does nothing when there is none. throws  Refused PAPERS_LOCKED */
  async removePhoto({ account }: Asker, side: PhotoSide): Promise<WirePapers> {
    await this.#change(account, async (db, { photos }) => {
      for (const photo of photos) if (photo.side === side) await this.#letGo(db, photo)
    })
    return this.of(account)
  }

  /**
   * Sends the draft to the reviewers. A second tap finds it sent.
   *
   * throws  Refused PAPERS_INCOMPLETE with the first field that is missing, or whose photo was turned down and not renewed;
   * UNDER_AGE, PAPERS_LOCKED
   */
  async send(who: Asker): Promise<WirePapers> {
    const { db, clock, owners, tags } = this.#parts
    const { account } = who
    // Before the transaction: all connections may be taken by others who would wait for one more to read the key.
    await tags.ready()
    const sent = this.#change(account, async (tx, { row, fields, photos, faults }) => {
      const lacking = firstLack(fields, photos, faults)
      if (lacking !== undefined) throw new Refused('PAPERS_INCOMPLETE', { field: lacking })
      const whole = fields as Required<PaperFields>
      if (!isOfAge(whole.born, clock())) throw new Refused('UNDER_AGE', { field: 'born' })
      await tx
        .updateTable('papers')
        .set({ state: 'waiting', sent_at: clock(), tag: await tags.of(whole) })
        .where('id', '=', row.id)
        .execute()
      await tx.updateTable('accounts').set({ certification: 'in-progress' }).where('id', '=', account).execute()
      await owners.log(tx, { ...who, action: 'papers-sent', detail: { papers: row.id } })
    })
    await sent.catch(async (cause: unknown) => {
      const isSent = (await newestOf(db, account))?.state === 'waiting'
      if (!isSent || !(cause instanceof Refused) || cause.refusal !== 'PAPERS_LOCKED') throw cause
    })
    return this.of(account)
  }

  /** Changes the open draft, under a lock; begins one when there is none. throws  Refused PAPERS_LOCKED */
  async #change(account: string, work: (db: PapersDb, check: Check) => Promise<void>): Promise<void> {
    await this.#parts.db.transaction().execute(async (db) => {
      // The account's row orders the changes, also of a customer who has no draft yet.
      const { certification } = await db
        .selectFrom('accounts')
        .select('certification')
        .where('id', '=', account)
        .forUpdate()
        .executeTakeFirstOrThrow()
      this.#requireOpen(await newestOf(db, account), certification)
      await this.#begin(db, account)
      // Its own row is locked too: `forgetPhotos` deletes no photo of it meanwhile.
      await work(db, (await this.#newest(db, account, true)) as Check)
    })
  }

  #requireOpen(row: PapersRow | undefined, certification: string): void {
    if (certification === 'certified' || row?.state === 'waiting') throw new Refused('PAPERS_LOCKED')
  }

  async #certificationOf(db: PapersDb, account: string): Promise<string> {
    return (await db.selectFrom('accounts').select('certification').where('id', '=', account).executeTakeFirstOrThrow()).certification
  }

  /** A draft with the data and photos of the rejected check before it; both rows then name the same files. */
  async #begin(db: PapersDb, account: string): Promise<void> {
    const before = await newestOf(db, account)
    if (before?.state === 'draft') return
    const now = this.#parts.clock()
    const id = randomUUID()
    const isRejected = before?.state === 'rejected'
    await db
      .insertInto('papers')
      .values({
        ...{ id, account, state: 'draft', fields: isRejected ? before.fields : null, tag: null },
        ...{ created_at: Math.max(now, (before?.created_at ?? 0) + 1), sent_at: null, decided_at: null, decided_by: null },
        ...{ claimed_by: null, claimed_at: null },
      })
      .execute()
    if (!isRejected) return
    for (const photo of await photosOf(db, before.id))
      await db
        .insertInto('paper_photos')
        .values({ ...photo, id: randomUUID(), papers: id })
        .execute()
  }

  async #newest(db: PapersDb, account: string, isLocked = false): Promise<Check | undefined> {
    const row = await newestOf(db, account, isLocked)
    if (row === undefined) return undefined
    const { fields: seal } = this.#parts.seals
    const fields = fieldsOf(row, seal)
    const photos = await photosOf(db, row.id)
    if (row.state !== 'draft') return { row, fields, photos, faults: row.faults }
    const rejected = await db
      .selectFrom('papers')
      .selectAll()
      .where('account', '=', account)
      .where('state', '=', 'rejected')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (rejected === undefined) return { row, fields, photos, faults: [] }
    const before = { faults: rejected.faults, fields: fieldsOf(rejected, seal), photos: await photosOf(db, rejected.id) }
    return { row, fields, photos, faults: faultsLeft(before, { fields, photos }) }
  }

  async #letGo(db: PapersDb, { id, object }: PhotoRow): Promise<void> {
    await db.deleteFrom('paper_photos').where('id', '=', id).execute()
    const other = await db.selectFrom('paper_photos').select('id').where('object', '=', object).executeTakeFirst()
    if (other === undefined) await nameAsGone(db, object, this.#parts.clock())
  }
}

const empty: Omit<WirePapers, 'state' | 'usualHours'> = {
  ...{ kind: null, country: null, name: null, born: null, number: null },
  ...{ photos: [], faults: [], sentAt: null, decidedAt: null },
}

/** The first field, in the order of the form, without which a check can't be sent. */
function firstLack(fields: PaperFields, photos: readonly PhotoRow[], faults: readonly WirePaperFault[]): PaperField | undefined {
  for (const field of textFields) if (fields[field] === undefined) return field
  return sidesOf(fields.kind!).find((side) => !photos.some((photo) => photo.side === side) || faults.some((fault) => fault.field === side))
}
