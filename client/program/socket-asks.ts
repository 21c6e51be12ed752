import type { CallOptions } from './call.ts'
import { ConnectionError, ProgramError } from './errors.ts'
import type { SpotEvent } from './user-types.ts'

/** A message of the WebSocket API: the answer to a request, or an event of a subscription. */
export type Answer = {
  readonly id?: unknown
  readonly status?: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly msg: string; readonly data?: unknown }
  readonly subscriptionId?: number
  readonly event?: SpotEvent
}

type Pending = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }

/** Requests in progress on one socket, each until its own answer comes. */
export class Asks {
  readonly #send: (text: string) => void
  readonly #timeoutMs: number
  readonly #now: () => number
  readonly #pending = new Map<string, Pending>()
  #nextId = 1

  constructor(send: (text: string) => void, timeoutMs: number, now: () => number) {
    this.#send = send
    this.#timeoutMs = timeoutMs
    this.#now = now
  }

  /** throws  `ProgramError` when the exchange refuses, `ConnectionError` when no answer arrives, and the reason of an aborted `signal` */
  ask(method: string, params: object, { signal, timeoutMs = this.#timeoutMs }: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = String(this.#nextId++)
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        this.#pending.delete(id)
      }
      const stop = (): void => {
        end()
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        end()
        reject(new ConnectionError('timeout'))
      }, timeoutMs)
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      this.#pending.set(id, {
        resolve(result) {
          end()
          resolve(result)
        },
        reject(error) {
          end()
          reject(error)
        },
      })
      this.#send(JSON.stringify({ id, method, params }))
    })
  }

  answered(message: Answer): void {
    const asked = this.#pending.get(String(message.id))
    if (asked === undefined) return
    if (message.error === undefined) asked.resolve(message.result)
    else asked.reject(refusalOf(message, this.#now()))
  }

  /** The socket is lost: no request on it will be answered. */
  lost(): void {
    for (const { reject } of this.#pending.values()) reject(new ConnectionError('unreachable'))
  }
}

function refusalOf({ status = 400, error }: Answer, now: number): ProgramError {
  const { code, msg, data } = error as NonNullable<Answer['error']>
  const { retryAfter } = (data ?? {}) as { readonly retryAfter?: number }
  return new ProgramError({
    code,
    msg,
    status,
    data,
    ...(retryAfter === undefined ? {} : { retryAfter: Math.max(1, Math.ceil((retryAfter - now) / 1_000)) }),
  })
}
