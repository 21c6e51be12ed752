import {
  addressOwners,
  type WireNewWithdrawalAddress,
  type WireWithdrawalAddress,
  type WireWithdrawalAddressName,
  type WireWithdrawalList,
} from '@candor/core/protocol/wire/addresses.ts'
import type { WireNetwork } from '@candor/core/protocol/wire/chains.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AddressBook } from '../../chains/book/book.ts'
import { answers, millis, noContent, nothing } from '../../http/schema.ts'
import type { Person } from '../../identity/factors/factors.ts'
import type { App } from '../app.ts'
import { type Cookies, visitorOf } from '../user/cookies.ts'
import { allowListState } from '../user/safety-schema.ts'
import { labelOf, sessionId as addressId } from '../user/schema.ts'
import { network as networkFields, networkName } from './schema.ts'

const label = labelOf('address', 'my wallet')
const exchange = labelOf('other exchange', 'Example Exchange')
const beneficiary = z
  .string()
  .regex(/^[^\p{Cc}\p{Cf}]{2,100}$/u)
  .refine((text) => text.trim().length >= 2)
  .meta({ description: 'Full name of the person whose account it is at the other exchange.', examples: ['Chan Tai Man'] })
const address = z
  .string()
  .max(128)
  .meta({ description: 'An address as its network writes it.', examples: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'] })
const owner = z.enum(addressOwners)

const network = z.strictObject(networkFields).meta({ id: 'Network' }) satisfies z.ZodType<WireNetwork>

const withdrawalAddress = z
  .strictObject({
    ...{ id: z.string(), network: z.string(), address: z.string(), label: z.string(), owner },
    exchange: z.string().exactOptional(),
    beneficiary: z.string().exactOptional(),
    ...{ addedAt: millis, usableAt: millis, uses: z.int().nonnegative() },
    lastUsedAt: millis.exactOptional(),
  })
  .meta({ id: 'WithdrawalAddress' }) satisfies z.ZodType<WireWithdrawalAddress>

const withdrawalList = z
  .strictObject({
    addresses: z.array(withdrawalAddress).readonly(),
    past: z.array(z.strictObject({ network: z.string(), address: z.string(), label: z.string() })).readonly(),
    networks: z.array(network).readonly(),
    ...{ max: z.int(), waitMs: z.int(), lock: allowListState },
  })
  .meta({ id: 'WithdrawalList' }) satisfies z.ZodType<WireWithdrawalList>

const newAddress = z
  .strictObject({
    ...{ network: networkName, address, label, owner },
    exchange: exchange.exactOptional(),
    beneficiary: beneficiary.exactOptional(),
    middle: z.string().max(32).exactOptional().meta({
      description: 'The eight characters in the middle of the address, if it looks like another one of the list.',
    }),
  })
  .meta({ id: 'NewWithdrawalAddress' }) satisfies z.ZodType<WireNewWithdrawalAddress>

const addressName = z.strictObject({ label }).meta({ id: 'WithdrawalAddressName' }) satisfies z.ZodType<WireWithdrawalAddressName>

const tags = ['withdrawal addresses']
/** Each locks the account’s row, and most send messages. */
const locking = { auth: 'session', isLocking: true } as const

/** The addresses to which a customer withdraws. */
export function addressRoutes(app: App, book: AddressBook, cookies: Cookies): void {
  const personOf = (request: FastifyRequest): Person => ({ session: request.session, visitor: visitorOf(request, cookies) })
  app.get(
    '/withdrawal-addresses',
    {
      config: { auth: 'session' },
      schema: { tags, summary: 'The customer’s withdrawal addresses', querystring: nothing, response: answers(withdrawalList) },
    },
    (request) => book.list(request.session.account),
  )

  app.post(
    '/withdrawal-addresses',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Add an address after a proof; withdrawals can go there after 24 hours', querystring: nothing },
        ...{ body: newAddress, response: answers(withdrawalAddress, 201) },
      },
    },
    async (request, reply) => reply.code(201).send(await book.add(request.body, personOf(request))),
  )

  app.patch(
    '/withdrawal-addresses/:id',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Rename an address', params: addressId, querystring: nothing },
        ...{ body: addressName, response: answers(withdrawalAddress) },
      },
    },
    (request) => book.rename(request.params.id, request.body.label, personOf(request)),
  )

  app.delete(
    '/withdrawal-addresses/:id',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Remove an address; every address of the account is told' },
        ...{ params: addressId, querystring: nothing, response: answers(noContent, 204) },
      },
    },
    async (request, reply) => {
      await book.remove(request.params.id, personOf(request))
      return reply.code(204).send()
    },
  )
}
