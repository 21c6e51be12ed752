/** Installs the service worker some seconds after the page has loaded. A new version is offered, never forced. */
import { navigate } from '../app/location.ts'
import { translate } from '../app/translate.ts'
import { toast } from '../parts/ui/toast.tsx'

export async function watchForUpdate(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const hadOne = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne) location.reload()
  })
  navigator.serviceWorker.addEventListener('message', ({ data }) => open(data))
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const offer = (worker: ServiceWorker | null): void => {
    if (worker === null || !hadOne) return
    if (worker.state === 'installed') ask(worker)
    else worker.addEventListener('statechange', () => worker.state === 'installed' && ask(worker))
  }
  offer(registration.waiting)
  registration.addEventListener('updatefound', () => offer(registration.installing))
  setInterval(() => void registration.update().catch(() => undefined), 30 * 60_000)
}

/** Goes to the place of a push message that was tapped. */
function open(data: unknown): void {
  const { place } = data as { readonly place?: unknown }
  if (typeof place === 'string' && /^\/[A-Za-z]*$/.test(place)) navigate(place)
}

function ask(worker: ServiceWorker): void {
  toast({
    text: translate('shell.update'),
    stays: true,
    action: { text: translate('shell.updateNow'), run: () => worker.postMessage('update') },
  })
}
