/** Hands each event to the part that announces it, and looks for new entries of the inbox. */
import { onSessionChange, useSession } from '../app/session.ts'
import { type OwnUpdate, stream } from '../app/stream.ts'

/** The inbox is written a moment after the event. */
const writtenMs = 2_000
const lookAgainMs = 60_000
/** Phones put pages that are hidden for longer to sleep, with sockets that look open for a while. */
const awakeMs = 30_000
/** Between two looks of a busy account, at least. */
const restMs = 8_000

export function hear(update: OwnUpdate): void {
  if (update.e === 'margin') void import('../parts/margin/notices.ts').then(({ notice }) => notice(update))
  else if (isOfPerp(update)) void import('../parts/perp/notices.ts').then(({ notice }) => notice(update))
  if (update.e === 'moved') void import('../parts/outcomes/moves.ts').then(({ tellMove }) => tellMove(update))
  if (update.e === 'order' || update.e === 'option' || (update.e === 'algo' && update.end !== undefined))
    void import('../parts/outcomes/missed.ts').then((missed) => missed.hear(update))
  lookSoon()
}

export function start(): void {
  onSessionChange(follow)
  let hiddenAt = 0
  document.addEventListener('visibilitychange', () => {
    lookSoon()
    if (document.hidden) hiddenAt = Date.now()
    else if (isFollowing && Date.now() - hiddenAt > awakeMs) catchUp()
  })
  setInterval(lookSoon, lookAgainMs)
  follow()
}

let isFollowing = false

/** Visitors have no socket for events of their own, so it is followed from the first login on. */
function follow(): void {
  lookSoon()
  if (isFollowing || useSession.getState().me === undefined) return
  isFollowing = true
  catchUp()
  stream().onState((state) => {
    if (state !== 'open') return
    lookSoon()
    catchUp()
  })
}

let tryAgain: ReturnType<typeof setTimeout> | undefined

/** An exchange that has just restarted may take the socket before it answers requests. */
function catchUp(): void {
  clearTimeout(tryAgain)
  const later = (): void => void (tryAgain = setTimeout(catchUp, restMs))
  void import('../parts/outcomes/missed.ts').then((missed) => missed.catchUp()).catch(later)
}

let isWaiting = false
let lookedAt = -restMs

/** Many events in a moment cause one look. */
function lookSoon(): void {
  if (isWaiting || document.hidden || useSession.getState().me === undefined) return
  isWaiting = true
  const look = (): void => {
    isWaiting = false
    lookedAt = performance.now()
    void import('./arrivals.ts').then((arrivals) => arrivals.look()).catch(() => undefined)
  }
  setTimeout(look, Math.max(writtenMs, lookedAt + restMs - performance.now()))
}

function isOfPerp(update: OwnUpdate): boolean {
  return update.e === 'order' ? update.order.perp !== undefined : perpEvents.has(update.e)
}

const perpEvents: ReadonlySet<OwnUpdate['e']> = new Set(['position', 'positionClosed', 'liquidation', 'level', 'deleveraged', 'funding'])
