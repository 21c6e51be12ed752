import { isLoopback, type Limits, takeForNetworks } from '../http/limits.ts'

/** Messages that all sockets of one network may send; those of a wide network eight times as many. */
const allowance = { burst: 2_000, perSecond: 500 }

/** Returns, for an address, a function that counts a message and tells whether its network may send it now. */
export type Crowd = (ip: string) => () => boolean

/**
 * Limits the messages of all sockets of a network together: otherwise two hundred sockets could send two hundred times as much as
 * one.
 */
export function crowdOf(limits: Limits, mode: 'sandbox' | 'production'): Crowd {
  return (ip) => {
    if (mode === 'sandbox' && isLoopback(ip)) return () => true
    return () => takeForNetworks(limits, 'messages', ip, allowance) === 0
  }
}
