import type { FastifyInstance } from 'fastify'
import { Refused } from '../../refused.ts'

export type PhotoPlacesOptions = { readonly perCustomer?: number; readonly all?: number }

/**
 * Photos that are on their way through this process at the same moment. Each is held in memory as a whole, however slowly its
 * customer sends or reads it.
 */
export class PhotoPlaces {
  readonly #options: Required<PhotoPlacesOptions>
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor({ perCustomer = 4, all = 32 }: PhotoPlacesOptions = {}) {
    this.#options = { perCustomer, all }
  }

  /**
   * Holds a place for each request to the routes of a scope: after the gate and before the body, so that a request without one costs no
   * memory. It is free once the answer is out, or the connection broke.
   */
  hold(scope: Pick<FastifyInstance, 'addHook'>): void {
    scope.addHook('onRequest', (request, reply, done) => {
      try {
        reply.raw.once('close', this.take(request.session.account))
        done()
      } catch (cause) {
        done(cause as Error)
      }
    })
  }

  /** Returns what gives the place back. throws  Refused UNAVAILABLE */
  take(account: string): () => void {
    const own = this.#taken.get(account) ?? 0
    if (own >= this.#options.perCustomer || this.#count >= this.#options.all) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    this.#taken.set(account, own + 1)
    this.#count++
    return () => {
      const left = (this.#taken.get(account) ?? 0) - 1
      if (left > 0) this.#taken.set(account, left)
      else this.#taken.delete(account)
      this.#count--
    }
  }
}
