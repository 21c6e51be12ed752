// Caches the shell, so that the page opens immediately, even offline. It answers only requests for files of the build; prices, orders
// and sockets never pass through it. A new version waits until the user accepts it, so that nothing reloads in the middle of an order.
const cacheName = `shell-${'SHELL_VERSION'}`
const files = ['SHELL_FILES']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))))
})

self.addEventListener('activate', (event) => {
  const drop = (names) =>
    Promise.all(names.filter((name) => name.startsWith('shell-') && name !== cacheName).map((name) => caches.delete(name)))
  event.waitUntil(
    caches
      .keys()
      .then(drop)
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('message', (event) => {
  if (event.data === 'update') self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate' && url.pathname === '/') {
    event.respondWith(caches.match('/', { cacheName }).then((kept) => kept ?? fetch(request)))
    return
  }
  const isOurs = /^\/(assets|coins|icons)\//.test(url.pathname) || url.pathname === '/manifest.webmanifest'
  if (isOurs) event.respondWith(keptOrFetched(request))
})

async function keptOrFetched(request) {
  const kept = await caches.match(request, { cacheName, ignoreVary: true })
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(cacheName)
    await cache.put(request, answer.clone())
  }
  return answer
}

// A notice that the exchange sent, perhaps while no page is open. The browser demands that every message is shown.
self.addEventListener('push', (event) => {
  const { title, body, tag, url, lang } = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, icon: '/icons/icon-192.png', data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showPlace(event.notification.data.url))
})

// An open page goes there by itself, so that it is not loaded again.
async function showPlace(url) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0]
  if (page === undefined) return self.clients.openWindow(url)
  page.postMessage({ place: url.replace(/^\/#/, '') })
  return page.focus()
}
