import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import { hashOf } from '../../identity/secret.ts'
import { isCoded } from '../../http/body.ts'
import { dataHeaders, transportHeaders } from '../../http/headers.ts'
import { isLoopback } from '../../http/limits.ts'
import type { Proxies } from '../../http/proxies.ts'
import { bodyOf, type RawServer, sendText } from '../../http/raw.ts'
import { clocks, type Ended, RequestClock } from '../../watch/request.ts'
import { Refused } from '../../refused.ts'
import { alertMax } from '../../signals/alert.ts'
import type { SignalAddress, SignalCalls } from '../../signals/calls.ts'
import { ApiError } from '../errors.ts'
import type { Weights } from '../weights.ts'
import { MinuteCounts } from './counts.ts'
import { type KnownSignals, secretIn } from './known.ts'
import type { Taken } from './taken.ts'

/** 43 letters of base64url: 256 bits. */
const secretShape = /^[A-Za-z0-9_-]{43}$/
/** The path without the secret. */
const route = '/hooks/v1/:secret'
/** Weight of an address that does not exist: it was looked up in the tables. */
const unknownWeight = 20
/** Requests of one address per minute that are looked up in the tables, whatever they are. All others are refused unread. */
const lookUpsPerMinute = 300
const types: ReadonlySet<string> = new Set(['', 'text/plain', 'application/json'])

export type HookOptions = {
  readonly calls: Pick<SignalCalls, 'find'>
  readonly known: Pick<KnownSignals, 'isOn' | 'lookedUp'>
  readonly taken: Taken
  /** Of their own: senders share their addresses with many customers, and with nobody's programs. */
  readonly weights: Weights
  readonly mode: 'sandbox' | 'production'
  readonly proxies: Proxies
  readonly now: () => number
  readonly logger: FastifyBaseLogger
  readonly requestId: () => string
  readonly onEnded: Ended
  readonly newClock?: () => RequestClock
  readonly isSecure?: boolean
}

/**
 * Serves signal addresses, `POST /hooks/v1/{secret}`, before the framework. The answer says only whether the alert was taken: who has
 * the address learns nothing about the account. No log of requests ever has the path, which is the secret.
 */
export function signalServer(options: HookOptions): RawServer {
  const hook = new Hook(options)
  return (request, response) => {
    if (!(request.url ?? '').startsWith('/hooks/')) return false
    void hook.answer(request, response)
    return true
  }
}

class Hook {
  readonly #options: HookOptions
  readonly #headers: readonly string[]
  /** Requests of addresses that are on, by hash. */
  readonly #requests = new MinuteCounts<string>()

  constructor(options: HookOptions) {
    this.#options = options
    const headers = { ...dataHeaders, ...transportHeaders(options.isSecure ?? false), 'content-type': 'application/json; charset=utf-8' }
    this.#headers = Object.entries(headers).flat()
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const clock = this.#options.newClock?.() ?? new RequestClock()
    const refusal = await clocks
      .run(clock, () => this.#taken(request))
      .then(
        () => undefined,
        (error: unknown) => this.#refusalOf(error),
      )
    const [status, body] = refusal === undefined ? [200, { ok: true }] : answerTo(refusal)
    if (response.destroyed) return
    const headers = [...this.#headers]
    // The unread part of a body would be taken for the next request.
    if (!request.complete) headers.push('connection', 'close')
    sendText(response, status, headers, JSON.stringify(body))
    // The method of a stranger may be any text.
    const method = request.method === 'POST' ? 'POST' : 'other'
    this.#options.onEnded({ area: 'hooks', method, route, status, ms: performance.now() - clock.begunAt, clock })
  }

  async #taken(request: IncomingMessage): Promise<void> {
    const { taken, proxies } = this.#options
    const ip = proxies.addressOf(request)
    const address = await this.#find(request.url as string, ip)
    if (request.method !== 'POST') throw new Refused('METHOD_NOT_ALLOWED')
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
    if (isCoded(request) || !types.has(type)) throw new Refused('MEDIA_TYPE_UNSUPPORTED')
    const tooLarge = (): Refused => new Refused('BODY_TOO_LARGE')
    if (Number(request.headers['content-length'] ?? 0) > alertMax) throw tooLarge()
    const body = await bodyOf(request, alertMax, tooLarge).catch((error: unknown) => {
      // A sender that hangs up or sends too slowly is no fault of the exchange, and could fill its log.
      throw error instanceof Refused ? error : new Refused('BODY_MALFORMED')
    })
    if (!isUtf8(body)) throw new Refused('BODY_MALFORMED')
    await taken.take(address, { ip, text: body.toString('utf8') })
  }

  /**
   * Counts a request before it is looked up, so that requests at the same moment are counted too.
   *
   * throws  Refused NOT_FOUND, SIGNAL_LIMIT for an address that gets too many requests; ApiError for a sender of too many unknown ones
   */
  async #find(url: string, ip: string): Promise<SignalAddress> {
    const { calls, known, now } = this.#options
    const secret = secretIn(url)
    const hash = hashOf(secret).toString('hex')
    if (!(await known.isOn(hash))) this.#countUnknown(ip)
    else if (this.#requests.next(hash, now()) > lookUpsPerMinute) throw new Refused('SIGNAL_LIMIT')
    const address = secretShape.test(secret) ? await calls.find(secret) : undefined
    known.lookedUp(hash, address?.account)
    if (address === undefined) throw new Refused('NOT_FOUND')
    return address
  }

  /** One that was made within the last half a minute is counted too, by its first request. throws  ApiError */
  #countUnknown(ip: string): void {
    const { weights, mode, now } = this.#options
    if (mode === 'production' || !isLoopback(ip)) {
      weights.enter(ip, now())
      weights.check(ip, 'spot', now())
    }
    weights.note(ip, 'spot', unknownWeight, now())
  }

  #refusalOf(error: unknown): Refusal {
    if (error instanceof Refused) return error.refusal
    if (error instanceof ApiError) return 'RATE_LIMITED'
    const { logger, requestId } = this.#options
    logger.error({ err: error, reqId: requestId() }, 'a signal failed')
    return 'STATUS_UNKNOWN'
  }
}

/** Refusals that are about the request alone. All others would tell about the account, so they have one answer. */
const told: ReadonlySet<Refusal> = new Set<Refusal>([
  ...(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'MEDIA_TYPE_UNSUPPORTED', 'BODY_TOO_LARGE', 'BODY_MALFORMED'] as const),
  ...(['FIELD_MISSING', 'FIELD_UNKNOWN', 'FIELD_INVALID', 'RATE_LIMITED', 'UNAVAILABLE', 'STATUS_UNKNOWN'] as const),
])

function answerTo(refusal: Refusal): readonly [number, object] {
  if (!told.has(refusal)) return [422, { ok: false, code: 'REFUSED' }]
  // A status of 413 counts against the network, which is the charting service's and shared by its customers.
  return [refusal === 'BODY_TOO_LARGE' ? 400 : refusals[refusal].http, { ok: false, code: refusal }]
}
