/**
 * Announces events of the user's orders, positions and loans, and new entries of the inbox, on every screen. Its code and texts are
 * loaded with the first event or look.
 */
import { onOwnStream, onOwnUpdate, type OwnUpdate } from '../app/stream.ts'
import { onSessionChange, useSession } from '../app/session.ts'

/** The inbox is written a moment after the event. */
const writtenMs = 2_000
const lookAgainMs = 60_000
/** Between two looks of a busy account, at least. */
const restMs = 8_000

export function startNotices(): void {
  onOwnUpdate((update) => {
    if (update.e === 'margin') void import('../parts/margin/notices.ts').then(({ notice }) => notice(update))
    else if (isOfPerp(update)) void import('../parts/perp/notices.ts').then(({ notice }) => notice(update))
    if (update.e === 'order' || update.e === 'option') void import('../parts/notices/missed.ts').then(({ hear }) => hear(update))
    lookSoon()
  })
  onOwnStream(() => {
    lookSoon()
    // After the first screen, which needs the same connection.
    setTimeout(() => void import('../parts/notices/missed.ts').then(({ catchUp }) => catchUp()).catch(() => undefined), writtenMs)
  })
  onSessionChange(lookSoon)
  document.addEventListener('visibilitychange', lookSoon)
  addEventListener('online', lookSoon)
  setInterval(lookSoon, lookAgainMs)
  lookSoon()
}

let isWaiting = false
let lookedAt = -restMs

/** Many events in a moment cause one look. */
function lookSoon(): void {
  if (isWaiting || document.hidden || useSession.getState().me === undefined) return
  isWaiting = true
  setTimeout(
    () => {
      isWaiting = false
      lookedAt = performance.now()
      void import('./arrivals.ts').then(({ look }) => look()).catch(() => undefined)
    },
    Math.max(writtenMs, lookedAt + restMs - performance.now()),
  )
}

function isOfPerp(update: OwnUpdate): boolean {
  return update.e === 'order' ? update.order.perp !== undefined : perpEvents.has(update.e)
}

const perpEvents: ReadonlySet<OwnUpdate['e']> = new Set(['position', 'positionClosed', 'liquidation', 'level', 'deleveraged', 'funding'])
