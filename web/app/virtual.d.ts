/** Made by `build/coins.ts`. */
declare module 'virtual:coins' {
  /** The picture that holds the icons of `first`, each at the fragment of its name. */
  export const sheet: string
  export const first: ReadonlySet<string>
  export const singles: ReadonlySet<string>
}
