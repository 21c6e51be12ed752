import type { Millis, Ppm } from '../../../money/brand.ts'
import { type HomeNumber, homesIn, regionNumber } from '../../../protocol/codec/region.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import type { ReferralTerms } from '../../../protocol/command/referral.ts'
import { Volumes } from '../../records/volumes.ts'
import { DaySums } from './days.ts'

/** Terms of referral, bonds, and what was paid today. Who invited whom is in the state of the users. */
export class ReferralState {
  #terms: ReferralTerms | undefined = undefined
  #closedIn: ReadonlySet<number> = new Set()
  /** Thirty-day volume of an inviter's invitees. Its tiers are those of the terms; their fees have no meaning. */
  readonly volumes = new Volumes()
  /** When each invited user's account was opened. */
  readonly openedAt = new Shards<Millis>()
  readonly byInvitee = new DaySums()
  readonly byInviter = new DaySums()
  /** The running command may have trades of invited users. False between commands. */
  isDue = false

  get terms(): ReferralTerms | undefined {
    return this.#terms
  }

  setTerms(terms: ReferralTerms): void {
    this.#terms = terms
    this.#closedIn = new Set(terms.closedIn.map(regionNumber))
    this.volumes.setTiers(terms.tiers.map(({ volumeMin }) => ({ volumeMin, makerPpm: 0 as Ppm, takerPpm: 0 as Ppm })))
  }

  /** Whether the terms close referral in one of these regions. */
  isClosedIn(home: HomeNumber): boolean {
    return this.#closedIn.size > 0 && (homesIn(home) ?? []).some((region) => this.#closedIn.has(region))
  }
}
