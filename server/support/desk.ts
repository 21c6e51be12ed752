import { Seal } from '../identity/seal.ts'
import type { ServerKeys } from '../identity/server-keys.ts'
import { Images } from '../papers/images.ts'
import type { Objects } from '../papers/objects.ts'
import type { Clock } from '../ports.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Store } from '../store/open.ts'
import { Canned } from './canned.ts'
import { Office } from './office.ts'
import { Pictures, pictureSideMin } from './pictures.ts'
import { Queue } from './queue.ts'
import { supportDb } from './tables.ts'
import { Tickets } from './tickets.ts'

export type SupportDeskOptions = {
  readonly store: Pick<Store, 'db'>
  readonly serverKeys: ServerKeys
  readonly objects: Objects
  readonly log: Pick<StaffLog, 'write'>
  /** Draws a text over a picture, for a viewer. */
  readonly mark: (jpeg: Buffer, text: string, viewer: string) => Promise<Buffer>
  readonly clock?: Clock
  readonly onFault: (cause: unknown) => void
}

/** A ticket of this user changed. */
export type TicketChanged = { readonly user: number; readonly ticket: string }

const remindEveryMs = 30_000
const forgetEveryMs = 3_600_000

/** Both sides of support, and the clock by which missed answers are told and old pictures forgotten. */
export class SupportDesk implements Disposable {
  readonly tickets: Tickets
  readonly pictures: Pictures
  readonly office: Office
  readonly queue: Queue
  readonly canned: Canned
  readonly mark: SupportDeskOptions['mark']
  /** A process of its own: what strangers send to support must not see photos of documents. */
  readonly #images = new Images({ sideMin: pictureSideMin })
  readonly #listeners = new Set<(change: TicketChanged) => void>()
  readonly #timers: readonly NodeJS.Timeout[]

  constructor({ store, serverKeys, objects, log, mark, clock = Date.now, onFault }: SupportDeskOptions) {
    const db = supportDb(store)
    const changed = ({ user }: { readonly user: number }, ticket: string): void => {
      for (const listener of this.#listeners) listener({ user, ticket })
    }
    this.mark = mark
    this.pictures = new Pictures({ db, clock, objects, seal: new Seal(serverKeys, 'support-images'), images: this.#images })
    this.tickets = new Tickets({ db, clock, changed })
    this.office = new Office({ db, clock, log, pictures: this.pictures, changed })
    this.queue = new Queue(db, clock)
    this.canned = new Canned(db, clock, log)
    const every = (ms: number, work: () => Promise<unknown>): NodeJS.Timeout => setInterval(() => void work().catch(onFault), ms).unref()
    this.#timers = [every(remindEveryMs, () => this.office.remind()), every(forgetEveryMs, () => this.pictures.forget())]
  }

  /** Calls back after each change of a ticket that is durable. Returns what stops it. */
  onChanged(listener: (change: TicketChanged) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#images[Symbol.dispose]()
  }
}
