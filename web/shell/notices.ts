/**
 * Announces events of the user's orders, positions and loans, and new entries of the inbox, on every screen. Its code and texts are
 * loaded with the first event or look.
 */
import { onOwnUpdate, type OwnUpdate } from '../app/stream.ts'
import { onSessionChange, useSession } from '../app/session.ts'

/** The inbox is written a moment after the event. */
const writtenMs = 2_000
const lookAgainMs = 60_000

export function startNotices(): void {
  onOwnUpdate((update) => {
    if (update.e === 'margin') void import('../parts/margin/notices.ts').then(({ notice }) => notice(update))
    else if (isOfPerp(update)) void import('../parts/perp/notices.ts').then(({ notice }) => notice(update))
    if (update.e === 'order' || update.e === 'option') void import('../parts/notices/outcomes.ts').then(({ outcome }) => outcome(update))
    lookSoon()
  })
  onSessionChange(lookSoon)
  document.addEventListener('visibilitychange', lookSoon)
  addEventListener('online', lookSoon)
  setInterval(lookSoon, lookAgainMs)
  lookSoon()
}

let isWaiting = false

/** Many events in a moment cause one look. */
function lookSoon(): void {
  if (isWaiting || document.hidden || useSession.getState().me === undefined) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    void import('./arrivals.ts').then(({ look }) => look()).catch(() => undefined)
  }, writtenMs)
}

function isOfPerp(update: OwnUpdate): boolean {
  return update.e === 'order' ? update.order.perp !== undefined : perpEvents.has(update.e)
}

const perpEvents: ReadonlySet<OwnUpdate['e']> = new Set(['position', 'positionClosed', 'liquidation', 'level', 'deleveraged', 'funding'])
