import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { Keys } from '../identity/keys.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { IdentityDb } from '../identity/tables.ts'
import type { Clock } from '../ports.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Store } from '../store/open.ts'
import { FirmAccounts } from './accounts.ts'
import { Applications } from './applications.ts'
import { Members } from './members.ts'
import { FirmOffice } from './office.ts'
import { Openings } from './openings.ts'
import { FirmReading } from './reading.ts'
import { openRequests, ruleOf } from './requests/rule.ts'
import { type FirmDb, firmDb } from './tables.ts'

export type FirmsDeskOptions = {
  readonly store: Pick<Store, 'db'>
  readonly submit: Submit
  readonly keys: Pick<Keys, 'endOfMember' | 'endPrograms'>
  readonly sessions: Pick<Sessions, 'forgetActing'>
  readonly log: Pick<StaffLog, 'write'>
  readonly unservedCountries: readonly string[] | undefined
  readonly isEmpty: (user: UserId) => Promise<boolean>
  /** What a firm has by contract, by the user of its main account. */
  readonly standing: (main: UserId) => Promise<{ readonly tier: number; readonly withdrawMax: Units }>
  /** A sum of USDT as text. */
  readonly amountText: (units: Units) => string
  readonly clock?: Clock
  readonly onFault: (cause: unknown) => void
}

const finishEveryMs = 5_000

/** Firms: their applications, accounts and members, and the clock by which accounts that a process left half open are opened. */
export class FirmsDesk implements Disposable {
  readonly db: FirmDb
  readonly applications: Applications
  readonly accounts: FirmAccounts
  readonly members: Members
  readonly openings: Openings
  readonly reading: FirmReading
  /** For the staff. */
  readonly office: FirmOffice
  readonly #timer: NodeJS.Timeout

  constructor(options: FirmsDeskOptions) {
    const { store, submit, keys, sessions, log, clock = Date.now, isEmpty, standing, amountText, onFault } = options
    const db = firmDb(store)
    const forgetActing = (account: string): void => sessions.forgetActing(account)
    this.db = db
    this.openings = new Openings({ db, clock, submit, onFault })
    const unserved = new Set(options.unservedCountries)
    this.applications = new Applications({ db, clock, openings: this.openings, log, unserved, onFault })
    const endPrograms = (tx: FirmDb, account: string) => keys.endPrograms(tx as unknown as IdentityDb, account)
    this.accounts = new FirmAccounts({ db, clock, openings: this.openings, isEmpty, endPrograms, forgetActing })
    const endKeys = (tx: FirmDb, member: string) => keys.endOfMember(tx as unknown as IdentityDb, member)
    this.members = new Members({ db, clock, endKeys, forgetActing })
    this.reading = new FirmReading({ db, standing, amountText, ruleOf, openRequests })
    this.office = new FirmOffice(db, this.reading)
    this.#timer = setInterval(() => void this.openings.finish().catch(onFault), finishEveryMs).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
