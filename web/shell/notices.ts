/** Announces events of the user's orders, positions and loans on every screen. Its code and texts are loaded with the first event. */
import { onOwnUpdate } from '../app/stream.ts'

export function startNotices(): void {
  onOwnUpdate((update) => {
    if (update.e === 'margin') void import('../parts/margin/notices.ts').then(({ notice }) => notice(update))
    else if (update.e !== 'balance') void import('../parts/perp/notices.ts').then(({ notice }) => notice(update))
  })
}
