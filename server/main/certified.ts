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

/** Tells the core about accounts that were verified before the core recorded this. Does nothing once the core knows. */
export async function tellCertified(store: Store, submit: Submit, identity: Identity): Promise<void> {
  const users = await identity.profiles.certified()
  const { rows } = await store.pool.query<{ user_id: UserId }>(
    'select user_id from core_users where user_id = any($1::bigint[]) and not is_certified',
    [users],
  )
  for (const { user_id: user } of rows) await certifyInCore(submit, user)
}

async function certifyInCore(submit: Submit, user: UserId): Promise<void> {
  const outcome = await submit({ type: 'user.certify', user, isCertified: true })
  if (outcome.refusal) throw new Refused(outcome.refusal)
}
