import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { IncomingMessage } from 'node:http'

export type HostRules = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  /** Where it listens. */
  readonly host: string
  /** Further names that requests may ask for, without ports. */
  readonly hosts: readonly string[]
}

/**
 * Whether a request asks for a name that this exchange has. A page of a stranger that lets its own name lead to this machine
 * (DNS rebinding) asks for that name, and would otherwise read what only this machine may. In production the names are those
 * of the public addresses and the listed ones; a sandbox also has the names of its machine and any address without a name.
 */
export class Hosts {
  readonly #names: ReadonlySet<string>
  readonly #isSandbox: boolean
  /** As clients wrote them, which is mostly one way. */
  readonly #own = new Set<string>()

  constructor({ mode, publicUrls, host, hosts }: HostRules) {
    this.#isSandbox = mode === 'sandbox'
    const own = this.#isSandbox ? ['localhost', host, hostname(), `${hostname()}.local`] : []
    this.#names = new Set([...publicUrls.map((url) => new URL(url).hostname), ...hosts, ...own].map((name) => name.toLowerCase()))
  }

  isOwn({ headers: { host = '' } }: Pick<IncomingMessage, 'headers'>): boolean {
    if (this.#own.has(host)) return true
    const name = nameOf(host)
    const isOwn = this.#names.has(name) || (this.#isSandbox && (isIP(bare(name)) !== 0 || name.endsWith('.localhost')))
    if (isOwn && this.#own.size < ownMax) this.#own.add(host)
    return isOwn
  }
}

const ownMax = 100

/** Without the port, in lower case. */
function nameOf(host: string): string {
  return host.replace(/:[0-9]*$/, '').toLowerCase()
}

const bare = (name: string): string => (name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name)
