import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../refused.ts'
import { messages } from '../http/messages.ts'

/**
 * An error answer of the API for programs: `{code, msg}` with an HTTP status. Codes and messages are those that clients know;
 * some clients compare the message.
 */
export class ApiError extends Error {
  readonly code: number
  readonly status: number
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined

  constructor(code: number, msg: string, status = 400, retryAfter?: number) {
    // An answer, not a failure, so it needs no stack: see `Refused`.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(msg)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }

  get body(): { readonly code: number; readonly msg: string } {
    return { code: this.code, msg: this.message }
  }
}

export const missing = (name: string) => new ApiError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`)
export const empty = (name: string) => new ApiError(-1105, `Parameter '${name}' was empty.`)
export const illegal = (name: string, range: string) =>
  new ApiError(-1100, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`)
export const invalid = (name: string) => new ApiError(-1130, `Data sent for parameter '${name}' is not valid.`)
export const repeated = (name: string) => new ApiError(-1101, `Duplicate values for parameter '${name}'.`)
export const unread = (read: number, sent: number) =>
  new ApiError(-1104, `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${sent}'.`)
export const tooPrecise = (name: string) => new ApiError(-1111, `Parameter '${name}' has too much precision.`)
export const badCombination = () => new ApiError(-1128, 'Combination of optional parameters invalid.')
export const badSymbol = () => new ApiError(-1121, 'Invalid symbol.')
export const badInterval = () => new ApiError(-1120, 'Invalid interval.')
export const noSuchPath = (method: string, path: string, status: 404 | 405) =>
  new ApiError(refusals.NOT_FOUND.api, `Path ${path}, Method ${method} is invalid`, status)

/** Messages that clients look for, where they differ from those of the app. */
const sentences: Partial<Record<Refusal, string>> = {
  MARKET_UNKNOWN: 'Invalid symbol.',
  UNAVAILABLE: 'Internal error; unable to process your request. Please try again.',
  STATUS_UNKNOWN: 'An unexpected response was received from the message bus. Execution status unknown.',
}

/** HTTP statuses with a meaning for clients. All other refusals are 400. */
const kept: ReadonlySet<number> = new Set([401, 403, 413, 415, 429, 503])

/** A refusal of the exchange as an error of this API; undefined for an error that is neither. */
export function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  const refusal = refusalOf(error)
  if (refusal === undefined) return undefined
  const { http, api } = refusals[refusal]
  const { field, retryAfter } = error instanceof Refused ? error : { field: undefined, retryAfter: undefined }
  if (refusal === 'FIELD_MISSING' && field !== undefined) return missing(field)
  if (refusal === 'TOO_MANY_DIGITS' && field !== undefined) return tooPrecise(field)
  if (refusal === 'FIELD_INVALID' && field !== undefined) return invalid(field)
  return new ApiError(api, sentences[refusal] ?? messages[refusal], kept.has(http) ? http : 400, retryAfter)
}

/** The refusal that a fault carries, as the faults of the link do. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error.refusal
  const { refusal } = (error ?? {}) as { refusal?: unknown }
  return typeof refusal === 'string' && Object.hasOwn(refusals, refusal) ? (refusal as Refusal) : undefined
}
