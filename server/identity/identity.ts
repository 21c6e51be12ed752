import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { WireAddressRequest, WireSafety } from '@candor/core/protocol/wire/safety.ts'
import type {
  WireCodeRequest,
  WireCodeSent,
  WireLogin,
  WirePasswordChange,
  WireRegister,
  WireReset,
  WireResetCode,
  WireResetToken,
} from '@candor/core/protocol/wire/user.ts'
import type { Clock, Owners, Session, Template } from '../ports.ts'
import { Refused } from '../refused.ts'
import { type Account, Accounts, addressesOf } from './accounts.ts'
import { type Address, parseAddress } from './address.ts'
import { agreementVersion } from './gates/agreement.ts'
import { Argon } from './argon.ts'
import { type Action, record } from './audit.ts'
import { Codes, codeLivesMs, linkEveryMs } from './codes.ts'
import { Contacts } from './contacts/contacts.ts'
import { Notices } from './contacts/notices.ts'
import { countTold } from './contacts/told-counts.ts'
import type { Visitor } from './device.ts'
import { Devices } from './devices.ts'
import { CoreFreezes } from './freeze/core-freezes.ts'
import { Freezes } from './freeze/freezes.ts'
import { Lifts } from './freeze/lifts.ts'
import { FreezeLinks } from './freeze/links.ts'
import { Factors, type Person } from './factors/factors.ts'
import { Agreements } from './gates/agreements.ts'
import { Residences } from './gates/residences.ts'
import type { IdentityOptions } from './options.ts'
import { Invitations } from './gates/invitations.ts'
import { Outgoing } from './outgoing.ts'
import { checkPassword, checkTwice } from './password.ts'
import { PaymentPasswords } from './payment/payment-passwords.ts'
import { Passwords, turnOf, turnOfVisitor } from './passwords.ts'
import { keyPolicies } from './key-terms.ts'
import { Keys } from './keys.ts'
import { Signals } from './signals/signals.ts'
import { Phrases } from './factors/phrases.ts'
import { Logins } from './factors/logins.ts'
import { ChartLayouts } from './account/chart-layouts.ts'
import { AccountPreferences } from './account/preferences.ts'
import { Profiles } from './profiles.ts'
import { prune } from './prune.ts'
import { AllowLists } from './regain/allow-list.ts'
import { RegainEnds } from './regain/ends.ts'
import { regainPolicies } from './regain/policy.ts'
import { Regains } from './regain/regains.ts'
import { Resets } from './resets/resets.ts'
import { Seal } from './seal.ts'
import { safetyOf } from './contacts/safety.ts'
import { requireFresh, requireLiving, Sessions, type Started } from './sessions.ts'
import { type IdentityDb, identityDb } from './tables.ts'
import { Tries } from './tries.ts'

const pruneEveryMs = 3_600_000
const deliverEveryMs = 15_000
/** `deviceCookie`: undefined for a browser without one. */
export type Changed = { readonly token: string; readonly deviceCookie: string | undefined }

const minutesOf = (ms: number): string => String(ms / 60_000)

const caps = { perIp: 100, perCountry: 1_000, allPhones: 5_000 }

/**
 * Accounts of users: registration, login, logout, password. Every step that could reveal whether an account exists runs the same
 * way in both cases, and messages are sent after the answer.
 */
