import { checkDepth, parseJsonText } from '../../http/body.ts'
import { ApiError } from '../errors.ts'
import { checkName, type Sent } from '../params.ts'

/** A request on the WebSocket API: like one over HTTP, plus an id that the answer repeats. */
export type SocketRequest = {
  readonly id: string | number | null
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const paramsMax = 64
const textMax = 128
const methodShape = /^[A-Za-z0-9./]{1,64}$/
const none = {}

/** `id`: that of the request, as far as it could be read. */
export class BadRequest extends ApiError {
  readonly id: SocketRequest['id']

  constructor(code: number, msg: string, id: SocketRequest['id'] = null) {
    super(code, msg)
    this.id = id
  }
}

/**
 * Parses a client's message. If a name occurs twice in an object, its last value is used, for the signature too.
 *
 * throws  BadRequest -1135, or with the code of the wrong field
 */
export function readSocketRequest(data: Buffer, isBinary: boolean): SocketRequest {
  let message: unknown
  try {
    if (isBinary) throw new Error('not text')
    const text = data.toString()
    checkDepth(text)
    // Only an escape can produce characters that no text may contain.
    message = text.includes('\\u') ? parseJsonText(text) : JSON.parse(text)
  } catch {
    throw new BadRequest(-1135, 'Invalid JSON Request')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw new BadRequest(-1135, 'Invalid JSON Request')
  const { id = null, method, params = none } = message as Record<string, unknown>
  const isId = id === null || (typeof id === 'string' ? id.length <= textMax : typeof id === 'number')
  if (!isId) throw new BadRequest(-1100, "Illegal characters found in parameter 'id'; legal range is 'INT, STRING, null'.")
  const known = id as SocketRequest['id']
  if (typeof method !== 'string' || !methodShape.test(method)) {
    throw new BadRequest(-1102, "Mandatory parameter 'method' was not sent, was empty/null, or malformed.", known)
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new BadRequest(-1100, "Illegal characters found in parameter 'params'; legal range is 'an object'.", known)
  }
  return { id: known, method, params: params as SocketRequest['params'] }
}

/**
 * Parameters in the form in which routes read them: numbers as decimals, lists and objects as JSON. Parameters about
 * authentication and the answer's format are left out.
 *
 * throws  ApiError -1100, -1101
 */
export function sentOfParams(params: SocketRequest['params']): Sent {
  let count = 0
  let size = 0
  for (const name in params) {
    if (++count > paramsMax) throw new ApiError(-1101, `Too many parameters; expected at most '${paramsMax}'.`)
    if (isOfFrame(name)) continue
    checkName(name)
    size++
  }
  return new SocketSent(params, size)
}

const isOfFrame = (name: string): boolean => name === 'apiKey' || name === 'returnRateLimits'

class SocketSent implements Sent {
  readonly size: number
  readonly #params: SocketRequest['params']

  constructor(params: SocketRequest['params'], size: number) {
    this.#params = params
    this.size = size
  }

  /** No parameter of a route has a name that every object has, and JSON has no undefined. */
  has(name: string): boolean {
    return this.#params[name] !== undefined && !isOfFrame(name)
  }

  get(name: string): string | undefined {
    const value = this.#params[name]
    return value === undefined || isOfFrame(name) ? undefined : plainText(value)
  }
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') {
    const text = String(value)
    return text.includes('e') ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text
  }
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
