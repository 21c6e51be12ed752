import { z } from 'zod'

/** A node does not answer, or with something else than was asked for. Tried again later, or at another node. */
export class NodeFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NodeFault'
  }
}

/** A node answered that it can't do it: an unknown block, too many results. */
export class NodeRefusal extends NodeFault {
  readonly code: number

  constructor(code: number, message: string) {
    super(`${message} (${code})`)
    this.name = 'NodeRefusal'
    this.code = code
  }
}

const timeoutMs = 15_000
/** An answer is never longer, or it is not read. A block full of empty logs has about 60 MiB of them at a limit of 60 million gas. */
const bytesMax = 256 * 2 ** 20

const envelope = z.union([
  z.strictObject({ jsonrpc: z.literal('2.0'), id: z.number(), result: z.unknown() }),
  z.object({ jsonrpc: z.literal('2.0'), id: z.number().nullable(), error: z.object({ code: z.number(), message: z.string() }) }),
])

/** Posts JSON and returns the JSON of the answer. throws  NodeFault unless it is one, with status 200 */
export async function postJson(url: string, body: unknown): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await textOf(answer)
    if (answer.status !== 200) throw new NodeFault(`The node answered ${answer.status}`)
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof NodeFault) throw cause
    throw new NodeFault(`The node did not answer: ${(cause as Error).message}`, { cause })
  }
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > bytesMax) throw new NodeFault('The node answered too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Calls methods of one node. An answer without the envelope of JSON-RPC is a fault, whatever its status: some nodes say "busy" so. */
export class JsonRpc {
  readonly #url: string
  #id = 0

  constructor(url: string) {
    this.#url = url
  }

  /** throws  NodeRefusal when the node says no, NodeFault when it does not answer or the result does not have this shape */
  async call<Shape extends z.ZodType>(method: string, params: readonly unknown[], shape: Shape): Promise<z.output<Shape>> {
    const id = ++this.#id
    const answer = envelope.safeParse(await postJson(this.#url, { jsonrpc: '2.0', id, method, params }))
    if (!answer.success) throw new NodeFault(`The node answered ${method} with something that is not JSON-RPC`)
    if ('error' in answer.data) throw new NodeRefusal(answer.data.error.code, answer.data.error.message)
    if (answer.data.id !== id) throw new NodeFault(`The node answered another call than ${method}`)
    return checked(method, answer.data.result, shape)
  }
}

/** A value of a node in the expected shape. throws  NodeFault otherwise */
export function checked<Shape extends z.ZodType>(what: string, value: unknown, shape: Shape): z.output<Shape> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw new NodeFault(`The node answered ${what} in an unknown shape: ${first?.path.join('.')} ${first?.message}`)
}
