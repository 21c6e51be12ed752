import type { Socket } from 'node:net'
import { networkOf } from '../networks.ts'

/** Connections of one network that one account may keep, so that it can't hold all of them. */
const keptPerAccount = 30

/** The connections of each network that may have to make room for a newer one of the same network, in the order in which they came. */
export class Replaceable {
  readonly #networks = new Map<string, Set<Socket>>()
  readonly #networkOf = new WeakMap<Socket, string>()
  /** Number of connections kept, by network and account. */
  readonly #kept = new Map<string, number>()

  add(ip: string, socket: Socket): void {
    const network = networkOf(ip)
    const sockets = this.#networks.get(network) ?? new Set()
    this.#networks.set(network, sockets.add(socket))
    this.#networkOf.set(socket, network)
    socket.once('close', () => this.keep(socket))
  }

  /** From now on the connection makes room for no other. */
  keep(socket: Socket): void {
    const network = this.#networkOf.get(socket)
    const sockets = network === undefined ? undefined : this.#networks.get(network)
    if (sockets?.delete(socket) && sockets.size === 0) this.#networks.delete(network!)
  }

  /** The same for an account, which may keep 30 connections of a network. */
  keepFor(account: string, socket: Socket): void {
    const name = `${this.#networkOf.get(socket)} ${account}`
    const kept = this.#kept.get(name) ?? 0
    if (kept >= keptPerAccount || socket.closed) return
    this.keep(socket)
    this.#kept.set(name, kept + 1)
    socket.once('close', () => {
      const left = this.#kept.get(name)! - 1
      if (left > 0) this.#kept.set(name, left)
      else this.#kept.delete(name)
    })
  }

  /** Takes out the oldest connection of the address's network. */
  takeOldest(ip: string): Socket | undefined {
    const oldest = this.#networks.get(networkOf(ip))?.values().next().value
    if (oldest) this.keep(oldest)
    return oldest
  }
}
