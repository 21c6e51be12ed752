import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { IncomingMessage } from 'node:http'

export type HostRules = {
  readonly mode: 'sandbox' | 'production'
  readonly publicUrls: readonly string[]
  /** The address that the server listens on. */
  readonly host: string
  /** Further host names that requests may use, without ports. */
  readonly hosts: readonly string[]
}

/**
 * Checks that the host name of a request belongs to this exchange. Otherwise a foreign page could point its own name to this
 * machine (DNS rebinding) and read answers that only this machine may read. In production the names are those of the public
 * addresses and the listed ones. A sandbox also accepts the names of its machine and any IP address.
 */
export class Hosts {
  readonly #names: ReadonlySet<string>
  readonly #isSandbox: boolean
  /** Host headers that were accepted, exactly as clients wrote them: most are alike, which saves parsing. */
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

/** The host name without its port, in lower case. */
function nameOf(host: string): string {
  return host.replace(/:[0-9]*$/, '').toLowerCase()
}

const bare = (name: string): string => (name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name)
