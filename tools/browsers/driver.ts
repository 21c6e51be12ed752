/** What the journeys need of a browser. Everything else is done by scripts in the page, the same in every browser. */
export type Driver = AsyncDisposable & {
  /** Name and version, as the browser gives them. */
  readonly name: string
  /** Errors of page scripts and the console. */
  readonly complaints: string[]
  /** Loads a page, and returns once it has been parsed. */
  load(url: string): Promise<void>
  /** Sets a cookie of the page's host, which its scripts can't read. */
  cookie(cookie: { readonly name: string; readonly value: string }): Promise<void>
  /** Calls a function, or the text of one, in the page. Arguments and result are JSON. */
  run<Given extends readonly unknown[], Result>(script: ((...given: Given) => Result) | string, ...given: Given): Promise<Result>
  /** Performs the actions of W3C WebDriver, which all browsers understand. */
  act(sources: readonly object[]): Promise<void>
  /** A PNG of the window. */
  picture(): Promise<Buffer>
}

/** The window of a phone, in CSS pixels. */
export const size = { width: 390, height: 844 }

/** Waits until a process or a page is ready. */
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** The text of a function that calls another one with arguments in JSON, and gives its result as JSON. */
export function jsonCall(script: string | ((...given: never[]) => unknown)): string {
  return `async (given) => JSON.stringify((await (${String(script)})(...JSON.parse(given))) ?? null)`
}

/** Messages that are no faults of the app: an answer with a refusal, and sockets that end with their page. */
export const isNoise = (text: string): boolean => /Failed to load resource|WebSocket|Firefox can’t establish a connection/.test(text)
