import { setTimeout as sleep } from 'node:timers/promises'
import type { Message, Messages } from '../ports.ts'

const waitsMs = [0, 500, 3_000]
const queuedMax = 5_000

/**
 * Sends messages after the answer, so that the speed of a mail server does not reveal who has an account. Each is tried three
 * times; after that it is reported and dropped, and its reader asks for another code.
 */
export class Outgoing implements AsyncDisposable {
  readonly #messages: Messages
  readonly #onFault: (cause: unknown) => void
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  constructor(messages: Messages, onFault: (cause: unknown) => void) {
    this.#messages = messages
    this.#onFault = onFault
  }

  /** before  work that must finish before the message is useful; if it fails or resolves to false, the message is not sent */
  send(message: Message, before?: () => Promise<boolean>): void {
    if (this.#running.size >= queuedMax) {
      this.#onFault(new Error(`A ${message.template} message was dropped: ${queuedMax} are waiting`))
      return
    }
    const running: Promise<void> = this.#deliver(message, before).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Resolves when no message is pending. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.settled()
  }

  async #deliver(message: Message, before?: () => Promise<boolean>): Promise<void> {
    let fault: unknown
    try {
      if ((await before?.()) === false) return
    } catch (cause) {
      return this.#onFault(cause)
    }
    for (const wait of waitsMs) {
      if (wait > 0) await sleep(wait, undefined, { signal: this.#closing.signal }).catch(() => undefined)
      try {
        return await this.#messages.send(message)
      } catch (cause) {
        fault = cause
        if ((cause as { isRetryable?: boolean } | null)?.isRetryable === false) break
      }
    }
    this.#onFault(fault)
  }
}
