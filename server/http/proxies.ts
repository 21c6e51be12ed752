import { BlockList, isIP, SocketAddress } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import { remembering } from '../remembering.ts'

/** Addresses and headers that are remembered: a proxy sends those of the same clients again and again. */
const addressesMax = 4_096
/** Prefix of an IPv4 address written as IPv6. */
const mapped = '::ffff:'

/**
 * The canonical form of an address: IPv4 plain, IPv6 short and in lower case. Undefined for anything else, including an address
 * with a port or a zone.
 */
export function canonicalIp(text: string): string | undefined {
  const family = isIP(text)
  if (family === 4) return text
  if (family === 0 || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const rest = address.startsWith(mapped) ? address.slice(mapped.length) : ''
  return isIP(rest) === 4 ? rest : address
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address. Undefined for anything else. */
export function parseNetwork(text: string): { readonly address: string; readonly bits: number } | undefined {
  const [before = '', bits, ...more] = text.trim().split('/')
  const address = more.length > 0 ? undefined : canonicalIp(before)
  if (address === undefined) return undefined
  const max = isIP(address) === 4 ? 32 : 128
  if (bits === undefined) return { address, bits: max }
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= max ? { address, bits: Number(bits) } : undefined
}

type Forwarded = { readonly socket: { readonly remoteAddress?: string | undefined }; readonly headers: IncomingHttpHeaders }

/** Knows which proxies' `X-Forwarded-For` is trusted, and thus where a request comes from. */
export class Proxies {
  readonly #networks = new BlockList()
  readonly #isNone: boolean
  readonly #isProxy = remembering(addressesMax, (ip) => isIP(ip) !== 0 && this.#networks.check(ip, familyOf(ip)))
  readonly #outermost = remembering(addressesMax, (header) => this.#outermostOf(header))

  /** networks  of the operator's own proxies, in the form that `parseNetwork` reads */
  constructor(networks: readonly string[]) {
    this.#isNone = networks.length === 0
    for (const network of networks) {
      const parsed = parseNetwork(network)
      if (!parsed) throw new Error(`${network} is not a network`)
      this.#networks.addSubnet(parsed.address, parsed.bits, familyOf(parsed.address))
    }
  }

  isTrusted(ip: string): boolean {
    return !this.#isNone && this.#isProxy(ip)
  }

  /**
   * The sender's address as seen by the outermost of our own proxies. The header is read from its end, as long as each entry was
   * written by a trusted proxy. An entry that is not an address ends the reading, because its author is unknown.
   */
  addressOf(request: Forwarded): string {
    const peer = peerOf(request.socket.remoteAddress)
    if (this.#isNone || !this.isTrusted(peer)) return peer
    return this.#outermost(String(request.headers['x-forwarded-for'] ?? '')) ?? peer
  }

  /** Undefined when the last entry is not an address. */
  #outermostOf(header: string): string | undefined {
    let found: string | undefined
    for (const part of header.split(',').toReversed()) {
      const entry = canonicalIp(part.trim())
      if (entry === undefined) break
      found = entry
      if (!this.isTrusted(entry)) break
    }
    return found
  }
}

/** The address at the other end of a connection, in the form of `canonicalIp`. */
export function peerOf(address: string | undefined): string {
  if (address === undefined) return ''
  return address.includes(':') ? (canonicalIp(address) ?? address) : address
}

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (ip.includes(':') ? 'ipv6' : 'ipv4')
