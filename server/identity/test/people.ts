/** Accounts without the rest of the exchange: a real database, a clock that tests move, and hashing that costs nothing. */
import { createHash, randomBytes } from 'node:crypto'
import { startScratchServer } from '../../store/test/scratch.ts'
import type { Store } from '../../store/open.ts'
import { type Account, Accounts } from '../accounts.ts'
import { Argon, type Turn } from '../argon.ts'
import type { Visitor } from '../device.ts'
import { Devices } from '../devices.ts'
import { ServerKeys } from '../server-keys.ts'
import { Sessions } from '../sessions.ts'
import { type IdentityDb, identityDb } from '../tables.ts'
import { OpeningCore } from './world.ts'

/** Hashes at once, and remembers in which turns it was asked to. */
export class QuickArgon extends Argon {
  readonly turns: (Turn | undefined)[] = []
  /** Thrown by the next runs. */
  fault: unknown
  /** What happens during the next run. */
  meanwhile: (() => Promise<unknown>) | undefined

  override async tag(secret: string, nonce: Buffer, turn?: Turn): Promise<Buffer> {
    this.turns.push(turn)
    if (this.fault !== undefined) throw this.fault
    const { meanwhile } = this
    this.meanwhile = undefined
    await meanwhile?.()
    return createHash('sha256').update(secret).update(nonce).digest()
  }

  override async hash(password: string, turn?: Turn): Promise<string> {
    const nonce = randomBytes(16)
    return `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(nonce)}$${unpadded(await this.tag(password, nonce, turn))}`
  }

  override async verify(password: string, phc: string | undefined, turn?: Turn): Promise<boolean> {
    const [nonce, tag] = (phc ?? '$$').split('$').slice(-2)
    return unpadded(await this.tag(password, Buffer.from(nonce!, 'base64'), turn)) === tag
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

export type People = AsyncDisposable & {
  readonly store: Store
  readonly db: IdentityDb
  readonly core: OpeningCore
  readonly clock: () => number
  readonly accounts: Accounts
  readonly devices: Devices
  readonly sessions: Sessions
  /** Moves the clock forward. */
  pass(ms: number): void
  /** An email address that nobody has. */
  address(): string
  /** An account, with a user in the core unless it is not to be opened. */
  person(isOpened?: boolean): Promise<Account>
  rows(text: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
}

export async function startPeople(): Promise<People> {
  const server = await startScratchServer()
  const store = await server.store()
  const db = identityDb(store)
  const core = new OpeningCore()
  let now = Date.UTC(2026, 0, 15, 12)
  let count = 0
  const clock = (): number => now
  const accounts = new Accounts(db, core.submit)
  const devices = new Devices(ServerKeys.of(Buffer.alloc(32, 7)))
  const address = (): string => `person-${++count}@example.com`
  return {
    ...{ store, db, core, clock, accounts, devices, sessions: new Sessions(db, clock, devices), address },
    pass: (ms) => {
      now += ms
    },
    async person(isOpened = true) {
      const given = {
        address: { channel: 'email', value: address() },
        password: `secret ${count}`,
        lang: 'en',
        class: 'retail',
        now,
      } as const
      const account = (await accounts.insert(db, given)) as Account
      if (isOpened) await accounts.open(account)
      return accounts.get(account.id)
    },
    rows: async (text, ...values) => (await store.pool.query(text, [...values])).rows,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

let places = 0
/** A visitor from a network that no other visitor has. */
export function stranger(): Visitor {
  places++
  return { ip: `100.${64 + (places >> 16)}.${(places >> 8) & 255}.${places & 255}`, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
}
