import { type Connection, socketCounts } from './connection.ts'
import { textFrame } from './frame.ts'

type Channel = {
  readonly name: string
  /** Frames of this tick, in order. */
  frames: Buffer[]
  /** The newest state, on channels where a newer message replaces older ones. */
  latest: Buffer | undefined
  readonly isReplaceable: boolean
  readonly bundles: Set<Bundle>
}

/** All sockets that listen to the same channels: what they get in a tick is one buffer, built once. */
type Bundle = {
  readonly key: string
  readonly channels: readonly Channel[]
  readonly members: Set<Connection>
}

type Member = { bundle: Bundle; readonly missed: Set<Channel> }

/**
 * Distributes channels to sockets, with one write per socket and tick. Each message is framed once for all sockets.
 *
 * isReplaceable  whether a channel's newest message replaces all before it (prices, candles, best levels); otherwise each message
 *                counts (trades, depth changes)
 */
export class Fanout {
  readonly #channels = new Map<string, Channel>()
  readonly #bundles = new Map<string, Bundle>()
  readonly #members = new Map<Connection, Member>()
  readonly #dirty = new Set<Channel>()
  readonly #isReplaceable: (name: string) => boolean
  readonly #onDemand: (name: string, isWanted: boolean) => void

  constructor(isReplaceable: (name: string) => boolean, onDemand: (name: string, isWanted: boolean) => void = () => undefined) {
    this.#isReplaceable = isReplaceable
    this.#onDemand = onDemand
  }

  get connections(): number {
    return this.#members.size
  }

  isWanted(name: string): boolean {
    return this.#channels.has(name)
  }

  /** From the next tick on, this socket gets exactly these channels. Without channels it leaves. */
  listen(connection: Connection, names: readonly string[]): void {
    const member = this.#members.get(connection)
    if (names.length === 0) {
      if (member) this.#leave(connection, member.bundle)
      this.#members.delete(connection)
      return
    }
    const bundle = this.#bundle([...new Set(names)].sort())
    if (member?.bundle === bundle) return
    bundle.members.add(connection)
    this.#members.set(connection, { bundle, missed: new Set() })
    if (member) this.#leave(connection, member.bundle)
  }

  publish(name: string, text: string): void {
    const channel = this.#channels.get(name)
    if (!channel) return
    const frame = textFrame(text)
    if (channel.isReplaceable) {
      channel.latest = frame
      channel.frames = [frame]
    } else channel.frames.push(frame)
    this.#dirty.add(channel)
  }

  /** Ends a tick: sends everything published since the last one. */
  flush(): void {
    if (this.#dirty.size === 0) return
    const bundles = new Set<Bundle>()
    for (const channel of this.#dirty) for (const bundle of channel.bundles) bundles.add(bundle)
    for (const bundle of bundles) this.#flushBundle(bundle)
    for (const channel of this.#dirty) channel.frames = []
    this.#dirty.clear()
  }

  #flushBundle(bundle: Bundle): void {
    const frames: Buffer[] = []
    for (const channel of bundle.channels) if (channel.frames.length > 0) frames.push(...channel.frames)
    const all = frames.length === 1 ? frames[0]! : Buffer.concat(frames)
    for (const connection of bundle.members) {
      const member = this.#members.get(connection)!
      if (connection.isSlow) this.#flushSlow(connection, bundle, member)
      else {
        if (member.missed.size > 0) this.#catchUp(connection, member)
        connection.write(all)
      }
    }
  }

  /** A slow reader gets every message that counts; of replaceable messages it later gets only the newest. */
  #flushSlow(connection: Connection, bundle: Bundle, member: Member): void {
    socketCounts.conflated++
    for (const channel of bundle.channels) {
      if (channel.frames.length === 0) continue
      if (channel.isReplaceable) member.missed.add(channel)
      else for (const frame of channel.frames) connection.queue(frame)
    }
    connection.flush()
  }

  #catchUp(connection: Connection, member: Member): void {
    for (const channel of member.missed) if (channel.frames.length === 0 && channel.latest) connection.queue(channel.latest)
    member.missed.clear()
    connection.flush()
  }

  #bundle(names: readonly string[]): Bundle {
    const key = names.join('\n')
    let bundle = this.#bundles.get(key)
    if (!bundle) {
      bundle = { key, channels: names.map((name) => this.#channel(name)), members: new Set() }
      this.#bundles.set(key, bundle)
      for (const channel of bundle.channels) channel.bundles.add(bundle)
    }
    return bundle
  }

  #channel(name: string): Channel {
    let channel = this.#channels.get(name)
    if (!channel) {
      channel = { name, frames: [], latest: undefined, isReplaceable: this.#isReplaceable(name), bundles: new Set() }
      this.#channels.set(name, channel)
      this.#onDemand(name, true)
    }
    return channel
  }

  #leave(connection: Connection, bundle: Bundle): void {
    bundle.members.delete(connection)
    if (bundle.members.size > 0) return
    this.#bundles.delete(bundle.key)
    for (const channel of bundle.channels) {
      channel.bundles.delete(bundle)
      if (channel.bundles.size > 0) continue
      this.#channels.delete(channel.name)
      this.#dirty.delete(channel)
      this.#onDemand(channel.name, false)
    }
  }
}
