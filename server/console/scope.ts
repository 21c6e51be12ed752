import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Visitor } from '../identity/device.ts'
import { answers, noContent, nothing } from '../http/schema.ts'
import type { Action, ChangeAction, ReadAction } from '../staff/permissions.ts'
import type { StaffSession } from '../staff/sessions.ts'

/** A route of the console as data. It can't be written without its action; inputs without a schema must be empty. */
type Route<A extends Action, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  readonly action: A
  readonly summary: string
  /** Requests of the member's allowance that it costs. Default 1. */
  readonly cost?: number
  /** Most bytes of a body. Default 32 KB. */
  readonly bodyMax?: number
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly answer: R
}

type Input<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B }
/** A checked request and its sender. `session` is undefined only on routes before a login. */
export type Asked<P, Q, B, S = StaffSession> = Input<P, Q, B> & {
  readonly session: S
  readonly visitor: Visitor
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The result of a route's handler: nothing if the answer has no body. */
type Answered<R extends z.ZodType> = undefined extends z.input<R> ? Promise<void> : Promise<z.input<R>>

type Empty = typeof nothing
const bodyMax = 32 * 1024
/** A request without a body, or with an empty one. */
const noBody = nothing.nullish()

/** Registers the console's routes. */
export class ConsoleScope {
  readonly #app: FastifyInstance

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  read<R extends z.ZodType, P extends z.ZodType = Empty, Q extends z.ZodType = Empty>(
    path: string,
    route: Route<ReadAction, P, Q, Empty, R>,
    work: (asked: Asked<z.output<P>, z.output<Q>, undefined>) => Answered<R>,
  ): void {
    this.#add('GET', path, route, work as Work)
  }

  change<R extends z.ZodType = typeof noContent, P extends z.ZodType = Empty, B extends z.ZodType = typeof noBody>(
    method: 'POST' | 'DELETE',
    path: string,
    route: Route<ChangeAction, P, Empty, B, R>,
    work: (asked: Asked<z.output<P>, unknown, z.output<B>>) => Answered<R>,
  ): void {
    this.#add(method, path, route, work as Work)
  }

  /** A route before a login. */
  open<R extends z.ZodType, B extends z.ZodType = typeof noBody>(
    path: string,
    route: Route<'open', Empty, Empty, B, R>,
    work: (asked: Asked<unknown, unknown, z.output<B>, undefined>) => Answered<R>,
  ): void {
    this.#add('POST', path, route, work as unknown as Work)
  }

  #add(method: 'GET' | 'POST' | 'DELETE', url: string, route: AnyRoute, work: Work): void {
    const { action, summary, cost = 1, bodyMax: bodyLimit = bodyMax, params, query = nothing, body = noBody, answer } = route
    this.#app.route({
      // A request without the answer's body would still log it as seen.
      ...{ method, url, exposeHeadRoute: false, bodyLimit, config: { action, cost } },
      schema: {
        // The public description is the customers'.
        ...({ hide: true, summary } as object),
        ...(params === undefined ? {} : { params }),
        ...(method === 'GET' ? {} : { body }),
        ...{ querystring: query, response: answers(answer) },
      },
      handler: async (request, reply) => {
        const answered = await work({
          ...{ params: request.params, query: request.query, body: request.body, session: request.staff },
          ...{ visitor: visitorOf(request), request, reply },
        } as Asked<unknown, unknown, unknown>)
        if (answered !== undefined) return reply.send(answered)
        return reply.code(204).send()
      },
    })
  }
}

type AnyRoute = Route<Action, z.ZodType, z.ZodType, z.ZodType, z.ZodType>
type Work = (asked: Asked<unknown, unknown, unknown>) => Promise<unknown>

export function visitorOf({ address, headers }: FastifyRequest): Visitor {
  return { ip: address, userAgent: (headers['user-agent'] ?? '').slice(0, 400) }
}
