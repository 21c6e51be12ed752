import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { Count, SharedCounts } from '../counters/counts.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'
import { Refused } from '../refused.ts'

/** A token bucket: `burst` at once, then `perSecond`. */
export type Allowance = { readonly burst: number; readonly perSecond: number }

/** Changes to webhooks that one customer may make, and all customers of one network together. */
export const locking: Allowance = { burst: 60, perSecond: 4 }
/** Requests of one session that stop whoever has another session of the account. */
export const urgent: Allowance = { burst: 5, perSecond: 0.2 }
/**
 * Photos of documents that one customer may send, and all customers of one network together: each costs the gateway some 10 MB of
 * memory, the decoder up to 15 seconds, and its place a file that stays for at least an hour.
 */
export const photos: Allowance = { burst: 20, perSecond: 1 / 60 }
export const photosOfNetwork: Allowance = { burst: 100, perSecond: 0.5 }
const unlimited: Allowance = { burst: 1e9, perSecond: 1e9 }
/** Requests that one user may send to the gateway. The core treats all users alike. */
export const tiers: Readonly<Record<UserClass, { readonly read: Allowance; readonly write: Allowance; readonly locking: Allowance }>> = {
  retail: { read: { burst: 200, perSecond: 50 }, write: { burst: 100, perSecond: 50 }, locking },
  maker: { read: { burst: 1_000, perSecond: 500 }, write: { burst: 1_000, perSecond: 500 }, locking },
  bench: { read: unlimited, write: unlimited, locking: unlimited },
}

/** Requests that one network may send without being logged in. Identity has further limits for codes and passwords. */
export const visitor: Allowance = { burst: 400, perSecond: 100 }
export const visitorAuth: Allowance = { burst: 20, perSecond: 0.5 }
/** Requests without a session that one known device may send, and all known devices of one network together. */
export const device: Allowance = { burst: 400, perSecond: 20 }
export const devices: Allowance = { burst: 1_600, perSecond: 400 }
/** All devices of one account get this many times the allowance of one, so that a stolen cookie can't use up those of the owner. */
export const devicesTimes = 4
/** Requests that the customers of one network may send together; reads and writes are counted separately. Makers are not counted here. */
export const customers: Allowance = { burst: 400, perSecond: 100 }
/** Count of requests that are charged for one answer which the engine computes for a customer. */
export const askedOfEngine = { light: () => 2, heavy: () => 4 } as const

/**
 * used       what was taken and has not flowed back, by all gateways
 * made       number of the bucket, in this process
 * spent      all that this gateway has taken from it
 */
type Bucket = { readonly name: string; used: number; at: number; perSecond: number; readonly made: number; spent: number }

/** A bucket is full again after ten minutes without use. */
const idleMs = 600_000
/** Names of buckets that stay in their gateway: what is shut out of it, by names that may be secret. */
const isOwn = (name: string): boolean => name.startsWith('shut ')

