import type { Refusal } from '@candor/core/protocol/refusal.ts'

/** Refuses a request. Thrown inside the server's asynchronous code, turned into an answer by the gateway's one error handler. */
export class Refused extends Error {
  readonly refusal: Refusal
  readonly field: string | undefined
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal, detail: { readonly field?: string; readonly retryAfter?: number; readonly message?: string } = {}) {
    // A refusal is an answer, not a failure: nobody reads its stack trace, and to collect one would cost more than everything
    // else.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(detail.message ?? refusal)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refused'
    this.refusal = refusal
    this.field = detail.field
    this.retryAfter = detail.retryAfter
  }
}
