import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from './limits.ts'
import type { Proxies } from './proxies.ts'
import type { Sent, Shut } from './shut.ts'

/** How long a connection may send nothing. The HTTP server has its own limits once it has the connection. */
const silentMs = 10_000
/** How long connections are looked at in one turn of the event loop. */
const turnMs = 0.5
/** The headers that say who sends and from where. */
const named = /\r\n(cookie|x-mbx-apikey|authorization|x-forwarded-for)[ \t]*:([^\r\n]*)/gi

export type FirstBytesOptions = { readonly shut: Shut; readonly proxies: Proxies; readonly mode: 'sandbox' | 'production' }

/**
 * Answers requests that are shut out by their first bytes, for half of what it costs to make a request of them. All other
 * connections go to the HTTP server with everything they sent, and with `noDelay`. Meanwhile new connections wait for each other, a few in each turn of
 * the event loop, so that a burst of them does not delay those who are connected. While no network is shut out, every connection
 * goes to the HTTP server at once. Call it before other listeners for connections are added.
 */
export function watchFirstBytes(server: Server, options: FirstBytesOptions): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  const hand = (socket: Socket): void => {
    socket.setNoDelay(true)
    for (const listener of serve) listener.call(server, socket)
  }
  const queue = new Set<Socket>()
  const takeSome = (): void => {
    const until = performance.now() + turnMs
    for (const socket of queue) {
      queue.delete(socket)
      if (!socket.destroyed) look(socket, options, hand)
      if (performance.now() >= until) break
    }
    if (queue.size > 0) setImmediate(takeSome)
  }
  server.on('connection', (socket: Socket) => {
    if (!options.shut.isShuttingOut && queue.size === 0) return hand(socket)
    if (queue.size === 0) setImmediate(takeSome)
    socket.on('error', drop)
    queue.add(socket)
  })
}

function look(socket: Socket, options: FirstBytesOptions, hand: (socket: Socket) => void): void {
  const read = (): void => {
    const first = socket.read() as Buffer | null
    if (first === null) return
    socket.removeListener('readable', read)
    if (isRefused(first.toString('latin1'), socket, options)) return options.shut.answer(socket)
    socket.removeListener('timeout', drop).removeListener('error', drop).setTimeout(0)
    socket.unshift(first)
    hand(socket)
  }
  socket.on('readable', read).on('timeout', drop).setTimeout(silentMs)
}

function drop(this: Socket): void {
  this.destroy()
}

function isRefused(bytes: string, socket: Socket, { shut, proxies, mode }: FirstBytesOptions): boolean {
  const sent = sentIn(bytes)
  if (sent === undefined) return false
  const ip = proxies.addressOf({ socket, ...sent })
  return !(mode === 'sandbox' && isLoopback(ip)) && shut.refuses(sent, ip)
}

/**
 * The headers that say who sends a request. Undefined when the head is not complete, or when only the HTTP server can tell: one of
 * them is there twice, or there is an `Authorization`.
 */
function sentIn(bytes: string): Sent | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const headers: Record<string, string> = {}
  for (const [, name = '', value = ''] of bytes.slice(0, end).matchAll(named)) {
    const key = name.toLowerCase()
    const before = headers[key]
    if (key === 'authorization' || (before !== undefined && key !== 'x-forwarded-for')) return undefined
    headers[key] = before === undefined ? value.trim() : `${before}, ${value.trim()}`
  }
  return { headers }
}
