import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import pino from 'pino'
import { Announcements } from '../../announcements/announcements.ts'
import { type App, buildApp } from '../../app/app.ts'
import { ActingSessions } from '../../http/acting.ts'
import { gateOf } from '../../http/gate.ts'
import { Limits } from '../../http/limits.ts'
import { Proxies } from '../../http/proxies.ts'
import { Sessions } from '../../http/sessions.ts'
import { SoftPasskey } from '../../identity/factors/test/soft-passkey.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import { QuickArgon } from '../../identity/test/people.ts'
import { desk } from '../../identity/test/world.ts'
import { type PapersWorld, startPapersWorld } from '../../papers/test/papers-world.ts'
import type { Message } from '../../ports.ts'
import type { Actor } from '../../staff/log.ts'
import type { Action, Role } from '../../staff/permissions.ts'
import { Staff } from '../../staff/staff.ts'
import { SmallCore } from '../../operations/test/core.ts'
import { Operations } from '../../operations/operations.ts'
import { PreparedPresales } from '../../operations/presale-reading.ts'
import { Decisions, TermsNow } from '../../operations/reading.ts'
import { operationsDb, uidOf, userOf } from '../../operations/tables.ts'
import { Customers } from '../../customers/customers.ts'
import { StaffMarks } from '../../customers/marks.ts'
import type { Money } from '../../customers/money.ts'
import { customersDb } from '../../customers/tables.ts'
import { Reports } from '../../surveillance/reports.ts'
import { SurveillanceDesk } from '../../surveillance/surveillance.ts'
import { surveillanceDb } from '../../surveillance/tables.ts'
import { FirmsDesk } from '../../firms/desk.ts'
import { SupportDesk } from '../../support/desk.ts'
import type { CustomersDesk } from '../customers/routes.ts'
import { consoleRoutes } from '../routes.ts'
import { awayFrom } from './watched.ts'
import { DepositReading } from '../../chains/review/deposit-reading.ts'
import { DepositDesk } from '../../chains/review/deposits.ts'
import type { DepositsDesk } from '../deposits/routes.ts'
import { WithdrawalDesk } from '../../chains/review/desk.ts'
import { heavyFlags } from '../../chains/review/flags.ts'
import { WithdrawalReading } from '../../chains/review/reading.ts'
import { Reviews } from '../../chains/review/reviews.ts'
import { ChainDesk } from '../../chains/review/chain-desk.ts'
import { Signatures } from '../../chains/review/signatures.ts'
import { reviewDb } from '../../chains/review/tables.ts'
import type { NetworkConfig } from '../../chains/config.ts'
import type { Payee } from '../../chains/book/book.ts'
import type { WithdrawalsDesk } from '../withdrawals/routes.ts'

export const origin = 'http://localhost:80'
export const secret = 'nine quiet lighthouses'
export const owner: Actor = { visitor: { ip: 'command line', userAgent: 'candor' } }

export type Registered = { readonly method: string; readonly path: string; readonly action: Action }
export type Answer = {
  readonly status: number
  readonly body: any
  readonly raw: Buffer
  readonly headers: Readonly<Record<string, unknown>>
}

export type Member = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly passkey: SoftPasskey
  readonly browser: StaffBrowser
}

/** The console's routes over a real database, with a clock that tests move. */
export class ConsoleWorld implements AsyncDisposable {
  readonly papers: PapersWorld
  readonly staff: Staff
  readonly app: App
  readonly core = new SmallCore()
  readonly desk: {
    readonly operations: Operations
    readonly decisions: Decisions
    readonly terms: TermsNow
    readonly presales: PreparedPresales
  }
  readonly people: CustomersDesk
  readonly reports: Reports
  readonly surveillance: SurveillanceDesk
  readonly tickets: SupportDesk
  readonly firms: FirmsDesk
  readonly reviews: Reviews
  readonly withdrawals: WithdrawalsDesk
  readonly deposits: DepositsDesk
  /** Networks of the treasury; tests add to them. */
  readonly networks: NetworkConfig[] = []
  /** Who gets withdrawals, by the number of their address. */
  readonly payees = new Map<number, Payee>()
  /** Users whom the core was told to be of the staff. */
  readonly marked: number[] = []
  readonly routes: Registered[] = []
  /** Mail to members. */
  readonly sent: Message[] = []
  readonly #limits: Limits
  readonly #members: Member[] = []

