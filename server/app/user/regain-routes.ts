import { z } from 'zod'
import { answers, noContent, nothing } from '../../http/schema.ts'
import type { Identity } from '../../identity/identity.ts'
import { imageBytesMax } from '../../papers/image-limits.ts'
import type { RegainPapers } from '../../papers/regains.ts'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import { side } from './paper-schema.ts'
import { PhotoPlaces } from './photo-places.ts'
import * as schema from './regain-schema.ts'

const tags = ['regain']
/** Before a login, with the stricter limits per address. */
const open = { isAuth: true } as const

/** Access without the second factors, for a browser whose login waits for one. Its request is known by a cookie of its own. */
export function regainRoutes(app: App, identity: Identity, papers: RegainPapers, cookies: Cookies): void {
  proofRoutes(app, identity, cookies)
  requestRoutes(app, identity, papers, cookies)
  photoRoute(app, papers, cookies)
  endRoutes(app, identity, cookies)
}

function proofRoutes(app: App, { regains }: Identity, cookies: Cookies): void {
  app.post(
    '/auth/regain/code',
    {
      config: open,
      schema: {
        ...{ tags, summary: 'Send a code to the next address of the account whose login waits for a second factor' },
        ...{ querystring: nothing, response: answers(schema.codeSent, 202) },
      },
    },
    async (request, reply) => reply.code(202).send(await regains.sendCode(cookies.stepOf(request), visitorOf(request, cookies))),
  )

  app.post(
    '/auth/regain',
    {
      config: open,
      schema: {
        ...{ tags, summary: 'Prove an address by its code; after the last one the request begins', querystring: nothing },
        ...{ body: schema.regainCode, response: answers(schema.step) },
      },
    },
    async (request, reply) => {
      const { token } = await regains.prove(cookies.stepOf(request), request.body, visitorOf(request, cookies))
      if (token !== undefined) cookies.regain(reply, token)
      return { isDone: token !== undefined }
    },
  )
}

function requestRoutes(app: App, { regains, regainEnds }: Identity, papers: RegainPapers, cookies: Cookies): void {
  app.get(
    '/auth/regain',
    { schema: { tags, summary: 'The request of this browser', querystring: nothing, response: answers(schema.regain) } },
    (request) => papers.of(cookies.regainOf(request)),
  )

  app.post(
    '/auth/regain/send',
    {
      config: open,
      schema: {
        ...{ tags, summary: 'Send the document to the reviewers', querystring: nothing },
        ...{ body: schema.regainPapers, response: answers(schema.regain) },
      },
    },
    (request) => papers.send(cookies.regainOf(request), request.body, visitorOf(request, cookies)),
  )

  app.post(
    '/auth/regain/link',
    {
      config: open,
      schema: { tags, summary: 'Send the link again, in place of the one before', querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await regainEnds.resend(cookies.regainOf(request))
      return reply.code(204).send()
    },
  )

  app.delete(
    '/auth/regain',
    {
      config: open,
      schema: { tags, summary: 'Withdraw the request of this browser', querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await regains.cancel(cookies.regainOf(request), visitorOf(request, cookies))
      cookies.regain(reply, undefined)
      return reply.code(204).send()
    },
  )
}

function photoRoute(app: App, papers: RegainPapers, cookies: Cookies): void {
  const places = new PhotoPlaces({ perCustomer: 2, all: 8 })
  // Only here are bodies other than JSON read.
  void app.register(async (scope) => {
    scope.addContentTypeParser(['image/jpeg', 'image/png'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    // After the gate, before the body: a request without a draft or a place costs no memory.
    scope.addHook('onRequest', async (request, reply) => {
      const draft = await papers.requireDraft(cookies.regainOf(request))
      reply.raw.once('close', places.take(draft))
    })
    const inner = scope.withTypeProvider() as unknown as App
    inner.put(
      '/auth/regain/photos/:side',
      {
        config: open,
        bodyLimit: imageBytesMax,
        schema: {
          ...{ tags, summary: 'A photo of the document: a JPEG or PNG file of at most 10 MB', consumes: ['image/jpeg', 'image/png'] },
          ...{ params: z.strictObject({ side }), querystring: nothing, response: answers(schema.regain) },
        },
      },
      (request) => {
        const { body } = request as { readonly body: unknown }
        if (!Buffer.isBuffer(body)) throw new Refused('MEDIA_TYPE_UNSUPPORTED', { field: 'content-type' })
        return papers.addPhoto(cookies.regainOf(request), request.params.side, body)
      },
    )
  })
}

function endRoutes(app: App, { regains, regainEnds }: Identity, cookies: Cookies): void {
  app.post(
    '/auth/regain/finish',
    {
      config: open,
      schema: {
        ...{
          tags,
          summary: 'Set a new password and remove the second factors, by the link, in the browser of the request; every session ends',
          querystring: nothing,
        },
        ...{ body: schema.regainFinish, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      const { deviceCookie } = await regainEnds.finish(cookies.regainOf(request), request.body, visitorOf(request, cookies))
      cookies.logOut(reply, deviceCookie)
      return reply.code(204).send()
    },
  )

  app.post(
    '/auth/regain/stop',
    {
      config: { auth: 'session', isLocking: true },
      schema: { tags, summary: 'Stop the request of somebody else, as the owner', querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await regains.stop({ session: request.session, visitor: visitorOf(request, cookies) })
      return reply.code(204).send()
    },
  )
}