export class Identity implements AsyncDisposable {
  readonly sessions: Sessions
  readonly profiles: Profiles
  readonly preferences: AccountPreferences
  readonly chartLayouts: ChartLayouts
  readonly invitations: Invitations
  readonly keys: Keys
  readonly signals: Signals
  readonly logins: Logins
  /** Second factors, and the proofs that sensitive changes need. */
  readonly factors: Factors
  /** The addresses of accounts. */
  readonly contacts: Contacts
  readonly paymentPasswords: PaymentPasswords
  /** Whether withdrawal addresses can be added. */
  readonly allowLists: AllowLists
  /** Requests for access without the second factors. */
  readonly regains: Regains
  /** Their waiting time, and the link at its end. */
  readonly regainEnds: RegainEnds
  readonly freezes: Freezes
  readonly coreFreezes: CoreFreezes
  readonly residences: Residences
  readonly agreements: Agreements
  /** The end of freezes, by two members of the staff. */
  readonly lifts: Lifts
  /** The words by which owners recognize mail of the exchange. */
  readonly phrases: Phrases
  readonly freezeLinks: FreezeLinks
  /** Signs and verifies the cookies by which browsers are recognized. */
  readonly devices: Devices
  /** For rooms that store more about an account. */
  readonly owners: Owners
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #countries: ReadonlySet<string> | undefined
  readonly #argon: Argon
  readonly #accounts: Accounts
  readonly #codes: Codes
  readonly #tries: Tries
  readonly #passwords: Passwords
  readonly #outgoing: Outgoing
  readonly #notices: Notices
  readonly #resets: Resets
  readonly #pruner: NodeJS.Timeout
  readonly #deliverer: NodeJS.Timeout

