import type { Released } from '@candor/core/protocol/released.ts'
import type { Sink } from './batch.ts'
import type { Engine } from './engine.ts'
import { HeadTeller } from './head-teller.ts'
import type { Link } from './link.ts'
import { ReceivedBatch } from './outcomes.ts'
import { answerQuestion, makeAsk } from './questions.ts'
import { Requests } from './requests.ts'

/** A link to an engine in this process. */
export function localLink(engine: Engine): Link {
  const releasedListeners: ((released: Released) => void)[] = []
  const topics = new Map<string, ((value: unknown) => void)[]>()
  const headListeners = new Set<(seq: number) => void>()
  const teller = new HeadTeller((seq) => headListeners.forEach((listener) => listener(seq)))
  const requests = new Requests((numbers, data) => engine.offer({ sink, data, requests: numbers }))
  const sink: Sink = {
    get wantsAll() {
      return releasedListeners.length > 0
    },
    release({ firstSeq, lastSeq, events }, own) {
      const batch = new ReceivedBatch(firstSeq, lastSeq, events, 0)
      requests.released(batch, own)
      for (const listener of releasedListeners) listener(batch)
    },
    advanced: (seq) => headListeners.size > 0 && teller.advanced(seq),
    refuse: (numbers, refusal) => requests.refused(numbers, refusal),
  }
  const hear = (topic: string, value: unknown) => {
    for (const listener of topics.get(topic) ?? []) listener(value)
  }
  engine.attach(sink)
  engine.hub.join(hear)
  return {
    submit: (command, keyId = 0) => requests.submit(command, keyId),
    ask: makeAsk((question) => answerQuestion(engine, question)),
    onReleased: (listener) => {
      releasedListeners.push(listener)
    },
    onHead: (listener) => {
      headListeners.add(listener)
      return () => void headListeners.delete(listener)
    },
    sendOnce: () => requests.sendOnce(),
    publish: (topic, value) => engine.hub.publish(topic, value, hear),
    onPublished: (topic, listener) => {
      topics.set(topic, [...(topics.get(topic) ?? []), listener])
      if (engine.hub.last.has(topic)) listener(engine.hub.last.get(topic))
    },
    onState: (listener) => {
      const tell = () => listener(engine.state === 'up' ? 'up' : 'down')
      engine.onState(tell)
      tell()
    },
    async [Symbol.asyncDispose]() {
      engine.detach(sink)
      teller.stop()
      engine.hub.leave(hear)
      requests.lost()
    },
  }
}
