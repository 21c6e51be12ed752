import type { FastifyRequest } from 'fastify'
import type { Person } from '../../identity/factors/factors.ts'
import type { Identity } from '../../identity/identity.ts'
import { answers, noContent, nothing } from '../../http/schema.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from './cookies.ts'
import * as schema from './safety-schema.ts'
import { codeSent } from './schema.ts'

const tags = ['safety']
const own = { auth: 'session' } as const
/** Routes at which codes and digits can be guessed; each locks the account's row. */
const guessable = { auth: 'session', isAuth: true, isLocking: true } as const
const locking = { auth: 'session', isLocking: true } as const

type PersonOf = (request: FastifyRequest) => Person

/** The security centre beside second factors: addresses of the account, the payment password, and the freeze. */
export function safetyRoutes(app: App, identity: Identity, cookies: Cookies): void {
  const personOf = (request: FastifyRequest): Person => ({ session: request.session, visitor: visitorOf(request, cookies) })
  app.get(
    '/auth/safety',
    {
      config: own,
      schema: {
        ...{ tags, summary: 'Addresses, payment password, and until when withdrawals are closed', querystring: nothing },
        response: answers(schema.safety),
      },
    },
    (request) => identity.safety(request.session.account),
  )
  addressRoutes(app, identity, personOf)
  paymentRoutes(app, identity, personOf)
  freezeRoutes(app, identity, cookies)
  allowListRoute(app, identity, personOf)
}

function allowListRoute(app: App, identity: Identity, personOf: PersonOf): void {
  app.put(
    '/auth/allow-list',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Lock the withdrawal addresses at once, or unlock them in 24 hours', querystring: nothing },
        ...{ body: schema.allowListSwitch, response: answers(schema.allowList) },
      },
    },
    (request) => identity.allowLists.set(request.body.isOn, personOf(request)),
  )
}

function addressRoutes(app: App, identity: Identity, personOf: PersonOf): void {
  app.post(
    '/auth/addresses/code',
    {
      config: guessable,
      schema: {
        ...{ tags, summary: 'Request the code for a new address; the answer is the same if another account has it' },
        ...{ querystring: nothing, body: schema.addressRequest, response: answers(codeSent, 202) },
      },
    },
    async (request, reply) => reply.code(202).send(await identity.sendAddressCode(request.body, personOf(request))),
  )

  app.put(
    '/auth/addresses',
    {
      config: guessable,
      schema: {
        ...{ tags, summary: 'Add an address, in place of the one of this kind; withdrawals are closed for 24 hours', querystring: nothing },
        ...{ body: schema.address, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await identity.contacts.set(request.body, personOf(request))
      return reply.code(204).send()
    },
  )

  app.delete(
    '/auth/addresses/:channel',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Remove an address, never the last one; withdrawals are closed for 24 hours' },
        ...{ params: schema.byChannel, querystring: nothing, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await identity.contacts.remove(request.params.channel, personOf(request))
      return reply.code(204).send()
    },
  )
}

function paymentRoutes(app: App, identity: Identity, personOf: PersonOf): void {
  app.put(
    '/auth/payment-password',
    {
      config: guessable,
      schema: {
        ...{ tags, summary: 'Set the payment password; another one closes withdrawals for 24 hours', querystring: nothing },
        ...{ body: schema.paymentPassword, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await identity.paymentPasswords.set(request.body, personOf(request))
      return reply.code(204).send()
    },
  )
}

function freezeRoutes(app: App, identity: Identity, cookies: Cookies): void {
  app.post(
    '/auth/freeze',
    {
      config: { auth: 'session', isUrgent: true },
      schema: { tags, summary: 'Freeze the account at once; every session ends', querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await identity.freezes.byOwner(request.session, visitorOf(request, cookies))
      cookies.logOut(reply)
      return reply.code(204).send()
    },
  )

  app.post(
    '/auth/freeze/link',
    {
      config: { isAuth: true },
      schema: {
        ...{ tags, summary: 'Freeze the account by the link in a message', querystring: nothing },
        ...{ body: schema.freezeLink, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await identity.freezes.byLink(request.body.token, visitorOf(request, cookies))
      return reply.code(204).send()
    },
  )
}
