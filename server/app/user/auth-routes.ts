import { z } from 'zod'
import type { Identity } from '../../identity/identity.ts'
import { FactorNeeded } from '../../identity/factors/logins.ts'
import type { App } from '../app.ts'
import { answers, noContent, nothing } from '../../http/schema.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import type { MeOf } from './profile-routes.ts'
import * as schema from './schema.ts'

const tags = ['auth']
/** Open to everybody, with the stricter limits per address. */
const open = { isAuth: true } as const

/** Registration, login, codes, passwords. */
export function authRoutes(app: App, identity: Identity, cookies: Cookies, meOf: MeOf): void {
  entryRoutes(app, identity, cookies, meOf)
  resetRoutes(app, identity, cookies)
  passwordRoute(app, identity, cookies)
  invitationRoute(app, identity)
}

function entryRoutes(app: App, identity: Identity, cookies: Cookies, meOf: MeOf): void {
  app.post(
    '/auth/code',
    {
      config: open,
      schema: {
        tags,
        summary: 'Request a code; the answer is the same whether or not the account exists',
        querystring: nothing,
        body: schema.codeRequest,
        response: answers(schema.codeSent, 202),
      },
    },
    async (request, reply) => reply.code(202).send(await identity.sendCode(request.body, visitorOf(request, cookies))),
  )

  app.post(
    '/auth/register',
    {
      config: open,
      schema: {
        tags,
        summary: 'Open an account with a code',
        querystring: nothing,
        body: schema.register,
        response: answers(schema.me, 201),
      },
    },
    async (request, reply) => {
      const started = await identity.register(request.body, visitorOf(request, cookies), request.sessionToken)
      cookies.logIn(reply, started)
      return reply.code(201).send(await meOf(started.session))
    },
  )

  app.post(
    '/auth/login',
    { config: open, schema: { tags, summary: 'Log in', querystring: nothing, body: schema.login, response: answers(schema.me) } },
    async (request, reply) => {
      const started = await identity.login(request.body, visitorOf(request, cookies), request.sessionToken).catch((error: unknown) => {
        if (error instanceof FactorNeeded) cookies.wait(reply, error.step)
        throw error
      })
      cookies.logIn(reply, started)
      return meOf(started.session)
    },
  )
}

function resetRoutes(app: App, identity: Identity, cookies: Cookies): void {
  app.post(
    '/auth/reset/code',
    {
      config: open,
      schema: {
        tags,
        summary: 'Exchange a code for a token that sets the password',
        querystring: nothing,
        body: schema.resetCode,
        response: answers(schema.resetToken),
      },
    },
    (request) => identity.resetCode(request.body, visitorOf(request, cookies)),
  )

  app.post(
    '/auth/reset',
    {
      config: open,
      schema: {
        tags,
        summary: 'Set the password; every session ends',
        querystring: nothing,
        body: schema.reset,
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      const { deviceCookie } = await identity.reset(request.body, visitorOf(request, cookies))
      cookies.logOut(reply, deviceCookie)
      return reply.code(204).send()
    },
  )
}

function passwordRoute(app: App, identity: Identity, cookies: Cookies): void {
  app.post(
    '/auth/password',
    {
      config: { auth: 'session', isAuth: true },
      schema: {
        tags,
        summary: 'Change the password within 15 minutes of a login; all other sessions end',
        querystring: nothing,
        body: schema.passwordChange,
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      const token = request.sessionToken as string
      cookies.logIn(reply, await identity.changePassword(request.body, request.session, token, visitorOf(request, cookies)))
      return reply.code(204).send()
    },
  )
}

function invitationRoute(app: App, identity: Identity): void {
  app.get(
    '/auth/invitation',
    {
      schema: {
        tags,
        summary: 'The inviter behind an invitation code',
        querystring: z.strictObject({ code: z.string().max(32) }),
        response: answers(schema.invitation),
      },
    },
    (request) => identity.invitations.named(request.query.code),
  )
}

/** Lists the user's sessions and ends them. */
export function sessionRoutes(app: App, identity: Identity, cookies: Cookies): void {
  const config = { auth: 'session' } as const

  app.post(
    '/auth/logout',
    { config, schema: { tags, summary: 'End this session', querystring: nothing, response: answers(noContent, 204) } },
    async (request, reply) => {
      await identity.logout(request.session, visitorOf(request, cookies))
      cookies.logOut(reply)
      return reply.code(204).send()
    },
  )

  app.get(
    '/auth/sessions',
    {
      config,
      schema: {
        tags,
        summary: 'The user’s sessions',
        querystring: nothing,
        response: answers(z.strictObject({ sessions: z.array(schema.session).readonly() })),
      },
    },
    async (request) => ({ sessions: await identity.sessions.list(request.session.account, request.session.id) }),
  )

  app.delete(
    '/auth/sessions/:id',
    {
      config,
      schema: {
        tags,
        summary: 'End one session',
        params: schema.sessionId,
        querystring: nothing,
        response: answers(noContent, 204),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await identity.endSession(request.session, id, visitorOf(request, cookies))
      if (id === request.session.id) cookies.logOut(reply)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/auth/sessions',
    {
      config: { auth: 'session', isUrgent: true },
      schema: { tags, summary: 'End all other sessions', querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await identity.endOtherSessions(request.session, visitorOf(request, cookies))
      return reply.code(204).send()
    },
  )
}
