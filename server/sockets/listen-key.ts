const shape = /^[A-Za-z0-9]{64}$/

/** Whether a name has the form of a listen key. */
export const isListenKey = (name: string): boolean => shape.test(name)

export type Listener = {
  /** One event as JSON; what was said leaves with `flush`. */
  readonly say: (event: string) => void
  readonly flush: () => void
  /** Events were missed: what was said so far does not lead on. */
  readonly onLost: () => void
}

/** Someone who follows a user's stream as long as the API key behind it lets them. `onEnd`: it does not any more, and nothing more will be said. */
export type Follower = Listener & { readonly onEnd: () => void }

/** A user's stream that is being followed. */
export type Following = { readonly leave: () => void }

/** Knows the user streams that listen keys open. */
export type OpenedByKey = {
  /** The stream behind a listen key; undefined when it opens none from this address. */
  attach(listenKey: string, ip: string, follower: Follower): Promise<Following | undefined>
}
