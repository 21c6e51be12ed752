import type { Clock } from '../ports.ts'
import type { Objects } from './objects.ts'
import type { PapersDb } from './tables.ts'

const day = 86_400_000
const hour = 3_600_000

/** How long photos are kept, in one table. */
export const keptMs = {
  /** Of a draft, each from its upload on; those of a rejected check before it from the beginning of the draft on. */
  draft: 30 * day,
  /** Of a check that was turned down, from the decision on, unless a later check of the account uses them. */
  rejected: 90 * day,
  /** Of a certified account, from the decision on: laws against money laundering ask for five years. */
  certified: 5 * 365 * day,
  /** Of a document that was shown again, from the end of the request on. */
  regain: 90 * day,
} as const

const perStep = 500
const failuresMax = 20

/**
 * Deletes photos whose time is over, then the files that no row names any more. What was typed and decided stays: it says why the
 * account is certified. Returns how many files were deleted.
 *
 * throws  AggregateError at the end, when files couldn't be deleted; the next run tries them again
 */
export async function forgetPhotos(db: PapersDb, objects: Objects, clock: Clock): Promise<number> {
  const now = clock()
  while ((await letGoOver(db, now)) === perStep);
  while ((await letGoRegains(db, now)) === perStep);
  return deleteGone(db, objects, now)
}

/** Returns the count of photos whose time was over. */
async function letGoOver(db: PapersDb, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const over = await tx
      .selectFrom('paper_photos')
      .innerJoin('papers', 'papers.id', 'paper_photos.papers')
      .select(['paper_photos.id', 'paper_photos.object'])
      .where((where) =>
        where.or([
          where.and([
            where('papers.state', '=', 'draft'),
            where('papers.created_at', '<', now - keptMs.draft),
            where('paper_photos.created_at', '<', now - keptMs.draft),
          ]),
          where.and([where('papers.state', '=', 'rejected'), where('papers.decided_at', '<', now - keptMs.rejected)]),
          where.and([where('papers.state', 'in', ['certified', 'revoked']), where('papers.decided_at', '<', now - keptMs.certified)]),
        ]),
      )
      .limit(perStep)
      // A draft that is being sent right now keeps its photos.
      .forUpdate()
      .skipLocked()
      .execute()
    if (over.length === 0) return 0
    const ids = over.map(({ id }) => id)
    await tx.deleteFrom('paper_photos').where('id', 'in', ids).execute()
    const names = over.map(({ object }) => object)
    const named = await tx.selectFrom('paper_photos').select('object').where('object', 'in', names).execute()
    for (const object of new Set(names)) if (!named.some((row) => row.object === object)) await nameAsGone(tx, object, now)
    return over.length
  })
}

/** Photos of requests to regain access that are long over. Returns the count. */
async function letGoRegains(db: PapersDb, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const over = await tx
      .selectFrom('regain_photos')
      .innerJoin('regains', 'regains.id', 'regain_photos.regain')
      .select(['regain_photos.id', 'regain_photos.object'])
      .where('regains.ended_at', '<', now - keptMs.regain)
      .limit(perStep)
      .execute()
    for (const { id, object } of over) {
      await tx.deleteFrom('regain_photos').where('id', '=', id).execute()
      await nameAsGone(tx, object, now)
    }
    return over.length
  })
}

async function deleteGone(db: PapersDb, objects: Objects, now: number): Promise<number> {
  const failures: unknown[] = []
  let deleted = 0
  let last = ''
  for (let step = await goneAfter(db, last, now); step.length > 0; step = await goneAfter(db, last, now))
    for (const { object } of step) {
      last = object
      try {
        await objects.delete(object)
        await db.deleteFrom('paper_objects_gone').where('object', '=', object).execute()
        deleted++
      } catch (cause) {
        failures.push(cause)
        // A place that is away answers none of them: each would be waited for.
        if (failures.length >= failuresMax) throw new AggregateError(failures, 'files of photos could not be deleted', { cause })
      }
    }
  if (failures.length > 0) throw new AggregateError(failures, 'files of photos could not be deleted')
  return deleted
}

/** A photo on its way is named as gone until its row is written, and a new draft may have taken a rejected check's photo meanwhile. */
async function goneAfter(db: PapersDb, last: string, now: number): Promise<readonly { readonly object: string }[]> {
  return db
    .selectFrom('paper_objects_gone as gone')
    .select('object')
    .where('since', '<', now - hour)
    .where('object', '>', last)
    .where((where) =>
      where.and([
        where.not(where.exists(where.selectFrom('paper_photos').select('id').whereRef('paper_photos.object', '=', 'gone.object'))),
        where.not(where.exists(where.selectFrom('regain_photos').select('id').whereRef('regain_photos.object', '=', 'gone.object'))),
        where.not(where.exists(where.selectFrom('support_images').select('id').whereRef('support_images.object', '=', 'gone.object'))),
      ]),
    )
    .orderBy('object')
    .limit(perStep)
    .execute()
}

/** Lets a file be deleted in an hour, also when it was named before. */
export async function nameAsGone(db: PapersDb, object: string, since: number): Promise<void> {
  await db
    .insertInto('paper_objects_gone')
    .values({ object, since })
    .onConflict((conflict) => conflict.column('object').doUpdateSet({ since }))
    .execute()
}
