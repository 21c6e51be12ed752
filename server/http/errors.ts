import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import type { WireError } from '@candor/core/protocol/wire/market.ts'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { ZodError, type z } from 'zod'
import { Refused } from '../refused.ts'
import { rawDataHead } from './headers.ts'
import { messages } from './messages.ts'

/** Errors that Fastify itself finds in a request, as our refusals. */
const frameworkRefusals: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_INVALID_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_EMPTY_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY_MALFORMED',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BODY_MALFORMED',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'NOT_FOUND',
}

export function wireError(refusal: Refusal, requestId: string, field?: string, retryAfter?: number): WireError {
  return {
    code: refusal,
    message: messages[refusal],
    ...(field === undefined ? {} : { field }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId,
  }
}

/** An error's answer. `isUnforeseen`: the error was not expected and must be logged. */
type Told = { readonly status: number; readonly body: object; readonly retryAfter?: number; readonly isUnforeseen?: true }

/**
 * The only place where a thrown error becomes an answer. A fault that carries a refusal (`refusal` property: the link's
 * UNAVAILABLE and STATUS_UNKNOWN) answers with that. Anything unforeseen answers UNAVAILABLE to a read and STATUS_UNKNOWN to a
 * write, because it is unknown what the write changed.
 */
function toldOf(error: unknown, requestId: string, { isWrite, body }: { readonly isWrite: boolean; readonly body: unknown }): Told {
  if (error instanceof Refused) return told(requestId, error.refusal, error.field, error.retryAfter)
  if (error instanceof ZodError) {
    const refused = refusedOf(error, body)
    return told(requestId, refused.refusal, refused.field)
  }
  const code = codeOf(error)
  if (code in frameworkRefusals) return told(requestId, frameworkRefusals[code]!)
  if (code in refusals) return told(requestId, code as Refusal)
  const status = (error as { statusCode?: unknown }).statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) return told(requestId, 'BODY_MALFORMED')
  return { ...told(requestId, isWrite ? 'STATUS_UNKNOWN' : 'UNAVAILABLE'), isUnforeseen: true }
}

function told(requestId: string, refusal: Refusal, field?: string, given?: number): Told {
  const wait = given ?? (refusal === 'UNAVAILABLE' ? 1 : undefined)
  const status = refusals[refusal].http
  if (wait === undefined) return { status, body: wireError(refusal, requestId, field) }
  const retryAfter = Math.max(1, Math.ceil(wait))
  return { status, body: wireError(refusal, requestId, field, retryAfter), retryAfter }
}

/** The part of a reply that an error needs, of a route with any answer type. */
type Reply = {
  readonly request: { readonly id: string }
  header(name: string, value: string): unknown
  code(status: number): { send(body: unknown): unknown }
}

export function sendRefusal<R extends Reply>(reply: R, refusal: Refusal, field?: string, given?: number): R {
  return send(reply, told(reply.request.id, refusal, field, given))
}

function send<R extends Reply>(reply: R, { status, body, retryAfter }: Told): R {
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  reply.code(status).send(body)
  return reply
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const answer = toldOf(error, request.id, { isWrite: isWrite(request), body: request.body })
    if (answer.isUnforeseen) logFault(request.log, error, request.id, request.raw)
    return send(reply, answer)
  })
}

export function logFault(log: FastifyBaseLogger, cause: unknown, requestId: string, { url, method }: IncomingMessage): void {
  log.error({ err: cause, reqId: requestId, url: url?.split('?', 1)[0], method }, 'a request failed')
}

function codeOf(error: unknown): string {
  const { refusal, code } = (error ?? {}) as { refusal?: unknown; code?: unknown }
  return typeof refusal === 'string' ? refusal : typeof code === 'string' ? code : ''
}

export function isWrite({ method }: { readonly method?: string | undefined }): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

/**
 * The most important of a schema's complaints: the one whose refusal comes first in the catalogue.
 *
 * data  the checked value, to tell a missing field from one of the wrong type
 */
export function refusedOf(error: z.ZodError, data: unknown): Refused {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return new Refused('BODY_MALFORMED')
  let first: { refusal: Refusal; field: string } | undefined
  for (const issue of error.issues) {
    const path = issue.path.map(String)
    let refusal: Refusal = 'FIELD_INVALID'
    if (issue.code === 'unrecognized_keys') {
      refusal = 'FIELD_UNKNOWN'
      path.push(issue.keys[0] ?? '')
    } else if (issue.code === 'custom' && typeof issue.params?.refusal === 'string') {
      refusal = issue.params.refusal as Refusal
    } else if (valueAt(data, issue.path) === undefined) refusal = 'FIELD_MISSING'
    if (!first || refusals[refusal].id < refusals[first.refusal].id) first = { refusal, field: path.join('.').slice(0, 64) }
  }
  return new Refused(first?.refusal ?? 'FIELD_INVALID', first?.field ? { field: first.field } : {})
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value
}

/** Answers bytes that are not HTTP, headers over the limit and requests that never end with JSON, then closes the connection. */
export function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  const refusal: Refusal = error.code === 'HPE_HEADER_OVERFLOW' ? 'BODY_TOO_LARGE' : 'BODY_MALFORMED'
  const body = JSON.stringify(wireError(refusal, 'none'))
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\n${rawDataHead}content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
