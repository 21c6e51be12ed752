import type { IncomingMessage } from 'node:http'
import { networkOf } from '../networks.ts'
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
  /** Who sends it, by a session or a key that was good a moment ago; undefined: nobody who is known. */
  readonly knownAs: (request: IncomingMessage) => string | undefined
}

/**
 * Networks that go on after being refused. Each of their requests is answered with the same bytes before anything of it is
 * looked at, until they have been quiet for a while. Customers of the same network who are known go on, unless they
 * themselves go on after their own refusals: those count for them in that network alone, because a key is no secret.
 */
export class Shut {
  readonly #options: ShutOptions
  /** Known ones who were refused lately, so that nobody else costs a look. */
  readonly #wasteful = new Set<string>()

  constructor(options: ShutOptions) {
    this.#options = options
  }

  /** Notes how a request of this address was answered. */
  note(request: IncomingMessage, ip: string, status: number): void {
    if (!wasteful.has(status)) return
    const { limits, knownAs } = this.#options
    const known = knownAs(request)
    if (known === undefined) return void limits.take(nameOf(ip), refusals)
    if (this.#wasteful.size >= wastefulMax) this.#wasteful.clear()
    this.#wasteful.add(known)
    limits.take(`${nameOf(ip)} ${known}`, refusals)
  }

  /** True: it was answered here, and its connection is closed. */
  takes(request: IncomingMessage, ip: string): boolean {
    const { limits, knownAs } = this.#options
    const isOpen = limits.has(nameOf(ip), refusals)
    if (isOpen && this.#wasteful.size === 0) return false
    const known = knownAs(request)
    if (known === undefined ? isOpen : !this.#wasteful.has(known) || limits.has(`${nameOf(ip)} ${known}`, refusals)) return false
    request.socket.end(answer)
    // Whoever keeps their half open would stay.
    request.socket.once('finish', () => request.socket.destroy())
    return true
  }
}

const wastefulMax = 10_000
const nameOf = (ip: string): string => `shut:${networkOf(ip)}`
