import { networkOf } from '../networks.ts'
import { isLoopback, type Limits } from '../http/limits.ts'

/** Messages that all sockets of one network may send. */
const allowance = { burst: 2_000, perSecond: 500 }

/** Of an address, whether its network may send one more message now; each call counts one. */
export type Crowd = (ip: string) => () => boolean

/** Two hundred sockets of a network would else be read as one is, two hundred times. */
export function crowdOf(limits: Limits, mode: 'sandbox' | 'production'): Crowd {
  return (ip) => {
    if (mode === 'sandbox' && isLoopback(ip)) return () => true
    const name = `messages:${networkOf(ip)}`
    return () => limits.take(name, allowance) === 0
  }
}
