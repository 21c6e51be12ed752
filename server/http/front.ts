import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import { wireError } from './errors.ts'
import { dataHeaders, transportHeaders } from './headers.ts'
import type { Hosts } from './hosts.ts'
import { isLoopback } from './limits.ts'
import { InProgress } from './in-progress.ts'
import type { Proxies } from './proxies.ts'
import { type RawServer, sendText } from './raw.ts'
import type { Shut } from './shut.ts'

/** Health checks use the machine's address instead of a host name. Their answer tells a stranger nothing of value. */
const namelessPath = '/healthz'

export type FrontOptions = {
  readonly hosts: Hosts
  readonly proxies: Proxies
  readonly mode: 'sandbox' | 'production'
  readonly requestId: () => string
  readonly shut: Shut
  /** Whether the public address is https. */
  readonly isSecure?: boolean
  /** The account of a known customer: by a browser's signed cookie, or by a session or key that was good a moment ago. */
  readonly accountOf?: (request: IncomingMessage) => string | undefined
  readonly atOnce?: number
}

/**
 * Runs before everything else: the request must use a host name of this exchange, and a network may have only so many requests in
 * progress at a time. Behind a proxy, where all connections are the proxy's, this limits clients that send slowly.
 */
export function front(options: FrontOptions): RawServer {
  const { hosts, proxies, mode, requestId, shut, isSecure = false, accountOf = () => undefined } = options
  const running = new InProgress(options.atOnce)
  const refuse = (request: IncomingMessage, response: ServerResponse, refusal: Refusal, wait: readonly string[] = []): true => {
    const headers = [
      ...Object.entries({ ...dataHeaders, ...transportHeaders(isSecure) }).flat(),
      'content-type',
      'application/json; charset=utf-8',
      'connection',
      'close',
      ...wait,
    ]
    sendText(response, refusals[refusal].http, headers, JSON.stringify(wireError(refusal, requestId())))
    request.resume()
    return true
  }
  const isNameless = ({ url = '' }: IncomingMessage): boolean => url === namelessPath || url.startsWith(`${namelessPath}?`)
  return (request, response) => {
    if (!hosts.isOwn(request) && !isNameless(request)) return refuse(request, response, 'HOST_REFUSED')
    const ip = proxies.addressOf(request)
    if (mode === 'sandbox' && isLoopback(ip)) return false
    if (shut.takes(request, ip)) return true
    const leave = running.enter(ip, () => accountOf(request))
    if (leave === undefined) {
      shut.note(request, ip, 429)
      return refuse(request, response, 'RATE_LIMITED', ['retry-after', '1'])
    }
    response.once('close', () => {
      shut.note(request, ip, response.statusCode)
      leave()
    })
    return false
  }
}
