/** Firms in a database of their own, written as the gateway's user writes them, with nothing of its code in between. */
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Store } from '../../../store/open.ts'
import { provideRoles } from '../../../store/roles.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'

export type SqlPerson = { readonly account: string; readonly uid: string; readonly user: number; readonly session: string }
/** `member`: their row in the firm. */
export type SqlMember = SqlPerson & { readonly member: string; readonly role: string }
export type SqlFirm = { readonly id: string; readonly main: SqlPerson; readonly sub: SqlPerson; readonly owner: SqlMember }

const day = 86_400_000
const evm = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`

/** A database with firms. `gateway`: connections of the gateway's user. `sql`: as the tables' owner. */
export async function startSqlFirms() {
  await using parts = new AsyncDisposableStack()
  const server: ScratchServer = parts.use(await startScratchServer())
  const store: Store = await server.store()
  const urls = await provideRoles(store, { mayForgetTape: true })
  const gateway = new pg.Pool({
    connectionString: urls.gateway,
    max: 24,
    types: { getTypeParser: (id) => (id === 20 ? Number : pg.types.getTypeParser(id)) },
  })
  gateway.on('error', () => undefined)
  parts.defer(() => gateway.end())
  const sql = (text: string, ...values: readonly unknown[]) => store.pool.query(text, [...values])
  const run = (text: string, ...values: readonly unknown[]) => gateway.query(text, [...values])
  const staff = randomUUID()
  // Members of the staff begin by a decision of two, which is not what these tests are about.
  await store.pool.query(`set session_replication_role = replica;
    insert into staff (id, email, name, role, state, password, created_at)
      values ('${staff}', 's@test.example', 'S', 'compliance', 'active', 'x', 0);
    set session_replication_role = origin`)
  let numbers = 0

  async function person({ isTrusted = true, firm = null as string | null } = {}): Promise<SqlPerson> {
    const [account, session, n] = [randomUUID(), randomUUID(), ++numbers]
    const uid = String(100_000_000 + n)
    await run(
      `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, certification, created_at, firm)
       values ($1, $2, $3, $4, '', 0, 'en', $5, 'retail', $6, 0, $7)`,
      ...[account, uid, n, firm === null ? `p${n}@test.example` : null, `INV${n}`, isTrusted ? 'certified' : 'none', firm],
    )
    if (firm !== null) return { account, uid, user: n, session }
    if (isTrusted) await run(`insert into authenticators (account, secret, confirmed_at) values ($1, 'x', 0)`, account)
    await login({ account, session })
    return { account, uid, user: n, session }
  }

  async function login({ account, session }: Pick<SqlPerson, 'account' | 'session'>): Promise<void> {
    await run(
      `insert into sessions (id, account, token, token_since, device, device_key, ip, created_at, last_seen_at, logged_in_at, proven_at)
       values ($1, $2, $3, 0, 'd', $4, '::1', 0, 0, 0, $5)`,
      ...[session, account, randomBytes(32), randomBytes(32), Date.now()],
    )
  }

  /** A firm of one, with a main account, a sub-account and an address that has waited. */
  async function firm(): Promise<SqlFirm> {
    const [id, founder] = [randomUUID(), await person()]
    await run(
      `insert into firms (id, name, registration, country, applied_by, applied_at) values ($1, 'Firm', $3, 'DE', $2, 0)`,
      id,
      founder.account,
      id,
    )
    const member = randomUUID()
    await run(
      `insert into firm_members (id, firm, account, label, role, state, invited_at, joined_at) values ($1, $2, $3, 'Owner', 'owner', 'active', 0, 0)`,
      ...[member, id, founder.account],
    )
    await run(`update firms set state = 'active', decided_by = $2, decided_at = 1 where id = $1`, id, staff)
    const accounts = []
    for (const kind of ['main', 'sub']) {
      const own = await person({ firm: id })
      await run(`insert into firm_accounts values ($1, $2, $3, 'Account', $4, 0, true)`, own.account, id, kind, founder.account)
      accounts.push(own)
    }
    return { id, main: accounts[0]!, sub: accounts[1]!, owner: { ...founder, member, role: 'owner' } }
  }

  /** Asks, and approves as the asker. Returns the request's id. */
  async function ask(
    { id: firmId }: Pick<SqlFirm, 'id'>,
    by: SqlMember,
    kind: string,
    payload: object,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const id = (more['id'] as string | undefined) ?? randomUUID()
    const given = { id, firm: firmId, kind, payload, shown: {}, client_id: id, asked: '', asked_by: by.member, ...more }
    const names = Object.keys(given)
    const values = Object.values(given).map((value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value))
    // What the triggers set is not asked for, but has to be something.
    await run(
      `insert into firm_requests (${names.join(', ')}, number, rule, people, asked_at, expires_at)
       values (${names.map((_, at) => `$${at + 1}`).join(', ')}, 1, 1, 1, 0, 0)`,
      ...values,
    )
    await say(id, by)
    return id
  }

  const say = (request: string, by: SqlMember, isApproved = true, session = by.session) =>
    run(
      `insert into firm_verdicts (request, member, account, is_approved, session, at) values ($1, $2, $3, $4, $5, 0)`,
      ...[request, by.member, by.account, isApproved, session],
    )
  const set = (request: string, state: string, more = '') => run(`update firm_requests set state = $2${more} where id = $1`, request, state)
  const approve = (request: string) => set(request, 'approved')
  const stateOf = async (request: string): Promise<string> =>
    (await run('select state from firm_requests where id = $1', request)).rows[0].state

  /** Gives somebody a role that approves, with the approval of all who are named. */
  async function join(of: SqlFirm, role: string, by: readonly SqlMember[], who?: SqlPerson): Promise<SqlMember> {
    const invited = who ?? (await person())
    const label = `M${invited.user}`
    const request = await ask(of, by[0]!, 'member', { uid: invited.uid, label, role, accounts: null })
    for (const other of by.slice(1)) await say(request, other)
    await approve(request)
    const member = randomUUID()
    await run(
      `insert into firm_members (id, firm, account, label, role, state, invited_at) values ($1, $2, $3, $4, $5, 'invited', 0)`,
      ...[member, of.id, invited.account, label, role],
    )
    await run(`update firm_members set state = 'active', joined_at = 1 where id = $1`, member)
    return { ...invited, member, role }
  }

  /** Changes the rule, with the approval of all who are named. */
  async function rule(of: SqlFirm, bands: readonly (readonly [string | null, number])[], addressPeople: number, by: readonly SqlMember[]) {
    const payload = { bands: bands.map(([upTo, people]) => ({ upTo, people })), addressPeople }
    const request = await ask(of, by[0]!, 'rule', payload)
    for (const other of by.slice(1)) await say(request, other)
    await approve(request)
    await insertRule(of, request, payload)
    return request
  }

  const insertRule = (
    { id }: SqlFirm,
    request: string | null,
    { bands, addressPeople }: { readonly bands: object; readonly addressPeople: number },
  ) =>
    run(
      `insert into firm_rules (firm, version, bands, address_people, most, request, made_at)
       values ($1, (select coalesce(max(version), 0) + 1 from firm_rules where firm = $1), $2, $3, 50, $4, 0)`,
      ...[id, JSON.stringify(bands), addressPeople, request],
    )

  const insertAddress = (id: string, account: string, more: Readonly<Record<string, unknown>> = {}) => {
    const given = { id, account, network: 'ethereum', address: evm(1), label: 'wallet', owner: 'own', added_at: 0, usable_at: day, ...more }
    const names = Object.keys(given)
    return run(
      `insert into withdrawal_addresses (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning number, added_at, usable_at`,
      ...Object.values(given),
    )
  }

  /** An address of the firm that has waited. */
  async function address(of: SqlFirm, by: readonly SqlMember[], n = 1) {
    const payload = { network: 'ethereum', address: evm(n), label: 'wallet', owner: 'own' }
    const request = await ask(of, by[0]!, 'address', payload)
    for (const other of by.slice(1)) await say(request, other)
    await approve(request)
    const { rows } = await insertAddress(request, of.main.account, payload)
    await sql('update withdrawal_addresses set added_at = added_at - $2, usable_at = usable_at - $2 where id = $1', request, day)
    return { id: request, number: Number(rows[0].number), address: evm(n) }
  }

  type Address = Awaited<ReturnType<typeof address>>
  const paymentOf = ({ number, address: recipient }: Address, amount: number) => ({
    ...{ destination: number, network: 'ethereum', chainId: 31_337, asset: 'USDT', contract: 'c', recipient, decimals: 6 },
    value: String((amount - 1) * 1_000_000),
  })

  /** Asks for a withdrawal of so many USDT, and approves as the asker. */
  const askMoney = (of: SqlFirm, by: SqlMember, to: Address, amount: number, more: Readonly<Record<string, unknown>> = {}) =>
    ask(
      of,
      by,
      'withdrawal',
      { network: 'ethereum', asset: 'USDT', address: to.id, amount: String(amount), fee: '1' },
      { payment: paymentOf(to, amount), ...more },
    )

  const insertWish = ({ main }: SqlFirm, request: string, to: Address, amount: number, more: Readonly<Record<string, unknown>> = {}) => {
    const payment = paymentOf(to, amount)
    const given = {
      ...{ user_no: main.user, client_id: request, account: main.account, destination: payment.destination, network: payment.network },
      ...{
        chain_id: payment.chainId,
        asset: payment.asset,
        contract: payment.contract,
        recipient: payment.recipient,
        value: payment.value,
      },
      ...{ customer: '{}', made_at: 0, ...more },
    }
    const names = Object.keys(given)
    return run(
      `insert into withdrawal_wishes (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      ...Object.values(given),
    )
  }

  /** From now on, the database takes it for so much later. */
  const pass = async (ms: number): Promise<void> => {
    await sql(`create or replace function firm_now() returns bigint language sql volatile as
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint + ${ms}'`)
  }

  const owned = parts.move()
  return {
    ...{ store, run, sql, gateway, person, login, firm, ask, say, set, approve, stateOf, join, rule, insertRule, insertAddress, address },
    ...{ askMoney, insertWish, paymentOf, pass },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Whether the database said this. */
export const says =
  (text: string) =>
  (cause: unknown): boolean =>
    cause instanceof Error && cause.message.includes(text)
