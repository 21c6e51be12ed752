import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { answers, nothing } from '../../http/schema.ts'
import { imageBytesMax } from '../../papers/image-limits.ts'
import type { Papers } from '../../papers/papers.ts'
import type { Asker } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import * as schema from './paper-schema.ts'
import { PhotoPlaces } from './photo-places.ts'

const tags = ['papers']
const own = { auth: 'session' } as const
/** Each locks the account's row. */
const locking = { auth: 'session', isLocking: true } as const
const decoding = { ...locking, isPhoto: true } as const
const params = z.strictObject({ side: schema.side })

/** The customer's identity check. */
export function paperRoutes(app: App, papers: Papers, cookies: Cookies): void {
  const asker = (request: FastifyRequest): Asker => ({
    ...{ account: request.session.account, session: request.session.id, visitor: visitorOf(request, cookies) },
  })

  app.get(
    '/papers',
    { config: own, schema: { tags, summary: 'The user’s identity check', querystring: nothing, response: answers(schema.papers) } },
    (request) => papers.of(request.session.account),
  )

  app.patch(
    '/papers',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Save what the document says' },
        ...{ querystring: nothing, body: schema.papersDraft, response: answers(schema.papers) },
      },
    },
    (request) => papers.save(asker(request), request.body),
  )

  app.post(
    '/papers/send',
    {
      config: locking,
      schema: { tags, summary: 'Send the check to the reviewers', querystring: nothing, response: answers(schema.papers) },
    },
    (request) => papers.send(asker(request)),
  )

  photoRoutes(app, papers, asker)
}

function photoRoutes(app: App, papers: Papers, asker: (request: FastifyRequest) => Asker): void {
  app.delete(
    '/papers/photos/:side',
    {
      config: locking,
      schema: { tags, summary: 'Remove a photo of the draft', params, querystring: nothing, response: answers(schema.papers) },
    },
    (request) => papers.removePhoto(asker(request), request.params.side),
  )

  // Those who read photos take no places of those who send them.
  const [reading, sending] = [new PhotoPlaces(), new PhotoPlaces()]
  void app.register(async (scope) => {
    reading.hold(scope)
    ownPhoto(scope.withTypeProvider() as unknown as App, papers)
  })
  // Only here are bodies other than JSON read.
  void app.register(async (scope) => {
    scope.addContentTypeParser(['image/jpeg', 'image/png'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    sending.hold(scope)
    newPhoto(scope.withTypeProvider() as unknown as App, papers, asker)
  })
}

function ownPhoto(app: App, papers: Papers): void {
  app.get(
    '/papers/photos/:side',
    {
      config: own,
      schema: { tags, summary: 'A photo of the user’s own draft', params, querystring: nothing, response: answers(schema.jpeg) },
    },
    async (request, reply) => {
      const jpeg = await papers.photo(request.session.account, request.params.side)
      // Never shown as a page of this origin, whatever it contains.
      reply.header('content-type', 'image/jpeg').header('content-disposition', 'attachment; filename="photo.jpg"')
      reply.header('content-security-policy', "default-src 'none'; sandbox")
      return reply.send(jpeg as unknown as string)
    },
  )
}

function newPhoto(app: App, papers: Papers, asker: (request: FastifyRequest) => Asker): void {
  app.put(
    '/papers/photos/:side',
    {
      config: decoding,
      bodyLimit: imageBytesMax,
      schema: {
        ...{ tags, summary: 'A photo of the document: a JPEG or PNG file of at most 10 MB', consumes: ['image/jpeg', 'image/png'] },
        ...{ params, querystring: nothing, response: answers(schema.papers) },
      },
    },
    (request) => {
      const { body } = request as { readonly body: unknown }
      if (!Buffer.isBuffer(body)) throw new Refused('MEDIA_TYPE_UNSUPPORTED', { field: 'content-type' })
      return papers.addPhoto(asker(request), request.params.side, body)
    },
  )
}
