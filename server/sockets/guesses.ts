import { hasForNetworks, isLoopback, type Limits, takeForNetworks } from '../http/limits.ts'
import type { Guesses } from './stream-sockets.ts'

/** Look-ups of unknown listen keys per network, eight times as many per wide network: each costs a query. */
const allowance = { burst: 20, perSecond: 0.2 }

/** A network that asked for too many unknown listen keys must wait. A valid listen key never counts. */
export function guessesOf(limits: Limits, mode: 'sandbox' | 'production'): Guesses {
  const isFree = (ip: string): boolean => mode === 'sandbox' && isLoopback(ip)
  return {
    mayAsk: (ip) => isFree(ip) || hasForNetworks(limits, 'listen', ip, allowance),
    wasWrong: (ip) => {
      if (!isFree(ip)) takeForNetworks(limits, 'listen', ip, allowance)
    },
  }
}
