import { StoreFault } from '../store/fault.ts'

/** Another engine leads now. This one must stop: nothing it decides can become durable. */
export class Fenced extends StoreFault {
  constructor(message: string) {
    super(message)
    this.name = 'Fenced'
  }
}

/** The batch could not be written in time. `isUnknown`: it may be in the journal all the same; otherwise it surely is not. */
export class NotWritten extends StoreFault {
  readonly isUnknown: boolean

  constructor(isUnknown: boolean, cause: unknown) {
    super(isUnknown ? 'It is not known whether the batch is in the journal' : 'The batch could not be written to the journal', {
      cause,
      isRetryable: true,
    })
    this.name = 'NotWritten'
    this.isUnknown = isUnknown
  }
}

/** The disk does not return the bytes that were written: a row's hash, the chain, the order or a replayed digest does not match. */
export class Damaged extends StoreFault {
  readonly seq: number

  constructor(seq: number, message: string) {
    super(`Journal damaged at ${seq}: ${message}`)
    this.name = 'Damaged'
    this.seq = seq
  }
}

/**
 * There is no snapshot at this place. One that was listed a moment ago may have been deleted since, because newer ones replace it: its
 * reader takes an older one, and nothing is damaged.
 */
export class NoSnapshot extends Damaged {
  constructor(seq: number) {
    super(seq, 'there is no snapshot here')
  }
}
