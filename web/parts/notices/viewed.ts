/** What was opened by *View*: its entry in the list of notices, which may be written only a moment later, counts as read. */
import type { WireNotice } from '@candor/core/protocol/wire/notices.ts'
import { queries } from '../../app/client.ts'
import { onPersonChange } from '../../app/session.ts'
import { notices } from './notices.ts'

type IsIt = (notice: WireNotice) => boolean

/** Entries that are waited for at most. */
const waitedMax = 20

let waited: readonly IsIt[] = []
onPersonChange(() => (waited = []))

/** Marks the unread entry for which `isIt` is true as read, now or when it arrives. */
export async function viewed(isIt: IsIt): Promise<void> {
  waited = [...waited, isIt].slice(-waitedMax)
  try {
    await readViewed((await notices.list({ limit: 50 })).notices)
  } catch {
    // The next look at the list finds it.
  }
}

/** Marks what was viewed among these as read. Resolves to how many that were. */
export async function readViewed(list: readonly WireNotice[]): Promise<number> {
  const found = list.filter((notice) => notice.readAt === undefined && waited.some((isIt) => isIt(notice)))
  if (found.length === 0) return 0
  waited = waited.filter((isIt) => !found.some(isIt))
  await Promise.all(found.map(({ number }) => notices.read(number)))
  await queries.invalidateQueries({ queryKey: ['own', 'notices'] })
  return found.length
}
