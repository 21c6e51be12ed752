/** The exchange refused the request, with its code and message. */
export class ProgramError extends Error {
  /** A negative number that identifies the cause: -2010, -1121 … */
  readonly code: number
  /** The exchange's sentence: the same as `message`. */
  readonly msg: string
  /** HTTP status, or the status in an answer on the socket. */
  readonly status: number
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** Details of a refusal besides its message, such as both halves of a cancel-replace. */
  readonly data: unknown

  constructor(answer: {
    readonly code: number
    readonly msg: string
    readonly status: number
    readonly retryAfter?: number | undefined
    readonly data?: unknown
  }) {
    super(answer.msg)
    this.name = 'ProgramError'
    this.code = answer.code
    this.msg = answer.msg
    this.status = answer.status
    this.retryAfter = answer.retryAfter
    this.data = answer.data
  }

  /** The exchange does not know whether the request was executed: send it again unchanged, or ask for the order by its client id. */
  get isOutcomeUnknown(): boolean {
    return this.code === -1006 || this.code === -1007
  }
}

/**
 * `unreachable`  no answer came
 * `timeout`      no answer came in time
 * `unreadable`   something answered, but not the exchange
 */
export type ConnectionFault = 'unreachable' | 'timeout' | 'unreadable'

/** No answer of the exchange arrived. A write may or may not have been executed. */
export class ConnectionError extends Error {
  readonly reason: ConnectionFault
  /** True for every request that was sent and not answered. */
  readonly isOutcomeUnknown = true

  constructor(reason: ConnectionFault, options?: ErrorOptions) {
    super(`the exchange can't be reached: ${reason}`, options)
    this.name = 'ConnectionError'
    this.reason = reason
  }
}
