import type { FastifyRequest } from 'fastify'
import type { Person } from '../../identity/factors/factors.ts'
import { originOf } from '../../identity/factors/factors.ts'
import type { Identity } from '../../identity/identity.ts'
import { answers, noContent, nothing } from '../../http/schema.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import * as schema from './factor-schema.ts'
import type { MeOf } from './profile-routes.ts'
import { codeSent, me, sessionId as passkeyId } from './schema.ts'

const tags = ['factors']
const open = { isAuth: true } as const
const own = { auth: 'session' } as const
/** Routes at which codes and passwords can be guessed, or that store a challenge with each request. */
const guessable = { auth: 'session', isAuth: true } as const
/** Each locks the account's row and writes several. */
const locking = { auth: 'session', isLocking: true } as const
const adding = { ...guessable, isLocking: true } as const

/** The page that a browser names; the gate has checked that it is one of ours. */
const pageOf = ({ headers: { origin } }: FastifyRequest): { readonly origin?: string } => (origin === undefined ? {} : { origin })

/** Logins beyond the password: the code of a second factor, and passkeys. */
export function stepRoutes(app: App, identity: Identity, cookies: Cookies, meOf: MeOf): void {
  app.post(
    '/auth/login/code',
    {
      config: open,
      schema: {
        ...{ tags, summary: 'Finish a login with a code of the authenticator app, or a recovery code', querystring: nothing },
        ...{ body: schema.loginCode, response: answers(me) },
      },
    },
    async (request, reply) => {
      const step = cookies.stepOf(request)
      const started = await identity.logins.byCode(step, request.body.code, visitorOf(request, cookies), request.sessionToken)
      cookies.logIn(reply, started)
      return meOf(started.session)
    },
  )

  app.post(
    '/auth/passkey/options',
    {
      config: open,
      schema: { tags, summary: 'What a passkey must sign for a login', querystring: nothing, response: answers(schema.passkeyOptions) },
    },
    async (request) => ({ options: await identity.factors.passkeys.ask(undefined, originOf(pageOf(request))) }),
  )

  app.post(
    '/auth/passkey',
    {
      config: open,
      schema: {
        ...{ tags, summary: 'Log in with a passkey', querystring: nothing },
        ...{ body: schema.passkeyResponse, response: answers(me) },
      },
    },
    async (request, reply) => {
      const visitor = visitorOf(request, cookies)
      const started = await identity.logins.byPasskey(request.body.response, originOf(pageOf(request)), visitor, request.sessionToken)
      cookies.logIn(reply, started)
      return meOf(started.session)
    },
  )
}

/** The customer's second factors, proofs for sensitive changes, and what happened to the account. */
export function factorRoutes(app: App, identity: Identity, cookies: Cookies): void {
  const personOf = (request: FastifyRequest): Person => ({
    ...{ session: request.session, visitor: visitorOf(request, cookies) },
    ...pageOf(request),
  })
  readRoutes(app, identity)
  authenticatorRoutes(app, identity, personOf)
  passkeyRoutes(app, identity, personOf)
  proofRoutes(app, identity, personOf)
  phraseRoutes(app, identity, personOf)
}

type PersonOf = (request: FastifyRequest) => Person

function readRoutes(app: App, identity: Identity): void {
  app.get(
    '/auth/factors',
    { config: own, schema: { tags, summary: 'The user’s second factors', querystring: nothing, response: answers(schema.factors) } },
    (request) => identity.factors.of(request.session),
  )

  app.get(
    '/auth/accesses',
    {
      config: own,
      schema: {
        ...{ tags, summary: 'Logins and security changes, newest first' },
        ...{ querystring: schema.accessPage, response: answers(schema.accesses) },
      },
    },
    (request) => identity.profiles.accesses(request.session.account, request.query.before),
  )
}

