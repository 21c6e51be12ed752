import type { FirmRight } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Acting, Session } from '../ports.ts'
import { Refused } from '../refused.ts'

/** How long a derived session is trusted without another look-up. A change of the member, the account or the session ends it at once. */
const believedMs = 5_000
const keptMax = 20_000

type Known = { readonly acting: Acting; readonly until: number }

/** Sessions of members who act for accounts of firms, derived from their own and kept in memory, so that an order needs no query. */
export class ActingSessions {
  readonly #lookup: (session: Session, uid: string) => Promise<Acting | undefined>
  readonly #now: () => number
  readonly #known = new Map<string, Known>()
  /** Counts changes: what was looked up before a change may have been ended by it. */
  #changes = 0

  constructor(lookup: (session: Session, uid: string) => Promise<Acting | undefined>, now: () => number = () => performance.now()) {
    this.#lookup = lookup
    this.#now = now
  }

  /** throws  Refused FIRM_NOT_MEMBER, FIRM_RIGHT_MISSING, ACCOUNT_CLOSED, or rejects with it */
  find(session: Session, uid: string, right: FirmRight): Session | Promise<Session> {
    const known = this.#known.get(nameOf(session, uid))
    if (known && known.until > this.#now()) return allowed(known.acting, right)
    return this.#look(session, uid).then((acting) => allowed(acting, right))
  }

  /** An account's sessions ended, or it is no longer what it was for a firm: as a person, or as an account of the firm. */
  forgetAccount(account: string): void {
    this.#changes++
    for (const [name, { acting }] of this.#known)
      if (acting.session.account === account || acting.session.member.account === account) this.#known.delete(name)
  }

  /** What changed during a look-up is looked up again: a socket that opened with the old answer would not be closed. */
  async #look(session: Session, uid: string, tries = 3): Promise<Acting | undefined> {
    const changes = this.#changes
    const until = this.#now() + believedMs
    const acting = await this.#lookup(session, uid).catch(() => {
      // Nothing has been changed yet, so the answer is "unavailable", not "status unknown".
      throw new Refused('UNAVAILABLE')
    })
    if (changes !== this.#changes) {
      if (tries === 0) throw new Refused('UNAVAILABLE')
      return this.#look(session, uid, tries - 1)
    }
    this.#known.delete(nameOf(session, uid))
    if (!acting) return undefined
    if (this.#known.size >= keptMax) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(nameOf(session, uid), { acting, until })
    return acting
  }
}

const nameOf = ({ id }: Session, uid: string): string => `${id} ${uid}`

function allowed(acting: Acting | undefined, right: FirmRight): Session {
  if (acting === undefined) throw new Refused('FIRM_NOT_MEMBER')
  const { session, isArchived } = acting
  if (!session.member.rights.includes(right)) throw new Refused('FIRM_RIGHT_MISSING')
  if (isArchived && right !== 'read') throw new Refused('ACCOUNT_CLOSED')
  return session
}
