import type { Clock } from '../ports.ts'
import type { Objects } from './objects.ts'
import type { PapersDb } from './tables.ts'

const day = 86_400_000
const hour = 3_600_000

/** How long photos are kept, in one table. */
export const keptMs = {
  /** Of a draft that nobody touched, from its last photo on. */
  draft: 30 * day,
  /** Of a check that was turned down, from the decision on, unless a later check of the account uses them. */
  rejected: 90 * day,
  /** Of a certified account, from the decision on: laws against money laundering ask for five years. */
  certified: 5 * 365 * day,
} as const

const perRun = 500

/**
 * Deletes photos whose time is over, then the files that no row names any more. What was typed and decided stays: it says why the
 * account is certified. Returns how many files were deleted.
 */
export async function forgetPhotos(db: PapersDb, objects: Objects, clock: Clock): Promise<number> {
  const now = clock()
  await db.transaction().execute(async (tx) => {
    const over = await tx
      .selectFrom('paper_photos')
      .innerJoin('papers', 'papers.id', 'paper_photos.papers')
      .select(['paper_photos.id', 'paper_photos.object'])
      .where((where) =>
        where.or([
          where.and([where('papers.state', '=', 'draft'), where('paper_photos.created_at', '<', now - keptMs.draft)]),
          where.and([where('papers.state', '=', 'rejected'), where('papers.decided_at', '<', now - keptMs.rejected)]),
          where.and([where('papers.state', 'in', ['certified', 'revoked']), where('papers.decided_at', '<', now - keptMs.certified)]),
        ]),
      )
      .limit(perRun)
      .execute()
    if (over.length === 0) return
    const ids = over.map(({ id }) => id)
    await tx.deleteFrom('paper_photos').where('id', 'in', ids).execute()
    const named = await tx
      .selectFrom('paper_photos')
      .select('object')
      .where(
        'object',
        'in',
        over.map(({ object }) => object),
      )
      .execute()
    const gone = new Set(over.map(({ object }) => object).filter((object) => !named.some((row) => row.object === object)))
    for (const object of gone)
      await tx
        .insertInto('paper_objects_gone')
        .values({ object, since: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
  // A photo on its way is named as gone until its row is written, and a new draft may have taken a rejected check's photo meanwhile.
  const gone = await db
    .selectFrom('paper_objects_gone as gone')
    .select('object')
    .where('since', '<', now - hour)
    .where((where) =>
      where.not(where.exists(where.selectFrom('paper_photos').select('id').whereRef('paper_photos.object', '=', 'gone.object'))),
    )
    .limit(perRun)
    .execute()
  for (const { object } of gone) {
    await objects.delete(object)
    await db.deleteFrom('paper_objects_gone').where('object', '=', object).execute()
  }
  return gone.length
}
