/** The exchange said no: its code and sentence. */
export class ProgramError extends Error {
  /** A negative number that says what is wrong: -2010, -1121 … */
  readonly code: number
  /** The sentence: the same as `message`. */
  readonly msg: string
  /** HTTP status, or the status that an answer on the socket carried. */
  readonly status: number
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined
  /** What a refusal carries beside its sentence: both halves of a cancel-replace. */
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

  /** The exchange does not know whether it happened: send it again unchanged, or ask for the order by its client id. */
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

/** The exchange could not be asked. A write may or may not have happened. */
export class ConnectionError extends Error {
  readonly reason: ConnectionFault
  /** True for whatever was sent and not answered. */
  readonly isOutcomeUnknown = true

  constructor(reason: ConnectionFault, options?: ErrorOptions) {
    super(`the exchange can't be reached: ${reason}`, options)
    this.name = 'ConnectionError'
    this.reason = reason
  }
}
