import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WirePapersDraft } from '@candor/core/protocol/wire/papers.ts'
import { QuickArgon } from '../../identity/test/people.ts'
import { desk, startWorld, type World } from '../../identity/test/world.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import type { Asker } from '../../ports.ts'
import { PapersDesk } from '../desk.ts'
import { Images } from '../images.ts'
import type { Objects } from '../objects.ts'
import type { Reviewer } from '../reviews.ts'
import { type PapersDb, papersDb } from '../tables.ts'
import { picture } from './pictures.ts'

/** Objects in memory that a test can look into. That real places behave the same is `objects.test.ts`. */
export class SeenObjects implements Objects {
  readonly files = new Map<string, Buffer>()

  async put(name: string, bytes: Buffer): Promise<void> {
    this.files.set(name, bytes)
  }

  async get(name: string): Promise<Buffer | undefined> {
    return this.files.get(name)
  }

  async delete(name: string): Promise<void> {
    this.files.delete(name)
  }
}

export type PapersWorld = AsyncDisposable & {
  readonly world: World
  readonly db: PapersDb
  readonly objects: SeenObjects
  readonly office: PapersDesk
  /** Users certified in the core, with the country of their document. */
  readonly certified: { readonly user: UserId; readonly country: string }[]
  /** Users whose certificates were revoked in the core. */
  readonly revoked: UserId[]
  /** Errors of the next calls to the core. */
  readonly failures: Error[]
  readonly photo: Buffer
  customer(): Promise<Asker>
  /** A new customer whose check waits. Returns its number too. */
  waiting(draft?: WirePapersDraft): Promise<{ readonly who: Asker; readonly id: string }>
}

export const whole = {
  ...{ kind: 'id-card', country: 'HK', name: 'CHAN TAI MAN', born: '1990-02-28', number: 'A123456(7)' },
} as const satisfies WirePapersDraft

const reviewer = (name: string): Reviewer => ({ name, visitor: desk, note: async () => undefined })
export const anna = reviewer('anna@staff.example')
export const ben = reviewer('ben@staff.example')

export async function startPapersWorld(): Promise<PapersWorld> {
  const world = await startWorld(new QuickArgon())
  const objects = new SeenObjects()
  const certified: { user: UserId; country: string }[] = []
  const revoked: UserId[] = []
  const failures: Error[] = []
  const office = new PapersDesk({
    ...{ store: world.store, serverKeys: ServerKeys.of(Buffer.alloc(32, 7)), objects, clock: world.clock, images: new Images() },
    owners: world.identity.owners,
    certify: async (user, country) => {
      const failure = failures.shift()
      if (failure) throw failure
      certified.push({ user, country })
    },
    revoke: async (user) => {
      const failure = failures.shift()
      if (failure) throw failure
      revoked.push(user)
    },
    onFault: (cause) => {
      throw cause
    },
  })
  const db = papersDb(world.store)
  const photo = await picture(900, 600)
  let numbers = 0
  const customer = async (): Promise<Asker> => ({ account: (await world.customer()).account, visitor: desk })
  return {
    ...{ world, db, objects, office, certified, revoked, failures, photo, customer },
    async waiting(draft = {}) {
      const who = await customer()
      await office.papers.save(who, { ...whole, number: `B${++numbers}00000`, ...draft })
      await office.papers.addPhoto(who, 'front', photo)
      if (draft.kind !== 'passport') await office.papers.addPhoto(who, 'back', photo)
      await office.papers.send(who)
      const { id } = await db
        .selectFrom('papers')
        .select('id')
        .where('account', '=', who.account)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      return { who, id }
    },
    async [Symbol.asyncDispose]() {
      office[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}
