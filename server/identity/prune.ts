import { guessesOf } from './codes.ts'
import type { IdentityDb } from './tables.ts'

const day = 86_400_000

/**
 * Deletes what can no longer change any answer: codes and their counts after a day, counted tries after a month, and sessions a
 * year after their last use; they are the login history and say which device is known. Calls of signal addresses go after a month.
 */
export async function prune(db: IdentityDb, now: number): Promise<void> {
  for (const table of ['reset_tokens', 'login_steps', 'passkey_challenges', 'freeze_links'] as const)
    await db.deleteFrom(table).where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('codes')
    .where('expires_at', '<=', now - day)
    .execute()
  await db
    .deleteFrom('code_counts')
    .where('since', '<=', now - day)
    .where((where) => where.or([where('since', '<=', now - 30 * day), where('subject', 'not like', `${guessesOf}%`)]))
    .execute()
  await db
    .deleteFrom('login_tries')
    .where('last_at', '<=', now - 30 * day)
    .where('blocked_until', '<=', now)
    .execute()
  await db
    .deleteFrom('sessions')
    .where('last_seen_at', '<=', now - 365 * day)
    .execute()
  await db
    .deleteFrom('key_signal_calls')
    .where('at', '<=', now - 30 * day)
    .execute()
}
