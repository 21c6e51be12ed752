import type { UserId } from '@candor/core/protocol/ids.ts'
import { type RegainPolicy, regainPolicies } from '../identity/regain/policy.ts'
import { Seal } from '../identity/seal.ts'
import type { ServerKeys } from '../identity/server-keys.ts'
import type { Clock, Owners } from '../ports.ts'
import type { Store } from '../store/open.ts'
import { Images } from './images.ts'
import type { Objects } from './objects.ts'
import { Papers } from './papers.ts'
import { RegainReviews } from './regain-reviews.ts'
import { RegainPapers } from './regains.ts'
import { forgetPhotos } from './retention.ts'
import { Revocations } from './revocations.ts'
import { Reviews } from './reviews.ts'
import { papersDb } from './tables.ts'
import { Tags } from './tags.ts'
import { Usual } from './usual.ts'

export type PapersDeskOptions = {
  readonly store: Store
  readonly serverKeys: ServerKeys
  readonly objects: Objects
  readonly owners: Owners
  /** See `ReviewParts`. */
  readonly certify: (user: UserId, country: string) => Promise<void>
  /** See `RevocationParts`. */
  readonly revoke: (user: UserId) => Promise<void>
  /** How long requests for access without the second factors wait. Default: that of production. */
  readonly regainWaits?: RegainPolicy
  readonly clock?: Clock
  readonly images?: Images
  readonly onFault: (cause: unknown) => void
}

const everyMs = 3_600_000

/** Both sides of the identity check, and the clock by which photos are deleted and forgotten certificates reach the core. */
export class PapersDesk implements Disposable {
  readonly papers: Papers
  readonly reviews: Reviews
  readonly revocations: Revocations
  /** The certified document, shown again by customers who have lost their second factors. */
  readonly regains: RegainPapers
  readonly regainReviews: RegainReviews
  /** The country of an account’s newest document that was certified. */
  readonly countryOf: (account: string) => Promise<string | undefined>
  /** Deletes photos whose time is over, as it also does by itself every hour. Returns how many. */
  readonly forget: () => Promise<number>
  /** Draws a text over a photo, for a viewer. */
  readonly mark: (jpeg: Buffer, text: string, viewer: string) => Promise<Buffer>
  readonly #images: Images
  /** A process of its own: one that a stranger's photo may have taken over must not see the photos of others. */
  readonly #marker = new Images()
  readonly #clock: NodeJS.Timeout

  constructor({
    store,
    serverKeys,
    objects,
    owners,
    certify,
    revoke,
    regainWaits = regainPolicies.production,
    clock = Date.now,
    images = new Images(),
    onFault,
  }: PapersDeskOptions) {
    const db = papersDb(store)
    const seals = { fields: new Seal(serverKeys, 'paper-fields'), photos: new Seal(serverKeys, 'paper-photos') }
    const tags = new Tags(db, new Seal(serverKeys, 'paper-tags'))
    const shared = { db, clock, owners, seals, objects }
    this.#images = images
    this.papers = new Papers({ ...shared, tags, images, usual: new Usual(db, clock) })
    this.reviews = new Reviews({ ...shared, certify, onFault })
    this.revocations = new Revocations({ db, clock, owners, revoke, onFault })
    this.regains = new RegainPapers({ ...shared, tags, images, waits: regainWaits })
    this.regainReviews = new RegainReviews({ ...shared, waitMs: regainWaits.certifiedMs, onFault })
    this.mark = async (jpeg, text, viewer) => (await this.#marker.mark(jpeg, text, viewer)).jpeg
    this.countryOf = (account) => this.reviews.countryOf(account)
    this.forget = () => forgetPhotos(db, objects, clock)
    this.#clock = setInterval(() => {
      this.forget().catch(onFault)
      this.finish().catch(onFault)
    }, everyMs).unref()
  }

  /** Tells the core about certificates and revocations that it did not learn of. */
  async finish(): Promise<void> {
    await this.reviews.finish()
    await this.revocations.finish()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#clock)
    this.#images[Symbol.dispose]()
    this.#marker[Symbol.dispose]()
  }
}
