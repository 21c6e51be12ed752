/** Explanations without the wait for a process of low priority, which hardly runs on a busy machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Explainer } from '../../server/explain/explainer.ts'
import type { TestExchange } from '../../server/main/test/exchange.ts'

const lookMs = 200

/** Works out what customers ask in this process too, until it is disposed of. */
export function explaining({ store }: TestExchange): AsyncDisposable {
  const explainer = new Explainer(store.pool)
  let isOn = true
  const work = async (): Promise<void> => {
    while (isOn) {
      if (await explainer.isDue()) await explainer.turn()
      await sleep(lookMs)
    }
  }
  const done = work()
  return {
    async [Symbol.asyncDispose]() {
      isOn = false
      await done
    },
  }
}
