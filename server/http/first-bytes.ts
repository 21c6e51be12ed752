import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from './limits.ts'
import type { Proxies } from './proxies.ts'
import type { Sent, Shut } from './shut.ts'

/** How long a connection may send nothing. The HTTP server has its own limits once it has the connection. */
const silentMs = 10_000
/** How long connections are looked at in one turn of the event loop. */
const turnMs = 0.5
/** The headers that say who sends, from where, and whether a body follows. */
const named = /\r\n(cookie|x-mbx-apikey|authorization|x-forwarded-for|content-length|transfer-encoding)[ \t]*:([^\r\n]*)/gi

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
  socket.on('timeout', drop).setTimeout(silentMs)
  socket.once('data', (first: Buffer) => {
    const sent = sentIn(first)
    if (sent !== undefined && isRefused(sent, socket, options)) return options.shut.answer(socket, sent.isWhole)
    socket.removeListener('timeout', drop).removeListener('error', drop).setTimeout(0)
    // The HTTP server adds its listener to a socket at rest and gets these bytes first.
    socket.pause().unshift(first)
    hand(socket)
    socket.resume()
  })
}

function drop(this: Socket): void {
  this.destroy()
}

function isRefused(sent: Sent, socket: Socket, { shut, proxies, mode }: FirstBytesOptions): boolean {
  const ip = proxies.addressOf({ socket, ...sent })
  return !(mode === 'sandbox' && isLoopback(ip)) && shut.refuses(sent, ip)
}

/**
 * The headers and the path that say who sends a request, and whether its body has come too. Undefined when the head is not complete, or when only
 * the HTTP server can tell: one of them is there twice, or there is an `Authorization`.
 */
function sentIn(first: Buffer): (Sent & { readonly isWhole: boolean }) | undefined {
  const bytes = first.toString('latin1')
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const headers: Record<string, string> = {}
  for (const [, name = '', value = ''] of bytes.slice(0, end).matchAll(named)) {
    const key = name.toLowerCase()
    const before = headers[key]
    if (key === 'authorization' || (before !== undefined && key !== 'x-forwarded-for')) return undefined
    headers[key] = before === undefined ? value.trim() : `${before}, ${value.trim()}`
  }
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  const [, url = ''] = bytes.slice(0, bytes.indexOf('\r\n')).split(' ', 2)
  return { headers, url, isWhole: bytes.length >= length && headers['transfer-encoding'] === undefined }
}
