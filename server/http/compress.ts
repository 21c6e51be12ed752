/**
 * Compression of large answers in which nothing of the asker stands: lists of markets, books, candles. What is somebody's
 * own goes out as it is, so that its length tells nobody what is in it beside what they wrote into the request.
 */
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** In characters. Below it an answer fits into a packet as it is. */
const least = 1_400
/** Half of the best quality's gain for a thirtieth of its time. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Whether an `accept-encoding` header takes an encoding. */
export function takes(accepted: unknown, encoding: 'br' | 'gzip'): boolean {
  return new RegExp(`\\b${encoding}\\b(?!;q=0(\\.0*)?(,|$))`).test(String(accepted ?? ''))
}

type Done = (error?: Error | null, payload?: unknown) => void

/** For a route's `onSend`. */
export function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  reply.header('vary', 'accept-encoding')
  const accepted = request.headers['accept-encoding']
  const encoding = takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : undefined
  if (encoding === undefined || typeof payload !== 'string' || payload.length < least) {
    done(null, payload)
    return
  }
  const sent = (error: Error | null, bytes: Buffer): void => {
    if (error === null) reply.header('content-encoding', encoding).removeHeader('content-length')
    done(null, error === null ? bytes : payload)
  }
  if (encoding === 'br') brotliCompress(payload, brotli, sent)
  else gzip(payload, sent)
}
