import type { IncomingMessage } from 'node:http'
import type { UserClass } from '@candor/core/protocol/command/user.ts'
import { Refused } from '../../refused.ts'

/** So many at once, and so many a second after that. */
export type Allowance = { readonly burst: number; readonly perSecond: number }

/** What one user may do at the gateway. The core treats all alike. */
export const tiers: Readonly<Record<UserClass, { readonly read: Allowance; readonly write: Allowance }>> = {
  retail: { read: { burst: 200, perSecond: 50 }, write: { burst: 100, perSecond: 50 } },
  maker: { read: { burst: 1_000, perSecond: 500 }, write: { burst: 1_000, perSecond: 500 } },
  bench: { read: { burst: 1e9, perSecond: 1e9 }, write: { burst: 1e9, perSecond: 1e9 } },
}

/** What one address may do without being logged in. Codes and passwords have their own limits in identity as well. */
export const visitor: Allowance = { burst: 400, perSecond: 100 }
export const visitorAuth: Allowance = { burst: 20, perSecond: 0.5 }

type Bucket = { tokens: number; at: number }

/** Token buckets by name. Full ones are forgotten, so that memory follows who is active, not who ever came. */
export class Limits {
  readonly #buckets = new Map<string, Bucket>()
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sweeper = setInterval(() => this.#sweep(), 60_000)
    this.#sweeper.unref()
  }

  /** Seconds to wait when there is nothing left, else 0. */
  take(name: string, allowance: Allowance): number {
    const now = this.#now()
    const bucket = this.#buckets.get(name)
    if (!bucket) {
      this.#buckets.set(name, { tokens: allowance.burst - 1, at: now })
      return 0
    }
    bucket.tokens = Math.min(allowance.burst, bucket.tokens + ((now - bucket.at) / 1_000) * allowance.perSecond)
    bucket.at = now
    if (bucket.tokens < 1) return (1 - bucket.tokens) / allowance.perSecond
    bucket.tokens -= 1
    return 0
  }

  /** throws  Refused RATE_LIMITED with the seconds to wait */
  check(name: string, allowance: Allowance): void {
    const wait = this.take(name, allowance)
    if (wait > 0) throw new Refused('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(wait)) })
  }

  /** Ten minutes of silence refill every bucket there is. */
  #sweep(): void {
    const now = this.#now()
    for (const [name, bucket] of this.#buckets) if (now - bucket.at > 600_000) this.#buckets.delete(name)
  }

  close(): void {
    clearInterval(this.#sweeper)
  }
}

export function isLoopback(ip: string): boolean {
  return ip === '127.0.0.1' || ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')
}

/**
 * What limits are counted for: an IPv4 address, or the network of 64 bits that an IPv6 address is in, because whoever has one
 * has all of it.
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip
  const [before = '', after = ''] = ip.split('::')
  const groups = before === '' ? [] : before.split(':')
  const rest = after === '' ? [] : after.split(':')
  while (groups.length + rest.length < 8) groups.push('0')
  return `${[...groups, ...rest].slice(0, 4).join(':')}::/64`
}

/** Who is at the other end of a handshake: behind a proxy, the address that the proxy saw. */
export function addressOf(request: IncomingMessage, isProxyTrusted: boolean): string {
  const seen = isProxyTrusted
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)!
        .trim()
    : ''
  return seen || (request.socket.remoteAddress ?? '')
}
