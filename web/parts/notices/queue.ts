/** The order in which notices are shown: one at a time, several of one kind as one. */

/** What a notice says: see `Toast`. */
type Said = {
  readonly text: string
  readonly detail?: string
  readonly tone?: 'plain' | 'good' | 'bad'
  readonly action?: { readonly text: string; readonly run: () => void }
  /** Beside the action: takes back what is told. */
  readonly undo?: { readonly text: string; readonly run: () => void }
  readonly stays?: boolean
}

/** `group`: notices that can be told as one. `many`: how, with their count. Neither: each is told by itself. */
export type Notice = Said & { readonly group?: string; readonly many?: (count: number) => Said }

/** `count`: how many notices it stands for. */
export type Queued = { readonly id: number; readonly count: number; readonly notice: Notice; readonly told: Said }

/** The first is shown, the others wait. */
export type Queue = readonly Queued[]

/** Notices that wait at most. Of more than these, the oldest that would go by itself is dropped; the list of notices has it. */
const queueMax = 20

/** Joins the notice with one of its group, or puts it at the end; danger goes before all that wait, but never in place of what is read. */
export function added(queue: Queue, notice: Notice, id: number): Queue {
  const same = notice.group === undefined ? undefined : queue.find((one) => one.notice.group === notice.group)
  if (same !== undefined && notice.many !== undefined) {
    const count = same.count + 1
    const joined = { ...same, count, notice, told: notice.many(count) }
    return queue.map((one) => (one === same ? joined : one))
  }
  const next = { id, count: 1, notice, told: notice }
  const [shown, ...waiting] = queue
  if (shown === undefined) return [next]
  const at = notice.tone === 'bad' ? waiting.findIndex(({ notice: { tone } }) => tone !== 'bad') : -1
  const all = at < 0 ? [...waiting, next] : [...waiting.slice(0, at), next, ...waiting.slice(at)]
  if (all.length <= queueMax) return [shown, ...all]
  const spare = all.findIndex((one) => one.notice.stays !== true)
  return [shown, ...all.filter((_, index) => index !== Math.max(0, spare))]
}

export function closed(queue: Queue, id: number): Queue {
  return queue.filter((one) => one.id !== id)
}

/** When the time to read the first is over: it goes, or, where it stays until it is closed, lets the next be read. */
export function passed(queue: Queue): Queue {
  const [shown, ...waiting] = queue
  if (shown === undefined) return queue
  return shown.notice.stays === true ? [...waiting, shown] : waiting
}

/** Milliseconds to read a notice: longer texts and errors get more. */
export function readingMs({ text, detail = '', tone }: Said): number {
  return Math.min(12_000, Math.max(tone === 'bad' ? 7_000 : 5_000, (text.length + detail.length) * 90))
}
