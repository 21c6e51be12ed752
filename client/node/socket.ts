import { WebSocket } from 'ws'
import type { CookieJar } from '../http.ts'
import type { OpenSocket } from '../socket/connection.ts'

/** Opens sockets with the session of a cookie jar and the exchange's own origin, as a browser would. */
export function nodeSocket(jar: CookieJar): OpenSocket {
  return (url) => {
    const cookie = jar.header()
    const origin = new URL(url).origin.replace(/^ws/, 'http')
    const socket = new WebSocket(url, { headers: cookie === '' ? {} : { cookie }, origin, perMessageDeflate: false })
    return socket as unknown as ReturnType<OpenSocket>
  }
}
