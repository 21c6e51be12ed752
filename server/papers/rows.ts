import type { PaperField, WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import type { Selectable } from 'kysely'
import { type Seal, SealFault } from '../identity/seal.ts'
import type { PaperFields, PapersDb, PapersTable, PhotoTable } from './tables.ts'

/** Each kind of secret has a key of its own. */
export type PaperSeals = { readonly fields: Seal; readonly photos: Seal }

export type PapersRow = Selectable<PapersTable>
export type PhotoRow = Selectable<PhotoTable>

/** The newest check of an account, locked against other changes if asked. */
export async function newestOf(db: PapersDb, account: string, isLocked = false): Promise<PapersRow | undefined> {
  let query = db.selectFrom('papers').selectAll().where('account', '=', account).orderBy('created_at', 'desc').orderBy('id').limit(1)
  if (isLocked) query = query.forUpdate()
  return query.executeTakeFirst()
}

export async function photosOf(db: PapersDb, papers: string): Promise<readonly PhotoRow[]> {
  return db.selectFrom('paper_photos').selectAll().where('papers', '=', papers).orderBy('side', 'desc').execute()
}

/** throws  SealFault */
export function fieldsOf({ fields, account }: Pick<PapersRow, 'fields' | 'account'>, seal: Seal): PaperFields {
  return fields === null ? {} : (JSON.parse(seal.open(fields, account)) as PaperFields)
}

/** Undefined when the server key doesn't open them, so that one such row spoils no list. */
export function openedOf(row: Pick<PapersRow, 'fields' | 'account'>, seal: Seal): PaperFields | undefined {
  try {
    return fieldsOf(row, seal)
  } catch (cause) {
    if (cause instanceof SealFault) return undefined
    throw cause
  }
}

export function sealFields(fields: PaperFields, account: string, seal: Seal): Buffer {
  return seal.close(JSON.stringify(fields), account)
}

/** What was found wrong at the last sending and was not changed since. */
export function faultsLeft(
  rejected: { readonly faults: readonly WirePaperFault[]; readonly fields: PaperFields; readonly photos: readonly PhotoRow[] },
  now: { readonly fields: PaperFields; readonly photos: readonly PhotoRow[] },
): readonly WirePaperFault[] {
  const objectOf = (photos: readonly PhotoRow[], side: PaperField): string | undefined =>
    photos.find((photo) => photo.side === side)?.object
  return rejected.faults.filter(({ field }) =>
    field === 'front' || field === 'back'
      ? objectOf(rejected.photos, field) === objectOf(now.photos, field)
      : rejected.fields[field] === now.fields[field],
  )
}
