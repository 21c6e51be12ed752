import type { FastifyRequest } from 'fastify'
import { answers, noContent, nothing } from '../../http/schema.ts'
import { imageBytesMax } from '../../papers/image-limits.ts'
import { Refused } from '../../refused.ts'
import type { SupportDesk } from '../../support/desk.ts'
import type { Customer } from '../../support/tickets.ts'
import type { App } from '../app.ts'
import { PhotoPlaces } from '../user/photo-places.ts'
import * as schema from './schema.ts'

const tags = ['support']
const config = { auth: 'session' } as const
/** Each locks the account's row. */
const locking = { auth: 'session', isLocking: true } as const

const customerOf = ({ session: { account, user, lang } }: FastifyRequest): Customer => ({ account, user, lang })

/** Tickets of the customer, which are also the chat. */
export function supportRoutes(app: App, desk: SupportDesk): void {
  app.get(
    '/support',
    {
      schema: {
        tags,
        summary: 'Whether somebody is at work, and how long answers take',
        querystring: nothing,
        response: answers(schema.desk),
      },
    },
    () => desk.queue.desk(),
  )
  ticketRoutes(app, desk)
  threadRoutes(app, desk)
  pictureRoutes(app, desk)
}

function ticketRoutes(app: App, { tickets }: SupportDesk): void {
  app.get(
    '/support/tickets',
    {
      config,
      schema: { tags, summary: 'The user’s tickets, the last changed first', querystring: nothing, response: answers(schema.tickets) },
    },
    (request) => tickets.list(request.session.account),
  )

  app.post(
    '/support/tickets',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Open a ticket with its first message', querystring: nothing },
        ...{ body: schema.newTicket, response: answers(schema.thread) },
      },
    },
    (request) => tickets.open(customerOf(request), request.body),
  )

  app.get(
    '/support/tickets/:id',
    {
      config,
      schema: {
        ...{ tags, summary: 'A ticket with its newest messages, or earlier ones' },
        ...{ params: schema.byCode, querystring: schema.page, response: answers(schema.thread) },
      },
    },
    (request) => tickets.thread(request.session.account, request.params.id, request.query.before),
  )
}

function threadRoutes(app: App, { tickets }: SupportDesk): void {
  const params = schema.byCode
  app.post(
    '/support/tickets/:id/messages',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Write in a ticket', params, querystring: nothing },
        ...{ body: schema.newMessage, response: answers(schema.thread) },
      },
    },
    (request) => tickets.write(customerOf(request), request.params.id, request.body),
  )

  app.post(
    '/support/tickets/:id/read',
    {
      config,
      schema: {
        ...{ tags, summary: 'Mark messages as read, and say that the thread is being looked at', params, querystring: nothing },
        ...{ body: schema.read, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await tickets.read(request.session, request.params.id, request.body.upTo)
      return reply.code(204).send()
    },
  )

  app.post(
    '/support/tickets/:id/close',
    { config: locking, schema: { tags, summary: 'Close a ticket', params, querystring: nothing, response: answers(schema.thread) } },
    (request) => tickets.close(customerOf(request), request.params.id),
  )

  app.post(
    '/support/tickets/:id/reopen',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Open a ticket again, within 30 days', params, querystring: nothing, response: answers(schema.thread) },
      },
    },
    (request) => tickets.reopen(customerOf(request), request.params.id),
  )
}

function pictureRoutes(app: App, { pictures }: SupportDesk): void {
  // Those who read pictures take no places of those who send them.
  const [reading, sending] = [new PhotoPlaces(), new PhotoPlaces()]
  void app.register(async (scope) => {
    reading.hold(scope)
    const inside = scope.withTypeProvider() as unknown as App
    inside.get(
      '/support/images/:id',
      {
        config,
        schema: {
          ...{ tags, summary: 'A picture that the user sent to support' },
          ...{ params: schema.byImage, querystring: nothing, response: answers(schema.jpeg) },
        },
      },
      async (request, reply) => {
        const jpeg = await pictures.own(request.session.account, request.params.id)
        // Never shown as a page of this origin, whatever it contains.
        reply.header('content-type', 'image/jpeg').header('content-disposition', 'attachment; filename="picture.jpg"')
        reply.header('content-security-policy', "default-src 'none'; sandbox")
        return reply.send(jpeg as unknown as string)
      },
    )
  })
  // Only here are bodies other than JSON read.
  void app.register(async (scope) => {
    scope.addContentTypeParser(['image/jpeg', 'image/png'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    sending.hold(scope)
    const inside = scope.withTypeProvider() as unknown as App
    inside.post(
      '/support/images',
      {
        config: { ...locking, isPhoto: true },
        bodyLimit: imageBytesMax,
        schema: {
          ...{
            tags,
            summary: 'A picture for the next message: a JPEG or PNG file of at most 10 MB',
            consumes: ['image/jpeg', 'image/png'],
          },
          ...{ querystring: nothing, response: answers(schema.image) },
        },
      },
      (request) => {
        const { body } = request as { readonly body: unknown }
        if (!Buffer.isBuffer(body)) throw new Refused('MEDIA_TYPE_UNSUPPORTED', { field: 'content-type' })
        return pictures.add(request.session.account, body)
      },
    )
  })
}