  constructor(options: IdentityOptions) {
    const onFault = options.onFault ?? (() => undefined)
    this.#db = identityDb(options.store)
    this.#clock = options.clock ?? Date.now
    this.#argon = options.argon ?? new Argon()
    this.#countries = options.phoneCountries && new Set(options.phoneCountries)
    this.#accounts = new Accounts(this.#db, options.submit)
    this.#codes = new Codes(this.#db, this.#argon, this.#clock, caps)
    this.#tries = new Tries(this.#db, this.#clock)
    this.#outgoing = new Outgoing(options.messages, onFault)
    this.devices = new Devices(options.serverKeys)
    this.sessions = new Sessions(this.#db, this.#clock, this.devices)
    this.#passwords = new Passwords({
      ...{ db: this.#db, clock: this.#clock, mode: options.mode, sessions: this.sessions },
      ...{ accounts: this.#accounts, argon: this.#argon, tries: this.#tries },
    })
    this.profiles = new Profiles(this.#db, this.#clock)
    this.preferences = new AccountPreferences(this.#db)
    this.chartLayouts = new ChartLayouts(this.#db)
    this.invitations = new Invitations(this.#db, this.#accounts)
    const phraseOf = (account: Account) => this.phrases.of(account)
    const { publicUrl = '' } = options
    const links = new FreezeLinks(this.#db, this.#clock, publicUrl)
    this.freezeLinks = links
    const notices = new Notices({ db: this.#db, outgoing: this.#outgoing, clock: this.#clock, phraseOf, links })
    this.#notices = notices
    const tell = (account: Account, template: Template, visitor: Visitor): void => notices.tell(account, template, visitor)
    const shared = {
      ...{ db: this.#db, clock: this.#clock, accounts: this.#accounts, passwords: this.#passwords },
      ...{ tries: this.#tries, tell },
    }
    this.factors = new Factors({ ...shared, codes: this.#codes, seal: new Seal(options.serverKeys, 'authenticator') })
    const phraseSeal = new Seal(options.serverKeys, 'phrase')
    this.phrases = new Phrases({ seal: phraseSeal, factors: this.factors, onFault })
    this.logins = new Logins({
      ...shared,
      ...{ argon: this.#argon, factors: this.factors, profiles: this.profiles, sessions: this.sessions },
    })
    const parts = { ...shared, argon: this.#argon, codes: this.#codes, factors: this.factors, notices, countries: this.#countries }
    this.agreements = new Agreements(this.#db, this.#clock)
    this.residences = new Residences({
      ...{ db: this.#db, clock: this.#clock, accounts: this.#accounts, submit: options.submit, onFault },
      ...{ unserved: new Set(options.unservedCountries), documentOf: options.documentOf ?? (() => Promise.resolve(undefined)) },
    })
    this.contacts = new Contacts({ ...parts, residences: this.residences })
    this.paymentPasswords = new PaymentPasswords(parts)
    this.allowLists = new AllowLists(parts)
    const regaining = { ...parts, policy: regainPolicies[options.mode], links, outgoing: this.#outgoing, phraseOf, publicUrl, onFault }
    this.regains = new Regains({ ...regaining, sessions: this.sessions })
    this.regainEnds = new RegainEnds({ ...regaining, sessions: this.sessions })
    this.#resets = new Resets({ ...parts, outgoing: this.#outgoing, phraseOf, sessions: this.sessions, publicUrl })
    const confirm: Owners['confirm'] = async (who, password, change) => {
      await this.factors.require({ account: who.account, id: who.session }, change)
      await this.#passwords.confirm(who.account, password, who.visitor)
    }
    const keyParts = {
      ...{ db: this.#db, clock: this.#clock, confirm },
      tell: async (account: string, visitor: Visitor) => tell(await this.#accounts.get(account), 'key-widened', visitor),
    }
    const seal = new Seal(options.serverKeys, 'api-key')
    this.keys = new Keys({ ...keyParts, policy: keyPolicies[options.mode], seal, onFault })
    this.signals = new Signals(keyParts)
    const { submit, openOrders } = options
    this.coreFreezes = new CoreFreezes({ db: this.#db, submit, openOrders, onFault })
    const freezing = { ...shared, notices, links, core: this.coreFreezes, sessions: this.sessions, keys: this.keys, onFault }
    this.freezes = new Freezes(freezing)
    this.lifts = new Lifts(freezing)
    this.owners = {
      confirm,
      tell: async (account, template, values) => notices.notifyOwner(await this.#accounts.get(account), template, values),
      warn: async (account, template, visitor, values) => notices.tell(await this.#accounts.get(account), template, visitor, { values }),
      log: async (db, entry) => {
        const tables = db as unknown as IdentityDb
        if (entry.session !== undefined) await requireLiving(tables, entry.session)
        await record(tables, this.#clock, entry)
      },
    }
    this.#pruner = setInterval(() => {
      prune(this.#db, this.#clock()).catch(onFault)
      this.coreFreezes.finish().catch(onFault)
      this.residences.finish().catch(onFault)
    }, pruneEveryMs).unref()
    this.#deliverer = setInterval(() => void this.regainEnds.deliver().catch(onFault), deliverEveryMs).unref()
  }

  /** The live session of a cookie's token. */
  session(token: string): Promise<Session | undefined> {
    return this.sessions.find(token)
  }

  /** Sends a code, or a note if the address already has an account, or nothing; the answer is the same. */
  async sendCode({ purpose, channel, to, lang }: WireCodeRequest, visitor: Visitor): Promise<WireCodeSent> {
    const address = this.#address(channel, to)
    if (purpose === 'register') this.residences.checkPhone(address)
    const account = await this.#accounts.find(address)
    const device = await this.#passwords.deviceOf(purpose === 'reset' ? account : undefined, visitor)
    const isFrozen = account !== undefined && account.frozen_at !== null
    const isUsable = (account !== undefined) === (purpose === 'reset') && !isFrozen
    const { code, resendAfterMs } = await this.#codes.issue(purpose, address, isUsable, {
      ...{ device, ip: this.#passwords.countedIp(visitor), turn: turnOfVisitor(visitor, account, device) },
    })
    await record(this.#db, this.#clock, { account: undefined, action: 'code-asked', visitor, detail: { purpose, channel } })
    if (isFrozen && purpose === 'reset') this.#notices.notify(address, lang, 'frozen-note', {}, account)
    else if (account && purpose === 'reset') this.#resets.send(account, address, lang, code)
    else if (isUsable && code !== undefined)
      this.#notices.notify(address, lang, `${purpose}-code`, { code, minutes: minutesOf(codeLivesMs) })
    else if (purpose === 'register') this.#notices.notify(address, lang, 'account-exists', {}, account)
    return { resendAfter: resendAfterMs / 1000, expiresIn: (code === undefined ? linkEveryMs : codeLivesMs) / 1000 }
  }

  /** Errors of the form itself are reported before the code is tried, so that they cost no code. */
  async register(form: WireRegister, visitor: Visitor, presented?: string): Promise<Started> {
    const address = this.#address(form.channel, form.to)
    visitor.asStranger?.()
    checkPassword(form.password, [address])
    checkTwice(form.password, form.passwordAgain)
    this.residences.check(form, address)
    if (!form.agreement) throw new Refused('AGREEMENT_MISSING', { field: 'agreement' })
    const inviter = await this.invitations.forNew(form.invitation, visitor)
    const turn = turnOfVisitor(visitor, undefined, undefined)
    await this.#codes.redeem('register', address, form.code, { turn })
    const password = await this.#argon.hash(form.password, turn)
    const now = this.#clock()
    const account = await this.#db.transaction().execute(async (db) => {
      const given = { address, password, lang: form.lang, class: 'retail', inviter, now, residence: form.country } as const
      const added = await this.#accounts.insert(db, given)
      if (!added) throw new Refused('CODE_EXPIRED', { field: 'code' })
      await this.agreements.store(db, added.id, visitor)
      const detail = { agreement: agreementVersion, country: form.country }
      await record(db, this.#clock, { account: added.id, action: 'register', visitor, detail })
      return added
    })
    await this.#accounts.open(account)
    await this.residences.tell(account.id)
    return this.#start(account, visitor, presented)
  }

  /** throws  FactorNeeded when the password is right and not enough */
  async login(form: WireLogin, visitor: Visitor, presented?: string): Promise<Started> {
    return this.logins.byPassword(this.#address(form.channel, form.to), form, visitor, presented)
  }

  /** Sends the code with which the account gets a new address. */
  async sendAddressCode(form: WireAddressRequest, person: Person): Promise<WireCodeSent> {
    const resendAfterMs = await this.contacts.request(form, person)
    return { resendAfter: resendAfterMs / 1000, expiresIn: codeLivesMs / 1000 }
  }

  /** How the account is protected, beside its second factors. */
  safety(id: string): Promise<WireSafety> {
    return safetyOf({ accounts: this.#accounts, clock: this.#clock, of: this }, id)
  }

  /** Counts a text message of one kind about an account. Returns false when it has had too many today. */
  mayText(account: string, template: Template): Promise<boolean> {
    return countTold(this.#db, account, 'phone', template, this.#clock())
  }

  /** Sends the code for the proof of an account without a second factor. */
  async sendProofCode(person: Person): Promise<WireCodeSent> {
    const resendAfterMs = await this.factors.sendCode(person, (account, code) =>
      this.#notices.notifyOwner(account, 'proof-code', { code, minutes: minutesOf(codeLivesMs) }),
    )
    return { resendAfter: resendAfterMs / 1000, expiresIn: codeLivesMs / 1000 }
  }

  async logout(session: Session, visitor: Visitor): Promise<void> {
    await this.sessions.revoke(session.account, session.id)
    await this.#record(session, 'logout', visitor)
  }

  /** throws  Refused NOT_FOUND when this account has no such session */
  async endSession(session: Session, id: string, visitor: Visitor): Promise<void> {
    if (!(await this.sessions.revoke(session.account, id))) throw new Refused('NOT_FOUND')
    await this.#record(session, 'session-ended', visitor, { ended: id })
  }

  async endOtherSessions(session: Session, visitor: Visitor): Promise<void> {
    await this.sessions.revokeOthers(session.account, session.id)
    await this.#record(session, 'other-sessions-ended', visitor)
  }

  resetCode(form: WireResetCode, visitor: Visitor): Promise<WireResetToken> {
    return this.#resets.byCode(form, visitor)
  }

  reset(form: WireReset, visitor: Visitor): Promise<{ readonly deviceCookie: string }> {
    return this.#resets.finish(form, visitor)
  }

  /**
   * Needs a login of the last 15 minutes and the current password; ends all other sessions. Returns a new token for this one, and
   * the browser's cookie signed anew.
   */
  async changePassword(form: WirePasswordChange, session: Session, token: string, visitor: Visitor): Promise<Changed> {
    requireFresh(session, this.#clock())
    await this.factors.require(session, 'password-change')
    const account = await this.#accounts.get(session.account)
    checkPassword(form.password, addressesOf(account))
    checkTwice(form.password, form.passwordAgain)
    await this.#passwords.confirm(account.id, form.current, visitor, 'current')

    const phc = await this.#argon.hash(form.password, turnOf(account))
    const change = { action: 'password-changed', visitor, stays: session.id } as const
    const ended = await this.#db.transaction().execute((db) => this.#passwords.set(db, account, phc, change))
    const next = await this.sessions.rotate(token, true)
    ended.announce()
    this.#notices.tell(account, 'password-changed', visitor)
    if (next === undefined) throw new Refused('UNAUTHENTICATED')
    const { deviceKey } = visitor
    return { token: next, deviceCookie: deviceKey && this.devices.sign(deviceKey, account.id, ended.changedAt) }
  }

  /**
   * An account without a code, for the command line, bots and benchmarks; never reachable from outside. One that exists
   * stays as it is, apart from its password when `replacesPassword` is set, and is opened in the core if it was not yet.
   */
  async createUser(given: {
    readonly email: string
    readonly password: string
    readonly class?: UserClass
    readonly lang?: string
    readonly isCertified?: boolean
    /** Country of residence. Without one, the owner is asked in the app. */
    readonly country?: string | undefined
    readonly replacesPassword?: boolean
  }): Promise<{ readonly account: string; readonly user: number; readonly uid: string; readonly isNew: boolean }> {
    const address = parseAddress('email', given.email)
    const visitor = { ip: 'local', userAgent: 'candor' }
    checkPassword(given.password, [address])
    const password = await this.#argon.hash(given.password)
    const { isCertified, lang = 'en', class: userClass = 'retail' } = given
    const fresh = { address, password, lang, class: userClass, isCertified, residence: given.country, now: this.#clock() }
    const added = await this.#db.transaction().execute(async (db) => {
      const row = await this.#accounts.insert(db, fresh)
      if (row) await record(db, this.#clock, { account: row.id, action: 'account-created', visitor, detail: { class: row.class } })
      return row
    })
    const account = added ?? ((await this.#accounts.find(address)) as Account)
    if (!added && given.replacesPassword) {
      const change = { action: 'password-reset', visitor } as const
      const ended = await this.#db.transaction().execute((db) => this.#passwords.set(db, account, password, change))
      ended.announce()
    }
    const user = await this.#accounts.open(account)
    if (account.is_home_due) await this.residences.tell(account.id)
    return { account: account.id, user, uid: account.uid, isNew: added !== undefined }
  }

  /** Resolves when every pending message was sent or given up. */
  settled(): Promise<void> {
    return this.#outgoing.settled()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#pruner)
    clearInterval(this.#deliverer)
    await this.#outgoing[Symbol.asyncDispose]()
  }

  /** Ends the visitor's previous session: a planted token never becomes a login. */
  async #start(account: Account, visitor: Visitor, presented: string | undefined): Promise<Started> {
    const started = await this.sessions.start(account.id, visitor, account.password)
    if (presented !== undefined) await this.sessions.revokeToken(presented)
    return started
  }

  #address(channel: Address['channel'], to: string): Address {
    return parseAddress(channel, to, this.#countries)
  }

  async #record(session: Session, action: Action, visitor: Visitor, detail: Readonly<Record<string, string>> = {}): Promise<void> {
    await record(this.#db, this.#clock, { account: session.account, action, visitor, session: session.id, detail })
  }
}
