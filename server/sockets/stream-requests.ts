import { z } from 'zod'

const namesMax = 1_024
const id = z.union([z.int(), z.string().max(36), z.null()])
const names = z.array(z.string().max(128)).min(1).max(namesMax)

/** A request on a streams socket. */
const request = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('SUBSCRIBE'), params: names, id: id.exactOptional() }),
  z.strictObject({ method: z.literal('UNSUBSCRIBE'), params: names, id: id.exactOptional() }),
  z.strictObject({ method: z.literal('LIST_SUBSCRIPTIONS'), params: z.array(z.unknown()).max(0).exactOptional(), id: id.exactOptional() }),
  z.strictObject({ method: z.literal('SET_PROPERTY'), params: z.tuple([z.literal('combined'), z.boolean()]), id: id.exactOptional() }),
  z.strictObject({ method: z.literal('GET_PROPERTY'), params: z.tuple([z.literal('combined')]), id: id.exactOptional() }),
])
export type StreamRequest = z.infer<typeof request>

/** Parses a message as a request, or returns the reason why it is not one, with the id that it contains. */
export function readRequest(message: unknown): StreamRequest | { readonly fault: string; readonly id: unknown } {
  const read = request.safeParse(message)
  if (read.success) return read.data
  const given = id.safeParse((message as { id?: unknown } | null)?.id)
  const what = read.error.issues[0]?.path.join('.') || 'method'
  return { fault: `Invalid request: ${what} is missing or not valid.`, id: given.success ? given.data : null }
}
