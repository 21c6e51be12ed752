import type { IncomingMessage } from 'node:http'

/**
 * Whether a request that carries a cookie came from our own pages. A browser always sends `Origin` with a write and a
 * socket handshake; a program without one is no browser and can't be tricked into using somebody's cookie.
 *
 * publicUrls  further addresses of the same exchange, behind a proxy for instance
 */
export function isOwnOrigin(request: IncomingMessage, publicUrls: readonly string[]): boolean {
  const origin = request.headers.origin
  if (origin === undefined) return request.headers['sec-fetch-site'] === undefined || request.headers['sec-fetch-site'] === 'same-origin'
  if (publicUrls.includes(origin)) return true
  const host = request.headers.host
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}
