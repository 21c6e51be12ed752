import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { Refused } from '../../refused.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link } from '../link.ts'
import { futuresCommand } from './futures.ts'
import { nextCommand, seeded, userCount } from './workload.ts'

export type Acknowledged = { readonly id: string; readonly outcome: Outcome }

/** The ids of a user's last orders, and of those with a trigger. */
class Names {
  readonly earlier: string[] = []
  readonly asleep: string[] = []

  add(clientId: string, sleeps: boolean): void {
    for (const names of sleeps ? [this.earlier, this.asleep] : [this.earlier]) {
      names.push(clientId)
      if (names.length > 20) names.shift()
    }
  }
}

/** Sends orders over its links for as long as it runs, and records the answer to each. */
export class Load {
  /** Answered, and not yet compared with the journal. */
  acknowledged: Acknowledged[] = []
  /** Answered with an unknown outcome. */
  unknown: { readonly id: string; readonly command: Command }[] = []
  /** Answered as not accepted. */
  notTaken: string[] = []
  repeats = 0
  readonly #links: readonly Link[]
  readonly #running: Promise<void>[] = []
  #isRunning = false
  #counter = 0
  readonly #seed: number
  readonly #hasFutures: boolean

  /** `hasFutures`: `openFutures` was called. */
  constructor(links: readonly Link[], seed: number, hasFutures = false) {
    this.#links = links
    this.#seed = seed
    this.#hasFutures = hasFutures
  }

  start(callersPerLink: number): void {
    this.#isRunning = true
    for (const [i, link] of this.#links.entries()) {
      for (let j = 0; j < callersPerLink; j++) this.#running.push(this.#call(link, this.#seed + this.#counter + i * 1000 + j))
    }
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    await Promise.all(this.#running.splice(0))
  }

  async #call(link: Link, seed: number): Promise<void> {
    const random = seeded(seed)
    const user = (1 + Math.floor(random() * userCount)) as UserId
    const own = { spot: new Names(), futures: new Names() }
    let last: Command | undefined
    while (this.#isRunning) {
      const isRepeat = last !== undefined && random() < 0.04
      const clientId = `c${++this.#counter}`
      const command = isRepeat ? (last as Command) : this.#next(random, user, clientId, own)
      if (isRepeat) this.repeats++
      else if (command.type === 'spot.place') own.spot.add(clientId, command.trigger !== undefined)
      else if (command.type === 'perp.place') own.futures.add(clientId, command.trigger !== undefined)
      const wasTaken = await this.#send(link, command, isRepeat)
      last = wasTaken ? command : undefined
    }
  }

  #next(random: () => number, user: UserId, clientId: string, { spot, futures }: Record<'spot' | 'futures', Names>): Command {
    if (this.#hasFutures && random() < 0.4) return futuresCommand(random, user, clientId, futures)
    return nextCommand(random, user, clientId, spot.earlier, spot.asleep)
  }

  async #send(link: Link, command: Command, isRepeat: boolean): Promise<boolean> {
    const id = idOf(command)
    try {
      this.acknowledged.push({ id, outcome: await link.submit(command) })
      return true
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      const isUnknown = cause.refusal === 'STATUS_UNKNOWN'
      if (isUnknown) this.unknown.push({ id, command })
      else if (!isRepeat) this.notTaken.push(id)
      await sleep(20)
      return isUnknown
    }
  }
}

export function idOf(command: Command): string {
  if (!('clientId' in command)) throw new Error(`${command.type} has no client id`)
  return `${command.user}/${command.clientId}`
}
