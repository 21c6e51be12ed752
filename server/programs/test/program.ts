import { createHmac } from 'node:crypto'
import type { TestUser } from '../../main/test/exchange.ts'

export type Answer = { readonly status: number; readonly body: any; readonly headers: Headers }
export type Fields = Readonly<Record<string, string | number>>

/** A test's program: plain `fetch`, signed by hand, so that it depends on nothing that it tests. */
export class Program {
  readonly url: string
  readonly key: string
  readonly secret: string

  constructor(url: string, key: string, secret: string) {
    this.url = url
    this.key = key
    this.secret = secret
  }

  /** Sends all parameters in the query, signed just before. Rejects when no whole answer comes. */
  async signed(method: string, path: string, fields: Fields = {}): Promise<Answer> {
    const query = queryOf({ ...fields, recvWindow: 60_000, timestamp: Date.now() })
    const signature = createHmac('sha256', this.secret).update(query).digest('hex')
    return ask(`${this.url}${path}?${query}&signature=${signature}`, { method, headers: { 'X-MBX-APIKEY': this.key } })
  }

  /** The body of an answer that must be a success. throws  Error for any other answer */
  async done(method: string, path: string, fields: Fields = {}): Promise<any> {
    const { status, body } = await this.signed(method, path, fields)
    if (status !== 200) throw new Error(`${method} ${path} ${queryOf(fields)}: ${status} ${JSON.stringify(body)}`)
    return body
  }
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'error', ...init })
  return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
}

export const queryOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** A program with a key that its owner creates in the app. */
export async function programOf(url: string, user: TestUser, scopes: readonly string[] = ['read', 'trade']): Promise<Program> {
  const { status, body } = await user.call('POST', '/keys', { label: 'test', scopes, ips: [], password: user.password })
  if (status >= 300) throw new Error(`key: ${status} ${JSON.stringify(body)}`)
  return new Program(url, body.key.key, body.secret)
}
