import { createHmac } from 'node:crypto'

export type Fields = Readonly<Record<string, string | number>>
/** `body`: undefined when it is no JSON, such as HAProxy's own pages. */
export type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> | undefined }

/** A customer's program: plain requests, signed by hand, to the entries of the exchange in turn. */
export class Program {
  readonly #entries: readonly string[]
  readonly #key: string
  readonly #secret: string
  /** The address that the entries are told, so that each customer has the limits of one. */
  readonly #address: string
  #at: number

  constructor(entries: readonly string[], credentials: { readonly key: string; readonly secret: string }, nth: number) {
    this.#entries = entries
    this.#key = credentials.key
    this.#secret = credentials.secret
    this.#address = `198.51.100.${(nth % 250) + 1}`
    this.#at = nth % entries.length
  }

  /** From now on it uses another entry, as a client does that knows several addresses. */
  turn(): void {
    this.#at = (this.#at + 1) % this.#entries.length
  }

  /** Rejects when no whole answer comes in time. */
  async ask(method: string, path: string, fields: Fields, maxMs: number): Promise<Answer> {
    const query = Object.entries({ ...fields, recvWindow: 60_000, timestamp: Date.now() })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    const signature = createHmac('sha256', this.#secret).update(query).digest('hex')
    const response = await fetch(`${this.#entries[this.#at]}${path}?${query}&signature=${signature}`, {
      method,
      redirect: 'error',
      headers: { 'X-MBX-APIKEY': this.#key, 'X-Forwarded-For': this.#address },
      signal: AbortSignal.timeout(maxMs),
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text) }
  }
}

function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text) as Answer['body']
  } catch {
    return undefined
  }
}
