/** Announces events of the user's positions and loans on every screen. Its code and texts are loaded with the first event. */
import { onOwnUpdate, type OwnUpdate } from '../app/stream.ts'

export function startNotices(): void {
  onOwnUpdate((update) => {
    if (update.e === 'margin') void import('../parts/margin/notices.ts').then(({ notice }) => notice(update))
    else if (isOfPerp(update)) void import('../parts/perp/notices.ts').then(({ notice }) => notice(update))
  })
}

function isOfPerp(update: OwnUpdate): boolean {
  return update.e === 'order' ? update.order.perp !== undefined : perpEvents.has(update.e)
}

const perpEvents: ReadonlySet<OwnUpdate['e']> = new Set(['position', 'positionClosed', 'liquidation', 'level', 'deleveraged', 'funding'])
