import type { IncomingMessage } from 'node:http'

/**
 * Whether a request that carries a cookie came from our own pages. A browser always sends `Origin` with writes and socket
 * handshakes. A program without `Origin` is no browser and can't be tricked into using somebody's cookie.
 *
 * publicUrls      the addresses that people use
 * isHostBelieved  in a sandbox the request's own host counts too, because its machine may have any name
 */
export function isOwnOrigin(request: IncomingMessage, publicUrls: readonly string[], isHostBelieved: boolean): boolean {
  const origin = request.headers.origin
  if (origin === undefined) return request.headers['sec-fetch-site'] === undefined || request.headers['sec-fetch-site'] === 'same-origin'
  if (publicUrls.includes(origin)) return true
  if (!isHostBelieved) return false
  const host = request.headers.host
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}
