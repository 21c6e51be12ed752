import { z } from 'zod'
import type { Identity } from '../../identity/identity.ts'
import { answers, nothing } from '../../http/schema.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import type { MeOf } from './profile-routes.ts'
import * as schema from './schema.ts'

const tags = ['me']
const config = { auth: 'session', isLocking: true } as const

/** Declarations of customers: their residence, and their consent to the present user agreement. */
export function gateRoutes(app: App, identity: Identity, cookies: Cookies, me: MeOf): void {
  app.put(
    '/me/residence',
    {
      config,
      schema: {
        tags,
        summary: 'Declare the country of residence and the age, of an account that has not yet done so',
        querystring: nothing,
        body: schema.residence,
        response: answers(schema.me),
      },
    },
    async (request) => {
      await identity.residences.declare(request.body, request.session, visitorOf(request, cookies))
      return me(request.session)
    },
  )

  app.post(
    '/me/agreement',
    {
      config,
      schema: {
        tags,
        summary: 'Accept the present version of the user agreement',
        querystring: nothing,
        body: z.strictObject({ version: z.string().regex(/^[1-9][0-9]{0,5}$/) }),
        response: answers(schema.me),
      },
    },
    async (request) => {
      await identity.agreements.accept(request.body.version, request.session, visitorOf(request, cookies))
      return me(request.session)
    },
  )
}
