/** `./en/home.json` holds the texts `home.…`. */
export function byArea<File>(files: Readonly<Record<string, File>>): Readonly<Record<string, File>> {
  return Object.fromEntries(Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ''), texts]))
}
