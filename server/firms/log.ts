import { deviceOf } from '../identity/device.ts'
import type { Asker } from '../ports.ts'
import type { FirmDb } from './tables.ts'

/** What members and the exchange did, by the names in the log of a firm. */
export const firmActions = [
  ...(['firm-applied', 'firm-accepted', 'firm-refused', 'terms-set'] as const),
  ...(['account-made', 'account-opened', 'account-renamed', 'account-archived', 'account-restored', 'coins-moved'] as const),
  ...(['member-invited', 'member-joined', 'member-declined', 'member-changed', 'member-ended', 'member-left'] as const),
  ...(['request-asked', 'request-approved', 'request-refused', 'request-cancelled', 'request-expired'] as const),
  ...(['request-done', 'request-failed', 'rule-changed'] as const),
] as const
export type FirmAction = (typeof firmActions)[number]

/** `member`: whoever did it; undefined for the exchange. `account`: of the firm, if it concerns one. */
export type FirmEntry = {
  readonly firm: string
  readonly member?: string | undefined
  readonly account?: string | undefined
  readonly action: FirmAction
  readonly detail?: Readonly<Record<string, string | number | boolean>>
  readonly visitor?: Asker['visitor'] | undefined
}

/** Adds a line to the firm's log, which only grows, in the transaction of the change that it records. */
export async function writeFirmLog(db: FirmDb, at: number, entry: FirmEntry): Promise<void> {
  const { firm, member, account, action, detail = {}, visitor } = entry
  await db
    .insertInto('firm_log')
    .values({
      ...{ firm, member: member ?? null, account: account ?? null, action, detail: JSON.stringify(detail), at },
      ...{ ip: visitor?.ip ?? null, device: visitor === undefined ? null : deviceOf(visitor.userAgent) },
    })
    .execute()
}
