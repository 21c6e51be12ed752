/** What is sent where on the bus. An engine and a client are named by the id of their connection. */
export const subjects = {
  /** Where the leading engine says that it is there, several times a second: `Beacon`. */
  leader: 'candor.leader',
  /** From clients to an engine, and back: messages on lines. */
  engine: (id: string): string => `candor.engine.${id}`,
  client: (id: string): string => `candor.client.${id}`,
  /** Released batches, whole, from the leading engine to all. */
  released: 'candor.released',
  /** A starting engine asks all witnesses here what they saw, and gets their answers there. */
  witnesses: 'candor.witnesses',
  witness: (id: string): string => `candor.witness.${id}`,
  /** Small facts between all processes, as JSON. */
  topic: (name: string): string => `${topicPrefix}${name}`,
  topics: 'candor.topic.*',
} as const

const topicPrefix = 'candor.topic.'

/** The topic of a message. */
export const topicOf = (subject: string): string => subject.slice(topicPrefix.length)

/** A fact as JSON; undefined for anything else, which nobody of ours has sent. */
export function factIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