function authenticatorRoutes(app: App, identity: Identity, personOf: PersonOf): void {
  app.post(
    '/auth/authenticator',
    {
      config: own,
      schema: {
        tags,
        summary: 'A new secret for an authenticator app',
        querystring: nothing,
        response: answers(schema.authenticator, 201),
      },
    },
    async (request, reply) => reply.code(201).send(await identity.factors.beginAuthenticator(personOf(request))),
  )

  app.post(
    '/auth/authenticator/confirm',
    {
      config: adding,
      schema: {
        ...{ tags, summary: 'Put the new secret in force by a code of it', querystring: nothing },
        ...{ body: schema.authenticatorCode, response: answers(schema.factorAdded) },
      },
    },
    (request) => identity.factors.confirmAuthenticator(request.body.code, personOf(request)),
  )

  app.delete(
    '/auth/authenticator',
    { config: locking, schema: { tags, summary: 'Remove the authenticator app', querystring: nothing, response: answers(noContent, 204) } },
    async (request, reply) => {
      await identity.factors.removeAuthenticator(personOf(request))
      return reply.code(204).send()
    },
  )

  app.post(
    '/auth/recovery-codes',
    {
      config: locking,
      schema: { tags, summary: 'Replace the recovery codes', querystring: nothing, response: answers(schema.recoveryCodes, 201) },
    },
    async (request, reply) => reply.code(201).send(await identity.factors.renewRecoveryCodes(personOf(request))),
  )
}

function passkeyRoutes(app: App, identity: Identity, personOf: PersonOf): void {
  app.post(
    '/auth/passkeys/options',
    {
      config: guessable,
      schema: { tags, summary: 'What a device needs to create a passkey', querystring: nothing, response: answers(schema.passkeyOptions) },
    },
    async (request) => ({ options: await identity.factors.beginPasskey(personOf(request)) }),
  )

  app.post(
    '/auth/passkeys',
    {
      config: adding,
      schema: {
        ...{ tags, summary: 'Add a passkey', querystring: nothing },
        ...{ body: schema.newPasskey, response: answers(schema.factorAdded, 201) },
      },
    },
    async (request, reply) => {
      const { label, response } = request.body
      return reply.code(201).send(await identity.factors.addPasskey(label.trim(), response, personOf(request)))
    },
  )

  app.delete(
    '/auth/passkeys/:id',
    {
      config: locking,
      schema: { tags, summary: 'Remove a passkey', params: passkeyId, querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await identity.factors.removePasskey(request.params.id, personOf(request))
      return reply.code(204).send()
    },
  )
}

function phraseRoutes(app: App, identity: Identity, personOf: PersonOf): void {
  app.put(
    '/auth/phrase',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Set the words with which every mail to the user begins', querystring: nothing },
        ...{ body: schema.phrase, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await identity.phrases.set(request.body.phrase.trim(), personOf(request))
      return reply.code(204).send()
    },
  )

  app.delete(
    '/auth/phrase',
    { config: locking, schema: { tags, summary: 'Remove these words', querystring: nothing, response: answers(noContent, 204) } },
    async (request, reply) => {
      await identity.phrases.set(null, personOf(request))
      return reply.code(204).send()
    },
  )
}

function proofRoutes(app: App, identity: Identity, personOf: PersonOf): void {
  app.post(
    '/auth/proof/code',
    {
      config: guessable,
      schema: {
        ...{ tags, summary: 'Request a code for the proof of an account without a second factor', querystring: nothing },
        response: answers(codeSent, 202),
      },
    },
    async (request, reply) => reply.code(202).send(await identity.sendProofCode(personOf(request))),
  )

  app.post(
    '/auth/proof/passkey',
    {
      config: guessable,
      schema: { tags, summary: 'What a passkey must sign for a proof', querystring: nothing, response: answers(schema.passkeyOptions) },
    },
    async (request) => ({ options: await identity.factors.passkeys.ask(request.session.account, originOf(pageOf(request))) }),
  )

  app.post(
    '/auth/proof',
    {
      config: guessable,
      schema: {
        ...{ tags, summary: 'Prove who the user is: sensitive changes are then open for 15 minutes', querystring: nothing },
        ...{ body: schema.proof, response: answers(schema.proven) },
      },
    },
    async (request) => ({ provenUntil: await identity.factors.prove(request.body, personOf(request)) }),
  )
}
