import type { Refusal } from '@candor/core/protocol/refusal.ts'

/** The exchange refused the request. `code` is stable: apps show its translation, programs branch on it. */
export class ApiError extends Error {
  readonly code: Refusal
  readonly field: string | undefined
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** Id that support asks for. Empty when the answer had none. */
  readonly requestId: string
  readonly status: number

  constructor(answer: {
    readonly code: Refusal
    readonly message: string
    readonly status: number
    readonly requestId?: string | undefined
    readonly field?: string | undefined
    readonly retryAfter?: number | undefined
  }) {
    super(answer.message)
    this.name = 'ApiError'
    this.code = answer.code
    this.field = answer.field
    this.retryAfter = answer.retryAfter
    this.requestId = answer.requestId ?? ''
    this.status = answer.status
  }
}

/**
 * `unreachable`  no answer came; a write may or may not have happened: send it again with the same client id
 * `timeout`      no answer came in time; as above
 * `unreadable`   something answered, but not the exchange
 */
export type OfflineReason = 'unreachable' | 'timeout' | 'unreadable'

/** No answer of the exchange arrived. */
export class OfflineError extends Error {
  readonly reason: OfflineReason

  constructor(reason: OfflineReason, options?: ErrorOptions) {
    super(`the exchange can't be reached: ${reason}`, options)
    this.name = 'OfflineError'
    this.reason = reason
  }
}
