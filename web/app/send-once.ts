/**
 * One policy for requests that move money: the exchange counts each client id once, so the id decides whether two requests
 * are one.
 *
 *   a second tap while the first request is on its way   sends nothing
 *   the same input again after a lost answer             the same request with the same id: it counts once
 *   another input, or any input after an answer          a new request with a new id
 */
import { ApiError, OfflineError } from '@candor/client/errors.ts'

/** The socket of a page may tell of what the page did this long after the answer. */
const echoMs = 2_000
let onTheirWay = 0
let answeredAt = -echoMs

/** Whether this page sends a request that moves money, or has had its answer a moment ago. */
export function isOwnDeed(): boolean {
  return onTheirWay > 0 || performance.now() - answeredAt < echoMs
}

export class SendOnce<Asked extends object | string, Request> {
  readonly #newId: () => string
  #isOnItsWay = false
  /** The last request, while its result is unknown. */
  #open: { readonly asked: string; readonly request: Request } | undefined

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /**
   * The request to send now, or undefined while another one is on its way. `asked` is the user's input: equal content means the same
   * request again. `requestOf` may add changing values, such as live prices.
   */
  begin(asked: Asked, requestOf: (clientId: string, asked: Asked) => Request): Request | undefined {
    if (this.#isOnItsWay) return undefined
    this.#isOnItsWay = true
    onTheirWay++
    const text = JSON.stringify(asked)
    if (this.#open?.asked !== text) this.#open = { asked: text, request: requestOf(this.#newId(), asked) }
    return this.#open.request
  }

  /** Records the result; without `error` the request succeeded. */
  end(error?: unknown): void {
    this.#isOnItsWay = false
    onTheirWay--
    answeredAt = performance.now()
    if (!isLost(error)) this.#open = undefined
  }
}

/** Whether the result of a request is unknown: no answer came, or the exchange itself did not know it. */
export function isLost(error: unknown): boolean {
  return error instanceof OfflineError || (error instanceof ApiError && error.code === 'STATUS_UNKNOWN')
}
