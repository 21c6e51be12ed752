import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from './limits.ts'
import type { Proxies } from './proxies.ts'
import type { Sent, Shut } from './shut.ts'

/** How long a connection may send nothing. The HTTP server has its own limits once it has the connection. */
const silentMs = 10_000
/** How many connections are looked at in one turn of the event loop. To read and answer one takes 0.1 to 0.2 ms. */
const turnMax = 3
/** The headers that say who sends and from where. */
const named = /\r\n(cookie|x-mbx-apikey|authorization|x-forwarded-for)[ \t]*:([^\r\n]*)/gi

export type FirstBytesOptions = { readonly shut: Shut; readonly proxies: Proxies; readonly mode: 'sandbox' | 'production' }

/**
 * Answers requests that are shut out by their first bytes, for half of what it costs to make a request of them. All other
 * connections go to the HTTP server with everything they sent. Meanwhile new connections wait for each other, a few in each turn of
 * the event loop, so that a burst of them does not delay those who are connected. While no network is shut out, every connection
 * goes to the HTTP server at once. Call it before other listeners for connections are added.
 */
export function watchFirstBytes(server: Server, options: FirstBytesOptions): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  const hand = (socket: Socket): void => {
    for (const listener of serve) listener.call(server, socket)
  }
  const queue = new Set<Socket>()
  const takeSome = (): void => {
    let looked = 0
    for (const socket of queue) {
      queue.delete(socket)
      if (socket.destroyed) continue
      look(socket, options, hand)
      if (++looked >= turnMax) break
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

function look(socket: Socket, { shut, proxies, mode }: FirstBytesOptions, hand: (socket: Socket) => void): void {
  const read = (): void => {
    const first = socket.read() as Buffer | null
    if (first === null) return
    const sent = sentIn(first.toString('latin1'))
    const ip = sent && proxies.addressOf({ socket, ...sent })
    socket.removeListener('readable', read)
    if (ip !== undefined && !(mode === 'sandbox' && isLoopback(ip)) && shut.refuses(sent!, ip)) return shut.answer(socket)
    socket.removeListener('timeout', drop).removeListener('error', drop).setTimeout(0)
    socket.unshift(first)
    hand(socket)
  }
  socket.on('readable', read).on('timeout', drop).setTimeout(silentMs)
}

function drop(this: Socket): void {
  this.destroy()
}

/**
 * The headers of a complete head that say who sends it. Undefined when the head is not complete, or when only the HTTP server can
 * tell: a name that is there twice, or another kind of authorization.
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
