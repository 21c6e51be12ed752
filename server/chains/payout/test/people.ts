/** The core, the customers and the reconciliation around payouts, and the signer's own process. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { Custody, kill, openLink, type PolicyJson, startProcess } from '../../signer/test/custody.ts'
import { attestedDigest, deadDigest, intentDigest, type Payment } from '../../signer/statement.ts'
import { LastingLink } from '../link.ts'
import type { Approved } from '../rows.ts'

/** Approved withdrawals as the core has them, and what it was told of each. */
export class FakeCore {
  readonly approvals = new Map<number, Approved>()
  readonly ended = new Map<number, boolean>()
  told = 0

  readonly approved = async (): Promise<readonly Approved[]> =>
    [...this.approvals.values()].filter(({ payment }) => !this.ended.has(payment.withdrawal))

  readonly finish = async (withdrawal: number, isPaid: boolean): Promise<void> => {
    assert.ok(this.approvals.has(withdrawal), 'the core knows no such withdrawal')
    assert.equal(this.ended.get(withdrawal) ?? isPaid, isPaid, 'the core was told the opposite before')
    this.ended.set(withdrawal, isPaid)
    this.told++
  }
}

/** Two members whose roles decide about withdrawals. */
export async function hireTwo(pool: pg.Pool): Promise<readonly [string, string]> {
  // Two administrators approve each member otherwise.
  await pool.query('alter table staff disable trigger user')
  const staff = [randomUUID(), randomUUID()] as const
  for (const id of staff)
    await pool.query(
      `insert into staff (id, email, name, role, state, password, created_at) values ($1::uuid, $1 || '@staff.example', $1, 'treasury', 'active', 'a', 0)`,
      [id],
    )
  return staff
}

/** The two end a withdrawal. */
export async function endByTwo(pool: pg.Pool, withdrawal: number, [one, other]: readonly [string, string]): Promise<void> {
  await pool.query(
    `insert into chain_decisions (kind, withdrawal, reason, proposed_by, proposed_at, expires_at) values ('ending', $1, 'a', $2, 0, 10)`,
    [withdrawal, one],
  )
  const text = `update chain_decisions set state = 'approved', decided_by = $2, decided_at = 1 where withdrawal = $1`
  await pool.query(text, [withdrawal, other])
}

/** A signer in a process of its own, and all who sign for it. */
export class Signing implements AsyncDisposable {
  readonly custody: Custody
  readonly link: LastingLink
  readonly #start: (custody: Custody) => Promise<ChildProcess>
  readonly #clock: () => number
  #child: ChildProcess | undefined

  private constructor(custody: Custody, start: (custody: Custody) => Promise<ChildProcess>, clock: () => number) {
    this.custody = custody
    this.#start = start
    this.#clock = clock
    this.link = new LastingLink(custody.door)
  }

  static async start(
    change: (policy: PolicyJson, custody: Custody) => unknown,
    { start = usualStart, clock = Date.now }: { start?: (custody: Custody) => Promise<ChildProcess>; clock?: () => number } = {},
  ): Promise<Signing> {
    const custody = new Custody((policy, own) => {
      policy.caps = { hour: 1e9, day: 1e9, userDay: 1e9 }
      policy.attested = { payment: 1e8, userDay: 1e9, day: 1e9 }
      policy.approvalAbove = 1e9
      change(policy, own)
    })
    await custody.seal()
    const signing = new Signing(custody, start, clock)
    await signing.again()
    return signing
  }

  /** Kills the process and starts it anew. */
  async again(): Promise<void> {
    if (this.#child) await kill(this.#child)
    this.#child = await this.#start(this.custody)
    await this.beat()
  }

  async beat(isMatch = true): Promise<void> {
    using link = await openLink(this.custody)
    const { seq, head } = await link.status()
    const { kind: _, ...beat } = this.custody.heartbeat({ at: this.#clock(), isMatch, seq, head }) as Extract<
      ReturnType<Custody['heartbeat']>,
      { kind: 'heartbeat' }
    >
    await link.beat(beat)
  }

  approve(payment: Payment): Approved {
    const { custody } = this
    const customer = { kind: 'attested', signature: custody.login.sign(attestedDigest(payment)) } as const
    return { payment, proofs: { engine: custody.engine.sign(intentDigest(payment)), customer } }
  }

  readonly signDead = async (network: string, withdrawal: number, txids: readonly string[]): Promise<string> =>
    this.custody.reconciliation.sign(deadDigest(network, withdrawal, txids))

  async [Symbol.asyncDispose](): Promise<void> {
    this.link[Symbol.dispose]()
    if (this.#child) await kill(this.#child)
    this.custody[Symbol.dispose]()
  }
}

async function usualStart(custody: Custody): Promise<ChildProcess> {
  const { child, said } = await startProcess(custody)
  assert.match(said(), /ready/)
  return child
}
