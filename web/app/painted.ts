/** Frames: when the last one is on the screen, and which changes share the next one. */

/** Resolves when React's last changes are on the screen. Content below the fold is loaded after that. */
export function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

const turns: (() => void)[] = []

/** Calls `work` after the next frame, in a task of its own. Several come one after another. Returns a function that takes it back. */
export function inTurn(work: () => void): () => void {
  turns.push(work)
  if (turns.length === 1) void takeTurns()
  return () => {
    const at = turns.indexOf(work)
    // The first one stays until its turn: it stands for the loop that is running.
    if (at > 0) turns.splice(at, 1)
    else if (at === 0) turns[0] = nothing
  }
}

async function takeTurns(): Promise<void> {
  while (turns.length > 0) {
    await painted()
    turns[0]?.()
    turns.shift()
  }
}

const nothing = (): void => undefined

/** How much earlier than due a value may join the frame of another one. */
const joinMs = 50

const waiting = new Map<() => void, number>()
let timer: ReturnType<typeof setTimeout> | undefined
let armedFor = Infinity
let isFrameAsked = false

/**
 * Calls `publish` once, in a frame at about `at`, by the clock of `performance.now()`. Each live value has its own pace, but every frame
 * costs a render, a layout and a paint, so values that are due about the same time share one.
 */
export function publishAt(at: number, publish: () => void): void {
  waiting.set(publish, at)
  arm()
}

function arm(): void {
  const first = Math.min(...waiting.values())
  if (isFrameAsked || first >= armedFor) return
  clearTimeout(timer)
  armedFor = first
  timer = setTimeout(
    () => {
      isFrameAsked = true
      requestAnimationFrame(frame)
    },
    Math.max(0, first - performance.now()),
  )
}

function frame(): void {
  isFrameAsked = false
  armedFor = Infinity
  const until = performance.now() + joinMs
  const due = [...waiting].filter(([, at]) => at <= until)
  for (const [publish] of due) waiting.delete(publish)
  for (const [publish] of due) publish()
  arm()
}
