import { randomUUID } from 'node:crypto'
import { type PhotoSide, sidesOf } from '@candor/core/protocol/wire/papers.ts'
import type { WireRegain, WireRegainPapers } from '@candor/core/protocol/wire/regain.ts'
import { addressOf } from '../identity/accounts.ts'
import { masked } from '../identity/address.ts'
import { hashOf } from '../identity/secret.ts'
import type { Asker } from '../ports.ts'
import { Refused } from '../refused.ts'
import { closeFile } from './envelope.ts'
import { newObjectName } from './objects.ts'
import type { PapersParts } from './papers.ts'
import { nameAsGone } from './retention.ts'
import { sealFields } from './rows.ts'
import type { PapersDb, PapersTables } from './tables.ts'

/** Photos that one request may send, each in place of the one before. */
const photosMax = 20

export type RegainPapersParts = Omit<PapersParts, 'usual'> & {
  /** How long a request waits: `certifiedMs` from the approval on, `otherMs` from its beginning, without a document. */
  readonly waits: { readonly certifiedMs: number; readonly otherMs: number }
}

/**
 * The certified document, shown once more by a customer who has lost the second factors. The browser is known by the token of its request
 * and has no session. It is never told whether what was typed matches: somebody could try until it does.
 */
export class RegainPapers {
  readonly #parts: RegainPapersParts

  constructor(parts: RegainPapersParts) {
    this.#parts = parts
  }

  /** throws  Refused REGAIN_OVER for a token without a request */
  async of(token: string | undefined): Promise<WireRegain> {
    const { db, waits } = this.#parts
    const row = await this.#find(db, token)
    const account = await db.selectFrom('accounts').select(['email', 'phone']).where('id', '=', row.account).executeTakeFirstOrThrow()
    const photos = await db.selectFrom('regain_photos').selectAll().where('regain', '=', row.id).orderBy('side', 'desc').execute()
    return {
      ...{ state: row.state, createdAt: row.created_at, sentAt: row.sent_at, dueAt: row.due_at, linkExpiresAt: row.link_expires_at },
      ...{ to: masked(addressOf(account)), waitMs: row.has_papers ? waits.certifiedMs : waits.otherMs },
      photos: photos.map(({ side, object, width, height, created_at: at }) => ({ side, id: object, width, height, at })),
    }
  }

  /** Keeps a photo in place of the one of this side. throws  Refused REGAIN_OVER, TOO_MANY_TRIES, and those of `Images.read` */
  async addPhoto(token: string | undefined, side: PhotoSide, bytes: Buffer): Promise<WireRegain> {
    const { db, clock, images, objects, seals } = this.#parts
    const { id, account } = await this.#find(db, token)
    // Counted before it is decoded, so that of any number of parallel ones only twenty are.
    const counted = await db
      .updateTable('regains')
      .set((row) => ({ photos_added: row('photos_added', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'draft')
      .where('photos_added', '<', photosMax)
      .returning('id')
      .executeTakeFirst()
    if (!counted) throw new Refused((await this.#find(db, token)).state === 'draft' ? 'TOO_MANY_TRIES' : 'REGAIN_OVER')
    const { jpeg, width, height } = await images.read(bytes, account)
    const object = newObjectName()
    const { file, key } = closeFile(jpeg, seals.photos, object)
    // Named as gone first: a file that no row gets, because this process ends here, is deleted after an hour.
    await nameAsGone(db, object, clock())
    await objects.put(object, file)
    await this.#change(token, async (tx) => {
      for (const before of await tx
        .deleteFrom('regain_photos')
        .where('regain', '=', id)
        .where('side', '=', side)
        .returning('object')
        .execute())
        await nameAsGone(tx, before.object, clock())
      const { numDeletedRows } = await tx.deleteFrom('paper_objects_gone').where('object', '=', object).executeTakeFirst()
      if (numDeletedRows !== 1n) throw new Refused('UNAVAILABLE')
      await tx
        .insertInto('regain_photos')
        .values({ id: randomUUID(), regain: id, side, object, key, bytes: jpeg.length, width, height, created_at: clock() })
        .execute()
    })
    return this.of(token)
  }

  /** Sends the request to the reviewers. throws  Refused REGAIN_OVER, PAPERS_INCOMPLETE with the first photo that is missing */
  async send(token: string | undefined, papers: WireRegainPapers, visitor: Asker['visitor']): Promise<WireRegain> {
    const { clock, owners, seals, tags } = this.#parts
    // Before the transaction: all connections may be taken by others who would wait for one more to read the key.
    await tags.ready()
    await this.#change(token, async (tx, { id, account }) => {
      const photos = await tx.selectFrom('regain_photos').selectAll().where('regain', '=', id).execute()
      const lacking = sidesOf(papers.kind).find((side) => !photos.some((photo) => photo.side === side))
      if (lacking !== undefined) throw new Refused('PAPERS_INCOMPLETE', { field: lacking })
      // A passport has one photo: the other would show nothing that anybody may look at.
      for (const photo of photos)
        if (!sidesOf(papers.kind).includes(photo.side)) {
          await tx.deleteFrom('regain_photos').where('id', '=', photo.id).execute()
          await nameAsGone(tx, photo.object, clock())
        }
      await tx
        .updateTable('regains')
        .set({ state: 'sent', sent_at: clock(), fields: sealFields(papers, account, seals.fields), tag: await tags.of(papers) })
        .where('id', '=', id)
        .execute()
      await owners.log<PapersTables>(tx, { account, visitor, action: 'regain-sent', detail: {} })
    })
    return this.of(token)
  }

  /** The request of a browser that may still change it. Throws before a body is read. throws  Refused REGAIN_OVER */
  async requireDraft(token: string | undefined): Promise<string> {
    const { id, state } = await this.#find(this.#parts.db, token)
    if (state !== 'draft') throw new Refused('REGAIN_OVER')
    return id
  }

  /** Changes the draft, under the locks of account and request. */
  async #change(token: string | undefined, work: (tx: PapersDb, row: { readonly id: string; readonly account: string }) => Promise<void>) {
    await this.#parts.db.transaction().execute(async (tx) => {
      const { id, account } = await this.#find(tx, token)
      await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      const open = tx.selectFrom('regains').select('token').where('id', '=', id).where('state', '=', 'draft').forUpdate()
      const row = await open.executeTakeFirst()
      // Another browser may have taken it over meanwhile.
      if (!row?.token.equals(hashOf(token as string))) throw new Refused('REGAIN_OVER')
      await work(tx, { id, account })
    })
  }

  async #find(db: PapersDb, token: string | undefined) {
    const found =
      token === undefined ? undefined : await db.selectFrom('regains').selectAll().where('token', '=', hashOf(token)).executeTakeFirst()
    if (!found) throw new Refused('REGAIN_OVER')
    return found
  }
}
