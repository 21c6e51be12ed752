/** Installs the service worker some seconds after the page has loaded. A new version is offered, never forced. */
import { navigate } from '../app/location.ts'
import { translate } from '../app/translate.ts'
import { toast } from '../parts/ui/toast.tsx'

export async function watchForUpdate(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const hadOne = navigator.serviceWorker.controller !== null
  // Another page of the app may have accepted the version. This one may be in the middle of an order, and is asked, too.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isAccepted) location.reload()
    else if (hadOne) ask(() => location.reload())
  })
  navigator.serviceWorker.addEventListener('message', ({ data }) => open(data))
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const offer = (worker: ServiceWorker | null): void => {
    if (worker === null || !hadOne) return
    const accept = (): void => {
      isAccepted = true
      worker.postMessage('update')
    }
    if (worker.state === 'installed') ask(accept)
    else worker.addEventListener('statechange', () => worker.state === 'installed' && ask(accept))
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

let isAccepted = false
const lookAgainMs = 1_000

/** Offers the new version, but not while a sheet is open: an order may be in it. */
function ask(accept: () => void): void {
  if (document.querySelector('dialog[open], [role="dialog"]') !== null) {
    setTimeout(() => ask(accept), lookAgainMs)
    return
  }
  toast({ text: translate('shell.update'), stays: true, action: { text: translate('shell.updateNow'), run: accept } })
}
