import { resolve } from 'node:path'

export type Bucket = { readonly url: string; readonly region: string; readonly keyId: string; readonly secret: string }

/** The bucket that a setting names: `s3+https://KEY_ID:SECRET@HOST/BUCKET?region=REGION`; undefined: it names a folder. throws RangeError */
export function bucketOf(text: string): Bucket | undefined {
  if (!/^s3\+https?:/.test(text)) return undefined
  const { username, password, searchParams, protocol, host, pathname } = new URL(text.slice('s3+'.length))
  if (username === '' || password === '' || pathname.length < 2) throw new RangeError('a bucket needs its keys, host and name')
  return {
    url: `${protocol}//${host}${pathname.replace(/\/$/, '')}`,
    region: searchParams.get('region') ?? 'auto',
    keyId: decodeURIComponent(username),
    secret: decodeURIComponent(password),
  }
}

/** The setting with a whole path where it names a folder. throws RangeError */
export function placeIn(folder: string, text: string): string {
  return bucketOf(text) === undefined ? resolve(folder, text) : text
}
