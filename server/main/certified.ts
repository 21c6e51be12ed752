import type { Command } from '@candor/core/protocol/command/index.ts'
import type { SeverReason } from '@candor/core/protocol/command/referral.ts'
import type { Region } from '@candor/core/protocol/command/region.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Identity } from '../identity/identity.ts'
import type { Store } from '../store/open.ts'
import { Refused } from '../refused.ts'

const operator = { ip: 'local', userAgent: 'candor' }

/** Marks an account as verified: first in the core, so that the account's page never claims more than the core allows. throws Refused */
export async function certify(submit: Submit, identity: Identity, account: string, user: UserId): Promise<void> {
  await certifyInCore(submit, user)
  await identity.profiles.setCertified(account, operator)
}

/**
 * Tells the core about accounts that were verified before the core recorded this. Does nothing once the core knows. Accounts with a
 * certified document are left to `Reviews.finish`: without the document's country they would open by the rules of another.
 */
export async function tellCertified(store: Store, submit: Submit, identity: Identity): Promise<void> {
  const users = await identity.profiles.certified()
  const { rows } = await store.pool.query<{ user_id: UserId }>(
    `select user_id from core_users where user_id = any($1::bigint[]) and not is_certified and not exists (
       select from accounts join papers on papers.account = accounts.id
       where accounts.core_user = core_users.user_id and papers.state = 'certified')`,
    [users],
  )
  for (const { user_id: user } of rows) await certifyInCore(submit, user)
}

/**
 * Opens the products that need a certificate. `region`: the country of the document, whose rules then hold for the user; it comes
 * first, so that nothing opens by the rules of another. throws Refused
 */
export async function certifyInCore(submit: Submit, user: UserId, region?: Region): Promise<void> {
  const commands: Command[] = [{ type: 'user.certify', user, isCertified: true }]
  if (region !== undefined) commands.unshift({ type: 'user.locate', user, region })
  await submitAll(submit, commands)
}

/** Ends a bond between accounts that share something; comes before the certificate, without which nobody is paid. throws Refused */
export async function severOwn(submit: Submit, user: UserId, reason: SeverReason | undefined): Promise<void> {
  if (reason !== undefined) await submitAll(submit, [{ type: 'referral.sever', user, reason }])
}

/** Closes them again. The region stays: it is where the user said to live. throws Refused */
export async function revokeInCore(submit: Submit, user: UserId): Promise<void> {
  await submitAll(submit, [{ type: 'user.certify', user, isCertified: false }])
}

/** Bars an account of a member of the staff from what the staff may not use. throws Refused */
export async function markInCore(submit: Submit, user: UserId): Promise<void> {
  await submitAll(submit, [{ type: 'user.staff', user, isStaff: true }])
}

async function submitAll(submit: Submit, commands: readonly Command[]): Promise<void> {
  for (const command of commands) {
    const { refusal } = await submit(command)
    if (refusal) throw new Refused(refusal)
  }
}
