/** A world whose hashing costs nothing, and short names for what its tests do. */
import { after, before, beforeEach } from 'node:test'
import type { Message, Session } from '../../ports.ts'
import type { Visitor } from '../device.ts'
import { Identity } from '../identity.ts'
import type { IdentityOptions } from '../options.ts'
import { ServerKeys } from '../server-keys.ts'
import { QuickArgon, stranger } from './people.ts'
import { good, startWorld, type World } from './world.ts'

export const minute = 60_000
export const fresh = 'seventeen paper boats'
let numbers = 0
/** A phone number that nobody has. */
export const phoneNumber = (): string => `+4915${100_000_000 + ++numbers}`

/** The world of one file of tests. */
export function quickWorld() {
  const argon = new QuickArgon()
  let world: World
  before(async () => {
    world = await startWorld(argon)
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    argon.fault = undefined
    argon.meanwhile = undefined
  })
  const rows = async (text: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]> =>
    (await world.store.pool.query(text, [...values])).rows
  /** Messages to an address, oldest first. */
  const sent = async (to: string): Promise<readonly Message[]> => {
    await world.identity.settled()
    return world.sent.filter((message) => message.to === to)
  }
  return {
    argon,
    world: () => world,
    rows,
    sent,
    /** The lines of an account's log: action, session and details. */
    async log(account: string): Promise<unknown[]> {
      const lines = await rows('select action, session, detail from audit_log where account = $1 order by id', account)
      return lines.map(({ action, session, detail }) => [action, session, detail])
    },
    ask: (to: string, purpose: 'register' | 'reset', visitor = stranger(), lang = 'en') =>
      world.identity.sendCode({ purpose, channel: to.startsWith('+') ? 'phone' : 'email', to, lang }, visitor),
    login: (to: string, password = good, visitor: Visitor = stranger(), presented?: string, lang = 'en') =>
      world.identity.login({ channel: 'email', to, password, lang }, visitor, presented),
    reset: (token: string, password = fresh, visitor: Visitor = stranger()) =>
      world.identity.reset({ token, password, passwordAgain: password }, visitor),
    /** A message without the link by which the owner freezes the account, which must be there. */
    withoutLink({ freezeLink, ...message }: Message): Message {
      if (!/^\/#\/freeze\?token=[\w-]{22}$/.test(freezeLink ?? '')) throw new Error(`${message.template} has no link`)
      return message
    },
    circumstances: ({ ip }: Visitor) => ({ device: 'Firefox · Linux', ip, time: String(world.clock()) }),
    // A message about a login may be sent after the one with the code.
    codeIn: async (to: string): Promise<string> => (await sent(to)).findLast(({ values }) => values['code'])!.values['code']!,
    tokenIn: async (to: string): Promise<string> =>
      (await sent(to)).findLast(({ values }) => values['link'])!.values['link']!.split('token=')[1]!,
    sessionOf: async (token: string): Promise<Session> => (await world.identity.session(token))!,
    /** An identity of its own on the same tables. */
    made(options: Partial<IdentityOptions>): Identity {
      const { store, core, clock } = world
      const messages = { send: async (message: Message) => void (world.sent as Message[]).push(message) }
      const serverKeys = ServerKeys.of(Buffer.alloc(32, 7))
      return new Identity({
        store,
        submit: core.submit,
        openOrders: core.openOrders,
        messages,
        mode: 'production',
        serverKeys,
        clock,
        argon,
        ...options,
      })
    },
  }
}