/** Token buckets by name. Full buckets are forgotten, so memory grows with the active users, not with all that ever came. */
export class Limits implements SharedCounts {
  readonly kind = 'flow'
  readonly keptMs = 2 * idleMs
  readonly #buckets = new Map<string, Bucket>()
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout
  #made = 0
  /** Buckets that were used since the other gateways were told; undefined: there are none. */
  #changed: Set<Bucket> | undefined

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#sweeper = setInterval(() => this.#sweep(), 60_000)
    this.#sweeper.unref()
  }

  /**
   * Takes `cost` from a bucket. Returns 0, or the seconds to wait when too little is left.
   *
   * cost  what the request costs, 1 for an ordinary one; one that costs more than `burst` takes a full bucket and leaves a debt
   */
  take(name: string, { burst, perSecond }: Allowance, cost = 1): number {
    const now = this.#now()
    const bucket = this.#bucket(name, perSecond, now)
    flow(bucket, now)
    const least = Math.min(cost, burst)
    if (burst - bucket.used < least) return (least - (burst - bucket.used)) / perSecond
    bucket.used += cost
    if (cost > 0) {
      bucket.spent += cost
      this.#changed?.add(bucket)
    }
    return 0
  }

  /** Whether a request would be admitted; takes nothing. */
  has(name: string, allowance: Allowance): boolean {
    return this.take(name, allowance, 0) === 0 && allowance.burst - this.#buckets.get(name)!.used >= 1
  }

  /** throws  Refused RATE_LIMITED with the seconds to wait */
  check(name: string, allowance: Allowance, cost = 1): void {
    refuseFor(this.take(name, allowance, cost))
  }

  #sweep(): void {
    const now = this.#now()
    for (const [name, bucket] of this.#buckets) if (now - bucket.at > idleMs) this.#buckets.delete(name)
  }

  close(): void {
    clearInterval(this.#sweeper)
  }

  watch(isWatched: boolean): void {
    this.#changed = isWatched ? new Set() : undefined
  }

  changed(): readonly Count[] {
    const found = [...(this.#changed ?? [])].flatMap(countOf)
    this.#changed?.clear()
    return found
  }

  all(): readonly Count[] {
    return [...this.#buckets.values()].flatMap(countOf)
  }

  add(told: string, _made: number, more: number): boolean {
    const gap = told.indexOf(' ')
    const now = this.#now()
    const bucket = this.#bucket(told.slice(gap + 1), Number(told.slice(0, gap)), now)
    flow(bucket, now)
    bucket.used += more
    return true
  }

  #bucket(name: string, perSecond: number, now: number): Bucket {
    let bucket = this.#buckets.get(name)
    if (bucket === undefined) {
      bucket = { name, used: 0, at: now, perSecond, made: ++this.#made, spent: 0 }
      this.#buckets.set(name, bucket)
    }
    bucket.perSecond = perSecond
    return bucket
  }
}

/** What has flowed back since the last look. */
function flow(bucket: Bucket, now: number): void {
  bucket.used = Math.max(0, bucket.used - ((now - bucket.at) / 1_000) * bucket.perSecond)
  bucket.at = now
}

function countOf({ name, perSecond, made, spent }: Bucket): Count[] {
  return spent === 0 || perSecond >= unlimited.perSecond || isOwn(name) ? [] : [[`${perSecond} ${name}`, made, spent]]
}

export function isLoopback(ip: string): boolean {
  return ip === '127.0.0.1' || ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')
}

/**
 * Takes `cost` from the bucket of the address's network and from that of the wide network around it. Returns 0, or the seconds to
 * wait. What the network itself may not send takes nothing from the wide one, so that no network can use up its neighbours' share.
 */
export function takeForNetworks(limits: Limits, kind: string, ip: string, allowance: Allowance, cost = 1): number {
  const wait = limits.take(`${kind}:${networkOf(ip)}`, allowance, cost)
  return wait > 0 ? wait : limits.take(`${kind}:${wideNetworkOf(ip)}`, wideOf(allowance), cost)
}

/** Whether both networks of the address still have something left; takes nothing. */
export function hasForNetworks(limits: Limits, kind: string, ip: string, allowance: Allowance): boolean {
  return limits.has(`${kind}:${networkOf(ip)}`, allowance) && limits.has(`${kind}:${wideNetworkOf(ip)}`, wideOf(allowance))
}

/** Counts a visitor's request for both networks of the address. throws  Refused RATE_LIMITED */
export function checkVisitor(limits: Limits, kind: string, ip: string, allowance: Allowance, cost = 1): void {
  refuseFor(takeForNetworks(limits, kind, ip, allowance, cost))
}

function wideOf({ burst, perSecond }: Allowance): Allowance {
  return { burst: burst * wideTimes, perSecond: perSecond * wideTimes }
}

/** wait  in seconds; 0: not refused */
function refuseFor(wait: number): void {
  if (wait > 0) throw new Refused('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(wait)) })
}
