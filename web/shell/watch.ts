/** Hands each event to the part that announces it, and looks for new entries of the inbox. */
import { onSessionChange, useSession } from '../app/session.ts'
import { type OwnUpdate, stream } from '../app/stream.ts'

/** The inbox is written a moment after the event. */
const writtenMs = 2_000
const lookAgainMs = 60_000
/** Between two looks of a busy account, at least. */
const restMs = 8_000

export function hear(update: OwnUpdate): void {
  if (update.e === 'margin') void import('../parts/margin/notices.ts').then(({ notice }) => notice(update))
  else if (ofDesks.has(update.e)) void import('../parts/perp/notices.ts').then(({ notice }) => notice(update))
  if (update.e === 'order' || update.e === 'option') void import('../parts/notices/missed.ts').then((missed) => missed.hear(update))
  lookSoon()
}

export function start(): void {
  onSessionChange(follow)
  document.addEventListener('visibilitychange', lookSoon)
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

function catchUp(): void {
  void import('../parts/notices/missed.ts').then((missed) => missed.catchUp()).catch(() => undefined)
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

/** Orders of all products that the exchange ended, and what happens to positions. */
const ofDesks: ReadonlySet<OwnUpdate['e']> = new Set([
  'order',
  'position',
  'positionClosed',
  'liquidation',
  'level',
  'deleveraged',
  'funding',
])
