import { networkOf } from '../networks.ts'
import { isLoopback, type Limits } from '../http/limits.ts'
import type { Guesses } from './stream-sockets.ts'

/** Look-ups of unknown listen keys per network: each costs a query. */
const allowance = { burst: 20, perSecond: 0.2 }

/** A network that asked for too many unknown listen keys must wait. A valid listen key never counts. */
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
