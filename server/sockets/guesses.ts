import { networkOf } from '../networks.ts'
import { isLoopback, type Limits } from '../http/limits.ts'
import type { Guesses } from './stream-sockets.ts'

/** Listen keys that opened nothing, of one network: each costs a query. */
const allowance = { burst: 20, perSecond: 0.2 }

/** A network that has asked for too many listen keys that open nothing waits; whoever has good ones never does. */
export function guessesOf(limits: Limits, mode: 'sandbox' | 'production'): Guesses {
  const isFree = (ip: string): boolean => mode === 'sandbox' && isLoopback(ip)
  const nameOf = (ip: string): string => `listen:${networkOf(ip)}`
  return {
    mayAsk: (ip) => isFree(ip) || limits.has(nameOf(ip), allowance),
    wasWrong: (ip) => {
      if (!isFree(ip)) limits.take(nameOf(ip), allowance)
    },
  }
}
