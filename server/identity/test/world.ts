import type { Command } from '@candor/core/protocol/command/index.ts'
import type { LocateUser } from '@candor/core/protocol/command/region.ts'
import type { OpenOrder, Outcome, Submit } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Inbox } from '../../messages/inbox.ts'
import { MessageFault } from '../../messages/fault.ts'
import { openMessages } from '../../messages/messages.ts'
import type { Message } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Store } from '../../store/open.ts'
import { startScratchServer } from '../../store/test/scratch.ts'
import type { Argon } from '../argon.ts'
import type { Visitor } from '../device.ts'
import { Identity } from '../identity.ts'
import { ServerKeys } from '../server-keys.ts'
import { cheapArgon } from './cheap-argon.ts'

export const phone: Visitor = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36' }
export const desk: Visitor = { ip: '198.51.100.9', userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64) Firefox/140.0' }
let places = 0
/** A visitor from an address of the network that no other visitor has. */
export function elsewhere(): Visitor {
  places++
  return { ip: `198.18.${places >> 8}.${places & 255}`, userAgent: desk.userAgent }
}

export const good = 'river lamp forty-two'

/** The core as the identity sees it: opens users by request id, notes freezes, and fails when a test tells it to. */
export class OpeningCore {
  readonly opened = new Map<string, { user: number; command: Command }>()
  /** Commands about frozen users, oldest first. */
  readonly told: Command[] = []
  /** Errors of the next calls, thrown before (`isLost`: after) the user was opened. */
  failures: { isLost: boolean }[] = []
  /** Regions of users, as they were told last. */
  readonly homes = new Map<number, string>()

  /** Answered for every user. */
  orders: readonly OpenOrder[] = []

  readonly openOrders = (): Promise<readonly OpenOrder[]> => Promise.resolve(this.orders)

  readonly submit: Submit = async (command) => {
    const failure = this.failures.shift()
    if (failure && !failure.isLost) throw Object.assign(new Error('not taken'), { refusal: 'UNAVAILABLE' })
    if (command.type === 'user.set' || command.type === 'user.rest' || command.type === 'spot.cancelAll' || command.type === 'perp.cancel')
      return this.#note(command)
    if (command.type === 'user.locate') return this.#locate(command)
    if (command.type !== 'user.open') throw new Error(`the identity submitted ${command.type}`)
    const known = this.opened.get(command.requestId)
    const user = known?.user ?? this.opened.size + 1
    if (!known) this.opened.set(command.requestId, { user, command })
    if (failure) throw Object.assign(new Error('outcome unknown'), { refusal: 'STATUS_UNKNOWN' })
    return { seq: user, at: 0, user, order: 0, refusal: undefined, isRepeat: known !== undefined, events: [] } as unknown as Outcome
  }

  #locate({ user, region }: LocateUser): Outcome {
    this.homes.set(user, region)
    return done
  }

  #note(command: Command): Outcome {
    this.told.push(command)
    return done
  }
}

const done = { seq: 1, at: 0, user: 0, order: 0, refusal: undefined, isRepeat: false, events: [] } as unknown as Outcome

export type World = AsyncDisposable & {
  readonly store: Store
  readonly core: OpeningCore
  readonly inbox: Inbox
  readonly identity: Identity
  readonly sent: readonly Message[]
  readonly clock: () => number
  /** Moves the clock forward. */
  pass(ms: number): void
  /** An identity in production mode on the same tables. */
  readonly production: Identity
  address(): string
  /** The newest code mailed to an address. News of earlier steps may come after it. */
  codeOf(to: string): Promise<string>
  /** Registers a new customer and returns the result of the login. */
  customer(visitor?: Visitor): Promise<{ to: string; token: string; deviceKey: string; account: string }>
}

/** Real PostgreSQL, real SMTP on loopback, and a clock that tests move. Default for `argon`: real hashing at its lowest cost. */
export async function startWorld(argon: Argon = cheapArgon()): Promise<World> {
  const server = await startScratchServer()
  const store = await server.store()
  const core = new OpeningCore()
  let now = Date.UTC(2026, 0, 15, 12)
  let isEnding = false
  const clock = () => now
  const inbox = new Inbox(store, clock)
  const messages = await openMessages({ inbox })
  const sent: Message[] = []
  const options = {
    store,
    submit: core.submit,
    openOrders: core.openOrders,
    messages: { send: (message: Message) => (sent.push(message), messages.send(message)) },
    clock,
    serverKeys: ServerKeys.of(Buffer.alloc(32, 7)),
    argon,
    onFault: (cause: unknown) => {
      // Nobody reads a message that is still on its way when a test ends.
      if (!isEnding || !(cause instanceof MessageFault)) throw cause
    },
  }
  const identity = new Identity({ ...options, mode: 'sandbox' })
  const production = new Identity({ ...options, mode: 'production' })
  let people = 0
  const world: World = {
    store,
    core,
    inbox,
    identity,
    production,
    sent,
    clock,
    pass: (ms) => {
      now += ms
    },
    address: () => `customer-${++people}@example.com`,
    async codeOf(to) {
      await identity.settled()
      await production.settled()
      const codes = (await inbox.list(to)).map(({ text }) => /\b[0-9]{6}\b/.exec(text)?.[0])
      const code = codes.find((one) => one !== undefined)
      if (code === undefined) throw new Error(`no code arrived for ${to}`)
      return code
    },
    async customer(visitor = phone) {
      const to = world.address()
      await identity.sendCode({ purpose: 'register', channel: 'email', to, lang: 'en' }, visitor)
      const started = await identity.register(form(to, await world.codeOf(to)), visitor)
      return { to, token: started.token, deviceKey: started.deviceKey, account: started.session.account }
    },
    async [Symbol.asyncDispose]() {
      isEnding = true
      await identity[Symbol.asyncDispose]()
      await production[Symbol.asyncDispose]()
      await messages[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
  return world
}

export function form(
  to: string,
  code: string,
  given: { password?: string; invitation?: string; agreement?: boolean; again?: string; country?: string; isOfAge?: boolean } = {},
) {
  const password = given.password ?? good
  return {
    channel: to.startsWith('+') ? ('phone' as const) : ('email' as const),
    to,
    code,
    password,
    passwordAgain: given.again ?? password,
    agreement: given.agreement ?? true,
    ...{ country: given.country ?? 'DE', isOfAge: given.isOfAge ?? true },
    lang: 'en',
    ...(given.invitation === undefined ? {} : { invitation: given.invitation }),
  }
}

/** A predicate for `assert.rejects`. */
export function refused(refusal: Refusal): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof Refused && error.refusal === refusal) return true
    throw error
  }
}

/** The outcome of each call: a refusal's name, or `done`. */
export async function outcomes(calls: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(calls)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'done'
    if (one.reason instanceof Refused) return one.reason.refusal
    throw one.reason
  })
}

/** A six-digit code that differs from this one. */
export function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000'
}
