import type { IncomingMessage } from 'node:http'
import { networkOf } from '../../networks.ts'
import type { Limits } from './limits.ts'

/** Refusals that a network may cause at once, and in each second after that. */
const refusals = { burst: 100, perSecond: 5 }
/** What a refused request costs its network. The rest is answered as ever. */
const wasteful: ReadonlySet<number> = new Set([408, 413, 418, 429])

/** The whole answer: nothing is looked at, nothing is built. */
const answer = (() => {
  const body = '{"code":"RATE_LIMITED","message":"Too many requests.","retryAfter":10,"requestId":"-"}'
  const head = ['HTTP/1.1 429 Too Many Requests', 'content-type: application/json; charset=utf-8', 'retry-after: 10', 'connection: close']
  return Buffer.from(`${[...head, `content-length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`)
})()

export type ShutOptions = {
  readonly limits: Limits
  /** Whether somebody who is known sends it: a session or a key that was good a moment ago. */
  readonly isKnown: (request: IncomingMessage) => boolean
}

/**
 * Networks that go on after being refused. Each of their requests is answered with the same bytes before anything of it is
 * looked at, until they have been quiet for a while; customers of the same network who are known go on.
 */
export class Shut {
  readonly #options: ShutOptions

  constructor(options: ShutOptions) {
    this.#options = options
  }

  /** Notes how a request of this address was answered. */
  note(ip: string, status: number): void {
    if (wasteful.has(status)) this.#options.limits.take(nameOf(ip), refusals)
  }

  /** True: it was answered here, and its connection is closed. */
  takes(request: IncomingMessage, ip: string): boolean {
    const { limits, isKnown } = this.#options
    if (limits.has(nameOf(ip), refusals) || isKnown(request)) return false
    request.socket.end(answer)
    // Whoever keeps their half open would stay.
    request.socket.once('finish', () => request.socket.destroy())
    return true
  }
}

const nameOf = (ip: string): string => `shut:${networkOf(ip)}`
