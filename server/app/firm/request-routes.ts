import { firmRequestKinds, type WireNewFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { FirmsDesk } from '../../firms/desk.ts'
import { FirmRequests } from '../../firms/requests/desk.ts'
import { answers, nothing } from '../../http/schema.ts'
import type { Person } from '../../identity/factors/factors.ts'
import type { Context } from '../../live/context.ts'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'
import { type ChainsDoor, withdrawDesk, type WithdrawRooms } from '../chains/desks.ts'
import { askedOf } from '../chains/withdraw-routes.ts'
import { type Cookies, visitorOf } from '../user/cookies.ts'
import * as schema from './request-schema.ts'

const tags = ['firms']
const reading = { auth: 'session' } as const
/** Each locks the firm's row. */
const locking = { auth: 'session', isLocking: true } as const
const pageDefault = 50
/** What a process left undone is looked for this often. */
const mendEveryMs = 5_000

export type FirmRequestRooms = WithdrawRooms & { readonly firms: Pick<FirmsDesk, 'db' | 'members'> }

/** What firms decide by several people: withdrawals, addresses, the rule, and who approves. */
export function firmRequestRoutes(app: App, context: Context, door: ChainsDoor, rooms: FirmRequestRooms, cookies: Cookies): void {
  const { book, identity, firms } = rooms
  const requests = new FirmRequests({
    ...{ db: firms.db, factors: identity.factors, members: firms.members, book, onFault: door.onFault },
    withdrawals: withdrawDesk(context, door, rooms),
    readWithdrawal: (clientId, wished) => askedOf(context, door, { ...wished, clientId }),
  })
  const personOf = (request: FastifyRequest): Person => ({ session: request.session, visitor: visitorOf(request, cookies) })
  listRoutes(app, requests, personOf)
  askRoute(app, requests, personOf)
  verdictRoutes(app, requests, personOf)
  mendNowAndThen(app, requests, door.onFault)
}

type PersonOf = (request: FastifyRequest) => Person

function listRoutes(app: App, requests: FirmRequests, personOf: PersonOf): void {
  app.get(
    '/firms/:id/rule',
    {
      config: reading,
      schema: {
        ...{ tags, summary: 'How many people approve what in a firm', params: schema.byFirm, querystring: nothing },
        response: answers(schema.ruleNow),
      },
    },
    (request) => requests.rule(request.params.id, personOf(request)),
  )

  app.get(
    '/firms/:id/requests',
    {
      config: reading,
      schema: {
        ...{ tags, summary: 'Requests of a firm, newest first', params: schema.byFirm, querystring: schema.page },
        response: answers(schema.requests),
      },
    },
    async (request) => {
      const { limit = pageDefault, ...filter } = request.query
      return (await requests.list(request.params.id, { ...filter, limit }, personOf(request))) as z.input<typeof schema.requests>
    },
  )
}

function askRoute(app: App, requests: FirmRequests, personOf: PersonOf): void {
  app.post(
    '/firms/:id/requests',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Ask for something that needs approval, which is the asker’s approval as well; after a proof' },
        ...{ params: schema.byFirm, querystring: nothing, body: schema.newRequest, response: answers(schema.request, 201) },
      },
    },
    async (request, reply) => {
      const made = await requests.ask(request.params.id, wishOf(request.body), personOf(request))
      return reply.code(201).send(made as z.input<typeof schema.request>)
    },
  )
}

function verdictRoutes(app: App, requests: FirmRequests, personOf: PersonOf): void {
  const summaries = {
    approve: 'Approve a request after a proof; enough approvals carry it out',
    refuse: 'Refuse a request after a proof, which ends it',
    cancel: 'Take back a request that is not decided',
  } as const
  for (const [name, summary] of Object.entries(summaries) as [keyof typeof summaries, string][])
    app.post(
      `/firms/:id/requests/:request/${name}`,
      {
        config: locking,
        schema: {
          ...{ tags, summary, params: schema.byRequest, querystring: nothing, body: nothing },
          response: answers(schema.request),
        },
      },
      async (request) => {
        const { id, request: asked } = request.params
        return (await requests[name](id, asked, personOf(request))) as z.input<typeof schema.request>
      },
    )
}

/** throws  Refused FIELD_MISSING, FIELD_UNKNOWN when a body has not just the field that its kind names */
function wishOf(body: z.output<typeof schema.newRequest>): WireNewFirmRequest {
  for (const kind of firmRequestKinds) {
    if (kind === body.kind && body[kind] === undefined) throw new Refused('FIELD_MISSING', { field: kind })
    if (kind !== body.kind && body[kind] !== undefined) throw new Refused('FIELD_UNKNOWN', { field: kind })
  }
  return body as WireNewFirmRequest
}

/** From when requests are answered. */
function mendNowAndThen(app: App, requests: FirmRequests, onFault: (cause: unknown) => void): void {
  const mend = (): void => void requests.mend().catch(onFault)
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    mend()
    timer = setInterval(mend, mendEveryMs).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
