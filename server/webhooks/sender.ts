import { type LookupAddress, lookup as lookupName } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { DeliveryProblem } from '@candor/core/protocol/wire/webhooks.ts'
import { type AddressRules, literalOf, mayConnect } from './address.ts'

/** Result of a try. Without `problem` the receiver has accepted it. */
export type Answer = {
  readonly problem: DeliveryProblem | undefined
  readonly status: number | undefined
  /** The beginning of the answer, as printable text. */
  readonly text: string
  readonly tookMs: number
}

export type SenderOptions = {
  readonly rules: AddressRules
  readonly timeoutMs: number
  /** Replaced in tests to resolve names to their own addresses. */
  readonly lookup?: typeof lookupName
}

/** Bytes of an answer that are read; the rest is ignored. */
const answerBytes = 200
/** Shorter than the idle time-out of most receivers, so that few requests go out on a connection that the receiver is closing. */
const idleMs = 4_000

/** The name resolves to an address that must not be called. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

/**
 * Sends bodies to URLs that customers gave. The resolved address is checked when the connection is made, so that changing the
 * name's address after an earlier check is useless; redirects are not followed.
 */
export class Sender implements Disposable {
  readonly #rules: AddressRules
  readonly #timeoutMs: number
  readonly #lookup: typeof lookupName
  readonly #agents: { readonly 'http:': http.Agent; readonly 'https:': https.Agent }

  constructor({ rules, timeoutMs, lookup = lookupName }: SenderOptions) {
    this.#rules = rules
    this.#timeoutMs = timeoutMs
    this.#lookup = lookup
    const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: 64 }
    this.#agents = {
      'http:': new http.Agent({ ...kept, lookup: this.#lookupFor('http:') }),
      'https:': new https.Agent({ ...kept, lookup: this.#lookupFor('https:') }),
    }
  }

  async post(address: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<Answer> {
    const url = new URL(address)
    const startedAt = performance.now()
    const took = (): number => Math.round(performance.now() - startedAt)
    const literal = literalOf(url)
    if (literal !== undefined && !mayConnect(url.protocol, literal, this.#rules)) {
      return { problem: 'refused', status: undefined, text: '', tookMs: 0 }
    }
    const signal = AbortSignal.timeout(this.#timeoutMs)
    for (let isRepeat = false; ; isRepeat = true) {
      try {
        const { status, text } = await this.#exchange(url, headers, body, signal)
        const isTaken = status >= 200 && status < 300
        return { problem: isTaken ? undefined : 'status', status, text, tookMs: took() }
      } catch (cause) {
        // The other side was closing the idle connection: repeat on a new one, which does not count as another try.
        if (cause instanceof Stale && !isRepeat) continue
        return { problem: signal.aborted ? 'timeout' : problemOf(cause), status: undefined, text: '', tookMs: took() }
      }
    }
  }

  [Symbol.dispose](): void {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  #exchange(url: URL, headers: Readonly<Record<string, string>>, body: string | Buffer, signal: AbortSignal) {
    const protocol = url.protocol as 'http:' | 'https:'
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = (protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: this.#agents[protocol],
        headers: { ...headers, 'content-length': String(bytes.length) },
        signal,
      })
      // A receiver that switches protocols is cut off without an error.
      const closed = (): void => reject(new Error('closed without an answer'))
      request.once('close', closed)
      request.once('error', (cause: NodeJS.ErrnoException) =>
        reject(request.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE') ? new Stale() : cause),
      )
      request.once('response', (response) => {
        // The status is known: failures of the rest don't matter.
        request.on('error', () => undefined)
        request.off('close', closed)
        const status = response.statusCode ?? 0
        const chunks: Buffer[] = []
        let length = 0
        const finish = (): void => resolve({ status, text: printable(Buffer.concat(chunks).subarray(0, answerBytes)) })
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          length += chunk.length
          if (length > answerBytes) request.destroy()
        })
        response.once('close', finish)
        response.once('error', finish)
      })
      request.end(bytes)
    })
  }

  /** Every address of a name must be allowed: a single private one shows that the name points inside a network. */
  #lookupFor(protocol: string): LookupFunction {
    return (hostname, options, callback) => {
      this.#lookup(hostname, { ...options, all: true }, (error, found: readonly LookupAddress[] = []) => {
        if (error) return callback(error, '', 0)
        const isGood = found.length > 0 && found.every(({ address }) => mayConnect(protocol, address, this.#rules))
        if (!isGood) return callback(new AddressRefused(`${hostname} resolves to an address to which nothing may be sent`), '', 0)
        if (options.all) callback(null, [...found])
        else callback(null, found[0]!.address, found[0]!.family)
      })
    }
  }
}

class Stale extends Error {}

const nameCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])

function problemOf(cause: unknown): DeliveryProblem {
  const code = String((cause as { code?: unknown } | null)?.code ?? '')
  if (code === 'ADDRESS_REFUSED') return 'refused'
  if (nameCodes.has(code)) return 'name'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) return 'tls'
  return 'connection'
}

/** Text from a receiver's bytes that is safe to show. */
function printable(bytes: Buffer): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\ufffd]+/gu, ' ')
    .trim()
}
