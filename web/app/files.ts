/**
 * Loads the files of the build: screens, their parts, texts. The build passes every `import()` through `fetched`.
 *
 * A browser keeps a failed `import()` for the life of the page, for the imported file and for each file that this one imports; it does
 * the same with a failed `<link rel=preload>`. A failed `fetch` can be repeated. So all files are fetched first, and imported when they
 * are in the browser's cache.
 */

/** A file of the build that can't be loaded. */
export class FileError extends Error {
  /** Whether the browser keeps the failure, so that only a reload of the page helps. */
  readonly isKept: boolean
  readonly href: string

  constructor(href: string, { isKept, cause }: { readonly isKept: boolean; readonly cause: unknown }) {
    super(`can't load ${href}`, { cause })
    this.href = href
    this.isKept = isKept
  }
}

/** Files that are in the cache or on their way. */
const asked = new Map<string, Promise<void>>()

/**
 * Imports a file after it and the files it needs were fetched. `names`: their names from the root, or none if it needs no other.
 *
 * throws  FileError if one of them can't be loaded
 */
export async function fetched<Module>(load: () => Promise<Module>, names: readonly string[] = []): Promise<Module> {
  const hrefs = names.length > 0 ? names.map((name) => `/${name}`) : ownName(load)
  await Promise.all(hrefs.map((href) => fetchOnce(href)))
  try {
    return await load()
  } catch (cause) {
    if (!isOfImport(cause)) throw cause
    throw new FileError(hrefs[0] ?? '/', { isKept: true, cause })
  }
}

/**
 * Repeats a load that failed with `error`. Reloads the page if only that helps: if the browser keeps the failure, or if the file is gone
 * because there is a new version. Without an answer of the server the page stays, because a reload may leave nothing.
 */
export async function again<Loaded>(error: unknown, load: () => Promise<Loaded>): Promise<Loaded> {
  if (error instanceof FileError) {
    const answer = await fetch(error.href, { cache: 'no-store' }).catch(() => undefined)
    if (answer !== undefined && (error.isKept || answer.status === 404)) location.reload()
  }
  return load()
}

/** Whether an error is a file that could not be loaded, in the built app or during development. */
export function isOfFile(error: unknown): boolean {
  return error instanceof FileError || isOfImport(error)
}

/** Whether an error is a failed `import()`: browsers differ in words, but all throw a TypeError that mentions a module. */
function isOfImport(error: unknown): boolean {
  return error instanceof TypeError && /module/i.test(error.message)
}

/** The file in the code of a call like `() => import('./de.js')`: the build gives no names for a file that needs no other. */
function ownName(load: () => unknown): readonly string[] {
  const name = /import\(["'`](.+?)["'`]\)/.exec(String(load))?.[1]
  return name === undefined ? [] : [new URL(name, import.meta.url).pathname]
}

function fetchOnce(href: string): Promise<void> {
  const known = asked.get(href)
  if (known !== undefined) return known
  const coming = fetchFile(href)
  asked.set(href, coming)
  coming.catch(() => asked.delete(href))
  return coming
}

async function fetchFile(href: string): Promise<void> {
  // The page asked for these itself, before any code ran.
  if (document.querySelector(`link[rel=modulepreload][href="${href}"]`) !== null) return
  try {
    const answer = await fetch(href)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    // The cache has a file once it was read to its end.
    await answer.arrayBuffer()
  } catch (cause) {
    throw new FileError(href, { isKept: false, cause })
  }
}
