import type { CallOptions } from './call.ts'
import { ConnectionError } from './errors.ts'

/** Whether requests may be sent on a socket, and the callers that wait for that. */
export class SocketReady {
  readonly #timeoutMs: number
  readonly #waiting = new Set<() => void>()
  #isReady = false
  #isClosed = false

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** throws  `ConnectionError` when it is closed or does not open in time, and the reason of an aborted `signal` */
  async reached({ signal, timeoutMs = this.#timeoutMs }: CallOptions = {}): Promise<void> {
    if (this.#isClosed) throw new ConnectionError('unreachable')
    if (this.#isReady) return
    await new Promise<void>((resolve, reject) => {
      const open = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(open)
        reject(signal?.aborted ? signal.reason : new ConnectionError('unreachable'))
      }, timeoutMs)
      this.#waiting.add(open)
    })
  }

  /** isReady  false when the socket was lost while it was prepared: waiting callers find that out themselves */
  become(isReady: boolean): void {
    this.#isReady = isReady
    this.#letGo()
  }

  lost(): void {
    this.#isReady = false
  }

  close(): void {
    this.#isClosed = true
    this.#letGo()
  }

  #letGo(): void {
    for (const open of this.#waiting) open()
    this.#waiting.clear()
  }
}