  private constructor(papers: PapersWorld) {
    const { store, clock, identity } = papers.world
    this.papers = papers
    this.#limits = new Limits(clock)
    const mode = 'sandbox'
    const messages = { send: async (message: Message) => void this.sent.push(message) }
    const parts = { store, mode, serverKeys: ServerKeys.of(Buffer.alloc(32, 7)), clock, argon: new QuickArgon() } as const
    this.staff = new Staff({ ...parts, messages, publicUrl: origin })
    const operations = operationsDb(store)
    const asking = { ...this.core.ask, uidOf: (user: UserId) => uidOf(operations, user), userOf: (uid: string) => userOf(operations, uid) }
    const ground = { db: operations, clock, ask: asking, submit: this.core.submit, log: this.staff.log }
    const onFault = (): void => undefined
    this.desk = {
      operations: new Operations({ ...ground, postingsPerDay: 100_000, onFault }),
      decisions: new Decisions(ground),
      terms: new TermsNow(ground),
      presales: new PreparedPresales(ground),
    }
    const rooms = { db: customersDb(store), clock, log: this.staff.log }
    const mark = async (user: number): Promise<void> => void this.marked.push(user)
    const marks = new StaffMarks({ ...rooms, mark, onFault })
    this.people = { customers: new Customers({ ...rooms, moneyOf: async () => noMoney }), marks }
    this.reports = new Reports({ store, clock })
    this.surveillance = new SurveillanceDesk({ db: surveillanceDb(store), clock, log: this.staff.log, reports: this.reports })
    this.firms = new FirmsDesk({
      ...{ store, clock, submit: this.core.submit, log: this.staff.log, keys: identity.keys, sessions: identity.sessions, onFault },
      ...{ unservedCountries: [], isEmpty: async () => true, amountText: String },
      standing: async () => ({ tier: 0, withdrawMax: 0 as Units }),
    })
    this.tickets = new SupportDesk({
      ...{ store, clock, log: this.staff.log, serverKeys: parts.serverKeys, objects: papers.objects },
      ...{ mark: papers.office.mark, onFault },
    })
    const db = reviewDb(store)
    const { ask, submit } = this.core
    this.reviews = new Reviews({ pool: store.pool, clock, ask, submit, heavy: heavyFlags.production, onFault })
    const book = { payee: async (number: number) => this.payees.get(number) }
    const networks = [
      {
        number: 2,
        name: 'tron',
        label: 'TRC20',
        explorer: 'https://tron.example/{txid}',
        tokens: [{ asset: 'USDT', contract: 'TUSDT', decimals: 6 }],
      },
      { number: 1, name: 'ethereum', label: 'ERC20', tokens: [] },
    ]
    const reading = new WithdrawalReading({ pool: store.pool, db, clock, networks, book })
    const signatures = new Signatures({ db, clock, passkeys: this.staff.passkeys, networks })
    this.withdrawals = {
      desk: new WithdrawalDesk({ db, clock, reviews: this.reviews }),
      reading,
      signatures,
      chain: new ChainDesk({ db, clock }),
    }
    this.deposits = { desk: new DepositDesk({ db, clock }), reading: new DepositReading({ pool: store.pool, clock, ask, networks }) }
    const tokenOf = (): undefined => undefined
    const sessions = new Sessions((token) => identity.session(token))
    const acting = new ActingSessions(() => Promise.resolve(undefined))
    const gate = gateOf({ mode, publicUrls: [], sessions, acting, limits: new Limits(), tokenOf, deviceOf: tokenOf })
    this.app = buildApp({
      gate,
      proxies: new Proxies(['127.0.0.1/32']),
      tokenOf,
      requestId: () => 'one',
      logger: pino({ level: 'silent' }),
    })
    this.app.addHook('onRoute', ({ method, url, config }) => {
      this.routes.push({ method: String(method), path: url.slice('/console/v1'.length), action: config!.action! })
    })
  }

