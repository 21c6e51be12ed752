import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChallengeProblem, WebhookChallenge } from '@candor/core/protocol/wire/webhooks.ts'
import type pg from 'pg'
import type { Clock } from '../ports.ts'
import type { WebhookRow } from './rows.ts'
import type { Sender } from './sender.ts'
import { signatureOf } from './signature.ts'

export type ChallengerOptions = {
  readonly pool: pg.Pool
  /** The challenger disposes of it at its end. */
  readonly sender: Sender
  /** The secret of a webhook; throws when it can't be decrypted. */
  readonly openSecret: (sealed: Buffer, webhook: string) => string
  readonly log: (line: { readonly message: string; readonly cause: unknown }) => void
  /** With several followers: whether this is the one that sends. */
  readonly mayWork?: () => boolean
  readonly clock?: Clock
  /** How often the table is checked without a notification. */
  readonly pollMs?: number
}

/** Challenges in flight, one per account: a URL that never answers delays no other account. */
const inAll = 16
const pollMsDefault = 5_000
const pauseMs = 1_000

type Asked = Pick<WebhookRow, 'number' | 'id' | 'account' | 'url' | 'secret'>

const nextOnes = `
  select number, id, account, url, secret from (
    select distinct on (account) * from webhooks
    where challenge_due is not null and confirmed_at is null and deleted_at is null and off_at is null and not account = any($1::uuid[])
    order by account, challenge_due
  ) first order by challenge_due limit $2`

/** From here on the webhook gets events of the kinds that its owner chose; earlier events are not sent. */
const confirm = `
  with head as (select coalesce(max(seq), 0) as seq from journal), confirmed as (
    update webhooks set confirmed_at = $2, challenged_at = $2, challenge_due = null, challenge_problem = null, challenge_status = $3,
      challenge_answer = null, kinds = (select jsonb_object_agg(kind, head.seq) from jsonb_object_keys(kinds) kind, head)
    where number = $1 and confirmed_at is null and deleted_at is null returning number
  )
  update webhook_state set version = version + 1 where exists (select from confirmed)`

/**
 * Asks the URL of each new webhook to confirm: a signed request with a random value, which the answer must contain. A challenge
 * that was in flight when the process ended is sent again.
 */
export class Challenger implements AsyncDisposable {
  readonly #options: ChallengerOptions
  readonly #clock: Clock
  readonly #underway = new Map<string, Promise<void>>()
  readonly #running: Promise<void>
  #isStopping = false
  #isPoked = false
  #wake: (() => void) | undefined

  constructor(options: ChallengerOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#running = this.#run()
  }

  /** Called when a webhook waits for its challenge. */
  poke(): void {
    this.#isPoked = true
    this.#wake?.()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    this.poke()
    this.#options.sender[Symbol.dispose]()
    await this.#running
    await Promise.all(this.#underway.values())
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isPoked = false
      try {
        await this.#start()
        await this.#rest()
      } catch (cause) {
        this.#options.log({ message: 'Webhooks that wait for a challenge cannot be read now, trying again', cause })
        await sleep(pauseMs)
      }
    }
  }

  async #start(): Promise<void> {
    const room = inAll - this.#underway.size
    if (room === 0 || this.#options.mayWork?.() === false) return
    const { rows } = await this.#options.pool.query<Asked>(nextOnes, [[...this.#underway.keys()], room])
    for (const asked of rows) {
      const done = this.#ask(asked)
        .catch(async (cause: unknown) => {
          this.#options.log({ message: 'The result of a challenge could not be written', cause })
          await sleep(pauseMs)
        })
        .finally(() => {
          this.#underway.delete(asked.account)
          this.poke()
        })
      this.#underway.set(asked.account, done)
    }
  }

  async #ask({ number, id, url, secret }: Asked): Promise<void> {
    const value = randomBytes(32).toString('base64url')
    const now = this.#clock()
    const challenge: WebhookChallenge = { id: `challenge-${randomUUID()}`, type: 'challenge', createdAt: now, challenge: value }
    const body = JSON.stringify(challenge)
    let key: string
    try {
      key = this.#options.openSecret(secret!, id)
    } catch (cause) {
      this.#options.log({ message: 'A challenge to a webhook cannot be signed', cause })
      return this.#missed(number, 'sealed', undefined, '')
    }
    const { problem, status, text } = await this.#options.sender.post(
      url,
      {
        'content-type': 'application/json',
        'user-agent': 'Candor-Webhooks/1',
        'candor-event-id': challenge.id,
        'candor-signature': signatureOf(body, [key], now),
      },
      body,
    )
    if (problem === undefined && answers(text, value)) await this.#options.pool.query(confirm, [number, this.#clock(), status])
    else if (!this.#isStopping) await this.#missed(number, problem ?? 'challenge', status, text)
  }

  async #missed(number: number, problem: ChallengeProblem, status: number | undefined, text: string): Promise<void> {
    await this.#options.pool.query(
      `update webhooks set challenge_due = null, challenged_at = $2, challenge_problem = $3, challenge_status = $4, challenge_answer = $5
       where number = $1 and confirmed_at is null`,
      [number, this.#clock(), problem, status ?? null, text],
    )
  }

  async #rest(): Promise<void> {
    if (this.#isPoked) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.pollMs ?? pollMsDefault)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }
}

/**
 * Whether an answer contains the value: as its whole text, or as the only member of an object. A server that echoes the request
 * has not confirmed.
 */
export function answers(text: string, value: string): boolean {
  if (text === value) return true
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null) return false
    return Object.keys(read).join() === 'challenge' && (read as { challenge: unknown }).challenge === value
  } catch {
    return false
  }
}
