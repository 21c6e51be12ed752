/** Announces events of the user's account on every screen. Its code is loaded after the first screen, or with the first event. */
import { onOwnUpdate } from '../app/stream.ts'

export function startNotices(): void {
  const watch = () => import('./watch.ts')
  onOwnUpdate((update) => void watch().then(({ hear }) => hear(update)))
  setTimeout(() => void watch().then(({ start }) => start()), 2_000)
}