  static async start(): Promise<ConsoleWorld> {
    const world = new ConsoleWorld(await startPapersWorld())
    await world.core.start()
    const { staff, papers, desk, people, surveillance, withdrawals, deposits } = world
    const parts = { mode: 'sandbox', publicUrls: [], isSecure: false, limits: world.#limits, staff, papers: papers.office } as const
    const { identity, store, clock } = papers.world
    const announcements = new Announcements(store, clock, staff.log)
    await consoleRoutes(world.app as unknown as Parameters<typeof consoleRoutes>[0], {
      ...parts,
      identity,
      desk,
      announcements,
      watched: awayFrom(store.pool),
      ...{ people, surveillance, withdrawals, deposits, tickets: world.tickets, firms: world.firms },
      treasury: {
        pool: store.pool,
        ask: { ...world.core.ask, chainFlows: async () => world.core.exchange.chain.flows() },
        networks: world.networks,
      },
      clock,
    })
    return world
  }

  get clock(): () => number {
    return this.papers.world.clock
  }

  pass(ms: number): void {
    this.papers.world.pass(ms)
  }

  browser(headers: Readonly<Record<string, string>> = {}): StaffBrowser {
    return new StaffBrowser(this.app, headers)
  }

  async rows(text: string, ...values: readonly unknown[]): Promise<Record<string, any>[]> {
    return (await this.papers.world.store.pool.query(text, [...values])).rows
  }

  /** Actions of the log from a moment on, oldest first. */
  async log(after = 0): Promise<Record<string, any>[]> {
    return this.rows('select * from staff_log where id > $1 order by id', after)
  }

  async newest(): Promise<number> {
    return Number((await this.rows('select coalesce(max(id), 0) as id from staff_log'))[0]!['id'])
  }

  /** A member who is logged in. Members are kept for the whole file, so that there is one of each role for the asking. */
  async member(role: Role): Promise<Member> {
    const [found] = this.#members.filter((one) => one.role === role)
    return found ?? this.hire(role)
  }

  async administrators(): Promise<readonly [Member, Member]> {
    const all = () => this.#members.filter((one) => one.role === 'administrator') as [Member, Member]
    while (all().length < 2) await this.hire('administrator')
    const [ann, ben] = all()
    for (const one of [ann, ben]) await this.logIn(one)
    return [ann, ben]
  }

  /** Invites somebody, by the machine's owner or by two administrators, and enrols them. */
  async hire(role: Role): Promise<Member> {
    while (role !== 'administrator' && this.#members.filter((one) => one.role === 'administrator').length < 2)
      await this.hire('administrator')
    const email = `${role}-${randomUUID().slice(0, 8)}@staff.example`
    const token = await this.invite(email, role)
    const member = await this.enrol(email, token)
    this.#members.push(member)
    return member
  }

  async invite(email: string, role: Role): Promise<string> {
    const [ann, ben] = this.#members.filter((one) => one.role === 'administrator')
    const wish = { email, name: 'Somebody', role, reason: 'new colleague' }
    if (ben === undefined) {
      const created = await this.staff.create(wish, owner)
      if ('token' in created) return created.token
      await this.logIn(ann!)
      await ann!.browser.send('POST', `/staff/proposals/${created.proposal}/approve`)
      return this.tokenTo(email)
    }
    const id = await this.staff.proposals.propose({ kind: 'invitation', ...wish }, { staff: ann!.id, visitor: desk })
    await this.logIn(ben)
    await ben.browser.send('POST', `/staff/proposals/${id}/approve`)
    return this.tokenTo(email)
  }

  /** The token in the newest mail to an address. */
  async tokenTo(email: string): Promise<string> {
    await this.staff.mail.settled()
    const link = this.sent.findLast(({ to, template }) => to === email && template === 'staff-enrolment')?.values['link']
    assert.ok(link !== undefined, `no link was sent to ${email}`)
    assert.ok(link.startsWith(`${origin}/console/enrol#token=`))
    return link.slice(link.indexOf('=') + 1)
  }

  async enrol(email: string, token: string): Promise<Member> {
    const browser = this.browser()
    const begun = await browser.send('POST', '/auth/enrol/options', { token })
    assert.equal(begun.status, 200, JSON.stringify(begun.body))
    const passkey = new SoftPasskey(origin)
    const response = passkey.create(begun.body)
    const done = await browser.send('POST', '/auth/enrol', { token, password: secret, label: 'key', response })
    assert.equal(done.status, 200, JSON.stringify(done.body))
    return { id: done.body.id, email, role: done.body.role, passkey, browser }
  }

  /** A new session in the member's browser, or in another. */
  async logIn({ passkey, browser }: Pick<Member, 'passkey' | 'browser'>, other: StaffBrowser = browser): Promise<Answer> {
    const asked = (await other.send('POST', '/auth/passkey/options')).body
    const answer = await other.send('POST', '/auth/passkey', { response: passkey.sign(asked) })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.people.marks[Symbol.dispose]()
    this.tickets[Symbol.dispose]()
    this.firms[Symbol.dispose]()
    await this.desk.operations[Symbol.asyncDispose]()
    await this.staff[Symbol.asyncDispose]()
    this.#limits.close()
    await this.app.close()
    await this.papers[Symbol.asyncDispose]()
  }
}

/** Of a customer without any; this world's core has no prices. */
export const noMoney: Money = {
  ...{ worthUsdt: '0', volumeUsdt: '0', tier: 0, makerFee: '0.1', takerFee: '0.1', ceiling: null },
  ...{ accounts: [], orders: [], orderCount: 0, positions: [], loans: [] },
  sums: {
    ...{ openStakesUsdt: '0', lossUsdt: '0', lossMaxUsdt: null, coolOffUntil: null },
    settled: { orders: 0, stakesUsdt: '0', resultUsdt: '0' },
  },
}

/** A browser on the console's page. */
export class StaffBrowser {
  cookie: string | undefined
  /** The last line that set the cookie. */
  line = ''
  readonly #app: App
  readonly #headers: Readonly<Record<string, string>>

  constructor(app: App, headers: Readonly<Record<string, string>>) {
    this.#app = app
    this.#headers = headers
  }

  async send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await this.#app.inject({
      ...{ method, url: `/console/v1${path}` },
      headers: {
        ...{ host: 'localhost:80', ...(method === 'GET' ? {} : { origin }), ...(this.cookie === undefined ? {} : { cookie: this.cookie }) },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.#headers,
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      this.line = line
      this.cookie = line.includes('Max-Age=0;') ? undefined : line.split(';', 1)[0]
    }
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return { status: answer.statusCode, body: isJson ? answer.json() : undefined, raw: answer.rawPayload, headers: answer.headers }
  }
}

/** The world of one file of tests. */
export function consoleWorld(): () => ConsoleWorld {
  let world: ConsoleWorld
  before(async () => {
    world = await ConsoleWorld.start()
  })
  after(() => world[Symbol.asyncDispose]())
  return () => world
}

export const codeIn = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim()
