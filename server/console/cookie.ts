import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { staffLivesMs } from '../staff/sessions.ts'

/**
 * The cookie of a staff session, sent with no request that another site caused. With https its name starts with `__Host-`, which no
 * other host or path can set; on http, in the sandbox only, the name is plain. It is never a customer's cookie, nor the reverse.
 */
export class StaffCookie {
  readonly #isSecure: boolean
  readonly #name: string

  /** isSecure  whether the exchange's public address is https */
  constructor(isSecure: boolean) {
    this.#isSecure = isSecure
    this.#name = isSecure ? '__Host-candor-staff' : 'candor-staff'
  }

  /** Only values with the form of a token count. */
  readonly tokenOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined => {
    for (const part of headers.cookie?.split(';') ?? []) {
      const at = part.indexOf('=')
      if (at < 0 || part.slice(0, at).trim() !== this.#name) continue
      const value = part.slice(at + 1).trim()
      return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
    }
    return undefined
  }

  logIn(reply: FastifyReply, token: string): void {
    reply.header('set-cookie', this.#line(token, staffLivesMs / 1_000))
  }

  logOut(reply: FastifyReply): void {
    reply.header('set-cookie', this.#line('', 0))
  }

  #line(value: string, maxAge: number): string {
    return `${this.#name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${this.#isSecure ? '; Secure' : ''}`
  }
}
