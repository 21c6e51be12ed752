import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from './limits.ts'
import type { Proxies } from './proxies.ts'
import type { Shut } from './shut.ts'

/** How long a connection may send nothing. The HTTP server has its own limits once it has the connection. */
const silentMs = 10_000
/** A head with one of these may come from a known customer, and is read by the HTTP server. */
const ownNames = /\r\n(?:cookie|x-mbx-apikey|authorization)[ \t]*:/i
const forwarded = /\r\n(x-forwarded-for)[ \t]*:([^\r\n]*)/gi

export type FirstBytesOptions = { readonly shut: Shut; readonly proxies: Proxies; readonly mode: 'sandbox' | 'production' }

/**
 * Answers anonymous requests of networks that are shut out by their first bytes, for half of what it costs to make a request of
 * them. All other connections go to the HTTP server with everything they sent; while no network is shut out, they go there
 * at once. Call it before other listeners for connections are added.
 */
export function watchFirstBytes(server: Server, { shut, proxies, mode }: FirstBytesOptions): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  const hand = (socket: Socket): void => {
    for (const listener of serve) listener.call(server, socket)
  }
  server.on('connection', (socket: Socket) => {
    if (!shut.isShuttingOut) return hand(socket)
    const drop = (): void => void socket.destroy()
    const look = (): void => {
      const first = socket.read() as Buffer | null
      if (first === null) return
      socket.removeListener('readable', look)
      const ip = strangerOf(first.toString('latin1'), socket, proxies)
      if (ip !== undefined && !(mode === 'sandbox' && isLoopback(ip)) && shut.isShut(ip)) return shut.answer(socket)
      socket.removeListener('timeout', drop).removeListener('error', drop).setTimeout(0)
      socket.unshift(first)
      hand(socket)
    }
    socket.on('readable', look).on('error', drop).on('timeout', drop).setTimeout(silentMs)
  })
}

/** The address of an anonymous sender; undefined when the head is not complete or may be a known customer's. */
function strangerOf(bytes: string, socket: Socket, proxies: Proxies): string | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.slice(0, end)
  if (end < 0 || ownNames.test(head)) return undefined
  const entries = Array.from(head.matchAll(forwarded), (match) => match[2]!.trim())
  return proxies.addressOf({ socket, headers: { 'x-forwarded-for': entries.join(', ') } })
}
