import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import { addNotice } from '../store/notices.ts'
import type { FirmDb } from './tables.ts'

/** What a firm tells one person, in the transaction of the event. `event`: names it, so that a person gets one notice of it. */
export type FirmNotice = {
  readonly firm: string
  /** The personal account. */
  readonly account: string
  readonly kind: Extract<NoticeKind, `firm-${string}`>
  readonly values?: Readonly<Record<string, string>>
  readonly event: string
}

/** Writes a notice that names the firm, and leads to it. */
export async function tellPerson(db: FirmDb, at: number, { firm, account, kind, values = {}, event }: FirmNotice): Promise<void> {
  const { name } = await db.selectFrom('firms').select('name').where('id', '=', firm).executeTakeFirstOrThrow()
  await addNotice(db as unknown as Parameters<typeof addNotice>[0], {
    ...{ account, kind, values: { firm: name, id: firm, ...values } },
    ...{ event: `${kind}:${event}`, at },
  })
}
