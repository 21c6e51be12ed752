import type { Units } from '@candor/core/money/brand.ts'
import type { Change } from '@candor/core/protocol/command/operate.ts'
import type { TierNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import { sql } from 'kysely'
import { Refused } from '../refused.ts'
import type { OperationsDb } from './tables.ts'

/** `userOf`: the core's user of a UID, or undefined. */
export type AskFirms = Pick<Ask, 'firmStanding'> & { readonly userOf: (uid: string) => Promise<UserId | undefined> }
export type FirmNow = { readonly main: UserId; readonly tier: TierNumber; readonly withdrawMax: Units }

/** What the firm of a main account has by contract, by the account's UID. throws  Refused FIRM_UNKNOWN */
export async function currentFirm(ask: AskFirms, uid: string): Promise<FirmNow> {
  const user = await ask.userOf(uid)
  const standing = user === undefined ? undefined : await ask.firmStanding(user)
  if (user === undefined || standing?.main !== user) throw new Refused('FIRM_UNKNOWN', { field: 'subject' })
  return standing
}

/** The change that a decision makes in the core. throws  Refused FIELD_INVALID for a tier that the fee schedule lacks */
export function firmChange(core: Readonly<Record<string, unknown>>, main: UserId, tiers: number): Change {
  const { tier, withdrawMax } = core as { readonly tier: TierNumber; readonly withdrawMax: Units }
  if (tier !== 0 && tier >= tiers) throw new Refused('FIELD_INVALID', { field: 'terms.tier' })
  return { type: 'firm.setTerms', main, tier, withdrawMax }
}

/**
 * Refuses a member of the staff whose own customer account takes part in the firm, or did. An invitation that was not accepted counts for
 * nothing: a firm could otherwise invite everybody who may lower its terms.
 *
 * throws  Refused SECOND_PERSON_NEEDED
 */
export async function requireNotOwnFirm(db: OperationsDb, uid: string, staff: string): Promise<void> {
  const { rows } = await sql`
    select from accounts a join firm_members m on m.firm = a.firm join staff_marks s on s.account = m.account
    where a.uid = ${uid} and m.joined_at is not null and s.staff = ${staff} limit 1`.execute(db)
  if (rows.length > 0) throw new Refused('SECOND_PERSON_NEEDED')
}
