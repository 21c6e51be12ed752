import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { dataHeaders, transportHeaders } from './headers.ts'
import { type Allowance, hasForNetworks, type Limits, takeForNetworks } from './limits.ts'
import { messages } from './messages.ts'

/** Refusals that the strangers of a network may receive at once, and then per second; a wide network eight times as many. */
const ofStrangers = { burst: 100, perSecond: 5 }
/** The same for one customer in a network who is known by a secret: nobody else's refusals can be among them. */
const ofCustomer = { burst: 20, perSecond: 1 }
/**
 * What a request that is refused unread counts as, in refusals: a hundred a second keep a network out, as many as its strangers may
 * send, and twenty a second a customer with a secret. A few stray ones don't, or one slow client could shut its neighbours out for as long as it
 * likes.
 */
const unreadCost = 1 / 20
/** How long first bytes are watched after the last request that was shut out. */
const watchedMs = 10_000
/** Statuses of refused requests that count against the network. All others are free. */
const wasteful: ReadonlySet<number> = new Set([408, 413, 418, 429])

/** The complete answer, prepared once: nothing is read or built for it. */
function answerWith(transport: Readonly<Record<string, string>>): Buffer {
  const body = JSON.stringify({ code: 'RATE_LIMITED', message: messages.RATE_LIMITED, retryAfter: 10, requestId: '-' })
  const head = ['HTTP/1.1 429 Too Many Requests', 'content-type: application/json; charset=utf-8', 'retry-after: 10', 'connection: close']
  const more = Object.entries({ ...dataHeaders, ...transport, 'content-length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from(`${[...head, ...more].join('\r\n')}\r\n\r\n${body}`)
}

/** A known sender. `isSecret`: by something that only they have, a session or a signed cookie; the id of a key is no secret. */
export type Known = { readonly name: string; readonly isSecret: boolean }

/** The part of a request that says who sends it. */
export type Sent = Pick<IncomingMessage, 'headers' | 'url'>

export type ShutOptions = {
  readonly limits: Limits
  /** The sender, by a session or key that was good a moment ago, or by a signed cookie; undefined when unknown. */
  readonly knownAs: (request: Sent) => Known | undefined
  /** Whether the public address is https. */
  readonly isSecure?: boolean
}

/**
 * Shuts out networks that keep sending after being refused. Each of their requests gets the same bytes before it is read, until
 * the network has been quiet for a while. Known customers in the same network are still served, unless they too keep sending
 * after refusals. Refusals of a customer count only against that customer in that network, because the id of a key is no secret.
 */
export class Shut {
  readonly #options: ShutOptions
  readonly #answer: Buffer
  /** Until when networks count as being shut out, on the process's clock. */
  #until = 0
  /** Known customers who were refused recently; all others skip the second check. */
  readonly #wasteful = new Set<string>()

  constructor(options: ShutOptions) {
    this.#options = options
    this.#answer = answerWith(transportHeaders(options.isSecure ?? false))
  }

  /** Notes the status of an answer to this address. */
  note(request: IncomingMessage, ip: string, status: number): void {
    if (!wasteful.has(status)) return
    const { limits, knownAs } = this.#options
    const known = knownAs(request)
    if (known === undefined) return void takeForNetworks(limits, 'shut', ip, ofStrangers)
    if (this.#wasteful.size >= wastefulMax) this.#wasteful.clear()
    this.#wasteful.add(known.name)
    takeForNetworks(limits, kindOf(known), ip, allowedTo(known))
  }

  /** Whether any network was shut out within the last seconds. */
  get isShuttingOut(): boolean {
    return performance.now() < this.#until
  }

  /** Whether strangers of the address are shut out. */
  isShut(ip: string): boolean {
    return !hasForNetworks(this.#options.limits, 'shut', ip, ofStrangers)
  }

  /**
   * Answers before a request is read, and closes the connection.
   *
   * isWhole  whether nothing of the request is on its way. The connection is then closed at once, at two thirds of the cost: the
   *          system still sends the answer, which it would drop for bytes that nobody has read.
   */
  answer(socket: Duplex, isWhole = false): void {
    this.#until = performance.now() + watchedMs
    if (isWhole) {
      socket.write(this.#answer)
      socket.destroy()
      return
    }
    socket.end(this.#answer)
    // Otherwise a client that keeps its half open would keep the connection.
    socket.once('finish', () => socket.destroy())
  }

  /**
   * Whether a request is shut out: a stranger’s with its network, a known customer’s only with that customer in that network.
   * Whoever keeps flooding while shut out stays out.
   */
  refuses(request: Sent, ip: string): boolean {
    const { limits, knownAs } = this.#options
    const isOpen = !this.isShut(ip)
    if (isOpen && this.#wasteful.size === 0) return false
    const known = knownAs(request)
    const [kind, allowed] = known === undefined ? (['shut', ofStrangers] as const) : ([kindOf(known), allowedTo(known)] as const)
    const isRefused = known === undefined ? !isOpen : this.#wasteful.has(known.name) && !hasForNetworks(limits, kind, ip, allowed)
    if (isRefused) takeForNetworks(limits, kind, ip, allowed, unreadCost)
    return isRefused
  }

  /** Returns true when it answered the request; the connection is then closed. */
  takes(request: IncomingMessage, ip: string): boolean {
    if (!this.refuses(request, ip)) return false
    this.answer(request.socket)
    return true
  }
}

const wastefulMax = 10_000
const kindOf = ({ name }: Known): string => `shut ${name}`
const allowedTo = ({ isSecret }: Known): Allowance => (isSecret ? ofCustomer : ofStrangers)
