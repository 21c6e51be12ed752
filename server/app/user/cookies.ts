import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../identity/device.ts'
import { deviceKeyIn } from '../../identity/devices.ts'

const monthSeconds = 30 * 86_400
const deviceSeconds = 2 * 365 * 86_400
const stepSeconds = 600
/** Longer than tables and gateways lag. */
const seqSeconds = 10

/**
 * The session's cookie, that of a login which waits for a second factor, that of a request for access without one, and the cookie by
 * which a known browser is recognized, and that of the last write (which authorize nothing). With https their names start with `__Host-`, which no other host or path can set; on http, in the
 * sandbox only, the names are plain.
 */
export class Cookies {
  readonly #isSecure: boolean
  readonly #session: string
  readonly #device: string
  readonly #step: string
  readonly #regain: string
  readonly #seq: string

  /** isSecure  whether the exchange's public address is https */
  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
    this.#session = isSecure ? '__Host-candor' : 'candor'
    this.#device = `${this.#session}-device`
    this.#step = `${this.#session}-step`
    this.#regain = `${this.#session}-regain`
    this.#seq = `${this.#session}-seq`
  }

  /** The token in a cookie, for routes and socket handshakes. Only values with the form of a token count. */
  readonly tokenOf = (request: Pick<IncomingMessage, 'headers'>): string | undefined => {
    const value = valueOf(request.headers.cookie, this.#session)
    return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
  }

  /** The browser's cookie, as it was sent: signed, or a bare key of older versions. */
  readonly deviceOf = (request: Pick<IncomingMessage, 'headers'>): string | undefined => valueOf(request.headers.cookie, this.#device)

  /** The token of a login that waits for a second factor. */
  stepOf(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    return valueOf(request.headers.cookie, this.#step)
  }

  /** The token of a request for access without the second factors. */
  regainOf(request: Pick<IncomingMessage, 'headers'>): string | undefined {
    const value = valueOf(request.headers.cookie, this.#regain)
    return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
  }

  /** Place in the journal of the browser's last write; undefined when it was long ago. */
  seqOf(request: Pick<IncomingMessage, 'headers'>): number | undefined {
    const value = valueOf(request.headers.cookie, this.#seq)
    return value !== undefined && /^[0-9]{1,15}$/.test(value) ? Number(value) : undefined
  }

  noteSeq(reply: FastifyReply, seq: number): void {
    reply.header('set-cookie', this.#line(this.#seq, String(seq), seqSeconds))
  }

  /** Remembers such a request; `undefined`: forgets it. */
  regain(reply: FastifyReply, token: string | undefined): void {
    reply.header('set-cookie', this.#line(this.#regain, token ?? '', token === undefined ? 0 : monthSeconds))
  }

  /** Remembers a login that waits for a second factor. */
  wait(reply: FastifyReply, step: string): void {
    reply.header('set-cookie', this.#line(this.#step, step, stepSeconds))
  }

  /** `deviceCookie`: undefined leaves the browser's as it is. */
  logIn(reply: FastifyReply, { token, deviceCookie }: { readonly token: string; readonly deviceCookie: string | undefined }): void {
    const lines = [this.#line(this.#session, token, monthSeconds)]
    if (deviceCookie !== undefined) lines.push(this.#line(this.#device, deviceCookie, deviceSeconds))
    reply.header('set-cookie', lines)
  }

  /** Sets the cookie with this token for another 30 days. */
  renew(reply: FastifyReply, token: string): void {
    reply.header('set-cookie', this.#line(this.#session, token, monthSeconds))
  }

  /** `deviceCookie`: undefined leaves the browser's as it is. */
  logOut(reply: FastifyReply, deviceCookie?: string): void {
    const lines = [this.#line(this.#session, '', 0)]
    if (deviceCookie !== undefined) lines.push(this.#line(this.#device, deviceCookie, deviceSeconds))
    reply.header('set-cookie', lines)
  }

  #line(name: string, value: string, maxAge: number): string {
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${this.#isSecure ? '; Secure' : ''}`
  }
}

export function visitorOf(request: FastifyRequest, cookies: Cookies): Visitor {
  const cookie = cookies.deviceOf(request)
  return {
    ip: request.address,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    deviceKey: cookie === undefined ? undefined : deviceKeyIn(cookie),
    asStranger: request.asStranger,
  }
}

function valueOf(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
