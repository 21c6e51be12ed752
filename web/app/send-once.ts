/**
 * One policy for requests that move money: the exchange counts each client id once, so the id decides whether two requests
 * are one.
 *
 *   a second tap while the first request is on its way   sends nothing
 *   the same thing asked again after a lost answer       the very same request, with the same id: it counts once
 *   something else, or anything after an answer          a new request with a new id
 */
import { ApiError, OfflineError } from '@candor/client/errors.ts'

export class SendOnce<Asked extends object | string, Request> {
  readonly #newId: () => string
  #isOnItsWay = false
  /** The last request, while its result is unknown. */
  #open: { readonly asked: string; readonly request: Request } | undefined

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /**
   * The request to send now, or undefined while another one is on its way. `asked` is what the person chose and typed: its
   * content decides whether this is the same thing again. `requestOf` may add what moves by itself, such as live prices.
   */
  begin(asked: Asked, requestOf: (clientId: string, asked: Asked) => Request): Request | undefined {
    if (this.#isOnItsWay) return undefined
    this.#isOnItsWay = true
    const text = JSON.stringify(asked)
    if (this.#open?.asked !== text) this.#open = { asked: text, request: requestOf(this.#newId(), asked) }
    return this.#open.request
  }

  /** Records the result; without `error` the request was done. */
  end(error?: unknown): void {
    this.#isOnItsWay = false
    if (!isLost(error)) this.#open = undefined
  }
}

/** Whether the result of a request is unknown: no answer came, or the exchange itself did not know it. */
export function isLost(error: unknown): boolean {
  return error instanceof OfflineError || (error instanceof ApiError && error.code === 'STATUS_UNKNOWN')
}
