/**
 * Compresses large answers that contain nothing personal: lists of markets, books, candles. Personal answers are sent
 * uncompressed: their compressed length would reveal whether they contain what the requester wrote into the request.
 */
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Smallest answer to compress, in characters: a shorter one fits into a packet anyway. */
const least = 1_400
/** Quality 4 has half of the best quality's gain in a thirtieth of its time. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Whether an `accept-encoding` header accepts an encoding. */
export function takes(accepted: unknown, encoding: 'br' | 'gzip'): boolean {
  return new RegExp(`\\b${encoding}\\b(?!;q=0(\\.0*)?(,|$))`).test(String(accepted ?? ''))
}

type Done = (error?: Error | null, payload?: unknown) => void

/** The `onSend` hook of a route. */
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
