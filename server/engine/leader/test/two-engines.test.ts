/** Two engines over one database, whose connections break and hang in all orders while time passes for both. */
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from '../../../refused.ts'
import type { Store } from '../../../store/open.ts'
import { CuttingProxy } from '../../../store/test/cutting-proxy.ts'
import { Engine } from '../../engine.ts'
import type { Link } from '../../link.ts'
import { localLink } from '../../local-link.ts'
import { engines, faucet } from '../../test/engines.ts'
import { Clock } from '../../test/held.ts'
import { LedgerCheck } from '../../test/ledger-check.ts'
import { openMarket, seeded } from '../../test/workload.ts'
import { leaseTimes } from '../lease.ts'

const { newStore } = engines()

/** A machine: an engine behind a connection of its own, which is started anew whenever it has ended. */
class Machine implements AsyncDisposable {
  readonly proxy: CuttingProxy
  readonly #store: Store
  readonly #clock: Clock
  engine!: Engine
  link!: Link
  isHeld = false
  isRefusing = false
  #begun: Promise<unknown> = Promise.resolve()

  private constructor(proxy: CuttingProxy, store: Store, clock: Clock) {
    this.proxy = proxy
    this.#store = store
    this.#clock = clock
  }

  static async start(direct: Store, clock: Clock): Promise<Machine> {
    const { proxy, url } = await CuttingProxy.start(direct.url)
    const machine = new Machine(proxy, { ...direct, url }, clock)
    machine.#begin()
    return machine
  }

  get hasEnded(): boolean {
    return ['fenced', 'halted', 'stopped'].includes(this.engine.state)
  }

  async again(): Promise<void> {
    if (!this.hasEnded) return
    assert.notEqual(this.engine.state, 'halted', this.engine.reason)
    await this.engine.stop()
    this.#begin()
  }

  /** Lets everything through. */
  heal(): void {
    this.proxy.holdAnswers((this.isHeld = false))
    this.proxy.refuseConnections((this.isRefusing = false))
    // What was held is lost: the connection is no longer usable.
    this.proxy.cut()
  }

  #begin(): void {
    const options = { store: this.#store, standby: true, time: this.#clock, times: { ...leaseTimes, renewMs: 20 } }
    this.engine = new Engine({ ...options, giveUpMs: 100, stallMs: 100 })
    this.link = localLink(this.engine)
    this.#begun = this.engine.begin().catch(() => this.engine.stop())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.heal()
    await this.engine.stop()
    await this.#begun
    await this.proxy[Symbol.asyncDispose]()
  }
}

/** Sends commands and questions to both, and checks each answer against those given before. */
class Callers {
  readonly acknowledged: { readonly id: string; readonly outcome: Outcome }[] = []
  readonly unknown: Command[] = []
  readonly stale: string[] = []
  answers = 0
  #seq = 0
  #count = 0
  readonly #pending = new Set<Promise<void>>()

  submit(link: Link): void {
    const command = faucet(`c${++this.#count}`)
    this.#keep(
      link.submit(command).then(
        (outcome) => this.#acknowledge(command, outcome),
        (cause: unknown) => {
          if (!(cause instanceof Refused)) throw cause
          if (cause.refusal === 'STATUS_UNKNOWN') this.unknown.push(command)
        },
      ),
    )
  }

  ask(link: Link): void {
    const known = this.#seq
    this.#keep(
      link.ask.seq().then(
        (seq) => {
          this.answers++
          if (seq < known) this.stale.push(`${seq} was read after ${known} had been acknowledged`)
        },
        () => undefined,
      ),
    )
  }

  /** Sends commands with an unknown outcome until each has one. */
  async resend(leader: () => Promise<Link>): Promise<void> {
    for (const command of this.unknown.splice(0)) {
      let outcome: Outcome | undefined
      while (outcome === undefined) outcome = await (await leader()).submit(command).catch(() => undefined)
      this.#acknowledge(command, outcome)
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }

  #acknowledge(command: Command, outcome: Outcome): void {
    this.#seq = Math.max(this.#seq, outcome.seq)
    this.acknowledged.push({ id: 'clientId' in command ? `${(command as { user: number }).user}/${command.clientId}` : '', outcome })
  }

  #keep(pending: Promise<void>): void {
    this.#pending.add(pending)
    void pending.finally(() => this.#pending.delete(pending))
  }
}

async function untilUp(machines: readonly Machine[], clock: Clock): Promise<Machine> {
  for (;;) {
    for (const machine of machines) await machine.again()
    const up = machines.find(({ engine }) => engine.state === 'up')
    const isAnswering = await up?.link.ask.seq().then(
      () => true,
      () => false,
    )
    if (up !== undefined && isAnswering === true) return up
    clock.nowMs += 500
    await sleep(20)
  }
}

for (const seed of [1, 2, 3]) {
  test(`ENGINE-STANDBY-006: two engines lose no acknowledged command, execute none twice and read nothing stale (seed ${seed})`, async () => {
    const random = seeded(seed)
    const store = await newStore()
    const clock = new Clock()
    await using one = await Machine.start(store, clock)
    await using other = await Machine.start(store, clock)
    const machines = [one, other] as const
    await openMarket((await untilUp(machines, clock)).link.submit)
    const callers = new Callers()
    let ends = 0
    const isEnough = (): boolean => callers.acknowledged.length >= 200 && callers.answers >= 100 && ends >= 3
    for (let step = 0; step < 4_000 && !isEnough(); step++) {
      const machine = machines[Math.floor(random() * 2)]!
      const dice = random()
      if (dice < 0.03) machine.proxy.holdAnswers((machine.isHeld = true))
      else if (dice < 0.05) machine.proxy.refuseConnections((machine.isRefusing = true))
      else if (dice < 0.08) machine.proxy.cut()
      else if (dice < 0.2 && (machine.isHeld || machine.isRefusing)) machine.heal()
      else if (dice < 0.4) clock.nowMs += Math.floor(random() * 1_200)
      for (const { link } of machines) {
        for (let n = Math.floor(random() * 4); n > 0; n--) callers.submit(link)
        callers.ask(link)
      }
      for (const each of machines) {
        if (each.hasEnded) ends++
        await each.again()
      }
      await sleep(random() * 20)
    }
    for (const machine of machines) machine.heal()
    await callers.settled()
    await callers.resend(async () => (await untilUp(machines, clock)).link)
    assert.deepEqual(callers.stale, [])
    const check = new LedgerCheck()
    await check.follow(store.pool)
    for (const { id, outcome } of callers.acknowledged) {
      const { order, refusal, isRepeat } = outcome
      assert.deepEqual(check.done.get(outcome.seq), { id, order, refusal, isRepeat }, `${id} was acknowledged at ${outcome.seq}`)
    }
    assert.ok(isEnough(), `${callers.acknowledged.length} acknowledged, ${callers.answers} answers, ${ends} ends: that proves little`)
  })
}
