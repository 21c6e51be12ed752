import { randomUUID } from 'node:crypto'
import type { WireSupportImage } from '@candor/core/protocol/wire/support/tickets.ts'
import type { Seal } from '../identity/seal.ts'
import { closeFile, openFile } from '../papers/envelope.ts'
import type { Images } from '../papers/images.ts'
import { newObjectName, type Objects } from '../papers/objects.ts'
import { nameAsGone } from '../papers/retention.ts'
import type { PapersDb } from '../papers/tables.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { SupportDb, SupportTables } from './tables.ts'

export type PictureParts = {
  readonly db: SupportDb
  readonly clock: Clock
  readonly seal: Seal
  readonly objects: Objects
  readonly images: Pick<Images, 'read'>
}

/** A shorter side below this shows nothing that helps. */
export const pictureSideMin = 100
/** Pictures of one customer that were uploaded and not sent. */
const unsentMax = 12
const dayMs = 86_400_000
const keptMs = {
  /** Uploaded and not sent. */
  unsent: dayMs,
  /** Of a ticket, from its closing on. */
  closed: 180 * dayMs,
} as const
const perStep = 500

/**
 * Pictures in tickets. They take the way of photos of documents: decoded in a process of their own, made anew from their pixels and
 * encrypted, each with a key of its own. No file name is taken and no other kind of file: a PDF can run programs in its reader, and
 * nothing here makes a harmless one of it (decision 24).
 */
export class Pictures {
  readonly #parts: PictureParts

  constructor(parts: PictureParts) {
    this.#parts = parts
  }

  /** throws  Refused TOO_MANY_TRIES, and those of `Images.read` */
  async add(account: string, bytes: Buffer): Promise<WireSupportImage> {
    const { db, clock, seal, objects, images } = this.#parts
    await this.#requireRoom(db, account)
    const { jpeg, width, height } = await images.read(bytes, account)
    const [id, object] = [randomUUID(), newObjectName()]
    const { file, key } = closeFile(jpeg, seal, object)
    // Named as gone first: a file that no row gets, because this process ends here, is deleted after an hour.
    await nameAsGone(goneDb(db), object, clock())
    await objects.put(object, file)
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      await this.#requireRoom(tx, account)
      const { numDeletedRows } = await tx.deleteFrom('paper_objects_gone').where('object', '=', object).executeTakeFirst()
      if (numDeletedRows !== 1n) throw new Refused('UNAVAILABLE')
      await tx
        .insertInto('support_images')
        .values({ id, account, message: null, object, key, bytes: jpeg.length, width, height, created_at: clock() })
        .execute()
    })
    return { id, width, height }
  }

  /** The customer's own. throws  Refused NOT_FOUND */
  async own(account: string, id: string): Promise<Buffer> {
    const row = await this.#parts.db.selectFrom('support_images').selectAll().where('id', '=', id).executeTakeFirst()
    if (row?.account !== account) throw new Refused('NOT_FOUND')
    return this.open(row)
  }

  /** throws  Refused NOT_FOUND when the file is gone */
  async open({ object, key }: Pick<SupportTables['support_images'], 'object' | 'key'>): Promise<Buffer> {
    const { objects, seal } = this.#parts
    const file = await objects.get(object)
    if (file === undefined) throw new Refused('NOT_FOUND')
    return openFile({ file, key }, seal, object)
  }

  /** Lets go of pictures whose time is over; their files follow an hour later. Returns how many. */
  async forget(): Promise<number> {
    let count = 0
    for (let step = await this.#letGo(); ; step = await this.#letGo()) {
      count += step
      if (step < perStep) return count
    }
  }

  async #letGo(): Promise<number> {
    const { db, clock } = this.#parts
    const now = clock()
    return db.transaction().execute(async (tx) => {
      const over = await tx
        .selectFrom('support_images as i')
        .leftJoin('support_messages as m', 'm.number', 'i.message')
        .leftJoin('support_tickets as t', 't.number', 'm.ticket')
        .select(['i.id', 'i.object'])
        .where((where) =>
          where.or([
            where.and([where('i.message', 'is', null), where('i.created_at', '<', now - keptMs.unsent)]),
            where('t.closed_at', '<', now - keptMs.closed),
          ]),
        )
        .limit(perStep)
        .execute()
      for (const { id, object } of over) {
        const { numDeletedRows } = await tx
          .deleteFrom('support_images')
          .where('id', '=', id)
          .where((where) => where.or([where('message', 'is', null), where('created_at', '<', now - keptMs.closed)]))
          .executeTakeFirst()
        if (numDeletedRows === 1n) await nameAsGone(goneDb(tx), object, now)
      }
      return over.length
    })
  }

  async #requireRoom(db: SupportDb, account: string): Promise<void> {
    const { count } = await db
      .selectFrom('support_images')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('account', '=', account)
      .where('message', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= unsentMax) throw new Refused('TOO_MANY_TRIES')
  }
}

/** The list of files that are to be deleted belongs to the room of documents. */
const goneDb = (db: SupportDb): PapersDb => db as unknown as PapersDb
