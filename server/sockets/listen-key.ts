const shape = /^[A-Za-z0-9]{64}$/

/** Whether a name has the form of a listen key. */
export const isListenKey = (name: string): boolean => shape.test(name)

export type Listener = {
  /** Takes one event as JSON; it is sent by `flush`. */
  readonly say: (event: string) => void
  readonly flush: () => void
  /** Called when events were missed: later messages do not continue earlier ones. */
  readonly onLost: () => void
}

/**
 * A follower of a user's stream. `onEnd` is called when the API key no longer permits the stream; no more messages follow.
 */
export type Follower = Listener & { readonly onEnd: () => void }

/** A user's stream that is being followed. */
export type Following = { readonly leave: () => void }

/** Finds the user streams that listen keys open. */
export type OpenedByKey = {
  /** The stream of a listen key; undefined when the key opens none from this address. */
  attach(listenKey: string, ip: string, follower: Follower): Promise<Following | undefined>
}
