import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { refusals } from '@candor/core/protocol/refusal.ts'
import { wireError } from '../http/errors.ts'
import { dataHeaders, transportHeaders } from '../http/headers.ts'
import { type RawServer, sendText } from '../http/raw.ts'

type ConsoleDoorOptions = {
  /** The console's own port; undefined: it has none, and all of this does nothing. */
  readonly port: number | undefined
  readonly host: string
  readonly isSecure: boolean
  readonly requestId: () => string
}

/** The operators' console by a port of its own: its requests come by that port and by no other, and nothing else comes by it. */
export class ConsoleDoor implements AsyncDisposable {
  readonly #options: ConsoleDoorOptions
  readonly #server = createServer()

  constructor(options: ConsoleDoorOptions) {
    this.#options = options
  }

  /** Opens the port. Its connections are the main server's, with all of that one's limits. */
  async open(main: Server): Promise<void> {
    const { port, host } = this.#options
    if (port === undefined) return
    this.#server.on('connection', (socket) => main.emit('connection', socket))
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
  }

  /** Whether a request came by the console's port. */
  isBy({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
    return socket.localPort === this.#options.port
  }

  /**
   * Whether a route of the framework answers requests that came this way. `route`: its pattern, so that no spelling of a path gets past.
   */
  isOpen(request: Pick<IncomingMessage, 'socket'>, route: string | undefined): boolean {
    return this.#options.port === undefined || this.isBy(request) === (route !== undefined && /^\/console(\/|$)/.test(route))
  }

  /** Refuses what came by the console's port and is not for the console, before the API for programs sees it. */
  readonly first: RawServer = (request, response) => {
    if (!this.isBy(request) || /^\/console([/?]|$)/.test(request.url ?? '')) return false
    const { isSecure, requestId } = this.#options
    const headers = Object.entries({
      ...dataHeaders,
      ...transportHeaders(isSecure),
      'content-type': 'application/json; charset=utf-8',
    }).flat()
    sendText(response, refusals.NOT_FOUND.http, headers, JSON.stringify(wireError('NOT_FOUND', requestId())))
    request.resume()
    return true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    await once(this.#server, 'close')
  }
}
