import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { Refused } from '../refused.ts'
import { wireError } from '../http/errors.ts'
import { rawDataHead } from '../http/headers.ts'
import type { Hosts } from '../http/hosts.ts'

const frameMax = 64 * 1024

/** Handles the handshakes of a path: refuses them, or takes the socket. */
export type Endpoint = (request: IncomingMessage, url: URL) => Promise<Taken> | Taken
/** A refusal in the format of the API for programs. `retryAfter` in seconds. */
export type Refusing = { readonly status: number; readonly body: object; readonly retryAfter: number | undefined }
export type Taken = { readonly refusal: Refusal } | { readonly error: Refusing } | { readonly open: (ws: WebSocket, raw: Duplex) => void }

/** Handles all WebSocket handshakes of the server. */
export function makeUpgrade(
  find: (path: string) => Endpoint | undefined,
  hosts: Pick<Hosts, 'isOwn'>,
  onRefused: (request: IncomingMessage, status: number) => void = () => undefined,
  /** Headers of every refusal. */
  headers: Readonly<Record<string, string>> = {},
) {
  const refuse = (raw: Duplex, refusal: Refusal): void => answer(raw, refusals[refusal].http, wireError(refusal, 'none'), headers)
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: frameMax,
    perMessageDeflate: false,
    clientTracking: false,
    skipUTF8Validation: false,
  })
  server.on('wsClientError', (_error, socket) => socket.destroy())

  return (request: IncomingMessage, raw: Duplex, head: Buffer): void => {
    // Nothing else listens for errors during the handshake, and a broken client must not end the process.
    const ignore = (): void => void raw.destroy()
    raw.on('error', ignore)
    void accept(request, raw, head).catch((error: unknown) => {
      const refusal = error instanceof Refused ? error.refusal : 'UNAVAILABLE'
      onRefused(request, refusals[refusal].http)
      refuse(raw, refusal)
    })
  }

  async function accept(request: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> {
    let url: URL
    try {
      url = new URL(request.url ?? '/', 'http://localhost')
    } catch {
      return refuse(raw, 'NOT_FOUND')
    }
    if (!hosts.isOwn(request)) return refuse(raw, 'HOST_REFUSED')
    const endpoint = find(url.pathname)
    if (!endpoint) return refuse(raw, 'NOT_FOUND')
    if (request.method !== 'GET' || String(request.headers.upgrade).toLowerCase() !== 'websocket') return refuse(raw, 'BODY_MALFORMED')
    const taken = await endpoint(request, url)
    if ('refusal' in taken) {
      onRefused(request, refusals[taken.refusal].http)
      return refuse(raw, taken.refusal)
    }
    if ('error' in taken) onRefused(request, taken.error.status)
    if ('error' in taken) return answer(raw, taken.error.status, taken.error.body, { ...headers, ...waitOf(taken.error) })
    if (raw.destroyed) return
    server.handleUpgrade(request, raw, head, (ws) => {
      ws.on('error', () => ws.terminate())
      taken.open(ws, raw)
    })
  }
}

const waitOf = ({ retryAfter }: Refusing): Readonly<Record<string, string>> =>
  retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }

function answer(raw: Duplex, status: number, said: object, headers: Readonly<Record<string, string>>): void {
  if (!raw.writable) return void raw.destroy()
  const body = JSON.stringify(said)
  // Otherwise a client that keeps its end open would stay connected for ever, without being counted.
  raw.once('finish', () => raw.destroy())
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  raw.end(
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\n${rawDataHead}${more.join('')}content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
